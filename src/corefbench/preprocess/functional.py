"""Functions and tags of functional dependency grammar, as ClearNLP has them."""

from corefbench.language.words import words

_BE_HAVE_DO = words("be am is are was were been being have has had do does did")
_POSSESSIVE = words("my your his her its our their whose")
_RELATIVE = words("who whom which that whose")
_TAGS = {
    "N": ("NOUN", "NN"), "PRON": ("PRON", "PRP"), "V": ("VERB", "VBZ"), "EN": ("VERB", "VBN"),
    "ING": ("VERB", "VBG"), "INF": ("VERB", "VB"), "A": ("ADJ", "JJ"), "ADJ": ("ADJ", "JJ"),
    "DET": ("DET", "DT"), "PREP": ("ADP", "IN"), "ADV": ("ADV", "RB"), "CC": ("CCONJ", "CC"),
    "CS": ("SCONJ", "IN"), "NUM": ("NUM", "CD"), "INFMARK": ("PART", "TO"),
    "INTERJ": ("INTJ", "UH"), "PUNCT": ("PUNCT", "."), "NEG": ("PART", "RB"),
    "ABBR": ("PROPN", "NNP"),
}  # fmt: skip
_FUNCTIONS = {
    "SUBJ": "nsubj", "F-SUBJ": "expl", "OBJ": "dobj", "F-OBJ": "expl", "I-OBJ": "dative",
    "PCOMPL": "attr", "PCOMPL-S": "attr", "PCOMPL-O": "oprd", "DN": "det", "QN": "quantmod",
    "CC": "cc", "CS": "mark", "INFMARK": "mark", "NEG": "neg", "APP": "appos", "O-ADVL": "npadvmod",
    "+FAUXV": "aux", "-FAUXV": "aux", "DUMMY": "dep", "VOC": "vocative", "AN": "amod",
}  # fmt: skip
_COMPLEMENTS = frozenset({"PCOMP", "P"})
_NOUNS = frozenset({"NOUN", "PROPN", "PRON"})


def tags_of(word: str, pos: str, function: str, number: str) -> tuple[str, str]:
    """The universal and the Penn tag.

    >>> tags_of("cats", "N", "SUBJ", "PL"), tags_of("its", "PRON", "DN", "SG")
    (('NOUN', 'NNS'), ('PRON', 'PRP$'))
    """
    upos, xpos = _TAGS.get(pos.upper().strip("<>"), ("X", "FW"))
    low = word.lower()
    if upos == "X" and word and not any(map(str.isalnum, word)):
        return "PUNCT", word
    if upos == "NOUN":
        plural = number.upper() == "PL"
        if word[:1].isupper() and function.strip("<>") not in ("", "A"):
            return ("PROPN", "NNPS" if plural else "NNP") if _is_name(word) else (upos, xpos)
        return upos, "NNS" if plural else xpos
    if upos == "PRON":
        return upos, "PRP$" if low in _POSSESSIVE else "WP" if low in _RELATIVE else xpos
    if upos == "DET" and low in _POSSESSIVE:
        return "PRON", "PRP$"
    if "FAUXV" in function:
        return "AUX", xpos if low in _BE_HAVE_DO else "MD"
    return (upos, word) if upos == "PUNCT" else (upos, xpos)


def _is_name(word: str) -> bool:
    """Capitals inside or at the beginning; a common noun that begins a sentence passes too."""
    return word[:1].isupper()


def label_of(function: str, upos: str, word: str, governor: str) -> str:
    """The ClearNLP relation of a word by its function, its tag and its governor's tag."""
    function = function.upper().strip("<>")
    if not governor:
        return "ROOT"
    if upos == "PUNCT":
        return "punct"
    if function in _COMPLEMENTS:
        return "pcomp" if upos == "VERB" else "pobj"
    if upos == "PRON" and function in ("DN", "A", "GN") and word.lower() in _POSSESSIVE:
        return "poss"
    if function == "DN":
        return "poss" if upos in _NOUNS else "det"
    if function in _FUNCTIONS:
        return _FUNCTIONS[function]
    if function in ("+FMAINV", "-FMAINV"):
        return "relcl" if governor in _NOUNS else "ccomp"
    return _by_tag(function, upos, governor)


def _by_tag(function: str, upos: str, governor: str) -> str:
    """Adverbials and attributes, which words of any kind can be."""
    if upos == "ADP":
        return "prep"
    if upos in _NOUNS:
        return "compound" if governor in _NOUNS and function == "A" else "npadvmod"
    if upos == "VERB":
        return "acl" if governor in _NOUNS else "advcl"
    return {"ADJ": "amod", "ADV": "advmod", "NUM": "nummod", "DET": "det"}.get(upos, "dep")
