"""Map part-of-speech tags and entity types of different pipelines to one set."""

_ENTITY_TYPES = {
    "per": "person", "gpe": "place", "loc": "place", "location": "place", "fac": "place",
    "org": "organization", "norp": "group", "date": "time", "product": "object", "misc": "",
    "work_of_art": "abstract", "law": "abstract", "language": "abstract", "money": "quantity",
    "percent": "quantity", "cardinal": "quantity", "ordinal": "quantity",
}  # fmt: skip


def normalize_entity_type(label: str) -> str:
    """Return the name of an entity type as in GUM, in lower case; unknown ones are kept.

    >>> [normalize_entity_type(label) for label in ("PERSON", "GPE", "animal")]
    ['person', 'place', 'animal']
    """
    label = label.lower()
    return _ENTITY_TYPES.get(label, label)


_UPOS_BY_PENN_TAG = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WP$": "PRON", "EX": "PRON", "DT": "DET", "WDT": "PRON", "PDT": "DET",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "AFX": "ADJ", "CD": "NUM", "VB": "VERB", "VBD": "VERB",
    "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX", "RB": "ADV",
    "RBR": "ADV", "RBS": "ADV", "WRB": "ADV", "IN": "ADP", "TO": "PART", "RP": "ADP", "CC": "CCONJ",
    "POS": "PART", "UH": "INTJ", "FW": "X", "LS": "X", "ADD": "X", "XX": "X", "GW": "X",
    "SYM": "SYM", "$": "SYM", "#": "SYM",
}  # fmt: skip


def penn_to_upos(tag: str, word: str) -> str:
    """Return the universal tag of a word with a Penn tag; unknown tags are punctuation or X.

    >>> penn_to_upos("NNS", "cats"), penn_to_upos(",", ","), penn_to_upos("", "cats")
    ('NOUN', 'PUNCT', 'X')
    """
    if tag in _UPOS_BY_PENN_TAG:
        return _UPOS_BY_PENN_TAG[tag]
    return "PUNCT" if word and not any(map(str.isalnum, word)) else "X"
