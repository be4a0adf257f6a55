"""Strata: the attributes of mentions by which scores and errors are broken down.

    type        pronoun, name, nominal, event, zero
    pronoun     the form of a pronoun
    gender      of a pronoun: feminine, masculine, neuter, open
    sentences   sentences back to the closest antecedent in the chain; 0 is the same sentence
    mentions    mentions between it and that antecedent
    genre       of the document: its column, else derived from its name
    document    the document itself
    length      tokens of the document
    size        mentions of the chain

Every mention is in exactly one stratum of each kind, so that counts add up. A mention without an
antecedent is ``first``, one that is not a pronoun ``no pronoun``. The type of a mention is the
first of these that applies:

    zero      its head is an empty node
    pronoun   it is a pronoun by its tag, or by the list of English pronouns
    event     it is annotated as an event (``kind``, ``etype``), or its head is tagged as a verb
    name      it is annotated as a name, or its head is tagged as a proper noun, or, without tags,
              capitalized other than at the beginning of a sentence
    nominal   every other mention

Untagged words at the beginning of a sentence count as names unless the corpus also has them in
lower case. A corpus without words has only mentions of type ``unknown``.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal, TypeAlias

import numpy as np

from corefbench.corpus.corpus import Corpus, Tokens
from corefbench.errors import UnknownName
from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.english.pronouns import FEMININE, MASCULINE, NEUTER, Pronoun, lookup_pronoun
from corefbench.preprocess.english.word_lists import word_set
from corefbench.preprocess.pipelines.conll2012 import parse_brackets
from corefbench.preprocess.pipelines.head_rules import head_child
from corefbench.records import Columns
from corefbench.scoring.matching.zeros import is_zero

MentionType: TypeAlias = Literal["pronoun", "name", "nominal", "event", "zero", "unknown"]
MENTION_TYPES: tuple[MentionType, ...] = ("pronoun", "name", "nominal", "event", "zero", "unknown")
_PRONOUN_TAGS = word_set("PRP PRP$ WP WP$ WDT WRB DT PRON DET PN")
"""Tags of one-word mentions that are pronouns; they include determiners that stand alone."""
_NAME_TAGS = word_set("NNP NNPS PROPN NR")
_VERB_TAGS = word_set("VB VBD VBG VBN VBP VBZ VERB VV")
_ANNOTATED_TYPES: dict[str, MentionType] = {
    "PROP": "name", "NAM": "name", "NOM": "nominal", "PRON": "pronoun", "PRO": "pronoun",
}  # fmt: skip
"""The types that corpora annotate."""
_POSTMODIFIER_STARTS = word_set(
    ", ; : ( -LRB- -- of in on at for with from to by as about into under over between among than "
    "against during through after before without within since until near who whom whose which that "
    "where when while because if"
)
_GENDERS = {MASCULINE: "masculine", FEMININE: "feminine", NEUTER: "neuter"}

STRATA: dict[str, str] = {
    "type": "Mention type",
    "pronoun": "Pronoun",
    "gender": "Gender of pronoun",
    "sentences": "Sentences to the antecedent",
    "mentions": "Mentions to the antecedent",
    "genre": "Genre",
    "document": "Document",
    "length": "Document length",
    "size": "Chain size",
}
"""The name of every stratum, and its title."""
ALIASES = {
    "distance": "sentences",
    "mention-distance": "mentions",
    "mention-type": "type",
    "chain-size": "size",
    "document-length": "length",
    "form": "pronoun",
}
FIRST = "first"
NO_PRONOUN = "no pronoun"

_EDGES: dict[str, tuple[int, ...]] = {
    "sentences": (0, 1, 2, 3, 6, 11),
    "mentions": (0, 1, 3, 6, 11, 21, 51),
    "length": (0, 250, 500, 1000, 2000, 5000),
    "size": (1, 2, 3, 6, 11, 21),
}
"""Where each bin begins; the last is open."""


def bin_labels(edges: Sequence[int]) -> list[str]:
    """Return the labels of bins.

    >>> bin_labels((0, 1, 3, 6))
    ['0', '1–2', '3–5', '6+']
    """
    ends = [*(edge - 1 for edge in edges[1:]), None]
    return [
        f"{first}+" if last is None else str(first) if first == last else f"{first}–{last}"
        for first, last in zip(edges, ends, strict=True)
    ]


def bin_values(stratum: str, values: Iterable[int]) -> list[str]:
    """Return the bin of every value; negative values are mentions without an antecedent.

    >>> bin_values("sentences", [0, 4, 40, -1])
    ['0', '3–5', '11+', 'first']
    """
    edges = _EDGES[stratum]
    names = bin_labels(edges)
    return [names[bisect_right(edges, value) - 1] if value >= 0 else FIRST for value in values]


def sort_strata(stratum: str, values: Iterable[str]) -> list[str]:
    """Sort values as tables list them: bins and types in their own order, else by name."""
    if stratum in _EDGES:
        order = [*bin_labels(_EDGES[stratum]), FIRST]
    elif stratum == "type":
        order = list(MENTION_TYPES)
    else:
        order = []
    rank = {name: number for number, name in enumerate(order)}
    last = {NO_PRONOUN: 1, "unknown": 1}
    return sorted(set(values), key=lambda v: (rank.get(v, len(order)), last.get(v, 0), v))


def parse_stratum(name: str) -> str:
    """Return the stratum of a name or alias."""
    canonical = ALIASES.get(name, name)
    if canonical not in STRATA:
        raise UnknownName("stratum", name, [*STRATA, *ALIASES])
    return canonical


class MentionTypes(Columns, frozen=True, eq=False):
    """The type of every mention of a corpus."""

    type: list[MentionType]
    form: list[str]
    """The pronoun in lower case; empty for other mentions."""
    gender: list[str]
    """Of the pronoun: masculine, feminine, neuter, or ``open``; empty for other mentions."""
    head: list[int]
    """The head token, counted over the corpus."""


def classify_mentions(corpus: Corpus, tokens: Tokens, words: Sequence[str]) -> MentionTypes:
    """Classify mentions; ``tokens`` and their ``words`` may be those of the other side."""
    document_start = tokens.offsets[corpus.mentions.document]
    starts = (document_start + corpus.mentions.start).tolist()
    ends = (document_start + corpus.mentions.end).tolist()
    if not words:
        unknown: list[MentionType] = ["unknown"] * len(starts)
        blank = [""] * len(starts)
        return MentionTypes(type=unknown, form=blank, gender=blank, head=starts)
    classifier = _Classifier(corpus, tokens, words)
    heads = _find_heads(corpus, tokens, words, list(zip(starts, ends, strict=True)))
    classified = [
        classifier.classify(mention, *span) for mention, span in enumerate(zip(starts, ends, heads, strict=True))
    ]
    return MentionTypes(
        type=[kind for kind, _, _ in classified],
        form=[form for _, form, _ in classified],
        gender=[gender for _, _, gender in classified],
        head=heads,
    )


def _find_heads(corpus: Corpus, tokens: Tokens, words: Sequence[str], spans: list[tuple[int, int]]) -> list[int]:
    """Return the annotated heads, else those by the parse trees, else those by the words."""
    mentions = corpus.mentions
    annotated = np.full(len(spans), -1) if mentions.head is None else mentions.head
    annotated_heads = np.where(annotated >= 0, tokens.offsets[mentions.document] + annotated, -1).tolist()
    parsed = heads_by_parse(tokens, spans)
    by_words = HeadsByWords(words)
    return [
        head if head >= 0 else phrase if phrase >= 0 else by_words.find(*span)
        for head, phrase, span in zip(annotated_heads, parsed, spans, strict=True)
    ]


def head_by_words(words: Sequence[str], start: int, end: int) -> int:
    """Guess the head of a span from its words: the last one before a postmodifier.

    >>> head_by_words("the old mayor of the town".split(), 0, 6)
    2
    """
    return HeadsByWords(words).find(start, end)


class HeadsByWords:
    """Heads of any spans of a text, for which its words are looked at once."""

    def __init__(self, words: Sequence[str]) -> None:
        self._next_postmodifier = [len(words)] * (len(words) + 1)
        for position in reversed(range(len(words))):
            is_start = words[position].lower() in _POSTMODIFIER_STARTS
            self._next_postmodifier[position] = position if is_start else self._next_postmodifier[position + 1]
        self._last_word = list(accumulate((i if word[:1].isalnum() else -1 for i, word in enumerate(words)), max))

    def find(self, start: int, end: int) -> int:
        """Return the head of a span, see ``head_by_words``."""
        if start >= len(self._last_word):
            return start
        stop = min(end, self._next_postmodifier[start + 1])
        return max(self._last_word[stop - 1], start) if stop > start else start


def heads_by_parse(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the head of every span that is a phrase of its tree; -1 for others, and without trees.

    Spans and heads are counted over all tokens.
    """
    bits, tags = tokens.columns.get("parse"), tokens.columns.get("pos")
    if bits is None or tags is None or not len(tokens.sentences):
        return [-1] * len(spans)
    starts = tokens.sentences.tolist()
    ends = [*starts[1:], len(tokens)]
    sentences = np.searchsorted(tokens.sentences, [start for start, _ in spans], side="right") - 1
    trees: dict[int, dict[tuple[int, int], Constituent]] = {}
    heads = []
    for span, number in zip(spans, sentences.tolist(), strict=True):
        if number not in trees:
            a, b = starts[number], ends[number]
            trees[number] = _phrases_by_span(parse_brackets(bits.slice(a, b), tags.slice(a, b), a))
        phrase = trees[number].get(span)
        heads.append(-1 if phrase is None else _lexical_head(phrase))
    return heads


