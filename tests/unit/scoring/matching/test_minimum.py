"""MIN matching, by hand and against the mention classes of the Universal Anaphora scorer 2."""

import os
import random
import sys
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.minimum import match

Span = tuple[int, int]
Mention = tuple[str, list[Span], Span | None]


def corpus(*documents: list[Mention], tokens: int = 80) -> Corpus:
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(tokens)])
        for chain, parts, minimum in mentions:
            build.mention(chain, parts, minimum=[minimum] if minimum else [])
    return build.finish()


def spans(*given: Span | list[Span]) -> list[Mention]:
    return [(str(n), s if isinstance(s, list) else [s], None) for n, s in enumerate(given)]


def twins(key: list[Mention], response: list[Mention]) -> list[int]:
    return match(corpus(key), corpus(response)).key.tolist()


def test_a_shorter_answer_that_keeps_the_minimal_span_matches():
    assert twins([("e", [(2, 14)], (10, 11))], spans((4, 12))) == [0]


def test_an_answer_without_the_minimal_span_does_not_match():
    assert twins([("e", [(2, 14)], (10, 11))], spans((4, 6))) == [-1]


def test_an_answer_that_reaches_outside_the_key_mention_does_not_match():
    assert twins([("e", [(2, 14)], (10, 11))], spans((4, 15))) == [-1]


def test_an_answer_may_end_where_the_key_mention_ends():
    assert twins([("e", [(2, 14)], (10, 11))], spans((4, 14))) == [0]


def test_every_key_mention_has_its_own_minimal_span():
    key = [("e", [(0, 5)], (1, 3)), ("f", [(10, 15)], (12, 13)), ("g", [(20, 25)], (23, 25))]
    answers = spans((1, 2), (1, 3), (11, 12), (12, 13), (22, 24), (22, 25))
    assert [twins(key, [answer])[0] for answer in answers] == [-1, 0, -1, 1, -1, 2]


def test_a_minimal_span_with_a_gap_is_kept_part_by_part():
    """MIN is the words 1 and 5 of 0 to 7; what lies between them need not be kept."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([f"w{n}" for n in range(80)])
    build.mention("e", [(0, 8)], minimum=[(1, 2), (5, 6)])
    key = build.finish()
    for parts, twin in ([(0, 2), (5, 8)], 0), ([(0, 2), (6, 8)], -1), ([(1, 6)], 0):
        assert match(key, corpus(spans(parts))).key.tolist() == [twin]


def test_a_mention_without_minimal_span_matches_exactly_or_not_at_all():
    key = [("e", [(2, 14)], None), ("f", [(20, 30)], (25, 26))]
    assert twins(key, spans((3, 14))) == [-1]
    assert twins(key, spans((2, 14))) == [0]


def test_exact_matches_come_first():
    key = [("e", [(0, 5)], (2, 3)), ("f", [(0, 4)], (2, 3))]
    assert twins(key, spans((0, 4), (1, 4))) == [1, 0]


def test_the_larger_share_of_the_key_mention_wins():
    assert twins([("e", [(0, 8)], (4, 5))], spans((2, 6), (1, 6))) == [0, -1]  # the longer opens first


def test_of_equal_shares_the_earlier_answer_wins():
    assert twins([("e", [(0, 8)], (4, 5))], spans((2, 6), (3, 7))) == [0, -1]


def test_the_sum_over_the_document_decides():
    key = [("e", [(0, 10)], (4, 5)), ("f", [(2, 8)], (4, 5))]
    # 2..7 is worth 5/6 in f and 1/2 in e; 1..6 fits only e.
    assert twins(key, spans((1, 6), (2, 7))) == [0, 1]


def test_a_discontinuous_answer_must_lie_inside_word_by_word():
    key = [("e", [(0, 3), (6, 9)], (1, 2))]
    assert twins(key, spans([(1, 2), (7, 8)])) == [0]
    assert twins(key, spans([(1, 2), (4, 5)])) == [-1]


def test_repeats_of_an_answer_share_its_twin():
    key = [("e", [(0, 5)], (2, 3))]
    assert twins(key, spans((1, 4), (1, 4))) == [0, 0]


def test_documents_do_not_mix():
    key = corpus([("e", [(0, 5)], (2, 3))], [("e", [(0, 5)], (2, 3))])
    assert match(key, corpus([], spans((1, 4)))).key.tolist() == [1]


def test_ten_thousand_nested_mentions_take_a_moment():
    key = [(str(n), [(6 * n, 6 * n + 5)], (6 * n + 2, 6 * n + 3)) for n in range(10_000)]
    response = spans(*((6 * n + 1, 6 * n + 4) for n in range(10_000)))
    matched = match(corpus(key, tokens=60_000), corpus(response, tokens=60_000)).key
    assert matched.tolist() == list(range(10_000))


def _generated(rng: random.Random) -> tuple[list[Mention], list[Mention]]:
    def span() -> list[Span]:
        start = rng.randrange(16)
        end = start + rng.randint(1, 7)
        if end - start > 3 and rng.random() < 0.2:
            gap = rng.randrange(start + 1, end - 1)
            return [(start, gap), (gap + 1, end)]
        return [(start, end)]

    def mentions(number: int) -> list[list[Span]]:
        found = {tuple(span()) for _ in range(number)}
        return [list(parts) for parts in sorted(found)]

    key: list[Mention] = []
    for n, parts in enumerate(mentions(rng.randint(1, 9))):
        start = rng.randrange(parts[0][0], parts[0][1])
        minimum = (start, rng.randint(start + 1, parts[0][1])) if rng.random() < 0.8 else None
        key.append((str(n), parts, minimum))
    return key, spans(*mentions(rng.randint(1, 9)))


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

    def peer_mention(mention: Mention):
        _, parts, minimum = mention
        inclusive = [minimum[0], minimum[1] - 1] if minimum else None
        return UAMention([a for a, _ in parts], [b - 1 for _, b in parts], inclusive, "referring")

    rng = random.Random(7)
    for _ in range(3000):
        key, response = _generated(rng)
        # Equal (start, end, length) leaves the peer's order to hashing.
        for side in (key, response):
            shapes = [(p[0][0], p[-1][1], sum(b - a for a, b in p)) for _, p, _ in side]
            if len(set(shapes)) < len(shapes):
                break
        else:
            ours = corpus(key), corpus(response)
            twin = match(*ours).key.tolist()
            pairs = {(_words(ours[0], k), _words(ours[1], r)) for r, k in enumerate(twin) if k >= 0}
            found = Reader(match="partial-corefud").find_mention_alignment(
                {peer_mention(m) for m in key}, {peer_mention(m) for m in response}
            )
            assert pairs == {(tuple(k.words), tuple(r.words)) for k, r in found}


def _words(corpus: Corpus, mention: int) -> tuple[int, ...]:
    mentions = corpus.mentions
    parts = [(int(mentions.start[mention]), int(mentions.end[mention]))]
    if mentions.parts is not None:
        parts = mentions.parts.of(mention)
    return tuple(n for a, b in parts for n in range(a, b))
