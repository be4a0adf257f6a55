"""Perturbed responses to LitBank and OntoGUM: sums, MUC, and scores of repaired output."""

from io import BytesIO
from itertools import islice
from random import Random

import pytest

import corefbench as cb
from benchmarks import data as benchmark_corpora
from benchmarks import generate
from benchmarks.data import Pair, writable
from benchmarks.render import conll
from corefbench.analysis.errors import error_analysis
from corefbench.analysis.errors.repair import Repairs
from corefbench.formats import formats
from tests.data import data

Conll = formats["conll"]


def perturbed(texts) -> tuple[bytes, bytes]:
    """Key and response as CoNLL files."""
    sides: dict[str, list[str]] = {"key": [], "response": []}
    for text, chains in texts:
        key = writable(chains)
        pair = Pair(text.name, 0, text, key, generate.make_response(text, key, Random(text.name)))
        for side, pieces in sides.items():
            pieces.append(conll(pair, side))  # type: ignore[arg-type]
    return "".join(sides["key"]).encode(), "".join(sides["response"]).encode()


def check(key: bytes, response: bytes) -> None:
    analysis = error_analysis(key, response)
    result = cb.score(key, response)
    counts, whole = analysis.counts, analysis.overall
    assert sum(n for kinds in counts.values() for n in kinds.values()) == len(analysis)
    assert all(counts["decisions"].values())
    assert all(counts["operations"].values())
    wrong = counts["decisions"]["wrong-link"]
    assert counts["decisions"]["false-new"] + wrong == whole.anaphoric - whole.found
    assert counts["decisions"]["false-link"] + wrong == whole.linked - whole.right
    muc = result.tallies["muc"].sum()
    assert counts["links"]["recall-error"] == muc["recall_total"] - muc["recall_hits"]
    assert counts["links"]["precision-error"] == muc["precision_total"] - muc["precision_hits"]
    rows = analysis.if_fixed()
    assert rows[0].alone["conll"] == pytest.approx(result.conll.f1, abs=1e-12)
    assert set(rows[-1].alone.values()) == {1.0}
    together = [row.together["conll"] for row in rows]
    assert together == sorted(together)
    # The repaired responses, written to files and scored like any other, have these scores. (Chains
    # that are only split or lose mentions can be written; merged ones may cross, and CoNLL cannot.)
    repaired = Repairs(analysis.operations)
    for row in rows:
        if row.kind in ("none", "conflated-entities", "extra-mention", "extra-entity"):
            file = BytesIO()
            Conll().write(repaired.apply([row.kind] if row.kind != "none" else []), file)
            rescored = cb.score(key, file.getvalue())
            assert row.alone["conll"] == pytest.approx(rescored.conll.f1, abs=1e-12)


@pytest.fixture
def benchmark_data(monkeypatch):
    """The folder that the benchmarks read corpora from."""

    def use(name: str) -> None:
        monkeypatch.setenv("COREFBENCH_DATA", str(data(name).parent))

    return use


def test_some_perturbed_documents_of_ontogum(benchmark_data):
    benchmark_data("gum")
    check(*perturbed(islice(benchmark_corpora.ontogum(), 0, 60, 6)))


@pytest.mark.slow
def test_all_perturbed_documents_of_ontogum(benchmark_data):
    benchmark_data("gum")
    check(*perturbed(benchmark_corpora.ontogum()))


@pytest.mark.slow
def test_all_perturbed_documents_of_litbank(benchmark_data):
    benchmark_data("litbank")
    check(*perturbed(benchmark_corpora.litbank()))
