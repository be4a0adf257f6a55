"""An end-to-end neural resolver: encoder, mention scorer, antecedent ranking."""
