"""A document as people read it: text, mentions with their marks, entities and explanations."""
