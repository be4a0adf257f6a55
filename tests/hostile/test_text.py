"""Hostile text: every resolver gives a result, or there is a coded error, never a traceback."""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest

from corefbench.cli import main
from corefbench.errors import CorefbenchError
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import Resolution, make, resolvers
from corefbench.resolvers.resolve import read_discourses, read_text
from corefbench.resolvers.response import to_corpus

pytest.importorskip("onnxruntime")

SECONDS = 20
"""Of processor time, for pre-processing a text and for one resolver on it."""
NAMES = [name for name in resolvers if not resolvers[name].card.needs]
CLAUSE = "Ann told Tom that he should give her the book and they left it "


def texts(share: float) -> dict[str, str]:
    """The texts, or about this share of each of the long ones."""

    def times(number: int) -> int:
        return max(1, round(number * share))

    return {
        "empty": "",
        "white space": " \t\n\r\n\u00a0\u2003 " * times(1_000),
        "one letter": "I",
        "one pronoun": "it",
        "only pronouns": "he she it they him her them his its their himself herself itself " * times(50),
        "a line of one word": "a" * times(1_000_000),
        "a line without end": CLAUSE * times(200),
        "lines without end": "\n" * times(1_000_000),
        "full stops": "." * times(20_000),
        "brackets": "([{<" * times(5_000),
        "emoji": "😀👩‍👩‍👧‍👦🇬🇧 She 👍🏽 it. " * times(500),
        "right to left": "قالت آن إنها رأت الكتاب. היא נתנה לו את הספר. " * times(200),
        "direction marks": "\u202eAnn\u202c met \u2067Tom\u2069. She \u200fthanked\u200e him. " * times(100),
        "control characters": "".join(map(chr, range(32))) + "\x7f\x80\x85\x9f Ann slept. She\x0b ran.",
        "NUL": "Ann\0 slept. \0She ran.\0",
        "byte order marks": "\ufeffAnn met Tom.\ufeff She thanked him.",
        "combining marks": "A" + "\u0301" * times(5_000) + "nn slept. She ran.",
        "private and unassigned": "\ue000\uffff\U0010ffff She saw it.",
        "markup": "<script>alert(1)</script> [bold]She[/bold] {{it}} %s %(x)d \\u0041 " * times(50),
        "columns": "1\tAnn\t_\t_\t(1)\n#begin document (x)\n2\tshe\t_\t_\t(1\n" * times(100),
        "a long number": "9" * times(20_000) + " of them saw it.",
        "an address": "a.b/c-d@e:f?g=h&i#" * times(1_000),
    }


TEXTS = texts(0.05)
FULL_TEXTS = texts(1)


@cache
def read(name: str) -> Discourse:
    return read_text(TEXTS[name])


def in_order(resolution: Resolution) -> bool:
    """Whether the answer speaks of phrases that are there, each at most in one chain."""
    phrases = range(len(resolution.discourse.phrases))
    chained = [number for chain in resolution.chains() for number in chain]
    decided = [d for d in resolution.decisions if d.antecedent is not None]
    return (
        len(chained) == len(set(chained))
        and all(number in phrases for number in chained)
        and all(d.antecedent in phrases and d.antecedent != d.anaphor for d in decided)
    )


def assert_words_are_in_place(analysis: Analysis, text: str) -> None:
    assert analysis.text == text
    assert all(
        analysis.text[begin:end] == word and begin < end
        for word, (begin, end) in zip(analysis.words, analysis.offsets, strict=True)
    )
    assert all(one[1] == other[0] for one, other in pairwise(analysis.sentences))


@pytest.mark.parametrize("name", TEXTS)
def test_offsets_of_words_are_exact(name: str) -> None:
    assert_words_are_in_place(read(name).analysis, TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_every_resolver_answers(name: str) -> None:
    for resolver in NAMES:
        assert in_order(make(resolver).resolve(read(name))), resolver


@pytest.mark.slow
@pytest.mark.parametrize("name", FULL_TEXTS)
def test_long_texts_are_resolved_in_time(name: str) -> None:
    began = process_time()
    discourse = read_text(FULL_TEXTS[name])
    assert process_time() - began < SECONDS
    assert_words_are_in_place(discourse.analysis, FULL_TEXTS[name])
    for resolver in NAMES:
        began = process_time()
        resolution = make(resolver).resolve(discourse)
        assert process_time() - began < SECONDS, resolver
        assert in_order(resolution), resolver


@pytest.mark.parametrize("name", [name for name in TEXTS if len(TEXTS[name]) < 10_000])
def test_answers_can_be_shown_and_written(name: str) -> None:
    from corefbench.report.chains import explain_decisions, mark_chains

    resolution = make("sieve").resolve(read(name))
    shown = mark_chains(resolution).plain + explain_decisions(resolution)
    assert not {"\x1b", "\0", "\x07", "\x9f"} & set(shown)
    assert to_corpus([resolution])[0].words == [*read(name).analysis.words]


@cache
def megabyte() -> Discourse:
    return read_text(CLAUSE * (1_000_000 // len(CLAUSE)))


@pytest.mark.slow
@pytest.mark.parametrize("resolver", ["kennedy-boguraev", "mitkov", "most-recent"])
def test_a_line_of_a_megabyte_is_answered(resolver: str) -> None:
    assert in_order(make(resolver).resolve(megabyte()))


FILES = {
    "all bytes": bytes(range(256)) * 100,
    "a program": b"\x7fELF\x02\x01\x01" + bytes(200) + b"\xc0\xff\xee",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(255, 0, -1)),
    "UTF-16": "Ann slept. She ran.".encode("utf-16"),
    "Latin-1": "Zoë slept. She ran.".encode("latin-1"),
    "half a surrogate pair": b"Ann \xed\xa0\x80 slept.",
    "a character cut off": "Ann slept … She".encode()[:-5],
    "overlong": b"Ann \xc0\xaf slept.",
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_not_text_are_refused_with_a_code(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(FILES[name])
    with pytest.raises(CorefbenchError) as refused:
        list(read_discourses(path, format="text"))
    assert refused.value.code in ("CB103", "CB101")


@pytest.mark.parametrize("name", [*FILES, *TEXTS])
def test_the_command_prints_chains_or_a_coded_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    path = tmp_path / "x.txt"
    content = FILES.get(name) or TEXTS[name][:400].encode()
    path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["corefbench", "resolve", str(path), "-r", "most-recent"])
    code = main._run()
    said = capsys.readouterr()
    assert code in (0, 3), said.err
    assert "Traceback" not in said.err
    assert "CB001" not in said.err
    assert (code == 3) == bool(said.err)


def test_half_a_surrogate_pair_on_the_command_line_is_refused() -> None:
    with pytest.raises(CorefbenchError) as refused:
        read_text("Ann \udc80 slept.")
    assert refused.value.code == "CB103"
