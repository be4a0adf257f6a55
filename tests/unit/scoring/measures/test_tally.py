from typing import ClassVar

import numpy as np
import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UnknownName, UsageError
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures import ChainMeasure, Measure, Score, Tally, measures, parse
from corefbench.scoring.measures.base import MeasureCard
from corefbench.scoring.measures.blanc import BLANC
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.non_referring import NonReferring
from corefbench.scoring.measures.tally import harmonic, ratio, score_of_ratios
from corefbench.scoring.measures.zero_anaphora import ZeroAnaphora
from tests.tables import alignment, table


def test_pairs_of_an_empty_response_are_none():
    assert BLANC(links="response").tally(table("AB", "")).values.tolist() == [[0] * 6]


def test_what_a_document_without_key_chains_has_goes_to_one_chain_of_its_own():
    """C and D of the second document are then one key chain and one response chain."""
    counts = BLANC(links="response").tally(table("AB|", "AB|CD"))
    assert counts.values.tolist() == [[1, 1, 1, 0, 0, 0]] * 2


def test_the_first_mention_of_a_text_may_refer_to_nothing():
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["it", "rains"])
    build.mention("e", [(0, 1)], referring=False)
    corpus = build.finish()
    aligned = Alignment(key=corpus, response=corpus, twins=match(corpus, corpus))
    assert NonReferring().tally(aligned).values.tolist() == [[1, 1, 1, 1]]


ALL = [*measures, "blanc(edge=both)", "blanc(links=response)"]


def columns(measure: Measure) -> tuple[str, ...]:
    if isinstance(measure, ChainMeasure):
        return measure.tally(table("ABC DE", "AB CDE")).columns
    return measure.tally(alignment("ABC DE", "AB CDE")).columns


def totals(names: tuple[str, ...], rows: int = 300) -> dict[str, np.ndarray]:
    """Sums of all sizes; a third of them zero, so that every edge is met."""
    random = np.random.default_rng(7)
    return {name: random.integers(0, 60, rows) / 4 * (random.random(rows) > 1 / 3) for name in names}


def assert_equal(measure: Measure, sums: dict[str, np.ndarray]) -> None:
    found = measure.scores(sums)
    for row in range(len(next(iter(sums.values())))):
        one = measure.score({name: float(values[row]) for name, values in sums.items()})
        many = found.recall[row], found.precision[row], found.f1[row]
        assert many == pytest.approx((one.recall, one.precision, one.f1), abs=1e-15)


@pytest.mark.parametrize("name", ALL)
def test_many_sums_score_as_each_does_alone(name: str) -> None:
    measure = parse(name)
    assert_equal(measure, totals(columns(measure)))


@pytest.mark.parametrize("name", ALL)
def test_no_measure_that_is_shipped_is_asked_one_by_one(name: str) -> None:
    kind = type(parse(name))
    assert kind.score is ChainMeasure.score or "scores" in vars(kind)


class Own(ChainMeasure, frozen=True):
    """A measure from elsewhere, with a score of its own."""

    card: ClassVar[MeasureCard] = MeasureCard(name="own", title="Own", sentence="")

    def tally(self, table: Contingency) -> Tally:
        raise NotImplementedError

    def score(self, total: dict[str, float]) -> Score:
        half = total["hits"] / 2 if total["hits"] else 0.0
        return Score(recall=half, precision=half, f1=half)


def test_a_measure_that_scores_one_sum_only_works_too() -> None:
    assert_equal(Own(), totals(("hits", "other")))


def test_a_tally_gives_its_documents_as_rows():
    tally = Tally.of(hits=np.array([1.0, 2.0]), total=np.array([3.0, 4.0]))
    assert list(tally.rows()) == [{"hits": 1, "total": 3}, {"hits": 2, "total": 4}]


