"""The columns of CONLL-UA, and the names that mean something in its brackets."""

from corefbench.formats.conllu import COLUMNS as CONLLU_COLUMNS

LAYERS = {"identity": "identity", "deixis": "discourse_deixis"}
COLUMNS = (*CONLLU_COLUMNS, "identity", "bridging", "discourse_deixis", "reference", "nom_sem")
OWN = ("EntityID", "MarkableID", "Min", "ElementOf")
PSEUDO = "-Pseudo"
"""Ends the EntityID of what does not refer."""
