"""Winogender: worked samples, the published files, faults."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.source import Source
from corefbench.formats.winogender import SENTENCES, TEMPLATES, Winogender, _find_person
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, read, read_leniently, written

FORM = Winogender()
ROW = "baker.guest.0.female.txt\tA guest thanked the baker because she had smiled."
TEMPLATE = "baker\tguest\t0\tA $PARTICIPANT thanked the $OCCUPATION because $NOM_PRONOUN was kind."


def rows(*lines: str, header: str = SENTENCES) -> str:
    return "\n".join([header, *lines]) + "\n"


def chains(corpus: Corpus, document: int = 0) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for chain in corpus[document].chains]


def test_the_id_says_who_is_meant() -> None:
    corpus = read(FORM, rows(ROW, ROW.replace(".0.", ".1.")))
    assert chains(corpus) == [["the baker", "she"], ["A guest"]]
    assert chains(corpus, 1) == [["the baker"], ["A guest", "she"]]
    assert sorted(corpus.mentions.columns["role"]) == sorted(["occupation", "participant", "pronoun"] * 2)
    assert corpus.documents.columns["gender"] == ("female", "female")


def test_a_template_is_six_sentences() -> None:
    corpus = read(FORM, rows(TEMPLATE, header=TEMPLATES))
    assert [document.text for document in corpus] == [
        "A guest thanked the baker because he was kind.",
        "A guest thanked the baker because she was kind.",
        "A guest thanked the baker because they were kind.",
        "Someone thanked the baker because he was kind.",
        "Someone thanked the baker because she was kind.",
        "Someone thanked the baker because they were kind.",
    ]
    assert corpus.documents.names[5] == "baker.someone.0.neutral.txt"


def load(name: str) -> Corpus:
    path = data("pronouns") / "winogender" / "data" / name
    return next(FORM.read(Source.of(path), Reading()))


def test_the_templates_make_the_published_sentences() -> None:
    """720 sentences of 120 templates (Rudinger et al. 2018)."""
    sentences, made = load("all_sentences.tsv"), load("templates.tsv")
    assert len(sentences) == 720
    assert made.documents.names == sentences.documents.names
    assert [d.text for d in made] == [d.text for d in sentences]
    assert [d.clusters() for d in made] == [d.clusters() for d in sentences]
    assert Counter(sentences.documents.columns["gender"]) == {"male": 240, "female": 240, "neutral": 240}


def test_the_published_sentences_are_written_again() -> None:
    path = data("pronouns") / "winogender" / "data" / "all_sentences.tsv"
    assert written(FORM, load("all_sentences.tsv")) == path.read_bytes()


def test_the_sample_is_stable() -> None:
    assert_stable(FORM, read(FORM, rows(ROW)))


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises(rows(ROW).encode()) == 1
    assert FORM.recognises(rows(TEMPLATE, header=TEMPLATES).encode()) == 1
    assert FORM.recognises(b"ID\tText\tPronoun\n") == 0
    assert FORM.recognises(b"") == 0


REPAIRED = {
    "an id of three": "baker.guest.female.txt\tThe baker met the guest: she ran.",
    "another answer": "baker.guest.2.female.txt\tThe baker met the guest: she ran.",
    "another gender": "baker.guest.1.other.txt\tThe baker met the guest: she ran.",
    "no occupation": "baker.guest.1.female.txt\tThe cook met the guest: she ran.",
    "no participant": "baker.guest.1.female.txt\tThe baker met the cook: she ran.",
    "no pronoun": "baker.guest.1.female.txt\tThe baker met the guest.",
    "a pronoun of another gender": "baker.guest.1.female.txt\tThe baker met the guest: he ran.",
    "no sentence": "baker.guest.1.female.txt\t",
    "no tab": "baker.guest.1.female.txt The baker met the guest: she ran.",
    "one person twice": "baker.baker.1.female.txt\tThe baker met: she ran.",
    "part of a word": "baker.guest.1.female.txt\tThe bakery met the guest: she ran.",
    "brackets in the id": "b(ker.guest.1.female.txt\tThe baker met the guest: she ran.",
    "an empty id": "\tThe baker met the guest: she ran.",
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_the_line_left_out(fault: str) -> None:
    text = rows(ROW, REPAIRED[fault])
    with pytest.raises(FormatError) as caught:
        read(FORM, text)
    assert (caught.value.code, caught.value.place.line) == ("CB145", 3)
    corpus, heard = read_leniently(FORM, text)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [("CB145", "repair", 3)]
    assert len(corpus) == 1


def test_a_template_of_another_shape_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        read(FORM, rows("baker\tguest\tno columns", header=TEMPLATES))
    assert caught.value.code == "CB145"


TEXTS = st.lists(st.sampled_from(["the", "The", "a", "an", "lathe", "cook", "Cook's", "cooks", "-", ".", "_"])).flatmap(
    lambda words: st.sampled_from(["", " ", "  "]).map(lambda gap: gap.join(words))
)


@given(TEXTS, st.sampled_from(["cook", "Cook", "cook's", "a cook", "-cook", "s"]))
def test_a_person_is_found_where_a_pattern_finds_it(text: str, person: str) -> None:
    pattern = rf"\b(?:(?:the|an?) )?{re.escape(person)}\b"
    match = re.search(pattern, text, re.IGNORECASE)
    assert _find_person(text, person) == (match.span() if match else None)
