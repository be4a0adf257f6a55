"""Non-referring markables, counted by hand, and by the Universal Anaphora scorer."""

import os
import random
import sys
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.non_referring import NonReferring


def corpus(referring: list[int], silent: list[int], *, documents: int = 1) -> Corpus:
    """Mentions of one token, some of which do not refer, the same in every document."""
    build = CorpusBuilder("test")
    for number in range(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(20)])
        for start in [*referring, *silent]:
            build.mention(str(start), [(start, start + 1)], referring=start not in silent)
    return build.finish()


def tally(key: Corpus, response: Corpus) -> list[list[float]]:
    alignment = Alignment(key=key, response=response, twins=match(key, response))
    return NonReferring().tally(alignment).values.tolist()


def test_only_spans_that_do_not_refer_on_both_sides_are_found():
    key, response = corpus([1, 2], [3, 4, 5]), corpus([1, 3], [2, 4, 6, 7])
    assert tally(key, response) == [[1, 3, 1, 4]]


def test_documents_are_counted_for_themselves():
    key, response = corpus([], [3, 4], documents=2), corpus([], [4], documents=2)
    assert tally(key, response) == [[1, 2, 1, 1], [1, 2, 1, 1]]


def test_corpora_in_which_everything_refers_have_nothing_to_find():
    assert tally(corpus([1], []), corpus([1], [])) == [[0, 0, 0, 0]]
    assert tally(corpus([1], [2]), corpus([1, 2], [])) == [[0, 1, 0, 0]]


@pytest.mark.slow
def test_the_universal_anaphora_scorer_has_the_same_scores(monkeypatch):
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    for module in [m for m in sys.modules if m.partition(".")[0] in ("coval", "scorer")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(Path(folder) / "universal-anaphora-scorer"))
    from coval.eval.evaluator import evaluate_non_referrings

    rng = random.Random(19)
    for _ in range(10_000):
        sides = []
        for _ in range(2):
            drawn = rng.sample(range(12), rng.randint(0, 8))
            cut = rng.randint(0, len(drawn))
            sides.append((drawn[:cut], drawn[cut:]))
        expected = evaluate_non_referrings({"d": (sides[0][1], sides[1][1])})
        key, response = (corpus(*side) for side in sides)
        alignment = Alignment(key=key, response=response, twins=match(key, response))
        score = NonReferring().score(NonReferring().tally(alignment).sum())
        theirs = pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert (score.recall, score.precision, score.f1) == theirs
