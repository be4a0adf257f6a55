"""Split antecedents: the published plural test cases, and generated ones against the UA scorer."""

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.b_cubed import BCubed
from corefbench.scoring.measures.contingency import contingency
from corefbench.scoring.measures.split_antecedents import Metric, SplitAntecedents, referring_only
from tests.clusters import clusters

METRICS = get_args(Metric)
Chain = tuple[str, tuple[int, ...]]
"""Letters for mentions, and the numbers of the chains that make its split antecedent."""

PA = "ab cd e [ac]fg"
PB = "ab cd e [ac]fg [ae]h"
ONE = (1, 1)
PERFECT = (ONE,) * 5
# Recall and precision of muc, b_cubed, ceaf_m, ceaf_e and lea, from the UA scorer's own tests.
CASES = {
    "perfect": (PA, PA, PERFECT),
    "equivalent 1": (PA, "ab cd e [ad]fg", PERFECT),
    "equivalent 2": (PA, "ab cd e [bd]fg", PERFECT),
    "missing plural": (PA, "ab cd e fg", ((3 / 4, 1), (19 / 24, 1), (7 / 8, 1), (3.8 / 4, 3.8 / 4), (6 / 8, 1))),
    "extra part": (
        PA,
        "ab cd e [ace]fg",
        ((1, 11 / 12), (1, 0.95167), (0.98611, 0.98611), (0.98333, 0.98333), (1, 7.6 / 8)),
    ),
    "partly correct": (
        PA,
        "ab cd e [ae]fg",
        ((7 / 8, 7 / 8), (0.88542, 0.92130), (0.94643, 0.94643), (0.95833, 0.95833), (7 / 8, 11 / 12)),
    ),
    "missing mention in a part": (
        PA,
        "ab c e [ac]fg",
        ((5 / 8, 5 / 6), (0.72461, 1), (0.85714, 0.97959), (0.90278, 0.90278), (5 / 8, 16 / 21)),
    ),
    "spurious plural": ("ab cd e fg", PA, ((1, 3 / 4), (1, 19 / 24), (1, 7 / 8), (3.8 / 4, 3.8 / 4), (1, 6 / 8))),
    "equal plurals are merged": (PA, "ab cd e [ac]f [bc]g", PERFECT),
    "merged singulars": (
        PA,
        "ab cde [ac]fg",
        ((1, 11 / 15), (1, 0.75463), (0.86111, 0.86111), (0.69167, 0.92222), (7 / 8, 5.2 / 8)),
    ),
    "plurals are aligned": (
        PA,
        "ab cd e [ac]f [bce]g",
        ((3 / 4, 3 / 4), (0.83333, 0.83333), (7 / 8, 7 / 9), (3.8 / 4, 3.8 / 5), (6 / 8, 7 / 9)),
    ),
    "parts of one chain": (
        PA,
        "ab cd e [ab]fg",
        ((7 / 8, 1), (0.88542, 1), (0.95833, 0.95833), (0.97222, 0.97222), (7 / 8, 1)),
    ),
    "two plurals, perfect": (PB, PB, PERFECT),
    "two plurals, equivalent": (PB, "ab cd e [ad]fg [be]h", PERFECT),
    "two plurals, one larger": (
        PB,
        "ab cd e [ac]fg [ace]h",
        ((1, 14 / 15), (1, 0.928), (0.975, 0.975), (0.98, 0.98), (1, 0.92)),
    ),
    "two plurals merged": (
        PB,
        "ab cd e [ac]fgh",
        ((0.8, 0.8), (0.85, 7.5 / 9), (0.8, 8 / 9), (0.77143, 0.96429), (0.8, 7 / 9)),
    ),
}


