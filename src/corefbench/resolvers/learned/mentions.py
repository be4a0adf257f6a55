"""The mentions that UBIU pairs: every noun phrase, possessive pronoun and proper noun.

It over-generates on purpose; singletons are dealt with after classification.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from corefbench.language.agreement import PLURAL, SINGULAR
from corefbench.preprocess.analysis import Analysis, Constituent
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Columns, Flags, Ints

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_CASES = ("personal", "possessive", "reflexive")
PRONOUNS = frozenset((*_CASES, "demonstrative"))
"""Kübler & Zhekova 2011, section 6: of any person, but neither relative nor indefinite."""

NUMBERS = ("singular", "plural", "unknown")


class MentionTable(Columns, frozen=True, eq=False):
    """The mentions of a document in the order in which they begin, the longer first."""

    discourse: Discourse
    """Its phrases are the mentions."""
    heads: tuple[str, ...]
    strings: tuple[str, ...]
    sentence: Ints
    pronoun: Flags
    proper: Flags
    number: Ints
    """A place in ``NUMBERS``."""
    form: Ints
    """Pronouns that differ only in case share it; -1 for all others."""


def mention_table(discourse: Discourse, *, verbs: bool = False) -> MentionTable:
    """Collect the mentions, or take those of the key where it gives them."""
    own = discourse
    if discourse.mentions != "gold":
        spans = dict.fromkeys(_spans(discourse, verbs))
        own = discourse_of(discourse.analysis, [(start, end, None) for start, end in spans])
    analysis, phrases = own.analysis, own.phrases
    heads = [head_of(analysis.xpos, phrase.start, phrase.end) for phrase in phrases]
    return MentionTable(
        discourse=own,
        heads=tuple(analysis.words[head].lower() for head in heads),
        strings=tuple(" ".join(own.words_of(phrase)).lower() for phrase in phrases),
        sentence=np.array([phrase.sentence for phrase in phrases], np.int32),
        pronoun=np.array([is_pronoun(phrase) for phrase in phrases], np.bool_),
        proper=np.array([analysis.xpos[head].startswith("NNP") for head in heads], np.bool_),
        number=np.array(
            [_number(phrase, analysis.xpos[h]) for phrase, h in zip(phrases, heads, strict=True)],
            np.int32,
        ),
        form=np.array([_form(phrase) for phrase in phrases], np.int32),
    )


def is_pronoun(phrase: Phrase) -> bool:
    """Whether the phrase is a pronoun that may have an antecedent."""
    return phrase.pronoun is not None and phrase.pronoun.kind in PRONOUNS


def head_of(tags: Sequence[str], start: int, end: int) -> int:
    """The rightmost noun before a preposition that follows a noun; without a noun the last token.

    >>> head_of(["DT", "NN", "IN", "NNP"], 0, 4), head_of(["DT", "JJ"], 0, 2)
    (1, 1)
    """
    head = end - 1
    seen = False
    for token in range(start, end):
        if tags[token] in _NOUNS:
            head, seen = token, True
        elif seen and tags[token] in ("IN", "TO"):
            break
    return head if seen else end - 1


def _spans(discourse: Discourse, verbs: bool) -> Iterator[tuple[int, int]]:
    analysis = discourse.analysis
    if analysis.trees is not None and any(analysis.trees):
        for tree in analysis.trees:
            yield from _noun_phrases(tree)
    else:
        yield from ((phrase.start, phrase.end) for phrase in discourse.phrases)
    yield from ((token, token + 1) for token in _single_words(analysis, verbs))


def _noun_phrases(node: Constituent | None) -> Iterator[tuple[int, int]]:
    if node is None:
        return
    if node.label.startswith("NP") and node.children:
        yield node.start, node.end
    for child in node.children:
        yield from _noun_phrases(child)


def _single_words(analysis: Analysis, verbs: bool) -> Iterator[int]:
    for token, tag in enumerate(analysis.xpos):
        if tag in ("PRP$", "NNP", "NNPS") or (verbs and analysis.upos[token] == "VERB"):
            yield token


def _number(phrase: Phrase, tag: str) -> int:
    """By the tag of the head, or the table of pronouns."""
    if phrase.pronoun is not None:
        mask = phrase.pronoun.agreement.number
        return 0 if mask == SINGULAR else 1 if mask == PLURAL else 2
    return 1 if tag in ("NNS", "NNPS") else 0 if tag in ("NN", "NNP") else 2


def _form(phrase: Phrase) -> int:
    pronoun = phrase.pronoun
    if pronoun is None or pronoun.kind not in _CASES:
        return -1
    agreement = pronoun.agreement
    return agreement.person << 8 | agreement.number << 4 | agreement.gender
