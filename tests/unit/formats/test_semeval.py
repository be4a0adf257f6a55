"""The SemEval-2010 reader: CoNLL-like, with heads."""

import io

import pytest

import corefbench as cb
from corefbench.formats.conll.format import SemEval


def semeval(*tokens: tuple[str, int, str]) -> bytes:
    """A document of one sentence from words, heads (numbered from 1, 0: the root) and cells."""
    lines = ["#begin document doc_1"]
    for number, (word, head, cell) in enumerate(tokens, 1):
        fields = ["_"] * 6 + [str(head), str(head)] + ["_"] * 6
        lines.append("\t".join([str(number), word, *fields, cell]))
    return "\n".join([*lines, "", "#end document doc_1", ""]).encode()


TEXT = semeval(
    ("the", 3, "(1"), ("old", 3, "_"), ("man", 6, "_"), ("of", 3, "_"), ("Rome", 4, "1)|(2)"), ("slept", 0, "_")
)


def test_it_is_recognised_by_its_many_tabs_and_numbers() -> None:
    assert cb.load(TEXT)[0].label == "doc_1"
    assert SemEval().recognises(TEXT) > 0.9
    assert SemEval().recognises(b"#begin document (d); part 000\nd\t0\t0\tw\t(1)\n") == 0


def test_the_head_is_the_first_token_whose_governor_lies_outside() -> None:
    corpus = cb.load(TEXT)
    assert [(m.start, m.end, m.head) for m in corpus[0].mentions] == [(0, 5, 2), (4, 5, 4)]


def test_the_head_is_the_first_token_where_no_governor_lies_outside() -> None:
    corpus = cb.load(semeval(("a", 2, "(1"), ("b", 1, "1)")))
    assert [m.head for m in corpus[0].mentions] == [0]


def test_heads_are_counted_within_the_sentence() -> None:
    first = semeval(("Ann", 2, "(1)"), ("left", 0, "_"))
    second = b"\n1\told\t_\t_\t_\t_\t_\t_\t2\t2\t_\t_\t_\t_\t_\t_\t(1\n"
    third = b"2\tAnn\t_\t_\t_\t_\t_\t_\t0\t0\t_\t_\t_\t_\t_\t_\t1)\n\n#end"
    corpus = cb.load(first.replace(b"\n\n#end", b"\n" + second + third))
    assert [m.head for m in corpus[0].mentions] == [0, 3]


def test_what_is_written_is_read_again() -> None:
    corpus, written = cb.load(TEXT), io.BytesIO()
    SemEval().write(corpus, written)
    again = cb.load(written.getvalue())
    assert again[0].words == corpus[0].words
    assert again[0].clusters() == corpus[0].clusters()
    assert [m.head for m in again[0].mentions] == [m.head for m in corpus[0].mentions]


def test_partial_matches_by_head_are_worth_half_a_detection() -> None:
    response = TEXT.replace(b"\t(1\n", b"\t_\n").replace(
        b"old\t_\t_\t_\t_\t_\t_\t3\t3\t_\t_\t_\t_\t_\t_\t_", b"old\t_\t_\t_\t_\t_\t_\t3\t3\t_\t_\t_\t_\t_\t_\t(1"
    )
    result = cb.score(TEXT, response, profile="semeval-2010")
    assert result["mentions"].f1 == 0.75
    assert result["b_cubed"].f1 == 1.0


def test_a_file_with_words_that_are_numbers_is_recognised() -> None:
    assert SemEval().recognises(semeval(("2010", 2, "(1)"), ("goals", 0, "_"))) > 0.9
    assert SemEval().recognises(semeval(("2010", 2, "(1)"), ("7", 0, "_"))) == 0


@pytest.mark.parametrize("number", ["9" * 30, "²"])
def test_token_numbers_beyond_all_measure_do_no_harm(number: str) -> None:
    text = semeval(("Ann", 2, "(1)"), ("slept", 0, "_")).replace(b"\n1\t", f"\n{number}\t".encode())
    assert len(cb.load(text, format="semeval").mentions) == 1
