"""What kind of expression each mention is: pronoun, name, nominal, event or zero.

In this order, the first that holds:

    zero      its head is an empty node
    pronoun   it is a pronoun by its tag, or by the list of English pronouns
    event     the corpus says so (``kind``, ``etype``), or its head is tagged as a verb
    name      the corpus says so, or its head is tagged as a proper noun, or, without tags, written
              with a capital that the sentence does not explain
    nominal   every other mention

Words without tags at the beginning of a sentence count as names unless the document has them in
lower case too. A corpus without words has only mentions of type ``unknown``.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.parse_heads import parse_heads
from corefbench.language.agreement import FEMININE, MASCULINE, NEUTER
from corefbench.language.pronouns import Pronoun, lookup
from corefbench.language.words import words as word_set
from corefbench.matching.zeros import is_zero
from corefbench.model.corpus import Corpus, Tokens
from corefbench.record import Columns

MentionType: TypeAlias = Literal["pronoun", "name", "nominal", "event", "zero", "unknown"]
MENTION_TYPES: tuple[MentionType, ...] = ("pronoun", "name", "nominal", "event", "zero", "unknown")

_PRONOUN_TAGS = word_set("PRP PRP$ WP WP$ WDT WRB DT PRON DET PN")
"""Of one-word mentions: determiners that stand alone, too."""
_NAME_TAGS = word_set("NNP NNPS PROPN NR")
_VERB_TAGS = word_set("VB VBD VBG VBN VBP VBZ VERB VV")
_SAID: dict[str, MentionType] = {
    "PROP": "name", "NAM": "name", "NOM": "nominal", "PRON": "pronoun", "PRO": "pronoun",
}  # fmt: skip
"""What corpora that mark the type of mentions write."""
_AFTER_THE_HEAD = word_set(
    ", ; : ( -LRB- -- of in on at for with from to by as about into under over between among than "
    "against during through after before without within since until near who whom whose which that "
    "where when while because if"
)
_GENDERS = {MASCULINE: "masculine", FEMININE: "feminine", NEUTER: "neuter"}


class Expressions(Columns, frozen=True, eq=False):
    """What every mention of a corpus is."""

    type: list[MentionType]
    form: list[str]
    """The pronoun in lower case; empty for other mentions."""
    gender: list[str]
    """Of the pronoun: masculine, feminine, neuter, or ``open``; empty for other mentions."""
    head: list[int]
    """The head token, counted over the corpus."""


def expressions(corpus: Corpus, tokens: Tokens, words: Sequence[str]) -> Expressions:
    """The kinds of the mentions; ``tokens`` and their ``words`` may be those of the other side."""
    places = tokens.offsets[corpus.mentions.document]
    starts = (places + corpus.mentions.start).tolist()
    ends = (places + corpus.mentions.end).tolist()
    if not words:
        unknown: list[MentionType] = ["unknown"] * len(starts)
        blank = [""] * len(starts)
        return Expressions(type=unknown, form=blank, gender=blank, head=starts)
    reader = _Reader(corpus, tokens, words)
    heads = _heads(corpus, tokens, words, list(zip(starts, ends, strict=True)))
    found = [
        reader.read(mention, *place)
        for mention, place in enumerate(zip(starts, ends, heads, strict=True))
    ]
    return Expressions(
        type=[kind for kind, _, _ in found],
        form=[form for _, form, _ in found],
        gender=[gender for _, _, gender in found],
        head=heads,
    )


def _heads(
    corpus: Corpus, tokens: Tokens, words: Sequence[str], spans: list[tuple[int, int]]
) -> list[int]:
    """The heads that the corpus gives, else those of its trees, else by the words."""
    mentions = corpus.mentions
    given = np.full(len(spans), -1) if mentions.head is None else mentions.head
    known = np.where(given >= 0, tokens.offsets[mentions.document] + given, -1).tolist()
    parsed = parse_heads(tokens, spans)
    return [
        head if head >= 0 else phrase if phrase >= 0 else head_of(words, *span)
        for head, phrase, span in zip(known, parsed, spans, strict=True)
    ]


def head_of(words: Sequence[str], start: int, end: int) -> int:
    """The head of a span by its words alone: the last before what follows a noun in English.

    >>> head_of("the old mayor of the town".split(), 0, 6)
    2
    """
    last = start
    for place in range(start, min(end, len(words))):
        word = words[place]
        if place > start and word.lower() in _AFTER_THE_HEAD:
            break
        if word[:1].isalnum():
            last = place
    return last


class _Reader:
    """Decides mention by mention."""

    def __init__(self, corpus: Corpus, tokens: Tokens, words: Sequence[str]) -> None:
        columns, own = tokens.columns, corpus.mentions.columns
        tags = columns.get("xpos") or columns.get("pos")
        self._tags = list(tags) if tags else [""] * len(words)
        self._upos = list(columns["upos"]) if "upos" in columns else self._tags
        self._words = words
        self._zero = is_zero(corpus).tolist()
        count = len(corpus.mentions)
        said = [list(own[name]) for name in ("kind", "etype") if name in own]
        self._event = [any(v.lower() == "event" for v in row) for row in zip(*said, strict=True)]
        self._event = self._event or [False] * count
        self._said = list(own["class"]) if "class" in own else [""] * count
        self._openings = {*tokens.sentences.tolist(), *tokens.offsets.tolist()}
        self._lower = {word for word in words if word[:1].islower()}

    def read(self, mention: int, start: int, end: int, head: int) -> tuple[MentionType, str, str]:
        """The type, and of a pronoun its form and gender."""
        if self._zero[mention]:
            return "zero", "", ""
        if head >= len(self._words):
            return "unknown", "", ""
        pronoun = self._pronoun(start, end)
        if pronoun is not None:
            return "pronoun", pronoun.form, _GENDERS.get(pronoun.agreement.gender, "open")
        if end - start == 1 and {self._tags[head], self._upos[head]} & _PRONOUN_TAGS:
            return "pronoun", self._words[head].lower(), "open"
        if self._event[mention]:
            return "event", "", ""
        return _SAID.get(self._said[mention].upper()) or self._by_head(start, head), "", ""

    def _pronoun(self, start: int, end: int) -> Pronoun | None:
        if end - start > 2:
            return None
        following = self._words[end] if end < len(self._words) else None
        text = " ".join(self._words[start:end])
        return lookup(text, self._tags[start].replace("-", ""), following)

    def _by_head(self, start: int, head: int) -> MentionType:
        tags = {self._tags[head], self._upos[head]}
        if tags & _VERB_TAGS:
            return "event"
        if any(tag[:1].isalpha() for tag in tags):
            return "name" if tags & _NAME_TAGS else "nominal"
        word = self._words[head]
        if not word[:1].isupper():
            return "nominal"
        opens = head in self._openings
        return "nominal" if opens and word.lower() in self._lower else "name"
