"""CorefUD 1.x: coreference in the MISC column of CoNLL-U."""
