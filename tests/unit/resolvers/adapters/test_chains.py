"""Spans of another program on our tokens: exact, or counted."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from corefbench.preprocess.analysis import Analysis
from corefbench.resolvers.adapters.chains import Link, align_chains, resolution_from_chains
from tests.trees import analysis, discourse

PLAIN = analysis(
    """
Ann Ann PROPN NNP 2 nsubj
slept sleep VERB VBD 0 root

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
"""
)


def over(text: str, *words: str) -> Analysis:
    """The same analysis over another text, with four words of it."""
    offsets, at = [], 0
    for word in words:
        at = text.index(word, at)
        offsets.append((at, at + len(word)))
        at += len(word)
    return replace(PLAIN, text=text, words=words, offsets=tuple(offsets))


def said(findings: object) -> list[tuple[str, str]]:
    return [(finding.code, finding.found) for finding in findings]  # type: ignore[attr-defined]


def test_characters_after_combining_and_astral_ones_are_counted_as_python_counts() -> None:
    text = "👩\u200d👧 A\u0301nn\u00a0\u2003slept.\u2028She\u0308 🇬🇧"
    ours = over(text, "👩\u200d👧", "A\u0301nn", "slept.", "She\u0308")
    begin, second = text.index("A\u0301"), text.index("She")
    spans = [(begin, begin + 4), (second, second + 4)]
    put = align_chains([spans], ours, characters=True)
    assert put.chains == (((1, 2), (3, 4)),)
    assert put.findings == ()


def test_white_space_at_the_ends_of_a_span_is_no_part_of_it() -> None:
    ours = over("Ann slept. She ran", "Ann", "slept.", "She", "ran")
    put = align_chains([[(0, 4), (10, 15)]], ours, characters=True)
    assert put.chains == (((0, 1), (2, 3)),)
    assert put.findings == ()


def test_a_span_inside_a_token_becomes_the_token_and_is_counted() -> None:
    ours = over("New-York slept. She ran", "New-York", "slept.", "She", "ran")
    put = align_chains([[(4, 8), (16, 19)]], ours, characters=True)
    assert put.chains == (((0, 1), (2, 3)),)
    assert said(put.findings) == [("CB264", "1 of 2")]
    assert put.findings[0].severity == "note"


def test_what_lies_on_no_token_or_outside_the_text_is_counted_as_lost() -> None:
    ours = over("Ann   slept. She ran", "Ann", "slept.", "She", "ran")
    bad = [(3, 5), (4, 4), (7, 5), (-3, 2), (18, 99)]
    put = align_chains([[(0, 3), *bad, (13, 16)]], ours, characters=True)
    assert put.chains == (((0, 1), (2, 3)),)
    assert said(put.findings) == [("CB264", "5 of 7")]
    assert put.findings[0].severity == "warning"
    tokens = align_chains([[(0, 1), (3, 5), (2, 2), (-1, 1)]], PLAIN, characters=False)
    assert tokens.chains == (((0, 1),),)
    assert said(tokens.findings) == [("CB264", "3 of 4")]


def test_a_span_in_two_chains_does_not_join_them() -> None:
    chains = [[(0, 1), (2, 3)], [(2, 3), (1, 2)], [(3, 4), (3, 4)]]
    put = align_chains(chains, PLAIN, characters=False)
    assert put.chains == (((0, 1), (2, 3)), ((1, 2),), ((3, 4),))
    assert said(put.findings) == [("CB113", "1 of 6"), ("CB157", "1 of 6")]


def test_losses_of_the_program_are_reported() -> None:
    put = align_chains([], PLAIN, characters=False, lost={"zeros": 3})
    assert put.findings[0].found == "3 zeros"


@given(st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30)), max_size=12))
def test_every_mention_is_kept_or_counted(spans: list[tuple[int, int]]) -> None:
    ours = over("Ann 😀 slept; She dreamt!", "Ann", "slept", "She", "dreamt")
    put = align_chains([spans[:5], spans[5:]], ours, characters=True)
    kept = sum(map(len, put.chains))
    gone = sum(int(f.found.split()[0]) for f in put.findings if "now whole" not in f.message)
    assert kept + gone == len(spans)


def test_a_link_to_another_chain_is_none() -> None:
    made = discourse("Ann Ann PROPN NNP 2 nsubj\nsaw see VERB VBD 0 root\nher she PRON PRP 2 obj")
    links = {(2, 3): Link(antecedent=(0, 1), confidence=0.9)}
    apart = resolution_from_chains("x", made, [[(0, 1)], [(2, 3)]], links=links)
    assert (apart.decisions, len(apart.chains())) == ((), 2)
    joined = resolution_from_chains("x", made, [[(0, 1), (2, 3)]], links=links)
    assert joined.decisions[0].confidence == 0.9