def _phrases_by_span(root: Constituent | None) -> dict[tuple[int, int], Constituent]:
    """Return the phrases of a tree by their spans; of several with one span the lowest."""
    phrases: dict[tuple[int, int], Constituent] = {}
    stack = [] if root is None else [root]
    while stack:
        node = stack.pop()
        phrases[node.start, node.end] = node
        stack += node.children
    return phrases


def _lexical_head(node: Constituent) -> int:
    while node.children:
        node = node.children[head_child(node.label, node.children)]
    return node.start


class _Classifier:
    """Classifier of the mentions of one corpus."""

    def __init__(self, corpus: Corpus, tokens: Tokens, words: Sequence[str]) -> None:
        columns, mention_columns = tokens.columns, corpus.mentions.columns
        tags = columns.get("xpos") or columns.get("pos")
        self._tags = list(tags) if tags else [""] * len(words)
        self._upos = list(columns["upos"]) if "upos" in columns else self._tags
        self._words = words
        self._zero = is_zero(corpus).tolist()
        count = len(corpus.mentions)
        annotated = [list(mention_columns[name]) for name in ("kind", "etype") if name in mention_columns]
        self._event = [any(v.lower() == "event" for v in row) for row in zip(*annotated, strict=True)]
        self._event = self._event or [False] * count
        self._annotated_type = list(mention_columns["class"]) if "class" in mention_columns else [""] * count
        self._openings = {*tokens.sentences.tolist(), *tokens.offsets.tolist()}
        self._lower = {word for word in words if word[:1].islower()}

    def classify(self, mention: int, start: int, end: int, head: int) -> tuple[MentionType, str, str]:
        """Return the type, and of a pronoun its form and gender."""
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
        return (_ANNOTATED_TYPES.get(self._annotated_type[mention].upper()) or self._by_head(start, head), "", "")

    def _pronoun(self, start: int, end: int) -> Pronoun | None:
        if end - start > 2:  # *each other* and *one another* are the longest
            return None
        following = self._words[end] if end < len(self._words) else None
        text = " ".join(self._words[start:end])
        # CoNLL writes - for a missing tag.
        return lookup_pronoun(text, self._tags[start].replace("-", ""), following)

    def _by_head(self, start: int, head: int) -> MentionType:
        tags = {self._tags[head], self._upos[head]}
        if tags & _VERB_TAGS:
            return "event"
        if any(tag[:1].isalpha() for tag in tags):
            return "name" if tags & _NAME_TAGS else "nominal"
        word = self._words[head]
        if not word[:1].isupper():
            return "nominal"
        # A capital at the beginning of a sentence does not make a name.
        opens = head in self._openings
        return "nominal" if opens and word.lower() in self._lower else "name"
