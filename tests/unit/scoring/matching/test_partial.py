import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import MismatchError
from corefbench.scoring.matching import partial

KEY = [[(2, 14, 10), (48, 49, 48)], [(2, 6, 3), (30, 33, 30), (63, 65, 63), (67, 68, 67)]]
"""The worked example: two chains of spans with their heads."""
REST = [(30, 33), (63, 65), (67, 68)]


def corpus(chains):
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([f"w{n}" for n in range(70)])
    for number, chain in enumerate(chains):
        for start, end, *head in chain:
            build.mention(str(number), [(start, end)], head=head[0] if head else -1)
    return build.finish()


def matched(chains, key=KEY):
    """For each response mention, as a span, its twin's span."""
    left, right = corpus(key), corpus(chains)
    spans = [(m.start, m.end) for m in left[0].mentions]
    twins = partial.match(left, right).key.tolist()
    return {(m.start, m.end): spans[k] if k >= 0 else None for m, k in zip(right[0].mentions, twins, strict=True)}


def b_cubed(chains):
    """R and P by hand, from the twins."""
    twin = matched(chains)
    key = [{span[:2] for span in chain} for chain in KEY]
    response = [{twin[span] for span in chain} for chain in chains]
    shared = [(len(k & r), len(k), len(c)) for k in key for r, c in zip(response, chains, strict=True)]
    recall = sum(n * n / k for n, k, _ in shared) / sum(map(len, key))
    precision = sum(n * n / c for n, _, c in shared) / sum(map(len, chains))
    return pytest.approx(recall, abs=5e-4), pytest.approx(precision, abs=5e-4)


def test_a_response_mention_inside_that_holds_the_head_is_a_twin():
    chains = [[(4, 12), (48, 49)], [(3, 6), *REST]]
    assert matched(chains)[4, 12] == (2, 14)
    assert matched(chains)[3, 6] == (2, 6)
    assert b_cubed(chains) == (1, 1)


def test_a_response_mention_without_the_head_is_twinless():
    chains = [[(4, 6), (48, 49)], REST]
    assert matched(chains)[4, 6] is None
    assert b_cubed(chains) == (0.458, 0.7)


def test_a_response_mention_that_reaches_outside_is_twinless():
    assert matched([[(9, 15)]])[9, 15] is None


def test_the_longer_of_two_candidates_is_taken():
    assert matched([[(9, 12), (9, 13)]]) == {(9, 13): (2, 14), (9, 12): None}


def test_a_candidate_gives_way_where_the_sum_is_greater():
    key = [[(0, 10, 5), (4, 7, 5)]]
    assert matched([[(5, 6), (4, 6)]], key) == {(5, 6): (0, 10), (4, 6): (4, 7)}


def test_heads_of_the_response_are_not_needed_but_those_of_the_key_are():
    assert matched([[(2, 14)]], [[(2, 14, 3)]]) == {(2, 14): (2, 14)}
    with pytest.raises(MismatchError):
        matched([[(2, 14, 3)]], [[(2, 14)]])


def test_a_key_with_minimal_spans_and_no_heads_is_matched_by_them():
    """As in the Universal Anaphora scorer: the response holds MIN and is inside the key mention."""

    def markable(span, minimum=()):
        build = CorpusBuilder("test")
        build.begin_document("d")
        build.sentence(["the", "old", "man", "there"])
        build.mention("e", [span], minimum=minimum)
        return build.finish()

    key = markable((0, 4), [(2, 3)])
    assert partial.match(key, markable((1, 3))).key.tolist() == [0]
    assert partial.match(key, markable((0, 2))).key.tolist() == [-1]