def chains(text: str) -> list[Chain]:
    """``ab [a]c``: a chain of a and b, and one of c whose antecedent is the chain of a."""
    letters = [word.rpartition("]")[2] for word in text.split()]
    named = [word.partition("]")[0][1:] if "[" in word else "" for word in text.split()]
    return [
        (mentions, tuple(n for n, some in enumerate(letters) for m in some if m in parts))
        for mentions, parts in zip(letters, named, strict=True)
    ]


def corpus(*documents: list[Chain], silent: str = "") -> Corpus:
    build = CorpusBuilder("test")
    for number, some in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([chr(ord("a") + n) for n in range(26)])
        numbers = []
        for label, (mentions, _) in enumerate(some):
            numbers.append(build.chain(str(label)))
            for mention in mentions:
                start = ord(mention) - ord("a")
                build.mention(str(label), [(start, start + 1)], referring=mention not in silent)
        for label, (_, elements) in enumerate(some):
            for element in elements:
                build.split_antecedent(numbers[label], numbers[element])
    return build.finish()


def aligned(key: Corpus, response: Corpus) -> Alignment:
    return Alignment(key=key, response=response, twins=match(key, response))


def score(metric: Metric, key: Corpus, response: Corpus) -> tuple[float, float]:
    measure = SplitAntecedents(metric=metric)
    result = measure.score(measure.tally(aligned(key, response)).sum())
    return result.recall, result.precision


@pytest.mark.parametrize("name", CASES)
def test_the_published_plural_cases_come_out(name):
    key, response, expected = CASES[name]
    sides = corpus(chains(key)), corpus(chains(response))
    for metric, numbers in zip(METRICS, expected, strict=False):  # its tests of BLANC are of perfect responses only
        assert score(metric, *sides) == pytest.approx(numbers, abs=1e-5), metric
    if expected == PERFECT:
        assert score("blanc", *sides) == ONE


@pytest.mark.parametrize("metric", METRICS)
def test_documents_without_plurals_score_as_ever(metric):
    plain = SplitAntecedents(metric=metric)
    key, response = corpus(chains("abc de")), corpus(chains("bc ade"))
    b_cubed = BCubed().tally(contingency(aligned(key, response))).sum()
    tally = plain.tally(aligned(key, response)).sum()
    if metric == "b_cubed":
        assert tally == {name: b_cubed[name] for name in tally}
    mixed = plain.tally(aligned(corpus(chains("abc de"), chains(PA)), corpus(chains("bc ade"), chains(PA))))
    assert dict(zip(mixed.columns, mixed.values[0].tolist(), strict=True)) == pytest.approx(tally)


@pytest.mark.parametrize("metric", METRICS)
def test_plain_python_and_the_contingency_table_agree(metric):
    """A plural without parts in the text leaves the chains as they are."""
    key, response = "abc de f", "bc ade fg"
    plain = score(metric, corpus(chains(key)), corpus(chains(response)))
    assert score(metric, corpus([*chains(key), ("", (3,))]), corpus(chains(response))) == (pytest.approx(plain))


def test_parts_that_are_plural_themselves_come_down_to_their_parts():
    key = corpus([("ab", ()), ("cd", ()), ("e", ()), ("f", (0, 1)), ("g", (2, 3))])
    response = corpus([("ab", ()), ("cd", ()), ("e", ()), ("f", (0, 1)), ("g", (0, 1, 2))])
    for metric in METRICS:
        assert score(metric, key, response) == (1, 1)


def tally(metric: Metric, key: str, response: str) -> list[float]:
    measure = SplitAntecedents(metric=metric)
    return measure.tally(aligned(corpus(chains(key)), corpus(chains(response)))).values[0].tolist()


def test_chains_behind_a_merged_plural_count():
    sides = corpus(chains("ab cd [ac]fg hi")), corpus(chains("ab cd [ac]f [bc]g hi"))
    for metric in METRICS:
        assert score(metric, *sides) == (1, 1)


def test_a_lone_part_is_one_link_of_several():
    """Of the parts a and bc one is found: R = 1/2 of the link from f, beside the link bc."""
    assert tally("muc", "a bc [ab]f", "a bc [b]f") == [1 + 1 / 2, 2, 2, 2]


