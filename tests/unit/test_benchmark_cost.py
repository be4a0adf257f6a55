"""The corpora whose cost is measured are what they are called, and a ratio is what it should be."""

import pytest

from benchmarks.cost import Row
from benchmarks.cost_shapes import RELATED, SHAPES, Shape, corpus
from benchmarks.cost_tasks import TASKS
from corefbench.formats.load import load


@pytest.mark.parametrize("shape", [*SHAPES, RELATED], ids=lambda shape: shape.name)
def test_a_shape_has_as_many_mentions_as_asked(shape: Shape) -> None:
    made = corpus(shape, 200)
    assert len(made.mentions) == 200 + 20 * shape.twice
    assert len(made) == (200 // shape.per_document if shape.per_document else 1)
    sizes = set(made.chain_sizes().tolist())
    assert (
        sizes
        == {"one": {200}, "own": {1}, "windows": {5, 10} if shape.twice else {5}}[shape.chains]
    )


def test_a_response_lacks_some_mentions_and_has_others_elsewhere() -> None:
    key, response = corpus(SHAPES[0], 200), corpus(SHAPES[0], 200, noise=True)
    assert len(response.mentions) == 200 - len(range(5, 200, 17))
    assert set(response.chain_sizes().tolist()) > set(key.chain_sizes().tolist())


def test_deep_mentions_are_all_nested() -> None:
    (deep,) = (shape for shape in SHAPES if shape.name == "deep")
    spans = corpus(deep, 50).mentions
    assert (spans.start[1:] > spans.start[:-1]).all()
    assert (spans.end[1:] < spans.end[:-1]).all()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_read(name: str) -> None:
    assert len(load(TASKS[name](60), format=name).mentions) >= 40


def test_the_worst_ratio_is_of_costs_that_can_be_measured() -> None:
    row = Row("read", "conll", "deep", (1, 2, 4, 8), (0.001, 0.1, 0.2, 0.5))
    assert row.worst == 2.5
    assert Row("read", "conll", "deep", (1, 2), (0.001, 0.004)).worst == 0
