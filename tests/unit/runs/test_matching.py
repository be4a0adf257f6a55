"""Marks: every way to be right or wrong about a mention, by hand."""

from corefbench.runs.matching import mark_mentions
from corefbench.runs.schema import Layer, LayerMentions, LayerTokens, RunDocument, Twins


def layer(*chain: int) -> Layer:
    """Mentions of one word each, side by side."""
    size = len(chain)
    spans = LayerMentions(start=tuple(range(size)), end=tuple(range(1, size + 1)), chain=chain)
    return Layer(name="d", tokens=LayerTokens(count=size), mentions=spans, chains=tuple("abcdefg"))


def document(key: Layer, response: Layer, **matched: tuple[int, ...]) -> RunDocument:
    return RunDocument(label="d", key=key, responses={"r": response}, matched={"r": Twins(**matched)})


def test_equal_chains_are_right() -> None:
    found = mark_mentions(document(layer(0, 1, 0), layer(1, 0, 1), twins=(0, 1, 2)), "r")
    assert found.key == found.response == ("right", "right", "right")


def test_a_false_new_chain_is_wrong() -> None:
    found = mark_mentions(document(layer(0, 0), layer(0, 1), twins=(0, 1)), "r")
    assert found.response == ("right", "wrong")


def test_a_link_where_the_key_has_none_is_wrong() -> None:
    found = mark_mentions(document(layer(0, 1), layer(0, 0), twins=(0, 1)), "r")
    assert found.response == ("right", "wrong")


def test_a_link_into_another_chain_is_wrong_and_one_past_it_is_right() -> None:
    # key A B A A; response links the third to the second, and the fourth to the third
    found = mark_mentions(document(layer(0, 1, 0, 0), layer(0, 1, 1, 1), twins=(0, 1, 2, 3)), "r")
    assert found.response == ("right", "right", "wrong", "right")


def test_a_link_to_a_spurious_mention_is_wrong() -> None:
    found = mark_mentions(document(layer(0, 0), layer(0, 0), twins=(-1, 1)), "r")
    assert found.response == ("spurious", "wrong")
    assert found.key == ("missed", "wrong")


def test_what_the_profile_leaves_out_is_not_counted() -> None:
    made = document(layer(0, 1), layer(0, 1), twins=(0, -1), uncounted=(1,), uncounted_key=(1,))
    found = mark_mentions(made, "r")
    assert found.key == found.response == ("right", "uncounted")


def test_a_missing_document_misses_everything() -> None:
    found = mark_mentions(RunDocument(label="d", key=layer(0, 0)), "r")
    assert (found.key, found.response) == (("missed", "missed"), ())
