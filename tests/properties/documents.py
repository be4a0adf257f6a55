"""Random pairs of key and response with all that measures look at, as plain values.

A mention is its parts; some words are empty nodes, some mentions do not refer, some are bridged
to others, some chains have split antecedents. No span occurs twice on one side.
"""

import random
from typing import NamedTuple

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus

Mention = tuple[tuple[int, int], ...]
"""Half-open parts."""
SIZE = 14


class Side(NamedTuple):
    """What one side says of a document."""

    chains: tuple[tuple[Mention, ...], ...] = ()
    silent: tuple[Mention, ...] = ()
    """Mentions that do not refer."""
    bridges: tuple[tuple[Mention, Mention], ...] = ()
    """Anaphor and antecedent."""
    plurals: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """A chain, by number, and the chains of its split antecedent."""


class Pair(NamedTuple):
    """A document: its words, those that are empty nodes, and both sides."""

    key: Side
    response: Side
    empty: frozenset[int] = frozenset()
    size: int = SIZE


def pairs(seed: int, documents: int = 3, mentions: int = 9, plurals: int = 2) -> list[Pair]:
    """A few documents, with so many mentions and chains with split antecedents at most."""
    dice = random.Random(seed)
    return [_pair(dice, mentions, plurals) for _ in range(dice.randint(1, documents))]


def _pair(dice: random.Random, most: int, plurals: int) -> Pair:
    empty = frozenset(i for i in range(SIZE) if dice.random() < 0.25)
    pool = list(dict.fromkeys(_mention(dice) for _ in range(dice.randint(0, most))))
    return Pair(_side(dice, pool, plurals), _side(dice, pool, plurals), empty)


def _mention(dice: random.Random) -> Mention:
    start = dice.randrange(SIZE - 4)
    end = start + dice.choice((1, 1, 1, 2, 3, 4))
    if end - start > 2 and dice.random() < 0.3:
        return (start, start + 1), (start + 2, end)
    return ((start, end),)


def _side(dice: random.Random, pool: list[Mention], plurals: int) -> Side:
    chains: dict[int, list[Mention]] = {}
    silent = []
    for mention in pool:
        label = dice.randint(-1, 4)
        if dice.random() < 0.1:
            silent.append(mention)
        elif label >= 0:
            chains.setdefault(label, []).append(mention)
    made = tuple(tuple(chain) for chain in chains.values())
    return Side(made, tuple(silent), _bridges(dice, made), _plurals(dice, len(made), plurals))


def _bridges(dice: random.Random, chains: tuple[tuple[Mention, ...], ...]) -> tuple[tuple[Mention, Mention], ...]:
    linked = [(mention, n) for n, chain in enumerate(chains) for mention in chain]
    anaphors = [one for one in linked if dice.random() < 0.4]
    found = []
    for mention, chain in anaphors:
        others = [other for other, n in linked if n != chain]
        if others:
            found.append((mention, dice.choice(others)))
    return tuple(found)


def _plurals(dice: random.Random, chains: int, most: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Some chains with split antecedents, whose parts are plain chains."""
    if chains < 3 or dice.random() < 0.4:
        return ()
    plural = dice.sample(range(chains), dice.randint(1, min(most, chains - 2)))
    plain = [n for n in range(chains) if n not in plural]
    return tuple((n, tuple(sorted(dice.sample(plain, min(2, len(plain)))))) for n in plural)


def corpora(documents: list[Pair]) -> tuple[Corpus, Corpus]:
    """Key and response of the documents."""
    return _corpus(documents, 0), _corpus(documents, 1)


def _corpus(documents: list[Pair], which: int) -> Corpus:
    build = CorpusBuilder(("key", "response")[which])
    for number, pair in enumerate(documents):
        build.begin_document(f"d{number}")
        empty = [i in pair.empty for i in range(pair.size)]
        build.sentence([f"w{i}" for i in range(pair.size)], empty=empty if any(empty) else None)
        _fill(build, pair[which])
    return build.finish()


def _fill(build: CorpusBuilder, side: Side) -> None:
    numbers: dict[Mention, int] = {}
    for label, chain in enumerate(side.chains):
        build.chain(str(label))
        for mention in chain:
            numbers[mention] = build.mention(str(label), list(mention))
    for place, mention in enumerate(side.silent):
        build.mention(f"silent {place}", list(mention), referring=False)
    for anaphor, antecedent in side.bridges:
        build.bridge(numbers[anaphor], mention=numbers[antecedent])
    for plural, parts in side.plurals:
        for part in parts:
            build.split_antecedent(build.chain(str(plural)), build.chain(str(part)))
