"""The key as a resolver's document sees it: chains of its phrases, and the anaphors to resolve.

A phrase stands for a mention of the key if they have the same head (``head``), or the same span
(``exact``). The head of a mention is the one its corpus gives, else the word of it whose governor
lies outside. Where several mentions share a head, the one nearest in extent counts.

The anaphors in scope are the third-person pronouns (personal, possessive, reflexive) that are
mentions with an earlier mention in their chain; with ``cataphora`` also those that begin a chain of
several.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from corefbench.language.pronouns import lookup
from corefbench.model.document import Document
from corefbench.preprocess.alignment import TokenAlignment
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.given import head_of
from corefbench.preprocess.text import Columns
from corefbench.preprocess.tree import Tree
from corefbench.record import Record

Match: TypeAlias = Literal["head", "exact"]
MATCHES: tuple[Match, ...] = ("head", "exact")
_KINDS = frozenset({"personal", "possessive", "reflexive"})


class KeyMention(Record, frozen=True):
    """A mention of the key, in the tokens of the discourse."""

    start: int
    end: int
    head: int
    chain: int
    original: int
    """Its number among the mentions of the key's document."""


class KeyPronoun(Record, frozen=True):
    """A third-person pronoun of the text, and what the key says of it."""

    token: int
    form: str
    kind: str
    mention: int
    """Its mention, a place in ``Key.mentions``, or -1 where the key has none."""
    antecedents: tuple[int, ...] = ()
    """The other mentions of its chain, in text order; empty where it is alone or no mention."""
    anaphoric: bool = False
    """Whether it is in scope: an earlier mention of its chain exists."""


class Key(Record, frozen=True):
    """What the key says about one discourse."""

    mentions: tuple[KeyMention, ...]
    pronouns: tuple[KeyPronoun, ...]
    """All third-person pronouns of the text, in order."""
    mention_of: tuple[int, ...]
    """For every phrase of the discourse its mention, -1 for none."""
    lost: int = 0
    """Mentions of the key that no token of the pipeline touches."""

    def chain_of(self, phrase: int) -> int:
        """The chain of a phrase, -1 where it stands for no mention."""
        mention = self.mention_of[phrase]
        return -1 if mention < 0 else self.mentions[mention].chain


def key_of(
    document: Document,
    offsets: Sequence[tuple[int, int]],
    discourse: Discourse,
    *,
    match: Match = "head",
    cataphora: bool = False,
) -> Key:
    """The key of a document, seen from a discourse made of its text.

    ``offsets`` are those of the document's own words, without empty nodes, in that text.
    """
    mentions, lost = key_mentions(document, offsets, discourse.analysis)
    return Key(
        mentions=mentions,
        pronouns=_pronouns(discourse, mentions, cataphora),
        mention_of=_matched(discourse, mentions, match),
        lost=lost,
    )


def key_mentions(
    document: Document, offsets: Sequence[tuple[int, int]], analysis: Analysis
) -> tuple[tuple[KeyMention, ...], int]:
    """The mentions that refer, in the tokens of the analysis, and how many found no token."""
    alignment = TokenAlignment(offsets, analysis.offsets)
    columns, tree = Columns(document), Tree(analysis)
    referring = document.corpus.mentions.referring
    found, lost = [], 0
    for original, mention in enumerate(document.mentions):
        if referring is not None and not referring[mention.index]:
            continue
        start, end = columns.span(mention.start, mention.end)
        span = alignment.span((start, end)) if start < end else None
        if span is None:
            lost += 1
            continue
        head = None
        if mention.head is not None:
            first, past = columns.span(mention.head, mention.head + 1)
            head = alignment.token(first) if first < past else None
        if head is None or not span[0] <= head < span[1]:
            head = _whole_name(tree, head_of(tree, *span))
        chain = mention.chain.index
        found.append(
            KeyMention(start=span[0], end=span[1], head=head, chain=chain, original=original)
        )
    return tuple(found), lost


def _whole_name(tree: Tree, head: int) -> int:
    """The head of the name that a word is a further part of: *Rabbi Akiva Eiger* and *director
    Sophie Consagra* are phrases of their first word, also where the key has the name alone."""
    while tree.base[head] == "flat" and tree.heads[head] >= 0:
        head = tree.heads[head]
    return head


def _pronouns(
    discourse: Discourse, mentions: Sequence[KeyMention], cataphora: bool
) -> tuple[KeyPronoun, ...]:
    single = {m.start: number for number, m in enumerate(mentions) if m.end - m.start == 1}
    members: dict[int, list[int]] = {}
    for number in sorted(range(len(mentions)), key=lambda n: (mentions[n].start, -mentions[n].end)):
        members.setdefault(mentions[number].chain, []).append(number)
    words, tags = discourse.analysis.words, discourse.analysis.xpos
    found = []
    for token, word in enumerate(words):
        following = words[token + 1] if token + 1 < len(words) else None
        row = lookup(word, tags[token], following)
        if row is None or not row.is_anaphor or row.kind not in _KINDS:
            continue
        mention = single.get(token, -1)
        chain = members[mentions[mention].chain] if mention >= 0 else []
        others = tuple(other for other in chain if other != mention)
        earlier = bool(others) and mentions[others[0]].start < token
        found.append(
            KeyPronoun(
                token=token,
                form=row.form,
                kind=row.kind,
                mention=mention,
                antecedents=others,
                anaphoric=earlier or (cataphora and bool(others)),
            )
        )
    return tuple(found)


def _matched(discourse: Discourse, mentions: Sequence[KeyMention], match: Match) -> tuple[int, ...]:
    by_place: dict[object, list[int]] = {}
    for number, mention in enumerate(mentions):
        place = mention.head if match == "head" else (mention.start, mention.end)
        by_place.setdefault(place, []).append(number)

    def best(start: int, end: int, place: object) -> int:
        rivals = by_place.get(place, ())
        far = {n: abs(mentions[n].start - start) + abs(mentions[n].end - end) for n in rivals}
        return min(far, key=lambda n: far[n], default=-1)

    return tuple(
        best(p.start, p.end, p.head if match == "head" else (p.start, p.end))
        for p in discourse.phrases
    )
