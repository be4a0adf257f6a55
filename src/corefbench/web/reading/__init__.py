"""A document as people read it: prose, mentions with their marks, entities and reasons."""