def test_plurals_weigh_where_their_chains_share_no_mention():
    """The plurals of f and g agree fully: each is one of two members of its chain."""
    assert tally("b_cubed", "ab cd [ac]f", "ab cd [ac]g") == [4 + 1 / 2, 6, 4 + 1 / 2, 6]


def test_of_equally_good_plurals_the_first_is_matched():
    """The parts a and b answer ab alike, R = 1/4 and P = 1; a counts, and so c has it too."""
    counts = tally("b_cubed", "ab [a]c", "a b [a]c [b]d")
    assert counts == [1 + (1 + 1 / 4) ** 2 / 2, 4, 1 + 1 + 2**2 / 2, 6]


def test_a_plural_that_agrees_with_none_leaves_the_next_one_the_second():
    """As the assignment of the Universal Anaphora scorer has it: x takes the place of a."""
    counts = tally("b_cubed", "x ab [x]y [a]c", "a b [a]c [b]d")
    assert counts == [1 + (1 + 1 / 16) / 2, 7, 1 + 1 + 1 / 2 + 1 / 2, 6]


def test_recall_and_precision_of_plurals_weigh_for_themselves():
    """The repeated a belongs to ac, so that of the parts no link is recalled and one of two is
    precise; the match has an F1 of 0 and its precision counts nevertheless, as in the Universal
    Anaphora scorer."""
    assert tally("muc", "ab [a]f", "ab ac [bc]f") == [0, 2, 1 + 1 / 2, 3]


def test_ceaf_counts_a_repeated_mention_in_all_its_chains():
    """ab meets ab in full, though a is in ac too; of the parts 2 of 2 and of 4 are found."""
    whole = 2 + 1 + 2 / 3
    assert tally("ceaf_m", "ab [a]f", "ab ac [bc]f") == pytest.approx([whole, 4, whole, 6])


def test_a_circle_of_plurals_ends():
    circle = corpus([("ab", (1,)), ("cd", (0,)), ("e", ())])
    assert score("b_cubed", circle, circle) == (1, 1)


def test_non_referring_markables_do_not_count():
    key = corpus([*chains(PA), ("x", ())], silent="x")
    response = corpus([*chains(PA), ("y", ())], silent="y")
    assert score("ceaf_e", key, response) == (1, 1)
    plain = corpus([("ab", ()), ("x", ())], silent="x")
    assert score("ceaf_e", plain, corpus([("ab", ())])) == (1, 1)
    assert score("ceaf_e", corpus([("ab", ())]), plain) == (1, 1)


def test_without_non_referring_mentions_what_they_answered_is_twinless():
    key = corpus([("ac", ()), ("x", ())], silent="x")
    left = referring_only(aligned(key, corpus([("abcx", ())])))
    assert len(left.key.mentions) == 2
    assert left.twins.key.tolist() == [0, -1, 1, -1]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # Printed by the Universal Anaphora scorer: recall and precision of MUC, B³, CEAFm, CEAFe, LEA, BLANC.
        ("aab cd", "ac bd", [0, 0, 50, 50, 50, 50, 50, 50, 0, 0, 25, 25]),
        ("ab ac", "ab ac", [50, 50, 75, 75, 100, 100, 100, 100, 50, 50, 50, 50]),
    ],
)
def test_a_repeated_mention_counts_once_in_a_chain_and_in_its_last(key, response, expected):
    scores = cb.score_clusters(clusters(key), clusters(response), "ua").scores
    values = [value for name in METRICS for value in (scores[name].recall, scores[name].precision)]
    assert [round(100 * value, 2) for value in values] == expected


def _import_from_peer(monkeypatch, name: str) -> None:
    """Import the packages of another scorer; several of them use the same package names."""
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    for module in [m for m in sys.modules if m.partition(".")[0] in ("coval", "scorer")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(Path(folder) / name))


