"""The built-in pipeline as a pre-processor."""

import pytest

from corefbench.preprocess import make
from corefbench.preprocess.base import Input
from corefbench.preprocess.build import discourse_of

TEXT = "The Printer\n\nThe printer of Ann Smith broke when she used it  yesterday. It was old.\n"


@pytest.fixture(scope="module")
def en():
    pytest.importorskip("spacy")
    return make("en")


def test_text_becomes_phrases(en):
    (made,) = en.analyse([Input(name="d", text=TEXT)])
    assert [TEXT[a:b] for a, b in made.offsets] == list(made.words)
    assert made.headings[0]
    assert made.paragraphs == (0, 1, 1)
    phrases = {discourse_of(made).text_of(one): one for one in discourse_of(made).phrases}
    assert phrases["she"].function == "subject"
    assert phrases["it"].function == "object"
    assert phrases["Ann Smith"].kind == "name"
    assert made.pipeline == en.identity
    assert en.identity.startswith("en ")


def test_given_tokens_are_kept_among_texts(en):
    given = Input(
        name="g",
        text="Ann left. She ran.",
        offsets=((0, 3), (4, 8), (8, 9), (10, 13), (14, 17), (17, 18)),
        sentences=((0, 3), (3, 6)),
    )
    inputs = [Input(name="a", text="He ran."), given, Input(name="e", text=""), given]
    made = list(en.analyse(inputs))
    assert [one.name for one in made] == ["a", "g", "e", "g"]
    assert made[1].words == ("Ann", "left", ".", "She", "ran", ".")
    assert made[1].sentences == ((0, 3), (3, 6))
    assert made[2].words == ()
