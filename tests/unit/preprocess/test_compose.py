"""An analysis put together from columns."""

from corefbench.preprocess.base import Input
from corefbench.preprocess.compose import LONGEST, compose


def test_a_sentence_without_end_is_cut_and_its_parts_stand_alone():
    count = LONGEST + 5
    text = "dog " * count
    made = compose(
        Input(name="d", text=text),
        words=["dog"] * count,
        offsets=[(4 * n, 4 * n + 3) for n in range(count)],
        sentences=[(0, count)],
        lemmas=["dog"] * count,
        upos=["NOUN"] * count,
        xpos=["NN"] * count,
        features=[""] * count,
        heads=[-1] + [0] * (count - 1),
        relations=["root"] + ["conj"] * (count - 1),
        pipeline="test",
    )
    assert made.sentences == ((0, LONGEST), (LONGEST, count))
    assert made.heads[1] == 0
    assert (made.heads[LONGEST], made.relations[LONGEST]) == (-1, "root")


def test_sentences_that_are_given_are_never_cut():
    count = LONGEST + 5
    offsets = tuple((4 * n, 4 * n + 3) for n in range(count))
    given = Input(name="d", text="dog " * count, offsets=offsets, sentences=((0, count),))
    cells = ["x"] * count
    made = compose(
        given,
        words=cells,
        offsets=offsets,
        sentences=((0, count),),
        lemmas=cells,
        upos=cells,
        xpos=cells,
        features=cells,
        heads=[-1] * count,
        relations=cells,
        pipeline="test",
    )
    assert made.sentences == ((0, count),)
