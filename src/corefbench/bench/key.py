"""The key aligned with the phrases of a resolver's document, and the anaphors to resolve.

A phrase stands for a mention of the key if they have the same head (``head``), or the same span
(``exact``). The head of a mention is the annotated one, else the word whose governor lies outside.
If several mentions share a head, the one nearest in extent counts.

The anaphors in scope are the third-person pronouns (personal, possessive, reflexive) that are
mentions with an earlier mention in their chain; with ``cataphora`` also those that begin a chain of
several.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from corefbench.corpus.views import Document
from corefbench.preprocess.analysis import Analysis, Tree
from corefbench.preprocess.builder import find_head
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import TokenAlignment, TokenColumns
from corefbench.preprocess.english.pronouns import lookup_pronoun
from corefbench.records import Record

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
    """A third-person pronoun of the text with its mention and antecedents in the key."""

    token: int
    form: str
    kind: str
    mention: int
    """Index of its mention in ``Key.mentions``, or -1."""
    antecedents: tuple[int, ...] = ()
    """The other mentions of its chain, in text order."""
    anaphoric: bool = False
    """Whether it is in scope: its chain has an earlier mention."""


class Key(Record, frozen=True):
    """The key of one document, aligned with its phrases."""

    mentions: tuple[KeyMention, ...]
    pronouns: tuple[KeyPronoun, ...]
    """All third-person pronouns of the text, in order."""
    mention_of: tuple[int, ...]
    """For every phrase of the discourse its mention, -1 for none."""
    lost: int = 0
    """Mentions of the key without a token of the pipeline."""

    def chain_of(self, phrase: int) -> int:
        """Return the chain of a phrase, or -1 if it stands for no mention."""
        mention = self.mention_of[phrase]
        return -1 if mention < 0 else self.mentions[mention].chain


def make_key(
    document: Document,
    offsets: Sequence[tuple[int, int]],
    discourse: Discourse,
    *,
    match: Match = "head",
    cataphora: bool = False,
) -> Key:
    """Align the key of a document with a discourse of its text.

    ``offsets`` are those of the document's own words, without empty nodes, in that text.
    """
    mentions, lost = key_mentions(document, offsets, discourse.analysis)
    return Key(
        mentions=mentions,
        pronouns=_find_pronouns(discourse, mentions, cataphora),
        mention_of=_match_phrases(discourse, mentions, match),
        lost=lost,
    )


def key_mentions(
    document: Document, offsets: Sequence[tuple[int, int]], analysis: Analysis
) -> tuple[tuple[KeyMention, ...], int]:
    """Return the referring mentions in tokens of the analysis, and how many have no token."""
    alignment = TokenAlignment(offsets, analysis.offsets)
    columns, tree = TokenColumns(document), Tree(analysis)
    referring = document.corpus.mentions.referring
    mentions, lost = [], 0
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
            head = _name_head(tree, find_head(tree, *span))
        chain = mention.chain.index
        mentions.append(KeyMention(start=span[0], end=span[1], head=head, chain=chain, original=original))
    return tuple(mentions), lost


def _name_head(tree: Tree, head: int) -> int:
    """Return the head of the whole name that a word is part of.

    *Rabbi Akiva Eiger* and *director Sophie Consagra* are phrases headed by their first word, even
    if the key marks the name alone.
    """
    while tree.base[head] == "flat" and tree.heads[head] >= 0:
        head = tree.heads[head]
    return head


def _find_pronouns(discourse: Discourse, mentions: Sequence[KeyMention], cataphora: bool) -> tuple[KeyPronoun, ...]:
    # Of several mentions of one word, the last counts.
    single = {m.start: number for number, m in enumerate(mentions) if m.end - m.start == 1}
    members: dict[int, list[int]] = {}
    for number in sorted(range(len(mentions)), key=lambda n: (mentions[n].start, -mentions[n].end)):
        members.setdefault(mentions[number].chain, []).append(number)
    words, tags = discourse.analysis.words, discourse.analysis.xpos
    pronouns = []
    for token, word in enumerate(words):
        following = words[token + 1] if token + 1 < len(words) else None
        row = lookup_pronoun(word, tags[token], following)
        if row is None or not row.is_anaphor or row.kind not in _KINDS:
            continue
        mention = single.get(token, -1)
        chain = members[mentions[mention].chain] if mention >= 0 else []
        others = tuple(other for other in chain if other != mention)
        earlier = bool(others) and mentions[others[0]].start < token
        pronouns.append(
            KeyPronoun(
                token=token,
                form=row.form,
                kind=row.kind,
                mention=mention,
                antecedents=others,
                anaphoric=earlier or (cataphora and bool(others)),
            )
        )
    return tuple(pronouns)


def _match_phrases(discourse: Discourse, mentions: Sequence[KeyMention], match: Match) -> tuple[int, ...]:
    by_location: dict[object, list[int]] = {}
    for number, mention in enumerate(mentions):
        location = mention.head if match == "head" else (mention.start, mention.end)
        by_location.setdefault(location, []).append(number)

    def best(start: int, end: int, location: object) -> int:
        rivals = by_location.get(location, ())
        distance = {n: abs(mentions[n].start - start) + abs(mentions[n].end - end) for n in rivals}
        return min(distance, key=lambda n: distance[n], default=-1)

    return tuple(best(p.start, p.end, p.head if match == "head" else (p.start, p.end)) for p in discourse.phrases)
