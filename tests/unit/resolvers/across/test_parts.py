import numpy as np
import pytest

from corefbench.resolvers.across.parts import components


def path(scores):
    """Mentions in a row, each joined to the next."""
    count = len(scores) + 1
    return count, np.arange(count - 1), np.arange(1, count), np.array(scores, np.float32)


def members(made):
    return sorted(sorted(part.tolist()) for part in made.members)


def test_components_are_what_pairs_at_the_floor_or_above_join():
    made = components(*path([0.9, 0.3, 0.5, 0.4999]), 0.5, 100)
    assert members(made) == [[0, 1], [2, 3]]
    assert (made.count, made.largest, made.capped) == (3, 2, 0)


def test_a_component_that_is_too_large_is_cut_at_its_weakest_links():
    made = components(*path([0.9, 0.9, 0.55, 0.9, 0.9]), 0.5, 3)
    assert members(made) == [[0, 1, 2], [3, 4, 5]]
    assert (made.count, made.largest, made.capped) == (1, 6, 1)


def test_only_the_component_that_is_too_large_is_cut():
    made = components(*path([0.51, 0.1, 0.9, 0.51, 0.9]), 0.5, 3)
    assert members(made) == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize("largest", [1, 3, 7, 40])
def test_what_holds_together_at_any_floor_is_cut_into_pieces_of_like_size(largest):
    one, other = np.triu_indices(40, 1)
    made = components(40, one, other, np.ones(len(one), np.float32), 0.5, largest)
    sizes = [len(part) for part in made.members]
    assert max(sizes, default=1) <= largest
    assert max(sizes, default=1) - min(sizes, default=1) <= 1
    found = np.concatenate([np.zeros(0, np.int64), *made.members]).tolist()
    assert sorted(found) == (list(range(40)) if largest > 1 else [])
    assert made.capped == (largest < 40)


def test_the_largest_component_comes_first():
    made = components(*path([0.9, 0.1, 0.9, 0.9, 0.1, 0.9]), 0.5, 100)
    assert [part.tolist() for part in made.members] == [[2, 3, 4], [0, 1], [5, 6]]


def test_without_pairs_every_mention_is_a_component():
    none = np.zeros(0, np.int64)
    made = components(5, none, none, np.zeros(0, np.float32), 0.5, 10)
    assert (made.members, made.count, made.largest) == ((), 5, 1)
