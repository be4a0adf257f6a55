"""CoNLL-U columns as an analysis."""

import pytest

from corefbench.errors import MismatchError
from corefbench.formats.load import load
from corefbench.preprocess import make
from corefbench.preprocess.base import Input
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.documents import make_input
from corefbench.preprocess.pipelines.annotated import (
    Conllu,
    Workbench,
    convert_function,
    convert_tags,
)
from tests.conll import conll
from tests.unit.formats.test_workbench import PRINTED
from tests.unit.preprocess.test_documents import ZEROS


def test_columns_become_an_analysis():
    parsed = Conllu().analyse_document(load(ZEROS)[0])
    assert parsed.words == ("Ann", "left", ".", "She", "ran", ".")
    assert parsed.lemmas[1] == "leave"
    assert parsed.heads == (1, -1, 1, 4, -1, 4)
    assert parsed.relations[:3] == ("nsubj", "root", "punct")
    assert parsed.features == ("",) * 6
    assert parsed.entities == ()
    assert parsed.pipeline == "conllu"


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


@pytest.fixture
def document():
    return load(PRINTED.encode(), format="workbench")[0]


def test_functions_become_universal_dependencies(document):
    parsed = Workbench().analyse_document(document)
    rows = list(zip(parsed.words, parsed.heads, parsed.relations, strict=True))
    assert rows == [
        ("That", 4, "nsubj"),
        ("is", 4, "cop"),
        ("a", 4, "det"),
        ("stone", 4, "compound"),
        ("bridge", -1, "root"),
        (".", 4, "punct"),
        ("It", 8, "nsubj:pass"),
        ("was", 8, "aux:pass"),
        ("built", -1, "root"),
        ("for", 10, "case"),
        ("trade", 8, "obl"),
        (".", 8, "punct"),
    ]
    assert parsed.upos[:5] == ("PRON", "VERB", "DET", "NOUN", "NOUN")
    assert parsed.lemmas[8] == "build"


def test_the_resolvers_have_phrases_to_work_on(document):
    made = build_discourse(Workbench().analyse_document(document))
    assert [made.text_of(phrase) for phrase in made.phrases] == ["That", "a stone bridge", "It", "trade"]
    assert [phrase.function for phrase in made.phrases] == ["subject", "other", "subject", "oblique"]
    assert [made.text_of(anaphor) for anaphor in made.anaphors] == ["It"]


def test_tags_and_labels():
    assert convert_tags("their", "DET", "DN", "") == ("PRON", "PRP$")
    assert convert_tags("will", "V", "+FAUXV", "") == ("AUX", "MD")
    assert convert_function("SUBJ", "NOUN", "dog", "VERB") == "nsubj"
    assert convert_function("I-OBJ", "PRON", "him", "VERB") == "dative"
    assert convert_function("DN", "PRON", "his", "NOUN") == "poss"
    assert convert_function("ADVL", "ADP", "in", "VERB") == "prep"
    assert convert_function("+FMAINV", "VERB", "left", "NOUN") == "relcl"


def test_other_documents_are_refused():
    with pytest.raises(MismatchError, match="no parsed words"):
        list(make("workbench").analyse([make_input(load(conll("(1)"))[0])]))


WRONG = [
    ("2", "SUBJ"), ("1", "+FAUXV"), ("4", "-FAUXV"), ("3", "+FAUXV"), ("5", "X"), ("99", "PCOMP"),
    ("-1", "ADVL"), ("x", "CC"), ("6", "PCOMP"),
]  # fmt: skip


def test_invalid_governors_make_no_cycle():
    words = (f"<w LEMMA='b' DEP='{d}' GFUN='{f}' POS='V'>b</w>" for d, f in WRONG)
    xml = f"<S>{''.join(words)}</S>".encode()
    document = build_discourse(Workbench().analyse_document(load(xml, format="workbench")[0]))
    assert len(document.analysis.words) == len(WRONG)
