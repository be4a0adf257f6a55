"""Chains of linked mentions."""

from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.spans import connected_components


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_components_are_what_links_reach(links: list[tuple[int, int]]) -> None:
    sets = [{thing} for thing in range(10)]
    for one, other in links:
        union = sets[one] | sets[other]
        for thing in union:
            sets[thing] = union
    first = list(dict.fromkeys(min(some) for some in sets))
    assert connected_components(10, links) == [first.index(min(some)) for some in sets]
