"""Hand-written trees, a sentence per line: ``form|xpos|head|relation`` and, if need be, the type.

The universal tag follows from the Penn tag, and the lemma is the form in lower case unless it is
given, ``form:lemma``::

    Ann|NNP|2|nsubj|person slept:sleep|VBD|0|root

An empty line or ``==`` begins a paragraph.
"""

from corefbench.preprocess.discourse import Discourse
from tests.trees import discourse

_UNIVERSAL = {
    "NNP": "PROPN", "NNPS": "PROPN", "NN": "NOUN", "NNS": "NOUN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WDT": "PRON", "EX": "PRON", "DT": "DET", "CD": "NUM", "JJ": "ADJ", "RB": "ADV",
    "IN": "ADP", "TO": "PART", "POS": "PART", "CC": "CCONJ", "MD": "AUX", ".": "PUNCT",
    ",": "PUNCT", "AUX": "AUX",
}  # fmt: skip


def read(text: str) -> Discourse:
    """The discourse of some one-line trees."""
    blocks: list[str] = []
    for line in text.strip().splitlines():
        words = line.split()
        if words in ([], ["=="]):
            blocks.append("==")
        else:
            blocks.append("\n".join(map(_row, words)) + "\n")
    return discourse("\n".join(blocks))


def _row(cells: str) -> str:
    word, tag, head, relation, *types = cells.split("|")
    form, _, lemma = word.partition(":")
    upos = _UNIVERSAL.get(tag, "VERB")
    features = "PronType=Rel" if tag in ("WP", "WDT") else "_"
    kind = f"[{types[0]}]" if types else ""
    xpos = "VBZ" if tag == "AUX" else tag
    return f"{form} {lemma or form.lower()} {upos} {xpos} {head} {relation} {features} {kind}"