def corpus(ids: str, *mentions: int) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    names = ids.split()
    has_empty = "." in ids
    build.sentence(
        names,
        empty=["." in name for name in names] if has_empty else None,
        columns={"id": names, "deps": ["1:obj"] * len(names)},
    )
    for at in mentions:
        build.mention("e", [(at, at + 1)], head=at)
    return build.finish()


WITHOUT, WITH = corpus("1 2", 0), corpus("1 1.1 2", 0, 1)


def counts(key: Corpus, response: Corpus) -> list[float]:
    aligned = Alignment(key=key, response=response, twins=match(key, response))
    return ZeroAnaphora().tally(aligned).values.sum(axis=0).tolist()


def test_a_zero_that_only_the_response_has_is_spurious():
    assert counts(WITHOUT, WITH) == [0, 0, 0, 1]


def test_a_zero_that_only_the_key_has_is_missed():
    assert counts(WITH, WITHOUT) == [0, 1, 0, 0]


def test_where_neither_side_has_zeros_nothing_is_counted():
    assert counts(WITHOUT, WITHOUT) == [0, 0, 0, 0]
    assert counts(WITH, WITH) == [1, 1, 1, 1]


def tally(*rows: tuple[float, float]) -> Tally:
    hits, total = zip(*rows, strict=True)
    return Tally.of(recall_hits=np.array(hits), recall_total=np.array(total))


def test_columns_are_had_by_name() -> None:
    assert tally((1, 2), (3, 4))["recall_total"].tolist() == [2, 4]


def test_tallies_of_several_pieces_are_joined_in_order() -> None:
    joined = Tally.concatenate([tally((1, 2)), tally((3, 4), (5, 6))])
    assert joined["recall_hits"].tolist() == [1, 3, 5]
    assert joined.sum() == {"recall_hits": 9, "recall_total": 12}
    assert len(joined) == 3


def test_halves_takes_recall_from_one_and_the_rest_from_the_other() -> None:
    one = Tally.of(recall_hits=np.ones(1), precision_hits=np.ones(1))
    other = Tally.of(recall_hits=np.zeros(1), precision_hits=np.zeros(1))
    assert one.halves(other).sum() == {"recall_hits": 1, "precision_hits": 0}


def test_nothing_of_nothing_is_zero() -> None:
    assert ratio(0, 0) == 0
    assert harmonic(0, 0) == 0
    total = dict.fromkeys(("recall_hits", "recall_total", "precision_hits", "precision_total"), 0.0)
    assert score_of_ratios(total) == Score(recall=0.0, precision=0.0, f1=0.0)


@pytest.mark.parametrize("name", list(measures))
def test_every_measure_prints_a_name_that_reads_back(name: str) -> None:
    measure = measures[name]()
    assert parse(str(measure)) == measure
    assert measure.card.name == name
    assert measure.card.sentence.endswith(".")


@pytest.mark.parametrize("text", ["blanc(edge=both)", "b_cubed(twinless=credit)"])
def test_parameters_are_printed_where_they_are_not_the_usual(text: str) -> None:
    assert str(parse(text)) == text


def test_usual_parameters_are_not_printed() -> None:
    assert str(parse("BLANC( edge = key )")) == "blanc"


@pytest.mark.parametrize("text", ["blanc(edges=both)", "blanc(both)", "muc(edge=key)"])
def test_a_parameter_that_a_measure_does_not_have_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="has no parameter"):
        parse(text)


@pytest.mark.parametrize(("text", "known"), [("blanc(edges=both)", "edge, links"), ("muc(edge=key)", "none")])
def test_the_error_names_the_parameters_that_the_measure_has(text: str, known: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert caught.value.expected == f"parameters: {known}"


@pytest.mark.parametrize("alias", ["b3", "B³", "bcub", "b-cubed"])
def test_b_cubed_has_many_names(alias: str) -> None:
    assert str(parse(alias)) == "b_cubed"


def test_an_unknown_measure_is_answered_with_near_names() -> None:
    with pytest.raises(UnknownName, match="did you mean muc"):
        parse("mucc")
