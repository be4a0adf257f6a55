"""Constituency trees of mentions, read from the bracket bits of the CoNLL-2012 parse column."""

import re
from collections.abc import Sequence

import msgspec

_PIECES = re.compile(r"[()*]|[^()*]+")


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


class _Builder:
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


def tree_of(
    bits: Sequence[str], words: Sequence[str], tags: Sequence[str], first: int
) -> Node | None:
    """The tree of consecutive tokens, the first of them numbered ``first``; None without a parse.

    A mention need not be a phrase, so brackets may lack their partners: what stays open is closed
    at the end, and several roots are put under one NP. Words between two brackets make one node.
    All of this follows coval's ``min_span``, down to its reading of a run before an opening
    bracket: it carries the index of the bracket, and is left out where no word of it is purely
    letters or purely digits.

    >>> tree = tree_of(["(NP(NP*", "*)", "(PP*", "(NP*)))"], "the man with it".split(),
    ...                ["DT", "NN", "IN", "PRP"], 0)
    >>> tree.label, [child.label for child in tree.children], tree.children[0].children[0].label
    ('NP', ['NP', 'PP'], 'the man')
    """
    build = _Builder()
    for index, (bit, word, tag) in enumerate(zip(bits, words, tags, strict=True), first):
        _read(build, bit, word, tag, index)
    build.place_words(first + len(bits) - 1)
    while build.open:
        build.end()
    if len(build.roots) > 1:
        return Node("NP", children=build.roots)
    return build.roots[0] if build.roots else None


def _read(build: _Builder, bit: str, word: str, tag: str, index: int) -> None:
    """Take the bit of one token."""
    label: str | None = None
    for piece in _PIECES.findall(bit):
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
