"""The phrases near an anaphor, in sentences of any length."""

from time import process_time

import pytest

from corefbench.resolvers import make
from corefbench.resolvers.rules.window import AFTER, BEFORE, near
from tests.one_line_trees import read
from tests.trees import phrase


def test_near_are_the_sentence_and_those_before_it() -> None:
    line = "Ann|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj"
    found = read("\n".join([line] * 4))
    him = phrase(found, "him", 2)
    assert [one.index for one in near(found, him)] == [4]
    assert [one.index for one in near(found, him, 1)] == [2, 3, 4]
    assert [one.index for one in near(found, him, 9)] == [0, 1, 2, 3, 4]


def test_near_is_limited_in_a_long_sentence() -> None:
    found = read("go|VB|0|root " + "it|PRP|1|obj " * 300)
    assert len(near(found, found.phrases[200])) == BEFORE + AFTER


@pytest.mark.parametrize("name", ["kennedy-boguraev", "lappin-leass"])
@pytest.mark.parametrize("word", ["she|PRP|1|obj", "herself|PRP|1|obj"])
def test_a_sentence_of_hundreds_of_pronouns_takes_linear_time(name: str, word: str) -> None:
    resolver = make(name)
    seconds = []
    for count in (200, 400):
        found = read("go|VB|0|root " + f"{word} " * count)
        begun = process_time()
        assert len(resolver.resolve(found).decisions) == count
        seconds.append(process_time() - begun)
    assert seconds[1] < 3 * seconds[0] + 0.5
