"""Universal Anaphora, the CONLL-UA exact format."""
