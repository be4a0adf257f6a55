"""The benchmark inputs are what they claim to be, and the peers' outputs are read right."""

import sys
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).resolve().parents[3]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import corefbench  # noqa: E402
from benchmarks import peers  # noqa: E402
from benchmarks.data import Pair, Text, without_crossing  # noqa: E402
from benchmarks.generate import make_response, reassign_mentions  # noqa: E402
from benchmarks.process import Limits, run_command  # noqa: E402
from benchmarks.random_documents import STRATA, make_cases  # noqa: E402
from benchmarks.render import RENDERERS, conll, conllu, ua  # noqa: E402


def text_of(sentences: int = 40, length: int = 12) -> Text:
    words = [f"w{number}" for number in range(sentences * length)]
    blank = ["-"] * len(words)
    return Text("text", words, blank, blank, blank, list(range(0, len(words) + 1, length)))


def key_of(text: Text) -> list[list[tuple[int, int]]]:
    """Chains of four mentions: every second token, every twelfth of them with its neighbour."""
    spans = [(s, s + 1 + (s % 24 == 0)) for s in range(0, len(text.words) - 1, 2)]
    return [spans[at : at + 4] for at in range(0, len(spans), 4)]


def crosses(a: tuple[int, int], b: tuple[int, int]) -> bool:
    (a, b) = sorted((a, b))
    return a[0] < b[0] < a[1] < b[1]


def read_back(rendered: str) -> list[set[tuple[int, int]]]:
    """The chains as our own readers see them."""
    return [set(cluster) for cluster in corefbench.load(rendered.encode())[0].clusters()]


def test_a_response_has_no_span_twice_and_no_crossing_inside_a_chain():
    text = text_of()
    response = make_response(text, key_of(text), Random(1))
    spans = [span for chain in response for span in chain]
    assert len(spans) == len(set(spans))
    assert not any(crosses(a, b) for chain in response for a, b in combinations(chain, 2))
    assert all(text.holds(span) for span in spans)


def test_the_rates_of_noise_are_those_announced():
    text = text_of(sentences=2000)
    key = key_of(text)
    known = {span for chain in key for span in chain}
    found = {span for chain in make_response(text, key, Random(2)) for span in chain}
    kept = len(known & found) / len(known)
    spurious = len(found - known) / len(known)
    assert kept == pytest.approx(0.80, abs=0.02)  # 10 % dropped, 10 % moved
    assert spurious == pytest.approx(0.20, abs=0.02)  # 10 % moved, 10 % invented


def test_the_same_seed_gives_the_same_response():
    text = text_of()
    assert make_response(text, key_of(text), Random(3)) == make_response(text, key_of(text), Random(3))


def test_reassigning_keeps_the_mentions():
    key = key_of(text_of())
    moved = reassign_mentions(key, Random(4))
    assert {s for c in moved for s in c} <= {s for c in key for s in c}
    assert sum(map(len, moved)) > 0.95 * sum(map(len, key))


def test_crossing_spans_are_left_out_and_nested_ones_stay():
    assert without_crossing([(0, 4), (1, 3), (2, 6), (3, 4)]) == [(0, 4), (1, 3), (3, 4)]


def test_conll_lines_have_twelve_columns_and_end_in_the_coreference_cell():
    text = text_of(sentences=2, length=3)
    written = conll(Pair("a", 0, text, [[(0, 2), (1, 2)], [(4, 5)]], []), "key")
    lines = [line for line in written.splitlines() if line and not line.startswith("#")]
    assert {len(line.split()) for line in lines} == {12}
    assert [line.split()[-1] for line in lines] == ["(0", "(0)|0)", "-", "-", "(1)", "-"]


@pytest.mark.parametrize("stratum", [name for name in STRATA if "repeat" not in name])
def test_generated_documents_read_back_as_they_were_made(stratum):
    number = list(STRATA).index(stratum)
    case = make_cases(len(STRATA) * 3, seed=5)[number :: len(STRATA)]
    for made in case:
        wanted = [set(chain) for chain in made.pair.key]
        for render in (conll, conllu):
            found = read_back(render(made.pair, "key"))
            assert sorted(found, key=sorted) == sorted(wanted, key=sorted)


def test_ua_leaves_out_only_mentions_that_cross():
    text = text_of(sentences=1, length=6)
    written = ua(Pair("a", 0, text, [[(0, 3)], [(2, 5)], [(1, 2)]], []), "key")
    cells = [line.split("\t")[10] for line in written.splitlines() if "\t" in line]
    assert cells == ["(EntityID=0|MarkableID=m1", "(EntityID=2|MarkableID=m2)", ")", "_", "_", "_"]


def test_every_stratum_occurs_equally_often():
    made = make_cases(3 * len(STRATA), seed=6)
    assert {name: sum(c.stratum == name for c in made) for name in STRATA} == dict.fromkeys(STRATA, 3)


def test_every_format_is_written_for_an_empty_side():
    pair = Pair("a", 0, text_of(sentences=1, length=2), [], [])
    assert all(render(pair, "response") for render in RENDERERS.values())


def test_perl_totals_are_read_from_the_fractions():
    printed = (
        "METRIC muc:\n\n====== TOTALS =======\n"
        "Identification of Mentions: Recall: (5 / 6) 83.33%\tPrecision: (5 / 5) 100%\tF1: 90.9%\n"
        "Coreference: Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%\n"
        "METRIC blanc:\n\n====== TOTALS =======\nCoreference:\n"
        "Coreference links: Recall: (1 / 4) 25%\tPrecision: (1 / 2) 50%\tF1: 33.33%\n"
        "BLANC: Recall: (0.25 / 1) 25%\tPrecision: (0.5 / 1) 50%\tF1: 31.25%\n"
    )
    scores = peers.read_perl(printed)
    assert scores["muc"] == pytest.approx((1 / 3, 1 / 2, 0.4))
    assert scores["blanc"] == pytest.approx((0.25, 0.5, 0.3125))


def test_coval_prints_on_one_line_what_corefud_prints_on_two():
    one = peers.read_coval("bcub       Recall: 50.00  Precision: 25.00  F1: 33.33\n")
    two = peers.read_coval("bcub\nRecall: 50.00  Precision: 25.00  F1: 33.33\n")
    assert one == two == {"b_cubed": pytest.approx((0.5, 0.25, 0.3333))}


def test_scorch_prints_unrounded_fractions():
    scores = peers.read_scorch("CEAF_e:\tR=0.5\tP=0.25\tF₁=0.3333333333333333\n")
    assert scores["ceaf_e"] == pytest.approx((1 / 2, 1 / 4, 1 / 3))


def test_a_child_that_takes_too_long_is_stopped():
    usage = run_command([sys.executable, "-c", "while True: pass"], Limits(seconds=0.3))
    assert usage.outcome == "too slow"


def test_a_child_that_takes_too_much_memory_is_recognised():
    usage = run_command([sys.executable, "-c", "x = b'a' * (3 << 30)"], Limits(bytes=1 << 30))
    assert usage.outcome == "out of memory"


def test_processor_time_of_a_child_is_its_own():
    work = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass"
    assert 0.2 <= run_command([sys.executable, "-c", work]).processor < 0.6
