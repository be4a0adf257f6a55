"""Changes of scores in words and figures, and letters for systems."""

import pytest

from corefbench.analysis.studies import ScoreChange, column_letters, to_percent
from corefbench.scoring.measures import Score


def movement(old: tuple[float, float, float], new: tuple[float, float, float]) -> ScoreChange:
    before, after = (Score(recall=r, precision=p, f1=f) for r, p, f in (old, new))
    return ScoreChange(
        under="conll-2012", change="doing so", before="A", after="B", measure="B³", old=before, new=after
    )


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        (
            (0.7, 0.6, 0.65),
            "raised B³ F1 by 15.00 points, from 50.00 to 65.00: recall rose from 50.00 to 70.00, "
            "and precision rose from 50.00 to 60.00.",
        ),
        (
            (0.2, 0.8, 0.32),
            "lowered B³ F1 by 18.00 points, from 50.00 to 32.00: recall fell from 50.00 to 20.00, "
            "while precision rose from 50.00 to 80.00.",
        ),
        (
            (0.5, 0.25, 0.3333333),
            "lowered B³ F1 by 16.67 points, from 50.00 to 33.33: recall stayed at 50.00, "
            "and precision fell from 50.00 to 25.00.",
        ),
        (
            (0.4, 2 / 3, 0.5),
            "left B³ F1 at 50.00: recall fell from 50.00 to 40.00, while precision rose from 50.00 to 66.67.",
        ),
    ],
)
def test_a_movement_is_a_sentence(new: tuple[float, float, float], sentence: str) -> None:
    made = str(movement((0.5, 0.5, 0.5), new))
    assert made == f"Under conll-2012, doing so (A → B) {sentence}"


def test_a_difference_that_tables_do_not_show_is_not_visible() -> None:
    still = movement((0.5, 0.5, 0.5), (0.500001, 0.5, 0.5))
    small = movement((0.5, 0.5, 0.5), (0.51, 0.5, 0.505))
    assert (still.is_visible, small.is_visible) == (False, True)


def test_points_are_those_between_the_figures_that_are_shown() -> None:
    assert to_percent(0.12345) == 12.35
    assert to_percent(0.12349, "truncate") == 12.34
    # 33.335 − 12.344: shown as 33.34 and 12.34, so the sentence must say 21.00.
    assert movement((0.0, 0.0, 0.12344), (0.0, 0.0, 0.33335)).points == 21.0


def test_marks_go_on_after_z_and_all_are_different() -> None:
    assert [column_letters(n) for n in (0, 25, 26, 51, 52)] == ["a", "z", "aa", "az", "ba"]
    assert len({column_letters(n) for n in range(1000)}) == 1000
