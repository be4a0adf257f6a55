"""GAP's questions: hand-made texts, and the counts of its scorer."""

import pytest

from corefbench.formats.load import load
from corefbench.judging.gap import GapCounts, GapScore, gap_score
from corefbench.judging.key import key_of
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.text import input_of
from corefbench.resolvers import Resolution
from tests.one_line_trees import read
from tests.unit.judging.keyed import resolution

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"

HER = read(
    """
    Ann|NNP|2|nsubj|person met:meet|VBD|0|root Eve|NNP|2|obj|person .|.|2|punct
    Ann|NNP|2|nsubj|person said|VBD|0|root that|IN|5|mark she|PRP|5|nsubj slept|VBD|2|ccomp
    """
)
HIM = read(
    """
    Tom|NNP|2|nsubj|person met:meet|VBD|0|root Bob|NNP|2|obj|person .|.|2|punct
    He|PRP|2|nsubj left|VBD|0|root .|.|2|punct
    """
)


def answered(
    of: Discourse, given: Resolution, pronoun: str, a: tuple[str, bool], b: tuple[str, bool]
) -> GapScore | None:
    text = of.analysis.text.replace("\n", " ")
    cells = ["test-1", text, pronoun, str(text.index(pronoun))]
    for name, same in (a, b):
        cells += [name, str(text.index(name)), str(same).upper()]
    document = load("\n".join([HEADER, "\t".join([*cells, "url"]), ""]).encode(), format="gap")[0]
    key = key_of(document, input_of(document).offsets or (), of)
    return gap_score(document, key, given)


def test_a_right_name_and_a_name_rightly_left_out() -> None:
    found = answered(HIM, resolution(HIM, ("He", "Tom")), "He", a=("Tom", True), b=("Bob", False))
    assert found == GapScore(masculine=GapCounts(true_positives=1))


def test_a_wrong_name_is_wrong_twice() -> None:
    found = answered(HIM, resolution(HIM, ("He", "Bob")), "He", a=("Tom", True), b=("Bob", False))
    assert found == GapScore(masculine=GapCounts(false_positives=1, false_negatives=1))


def test_no_answer_misses_the_right_name_and_is_right_about_the_other() -> None:
    found = answered(HIM, resolution(HIM, ("He", None)), "He", a=("Tom", True), b=("Bob", False))
    assert found == GapScore(masculine=GapCounts(false_negatives=1))
    neither = answered(HIM, resolution(HIM, ("He", None)), "He", a=("Tom", False), b=("Bob", False))
    assert neither == GapScore()


def test_the_same_name_elsewhere_stands_for_the_one_that_is_asked_about() -> None:
    # A is the first Ann; the pronoun is linked to the second.
    found = answered(
        HER, resolution(HER, ("she", "Ann/2")), "she", a=("Ann", True), b=("Eve", False)
    )
    assert found == GapScore(feminine=GapCounts(true_positives=1))


def test_a_name_behind_a_title_is_asked_about_by_the_phrase_of_both() -> None:
    of = read(
        """
        director|NN|4|nsubj Ann|NNP|1|flat|person Lee|NNP|1|flat|person met:meet|VBD|0|root \
Eve|NNP|4|obj|person .|.|4|punct
        She|PRP|2|nsubj left|VBD|0|root .|.|2|punct
        """
    )
    given = resolution(of, ("She", "director Ann Lee"))
    found = answered(of, given, "She", a=("Ann Lee", True), b=("Eve", False))
    assert found == GapScore(feminine=GapCounts(true_positives=1))


def test_what_a_name_renames_stands_for_it() -> None:
    of = read(
        """
        The|DT|2|det nurse|NN|5|nsubj ,|,|4|punct Ann|NNP|2|appos|person met:meet|VBD|0|root \
Eve|NNP|5|obj|person .|.|5|punct
        She|PRP|2|nsubj left|VBD|0|root .|.|2|punct
        """
    )
    given = resolution(of, ("She", "The nurse"))
    found = answered(of, given, "She", a=("Ann", True), b=("Eve", False))
    assert found == GapScore(feminine=GapCounts(true_positives=1))


def test_other_corpora_have_no_such_questions() -> None:
    document = load(b"#begin document (d);\nd 0 0 Ann (1)\n\n#end document\n")[0]
    found = read("Ann|NNP|0|root|person")
    key = key_of(document, input_of(document).offsets or (), found)
    assert gap_score(document, key, resolution(found)) is None


def test_the_measures_over_both_genders() -> None:
    # Masculine: 3 right, 1 spurious, 1 missed: P = R = F1 = 3/4. Feminine: 2, 2, 0: P 1/2, R 1.
    score = GapScore(
        masculine=GapCounts(true_positives=3, false_positives=1, false_negatives=1),
        feminine=GapCounts(true_positives=2, false_positives=2),
    )
    assert score.masculine.f1 == 3 / 4
    assert (score.feminine.precision, score.feminine.recall) == (1 / 2, 1)
    assert score.feminine.f1 == pytest.approx(2 / 3)
    assert score.overall == GapCounts(true_positives=5, false_positives=3, false_negatives=1)
    assert score.overall.f1 == pytest.approx(10 / 14)
    assert score.bias == pytest.approx((2 / 3) / (3 / 4))


def test_scores_of_texts_add_up_and_bias_needs_masculine_ones() -> None:
    one = GapScore(feminine=GapCounts(true_positives=1))
    assert (one + one).feminine.true_positives == 2
    assert one.bias is None
    assert GapScore().overall.f1 == 0
