"""Universal tags of Penn tags."""

_TAGS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WP$": "PRON", "EX": "PRON", "DT": "DET", "WDT": "PRON", "PDT": "DET",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "AFX": "ADJ", "CD": "NUM", "VB": "VERB", "VBD": "VERB",
    "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX", "RB": "ADV",
    "RBR": "ADV", "RBS": "ADV", "WRB": "ADV", "IN": "ADP", "TO": "PART", "RP": "ADP", "CC": "CCONJ",
    "POS": "PART", "UH": "INTJ", "FW": "X", "LS": "X", "ADD": "X", "XX": "X", "GW": "X",
    "SYM": "SYM", "$": "SYM", "#": "SYM",
}  # fmt: skip
_PRONOUNS = frozenset({"this", "that", "these", "those"})


def upos_of(tag: str, word: str) -> str:
    """The universal tag of a word with that Penn tag; what is no tag of a word is punctuation.

    >>> upos_of("NNS", "cats"), upos_of(",", ","), upos_of("", "cats")
    ('NOUN', 'PUNCT', 'X')
    """
    if tag in _TAGS:
        return _TAGS[tag]
    return "PUNCT" if word and not any(map(str.isalnum, word)) else "X"
