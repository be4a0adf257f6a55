import numpy as np
import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.measures import measures, parse
from corefbench.measures.tally import Score, Tally, harmonic, ratio, score_of_ratios


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


@pytest.mark.parametrize(
    ("text", "known"), [("blanc(edges=both)", "edge, links"), ("muc(edge=key)", "none")]
)
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
