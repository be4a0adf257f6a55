"""A small hand-made text for the tests of pairs, and what they ask of it."""

from corefbench.preprocess.discourse import Discourse
from tests.trees import discourse

TEXT = """
Ann    Ann    PROPN NNP  2 nsubj
saw    see    VERB  VBD  0 root
the    the    DET   DT   4 det
dogs   dog    NOUN  NNS  2 obj
of     of     ADP   IN   6 case
Bob    Bob    PROPN NNP  4 nmod
.      .      PUNCT .    2 punct

She    she    PRON  PRP  2 nsubj
fed    feed   VERB  VBD  0 root
them   they   PRON  PRP  2 obj
.      .      PUNCT .    2 punct

Her    she    PRON  PRP$ 2 nmod:poss
cat    cat    NOUN  NN   3 nsubj
slept  sleep  VERB  VBD  0 root
.      .      PUNCT .    3 punct

You    you    PRON  PRP  2 nsubj
heard  hear   VERB  VBD  0 root
the    the    DET   DT   4 det
dogs   dog    NOUN  NNS  2 obj
.      .      PUNCT .    2 punct

She    she    PRON  PRP  2 nsubj
thanked thank VERB  VBD  0 root
Ann    Ann    PROPN NNP  2 obj
.      .      PUNCT .    2 punct
"""

MENTIONS = {
    "Ann": (0, 1),
    "the dogs of Bob": (2, 6),
    "Bob": (5, 6),
    "She": (7, 8),
    "them": (9, 10),
    "Her cat": (11, 13),
    "Her": (11, 12),
    "You": (15, 16),
    "the dogs": (17, 19),
    "She again": (20, 21),
    "Ann again": (22, 23),
}
"""Each in the order of the text: by start, the longer first."""

CHAINS = [
    [MENTIONS[name] for name in ("Ann", "She", "Her", "She again", "Ann again")],
    [MENTIONS[name] for name in ("the dogs of Bob", "them", "the dogs")],
]


def told(*, gold: bool = True) -> Discourse:
    """The text with these mentions, or with those that its trees tell."""
    given = [(start, end, None) for start, end in MENTIONS.values()]
    return discourse(TEXT, given if gold else None)


def number(name: str) -> int:
    """The place of a mention."""
    return list(MENTIONS).index(name)
