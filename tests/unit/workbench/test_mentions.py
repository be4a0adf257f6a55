"""Key and response as rows, and what is decided about each: small cases by hand."""

import numpy as np

from corefbench.bench.reasons import Reason
from corefbench.runs.matching import MentionMarks
from corefbench.runs.schema import Layer, LayerMentions, LayerTokens
from corefbench.workbench.mentions import (
    CASES,
    AlignedMentions,
    Decisions,
    MentionSpans,
    align_mentions,
    apply_reasons,
    classify_decisions,
    classify_pronouns,
    locate_mentions,
    third_person_tokens,
)


def spans(*given: tuple[int, int]) -> MentionSpans:
    start, end = zip(*given, strict=True) if given else ((), ())
    return MentionSpans(start=np.array(start, np.int64), end=np.array(end, np.int64))


def made(
    key: MentionSpans,
    response: MentionSpans,
    twins: tuple[int, ...] = (),
    uncounted: tuple[int, ...] = (),
    words: tuple[int, ...] = (),
) -> AlignedMentions:
    flags = np.isin(np.arange(len(key.start)), uncounted)
    return align_mentions(key, response, twins, flags, np.array(words, np.int64))


def listed(found: AlignedMentions) -> list[tuple[int, int, int, int]]:
    columns = (found.start, found.end, found.key, found.response)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def names(found: Decisions) -> list[str]:
    return [CASES[case].name for case in found.case]


def test_twins_are_one_row_where_the_key_has_it_and_longer_ones_come_first() -> None:
    found = made(spans((0, 2), (3, 4)), spans((0, 1), (0, 3)), twins=(-1, 0))
    assert listed(found) == [(0, 2, 0, 1), (0, 1, -1, 0), (3, 4, 1, -1)]


def test_of_two_twins_of_one_mention_the_first_is_its_answer() -> None:
    found = made(spans((0, 1)), spans((0, 1), (0, 1)), twins=(0, 0))
    assert listed(found) == [(0, 1, -1, 1), (0, 1, 0, 0)]


def test_an_uncounted_mention_is_joined_with_one_of_the_same_span() -> None:
    found = made(spans((0, 1), (2, 3)), spans((2, 3)), twins=(-1,), uncounted=(1,))
    assert listed(found) == [(0, 1, 0, -1), (2, 3, 1, 0)]


def test_words_are_rows_unless_a_mention_is_made_of_them_alone() -> None:
    found = made(spans((0, 1), (2, 4)), spans(), words=(0, 2, 5))
    assert listed(found) == [(0, 1, 0, -1), (2, 4, 1, -1), (2, 3, -1, -1), (5, 6, -1, -1)]


def test_cases_follow_the_marks_and_the_antecedents_of_both_sides() -> None:
    key, response = spans((0, 1), (2, 3), (4, 5)), spans((0, 1), (2, 3), (6, 7))
    found = made(key, response, twins=(0, 1, -1), words=(8,))
    marks = MentionMarks(key=("right", "wrong", "missed"), response=("right", "wrong", "spurious"))
    decided = classify_decisions(found, (0, 0, 0), (0, 1, 0), marks)
    assert names(decided) == ["first", "false-new", "missed", "spurious", "alone"]
    assert decided.expected.tolist() == [-1, 0, 1, -1, -1]
    assert decided.chosen.tolist() == [-1, -1, -1, 0, -1]


def test_what_a_resolver_was_judged_for_is_told_by_its_choice() -> None:
    key, response = spans((0, 1), (2, 3), (4, 5)), spans((0, 1), (2, 3), (4, 5))
    found = made(key, response, twins=(0, 1, 2))
    marks = MentionMarks(key=("right", "wrong", "right"), response=("right", "wrong", "right"))
    decided = classify_decisions(found, (0, 1, 1), (0, 0, 0), marks)
    reasons = (
        Reason(anaphor=(2, 3), antecedent=(0, 1), correct=True),
        Reason(anaphor=(4, 5), antecedent=(0, 1), correct=False),
    )
    apply_reasons(found, decided, {one.anaphor: one for one in reasons}, response.spans())
    assert names(decided) == ["first", "link", "wrong-link"]
    assert decided.chosen.tolist() == [-1, 0, 0]


def test_a_response_with_other_empty_nodes_stands_where_its_words_are_shown() -> None:
    shown = Layer(name="d", tokens=LayerTokens(count=3))
    own = Layer(
        name="d",
        tokens=LayerTokens(count=4, empty=(1,)),
        mentions=LayerMentions(start=(0, 2), end=(1, 4), chain=(0, 0)),
    )
    assert locate_mentions(own.mentions, own, shown).spans() == [(0, 1), (1, 3)]
    assert locate_mentions(own.mentions, own, own).spans() == [(0, 1), (2, 4)]


def test_only_rows_of_several_parts_have_parts() -> None:
    gaps = locate_mentions(
        LayerMentions(start=(0, 1), end=(4, 2), chain=(0, 1), parts=(((0, 1), (3, 4)), ((1, 2),))), None, None
    )
    found = made(gaps, spans((5, 6)))
    assert found.parts(gaps, spans((5, 6))) == {0: ((0, 1), (3, 4))}
    assert made(spans((0, 1)), spans()).parts(spans((0, 1)), spans()) == {}


def test_pronouns_are_told_by_their_form_whatever_the_case() -> None:
    words = ["HE", "saw", "each", "other", "and", "us"]
    assert third_person_tokens(words).tolist() == [0]
    assert list(classify_pronouns(words, [0, 1, 2, 5, 2], [1, 2, 4, 6, 6])) == [1, 0, 2, 2, 0]
    assert list(classify_pronouns((), [0], [1])) == [0]
