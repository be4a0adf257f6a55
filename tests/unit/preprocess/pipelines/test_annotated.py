"""CoNLL-U columns as an analysis."""

import pytest

from corefbench.errors import MismatchError
from corefbench.formats.load import load
from corefbench.preprocess import make
from corefbench.preprocess.base import Input
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.documents import make_input
from corefbench.preprocess.pipelines.annotated import Conllu
from tests.conll import conll
from tests.unit.preprocess.test_documents import ZEROS


def test_columns_become_an_analysis():
    made = Conllu().analyse_document(load(ZEROS)[0])
    assert made.words == ("Ann", "left", ".", "She", "ran", ".")
    assert made.lemmas[1] == "leave"
    assert made.heads == (1, -1, 1, 4, -1, 4)
    assert made.relations[:3] == ("nsubj", "root", "punct")
    assert made.features == ("",) * 6
    assert made.entities == ()
    assert made.pipeline == "conllu"


def test_entity_types_of_the_key_are_taken_only_on_request():
    (made,) = make("conllu(types=true)").analyse([make_input(load(ZEROS)[0])])
    assert [(e.start, e.end, e.type) for e in made.entities] == [(0, 1, "person"), (3, 4, "person")]
    assert made.pipeline == "conllu(types)"
    assert build_discourse(made).phrases[0].entity == "person"


def test_lines_without_columns_make_roots():
    (made,) = make("conllu").analyse([make_input(load(b"1\tHi" + b"\t_" * 8 + b"\n\n", format="corefud")[0])])
    assert made.heads == (-1,)
    assert made.lemmas == ("hi",)


def test_documents_without_trees_are_refused():
    with pytest.raises(MismatchError, match="no trees") as caught:
        list(make("conllu").analyse([make_input(load(conll("(1)"))[0])]))
    assert caught.value.code == "CB211"
    with pytest.raises(MismatchError):
        list(make("conllu").analyse([Input(name="x", text="Hi")]))
