"""CRAFT matching, by hand and against the Universal Anaphora scorer 2."""

import os
import random
import sys
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.craft import match

Span = tuple[int, int]


def corpus(*mentions: list[Span], empty: frozenset[int] = frozenset()) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([f"w{n}" for n in range(40)], empty=[n in empty for n in range(40)])
    for number, parts in enumerate(mentions):
        build.mention(str(number), parts)
    return build.finish()


def twins(key: list[list[Span]], response: list[list[Span]]) -> list[int]:
    return match(corpus(*key), corpus(*response)).key.tolist()


def test_an_answer_inside_the_first_part_matches():
    assert twins([[(0, 3), (5, 7)]], [[(1, 3)]]) == [0]


def test_an_answer_in_a_later_part_only_does_not_match():
    assert twins([[(0, 3), (5, 7)]], [[(5, 7)]]) == [-1]


def test_one_part_inside_the_first_part_is_enough():
    assert twins([[(0, 3), (5, 7)]], [[(1, 2), (20, 22)]]) == [0]


def test_a_later_part_does_not_lead_to_another_key_mention():
    assert twins([[(0, 3), (5, 7)], [(10, 12)]], [[(5, 7)]]) == [-1]


def test_a_later_part_of_the_answer_may_lie_inside():
    assert twins([[(10, 15)]], [[(1, 2), (11, 12)]]) == [0]
    key = [[(0, 2), (5, 6)], [(10, 15)]]
    assert twins(key, [[(1, 2), (20, 21)], [(4, 5), (11, 12)], [(30, 31)]]) == [0, 1, -1]


def test_the_first_key_mention_is_decisive_even_if_it_is_taken():
    # Both answers lie in both key mentions; the second answer meets the first, taken one.
    key, response = corpus([(0, 6)], [(0, 8)]), corpus([(1, 3)], [(2, 4)])
    twin = match(key, response).key.tolist()
    assert key.mentions.end[twin[0]] == 6
    assert twin[1] == -1


def test_exact_matches_are_out_of_the_way():
    key, response = corpus([(0, 6)], [(0, 8)]), corpus([(0, 6)], [(1, 3)])
    twin = match(key, response).key.tolist()
    assert [int(key.mentions.end[k]) for k in twin] == [6, 8]


def test_zeros_match_exactly_only():
    zeros = frozenset({2})
    key = corpus([(0, 5)], empty=zeros)
    assert match(key, corpus([(2, 3)], empty=zeros)).key.tolist() == [-1]
    assert match(corpus([(2, 3)], empty=zeros), corpus([(2, 3)], empty=zeros)).key.tolist() == [0]


def test_nothing_on_one_side_matches_nothing():
    assert twins([], [[(0, 1)]]) == [-1]
    assert twins([[(0, 1)]], []) == []


def _import_from_peer(monkeypatch, name: str) -> None:
    """Import the packages of another scorer; several of them use the same package names."""
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    for module in [m for m in sys.modules if m.partition(".")[0] in ("coval", "scorer")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(Path(folder) / name))


@pytest.mark.slow
def test_the_universal_anaphora_scorer_makes_the_same_pairs(monkeypatch):
    _import_from_peer(monkeypatch, "corefud-scorer")
    from scorer.base.reader import Reader
    from scorer.ua.mention import UAMention

    def peer(parts: list[Span]):
        start, end = [a for a, _ in parts], [b - 1 for _, b in parts]
        return UAMention(start, end, [start[0], end[0]], "referring")

    rng = random.Random(11)
    for _ in range(3000):
        sides = [_generated(rng) for _ in range(2)]
        shapes = [[(p[0][0], p[-1][1], sum(b - a for a, b in p)) for p in side] for side in sides]
        if any(len(set(s)) < len(s) for s in shapes):
            continue  # the peer's order is then left to hashing
        ours = corpus(*sides[0]), corpus(*sides[1])
        twin = match(*ours).key.tolist()
        pairs = {(_words(ours[0], k), _words(ours[1], r)) for r, k in enumerate(twin) if k >= 0}
        found = Reader(match="partial-craft").find_mention_alignment(
            {peer(m) for m in sides[0]}, {peer(m) for m in sides[1]}
        )
        assert pairs == {(tuple(k.words), tuple(r.words)) for k, r in found}


def _generated(rng: random.Random) -> list[list[Span]]:
    found: set[tuple[Span, ...]] = set()
    for _ in range(rng.randint(1, 9)):
        start = rng.randrange(16)
        end = start + rng.randint(1, 8)
        gap = rng.randint(start + 1, end)
        found.add(((start, gap), (gap + 1, end)) if gap < end - 1 and gap % 3 == 0 else ((start, end),))
    return [list(parts) for parts in sorted(found)]


def _words(corpus: Corpus, mention: int) -> tuple[int, ...]:
    mentions = corpus.mentions
    parts = [(int(mentions.start[mention]), int(mentions.end[mention]))]
    if mentions.parts is not None:
        parts = mentions.parts.of(mention)
    return tuple(n for a, b in parts for n in range(a, b))
