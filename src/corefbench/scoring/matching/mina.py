"""MINA matching: mentions with the same minimal words in the constituency tree are the same."""

import re
from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np

from corefbench.corpus.corpus import Corpus, Mentions
from corefbench.corpus.strings import Strings
from corefbench.errors import MismatchError
from corefbench.records import Ints
from corefbench.scoring.matching.alignment import Twins

_BIT_PIECES = re.compile(r"[()*]|[^()*]+")


class Node(msgspec.Struct, eq=False):
    """A phrase, or a run of words that no bracket separates."""

    label: str
    """The letters of the phrase's tag, or the words of the run."""
    tags: tuple[str, ...] = ()
    """The part-of-speech tags of the words; a phrase has none."""
    index: int = -1
    """Where the run was closed; -1: a phrase."""
    children: list["Node"] = []

    @property
    def is_words(self) -> bool:
        return self.index >= 0


class _TreeBuilder:
    """The open phrases, the finished roots and the words that wait for a bracket."""

    def __init__(self) -> None:
        self.open: list[Node] = []
        self.roots: list[Node] = []
        self.words: list[str] = []
        self.tags: list[str] = []

    def begin(self, label: str) -> None:
        node = Node(label)
        if self.open:
            self.open[-1].children.append(node)
        self.open.append(node)

    def place_words(self, index: int) -> None:
        if self.words:
            node = Node(" ".join(self.words), tuple(self.tags), index)
            (self.open[-1].children if self.open else self.open).append(node)
            self.drop_words()

    def drop_words(self) -> None:
        self.words, self.tags = [], []

    def end(self) -> None:
        if self.open:
            node = self.open.pop()
            if not self.open:
                self.roots.append(node)


def parse_tree(bits: Sequence[str], words: Sequence[str], tags: Sequence[str], first: int) -> Node | None:
    """The tree of consecutive tokens, the first of them numbered ``first``; None without a parse.

    A mention need not be a phrase, so brackets may lack their partners: what stays open is closed
    at the end, and several roots are put under one NP. Words between two brackets make one node.
    All of this follows coval's ``min_span``, down to its reading of a run before an opening
    bracket: it carries the index of the bracket, and is left out where no word of it is purely
    letters or purely digits.

    >>> tree = parse_tree(["(NP(NP*", "*)", "(PP*", "(NP*)))"], "the man with it".split(),
    ...                ["DT", "NN", "IN", "PRP"], 0)
    >>> tree.label, [child.label for child in tree.children], tree.children[0].children[0].label
    ('NP', ['NP', 'PP'], 'the man')
    """
    build = _TreeBuilder()
    for index, (bit, word, tag) in enumerate(zip(bits, words, tags, strict=True), first):
        _read_bit(build, bit, word, tag, index)
    build.place_words(first + len(bits) - 1)
    while build.open:
        build.end()
    if len(build.roots) > 1:
        return Node("NP", children=build.roots)
    return build.roots[0] if build.roots else None


def _read_bit(build: _TreeBuilder, bit: str, word: str, tag: str, index: int) -> None:
    """Take the bit of one token."""
    label: str | None = None
    for piece in _BIT_PIECES.findall(bit):
        if piece == ")":
            build.place_words(index)
            build.end()
        elif piece in ("(", "*"):
            if label is not None:
                build.begin(label)
            label = "" if piece == "(" else None
            if piece == "*":
                build.words.append(word)
                build.tags.append(tag)
            elif any(w.isalpha() or w.isdigit() for w in build.words):
                build.place_words(index)
            else:
                build.drop_words()
        elif label is not None:
            label += "".join(filter(str.isalpha, piece))


Words: TypeAlias = frozenset[tuple[str, int]]
"""Runs of words with their index in the sentence."""

_NOMINAL = frozenset({"NP", "NM", "QP", "NX"})
_VERBAL = frozenset({"VP"})
_FUNCTION_TAGS = frozenset({"CC", "DT", "IN"})
_BRACKETS = frozenset({"-LRB-", "-RRB-"})


def match(key: Corpus, response: Corpus) -> Twins:
    """Two mentions are twins where sentence and minimal span are equal (Moosavi et al. 2019).

    The minimal span of a mention, of either side, is read from the key's tree: the words highest up
    in its nominal (or verbal) phrases, of each coordinated phrase for itself. As in coval, nested
    mentions with one head become equal, and so do the like-worded mentions of a sentence that have
    no such word ("that" and "that"); of several equal key mentions the one of the last chain is the
    twin. Where the key has no parse for a mention, its span decides.
    """
    minima = _Minima(key)
    known: dict[tuple[int, Words | tuple[int, int]], int] = {}
    for mention in _closing_order(key.mentions).tolist():
        known[minima.of(key.mentions, mention)] = mention
    of_key = [minima.of(key.mentions, m) for m in range(len(key.mentions))]
    of_response = [minima.of(response.mentions, m) for m in range(len(response.mentions))]
    last = {minimum: m for m, minimum in enumerate(of_response)}
    return Twins(
        key=np.array([known.get(minimum, -1) for minimum in of_response], np.int32),
        key_same=np.array([known[minimum] for minimum in of_key], np.int32),
        response_same=np.array([last[minimum] for minimum in of_response], np.int32),
    )


