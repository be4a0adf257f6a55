"""WinoBias: worked samples, the published files, faults."""

from collections import Counter
from pathlib import Path

import pytest

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.conll.format import CoNLL
from corefbench.formats.source import Source
from corefbench.formats.winobias import WinoBias
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, read, read_leniently, written

FORM = WinoBias()
SAMPLE = "7 [The cook] thanked the guard because [she] fixed [her] oven.\n"


def test_what_is_bracketed_is_one_chain() -> None:
    document = read(FORM, SAMPLE)[0]
    assert document.name == "memory/7"
    assert document.text == "The cook thanked the guard because she fixed her oven."
    assert document.clusters() == [[(0, 2), (6, 7), (8, 9)]]


def test_the_name_of_the_file_says_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "anti_stereotyped_type2.txt.test"
    path.write_text(SAMPLE)
    corpus = next(FORM.read(Source.of(path), Reading()))
    assert corpus.documents.names == ("anti_stereotyped_type2.txt.test/7",)
    assert corpus.documents.columns == {"stereotype": ("anti",), "type": ("2",), "split": ("test",)}


def chains(corpus: Corpus) -> Counter[tuple[str, tuple[str, ...]]]:
    """Sentences without blanks and case, with their chain."""
    return Counter(("".join(d.words).lower(), tuple(m.text.lower() for m in d.chains[0].mentions)) for d in corpus)


@pytest.mark.parametrize("split", ["dev", "test"])
@pytest.mark.parametrize("kind", ["1", "2"])
@pytest.mark.parametrize("side", ["pro", "anti"])
def test_the_published_files_have_396_sentences_like_their_conll_files(split: str, kind: str, side: str) -> None:
    folder = data("pronouns") / "winobias" / "data"
    path = folder / f"{side}_stereotyped_type{kind}.txt.{split}"
    corpus = next(FORM.read(Source.of(path), Reading()))
    assert len(corpus) == len(corpus.chains) == 396
    conll = folder / "conll_format" / f"{split}_type{kind}_{side}_stereotype.v4_auto_conll"
    other = concatenate("conll", list(CoNLL().read(Source.of(conll), Reading())))
    common = chains(corpus) & chains(other)
    assert common.total() >= 390
    text = path.read_text().replace("the [ physician]", "the  [physician]")
    assert written(FORM, corpus).decode() == text


def test_the_sample_is_stable() -> None:
    first = read(FORM, SAMPLE.replace("7", "1", 1) + SAMPLE.replace("7", "2", 1))
    assert_stable(FORM, first)


def test_a_document_without_a_pair_is_not_written() -> None:
    from corefbench.formats.inline import Inline

    assert written(FORM, read(Inline(), "[Ann]1 met [Bob]2.")) == b""
    assert written(FORM, read(Inline(), "[Ann]1 saw [her]1.")) == b"1 [Ann] saw [her].\n"


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises(SAMPLE.encode()) == 0.9
    assert FORM.recognises(b"[Ann]1 saw [her]1.\n") == 0
    assert FORM.recognises(b"1 [Ann]1 saw [her]1.\n") == 0
    assert FORM.recognises(b"1 Ann saw her.\n") == 0
    assert FORM.recognises(b"") == 0


REPAIRED = {
    "no number": "[The cook] thanked [her].",
    "no brackets": "8 The cook thanked her.",
    "one bracket": "8 [The cook] thanked her.",
    "a bracket that is not closed": "8 [The cook] thanked [her.",
    "a bracket that is not opened": "8 [The cook] thanked her].",
    "a bracket in a bracket": "8 [The [cook] thanked her].",
    "empty brackets": "8 [] thanked [her].",
    "brackets round a blank": "8 [ ] thanked [her].",
    "brackets turned round": "8 ]The cook[ thanked [her].",
    "a number alone": "8",
    "a number and a blank": "8 ",
    "a tab for the blank": "8\t[The cook] thanked [her].",
    "a huge number": "9" * 300 + " [The cook] thanked [her].",
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_the_line_left_out(fault: str) -> None:
    text = SAMPLE + REPAIRED[fault] + "\n"
    with pytest.raises(FormatError) as caught:
        read(FORM, text)
    assert (caught.value.code, caught.value.place.line) == ("CB144", 2)
    corpus, heard = read_leniently(FORM, text)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [("CB144", "repair", 2)]
    assert len(corpus) == 1


@pytest.mark.parametrize(
    ("code", "content"), [("CB102", b"\n"), ("CB103", SAMPLE.encode("utf-16")), ("CB103", b"1 \xff")]
)
def test_what_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code
