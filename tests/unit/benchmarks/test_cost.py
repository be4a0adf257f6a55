"""The corpora whose cost is measured are what they are called, and a ratio is what it should be."""

import pytest

from benchmarks.cost import render_page
from benchmarks.growth import Cost, Row, Work, measure_growth
from benchmarks.shapes import HEADED, RELATED, SHAPES, TASKS, Shape, shaped_corpus
from corefbench.formats.load import load


@pytest.mark.parametrize("shape", [*SHAPES, RELATED, HEADED], ids=lambda shape: shape.name)
def test_a_shape_has_as_many_mentions_as_asked(shape: Shape) -> None:
    made = shaped_corpus(shape, 200)
    assert len(made.mentions) == 200 + 20 * shape.twice
    assert len(made) == (200 // shape.per_document if shape.per_document else 1)
    sizes = set(made.chain_sizes().tolist())
    assert sizes == {"one": {200}, "own": {1}, "windows": {5, 10} if shape.twice else {5}}[shape.chains]


def test_a_response_lacks_some_mentions_and_has_others_elsewhere() -> None:
    key, response = shaped_corpus(SHAPES[0], 200), shaped_corpus(SHAPES[0], 200, noise=True)
    assert len(response.mentions) == 200 - len(range(5, 200, 17))
    assert set(response.chain_sizes().tolist()) > set(key.chain_sizes().tolist())


def test_deep_mentions_are_all_nested() -> None:
    (deep,) = (shape for shape in SHAPES if shape.name == "deep")
    spans = shaped_corpus(deep, 50).mentions
    assert (spans.start[1:] > spans.start[:-1]).all()
    assert (spans.end[1:] < spans.end[:-1]).all()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_read(name: str) -> None:
    assert len(load(TASKS[name](60), format=name).mentions) >= 40


def costs(*seconds: float, volume: tuple[int, int] = (0, 0)) -> tuple[Cost, Cost]:
    half, whole = seconds
    return Cost(50, half, volume[0]), Cost(100, whole, volume[1])


def test_a_ratio_is_of_costs_that_can_be_measured() -> None:
    assert Row("read", "conll", "deep", costs(0.2, 0.5)).ratio == 2.5
    assert Row("read", "conll", "deep", costs(0.001, 0.004)).ratio == 0


def test_a_ratio_is_by_bytes_where_these_grow_faster() -> None:
    row = Row("write", "brat", "deep", costs(0.25, 1.0, volume=(1_000, 4_000)))
    assert (row.ratio, row.over) == (2.0, False)
    assert Row("write", "brat", "deep", costs(0.25, 1.0, volume=(1_000, 2_100))).over


def test_growth_is_over_the_goal_and_a_step_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.growth.least_time", lambda work: work.run())
    row = Row("read", "conll", "deep")
    square = measure_growth(row, lambda size: Work(lambda: size**2), 40, 40)
    step = measure_growth(row, lambda size: Work(lambda: size * (1 + (size > 20))), 40, 40)
    assert (square.before, square.ratio, square.over) == (4.0, 4.0, True)
    assert (step.before, step.ratio, step.over) == (4.0, 2.0, False)


def test_work_that_is_too_short_is_given_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.growth.least_time", lambda work: work.run())
    row = measure_growth(Row("read", "x", "y"), lambda size: Work(lambda: size / 1_000), 20, 100)
    assert row.costs is not None
    assert [cost.mentions for cost in row.costs] == [40, 80]


def test_the_page_says_whether_the_goal_is_met() -> None:
    good = Row("read", "conll", "deep", costs(0.2, 0.4))
    bad = Row("read", "brat", "deep", costs(0.2, 0.8), before=3.9)
    refused = Row("read", "muc", "deep", refused="CB122")
    assert "**The goal is met**" in render_page([good, refused], 100, 100)
    written = render_page([good, bad, refused], 100, 100)
    assert "**The goal is not met**" in written
    assert "- read brat, deep: ×3.90, then ×4.00 from 50 (0.20 s) to 100 (0.80 s)" in written