class _Minima:
    """The minimal spans of mentions on the trees of the key, each span looked at once."""

    def __init__(self, key: Corpus) -> None:
        tokens = key.tokens
        self.bits, self.tags = _column(key, "parse"), _column(key, "pos")
        if tokens.words is None:
            raise _missing(key, "words")
        self.words = tokens.words
        self.offsets, self.sentences = tokens.offsets, tokens.sentences
        self.seen: dict[tuple[int, int], tuple[int, Words | tuple[int, int]]] = {}

    def of(self, mentions: Mentions, mention: int) -> tuple[int, Words | tuple[int, int]]:
        """What is equal for equal mentions: the sentence and the minimal span in it."""
        offset = int(self.offsets[mentions.document[mention]])
        span = offset + int(mentions.start[mention]), offset + int(mentions.end[mention])
        if span not in self.seen:
            sentence = int(np.searchsorted(self.sentences, span[0], "right")) - 1
            self.seen[span] = sentence, self._minimum(*span, int(self.sentences[sentence]))
        return self.seen[span]

    def _minimum(self, start: int, end: int, sentence: int) -> Words | tuple[int, int]:
        words = self.words.slice(start, end)
        bits, tags = self.bits.slice(start, end), self.tags.slice(start, end)
        root = parse_tree(bits, words, tags, start - sentence)
        if root is None:
            return start, end
        # With no minimal word coval takes all words, counted from the mention's own start.
        return minimal_words(root) or frozenset((word, n) for n, word in enumerate(words))


def minimal_words(root: Node) -> Words:
    """The minimal words below a root; empty where there are none.

    Content words right below the root are the minimum. Else each phrase right below it, of the
    root's kind, gives its highest content words; without such phrases the root gives its own.

    >>> root = parse_tree(["(NP(NP*", "*)", "(PP*", "(NP*)))"], "the man with it".split(),
    ...                ["DT", "NN", "IN", "PRP"], 0)
    >>> minimal_words(root)
    frozenset({('the man', 1)})
    """
    heads = [root] if root.is_words else []
    heads = [n for n in heads if _has_content(n)] or [n for n in root.children if n.is_words and _has_content(n)]
    if not heads:
        kind = _kind(root) or _kind_of_children(root)
        phrases = [n for n in root.children if n.children and n.label[:2] in kind]
        heads = [h for p in phrases for h in _highest(p, kind)] if phrases else _highest(root, None)
    return frozenset((node.label, node.index) for node in heads)


def _highest(root: Node, kind: frozenset[str] | None) -> list[Node]:
    """The content words nearest to the root, level by level through phrases of one kind: the kind
    given, or else that of the first nominal or verbal phrase on the way."""
    level = [root]
    while level:
        if found := [n for n in level if n.is_words and _has_content(n)]:
            return found
        below: list[Node] = []
        for node in level:
            kind = kind or _kind(node)
            if not node.is_words and (not kind or node.label[:2] in kind):
                below += [n for n in node.children if kind or not n.is_words]
        level = below
    return []


def _kind(node: Node) -> frozenset[str] | None:
    label = node.label[:2]
    return _VERBAL if label == "VP" else _NOMINAL if label in ("NP", "NM") else None


def _kind_of_children(root: Node) -> frozenset[str]:
    kinds = [_kind(child) for child in root.children]
    return _VERBAL if _VERBAL in kinds and _NOMINAL not in kinds else _NOMINAL


def _has_content(node: Node) -> bool:
    """Whether a word has letters or digits and is no conjunction, determiner or preposition."""
    return any(
        (word == "%" or any(c.isalpha() or c.isdigit() for c in word))
        and word not in _BRACKETS
        and tag not in _FUNCTION_TAGS
        for word, tag in zip(node.label.split(" "), node.tags, strict=True)
    )


def _closing_order(mentions: Mentions) -> Ints:
    """Mentions chain after chain, chains in the order in which their first mention closes."""
    close = 2 * mentions.end.astype(np.int64) + (mentions.end - mentions.start > 1)
    first = np.full(int(mentions.chain.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, mentions.chain, close)
    return np.lexsort((close, mentions.chain, first[mentions.chain])).astype(np.int32)


def _column(key: Corpus, name: str) -> Strings:
    column = key.tokens.columns.get(name)
    if column is None:
        raise _missing(key, name)
    return column


def _missing(key: Corpus, what: str) -> MismatchError:
    return MismatchError(
        f"MINA matching needs the {what} column of the key",
        code="CB211",
        found=f"the key {key.name!r} has no {what}",
        expected="a key with words, part-of-speech tags and constituency parses, as in CoNLL-2012",
        remedy="take a key with a parse column, or another matching rule: --match exact",
    )