def _peer(monkeypatch) -> Callable[[list[Chain], list[Chain]], Iterator[list[float]]]:
    """What the Universal Anaphora scorer counts, metric by metric."""
    _import_from_peer(monkeypatch, "universal-anaphora-scorer")
    from coval.eval import evaluator
    from coval.ua.markable import Markable
    from coval.ua.reader import get_markable_assignments, process_clusters

    functions = [evaluator.muc, evaluator.b_cubed, evaluator.ceafm, evaluator.ceafe, evaluator.lea]

    def clusters(some: list[Chain]):
        made = {}
        for label, (mentions, elements) in enumerate(some):
            markables = [Markable("d", ord(m), ord(m), None, "referring", "") for m in sorted(mentions)]
            made[label] = (markables, "referring", "d", list(elements))
        clusters = process_clusters(made, True, False, True)[0]
        # Last, so that its weight does not leak into the links that the peer's LEA looks at next.
        return [sorted(cluster, key=lambda m: m.is_split_antecedent) for cluster in clusters]

    def counts(key: list[Chain], response: list[Chain]) -> Iterator[list[float]]:
        peers = clusters(key), clusters(response)
        info = *peers, get_markable_assignments(peers[1]), get_markable_assignments(peers[0])
        for function in functions:
            counter = evaluator.Evaluator(function)
            counter.update(info)
            precision, made, recall, needed = counter.get_counts()
            yield [recall, needed, precision, made]
        # Its coreferent half depends on the order of a set; the other half does not.
        counter = evaluator.Evaluator(evaluator.blancn)
        counter.update(info)
        shared, made, _, needed = counter.get_counts()
        yield [shared, needed, made]

    return counts


def _check_against_peer(monkeypatch, generate: Callable[[], list[Chain]], pairs: int) -> None:
    peer = _peer(monkeypatch)
    for _ in range(pairs):
        key, response = generate(), generate()
        sides = aligned(corpus(key), corpus(response))
        for metric, counted in zip(METRICS, peer(key, response), strict=True):
            ours = SplitAntecedents(metric=metric).tally(sides).values[0].tolist()
            if metric == "blanc":
                ours = ours[3:]
            theirs = pytest.approx(counted, rel=1e-9, abs=1e-9)
            assert ours == theirs, (metric, key, response)


@pytest.mark.slow
def test_the_universal_anaphora_scorer_counts_the_same(monkeypatch):
    rng = random.Random(13)
    _check_against_peer(monkeypatch, lambda: _generated(rng), 10_000)


@pytest.mark.slow
def test_the_universal_anaphora_scorer_counts_repeated_mentions_the_same(monkeypatch):
    rng = random.Random(14)
    _check_against_peer(monkeypatch, lambda: _repeating(rng), 3_000)


def _repeating(rng: random.Random) -> list[Chain]:
    """Random chains that may share mentions; the last has one or two others as parts.

    Parts share none: the peer has them in a set, on whose order it depends which one is the last.
    """
    groups = ["".join(rng.sample("abcdefgh", rng.randint(1, 4))) for _ in range(rng.randint(3, 5))]
    one, other = rng.sample(range(len(groups) - 1), 2)
    parts = (one,) if {*groups[one]} & {*groups[other]} else (one, other)
    return [*((group, ()) for group in groups[:-1]), (groups[-1], parts)]


def _generated(rng: random.Random) -> list[Chain]:
    """Random chains over some of twelve mentions; later ones may have earlier ones as parts."""
    letters = rng.sample("abcdefghijkl", rng.randint(6, 12))
    cuts = sorted(rng.sample(range(1, len(letters)), rng.randint(2, 5)))
    groups = ["".join(letters[a:b]) for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    return [
        (group, tuple(rng.sample(range(n), rng.randint(1, n))) if n and rng.random() < 0.5 else ())
        for n, group in enumerate(groups)
    ]
