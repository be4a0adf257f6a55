"""Documents are paired as they come, whatever the pieces of the streams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import corefbench as cb
from corefbench.diagnostics import Finding
from corefbench.formats.base import Reading
from corefbench.formats.convert import convert
from corefbench.formats.load import stream
from corefbench.scoring import pairing
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.pairing import _match_without_part, pair_documents
from corefbench.scoring.pipeline import score_streams
from tests.conll import conll

NAMES = [f"d{i}" for i in range(6)]
CELLS = {name: ["(1)"] + ["-"] * i + ["(1)", "(2)"] for i, name in enumerate(NAMES)}


def text(names: list[str]) -> bytes:
    return b"".join(conll(*CELLS[name], name=name) for name in names)


def pieces(names: list[str], size: int):
    return stream(text(names), reading=Reading(block_bytes=size)) if names else iter(())


_SOME = st.lists(st.sampled_from(NAMES), unique=True, max_size=6)


@given(_SOME.filter(bool), _SOME, st.integers(1, 400), st.integers(1, 400))
def test_key_documents_come_out_once_each_with_their_answer(
    keys: list[str], responses: list[str], key_size: int, response_size: int
) -> None:
    common = set(keys) & set(responses)
    if not common and responses:
        return
    heard: list[Finding] = []
    out = []
    for key, response in pair_documents(
        iter(pieces(keys, key_size)), iter(pieces(responses, response_size)), heard.append
    ):
        assert key.documents.labels() == response.documents.labels() or not responses
        for one, other in zip(key, response, strict=True):
            out.append(one.name)
            expected = one.clusters() if one.name in common else []
            assert other.clusters() == expected
    assert sorted(out) == sorted(keys)
    assert {f.place.document for f in heard if f.code == "CB202"} == {f"{name}_0" for name in set(keys) - common}
    assert {f.place.document for f in heard if f.code == "CB203"} == {f"{name}_0" for name in set(responses) - common}


@given(st.permutations(NAMES), st.integers(1, 400), st.integers(1, 400))
def test_the_sizes_of_blocks_do_not_change_the_signature(order: list[str], key_size: int, response_size: int) -> None:
    whole = cb.score(text(NAMES), text(order))
    cut = score_streams(pieces(NAMES, key_size), pieces(order, response_size), customise_profile("conll-2012", {}))
    assert cut.scores == whole.scores
    assert cut.signature.key == whole.signature.key
    assert cut.signature.response == whole.signature.response


def test_a_key_without_parts_is_paired_with_a_response_that_must_number_them(tmp_path) -> None:
    response = text(NAMES)
    key = tmp_path / "key.conllu"
    corpus = cb.load(response)
    bare = replace(corpus, documents=replace(corpus.documents, parts=np.full(len(NAMES), -1, np.int32)))
    convert(bare, key)
    result = cb.score(key, response)
    assert result.conll is not None
    assert result.conll.f1 == 1.0
    assert result.documents == tuple(NAMES)
    assert [finding.code for finding in result.findings] == ["CB203"]


def single(names: list[str]):
    """A stream with a piece of three mentions for every document."""
    return (cb.load(text([name])) for name in names)


def batches(keys: list[str], responses: list[str], heard: list[Finding]) -> list[tuple[str, ...]]:
    made = []
    for key, response in pair_documents(single(keys), single(responses), heard.append):
        assert key.documents.names == response.documents.names
        made.append(key.documents.names)
    return made


@pytest.mark.parametrize(("enough", "expected"), [(1, [1] * 6), (6, [2, 2, 2]), (7, [3, 3]), (18, [6]), (19, [6])])
def test_documents_are_passed_on_as_soon_as_enough_mentions_wait(
    monkeypatch: pytest.MonkeyPatch, enough: int, expected: list[int]
) -> None:
    monkeypatch.setattr(pairing, "_BATCH_MENTIONS", enough)
    made = batches(NAMES, NAMES, [])
    assert [len(names) for names in made] == expected
    assert [name for names in made for name in names] == NAMES


def test_what_waits_is_kept_until_its_answer_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "_BATCH_MENTIONS", 1)
    heard: list[Finding] = []
    made = batches(NAMES[:4], [NAMES[5], NAMES[3], NAMES[2], NAMES[4], NAMES[1], NAMES[0]], heard)
    assert sorted(name for names in made for name in names) == NAMES[:4]
    assert [(f.code, f.place.document) for f in heard] == [("CB203", "d5_0"), ("CB203", "d4_0")]


def test_files_without_a_document_in_common_are_refused() -> None:
    with pytest.raises(cb.CorefbenchError, match="no document in common") as error:
        batches(NAMES[:3], NAMES[3:5], [])
    assert error.value.found == "documents d3_0, d4_0"
    assert error.value.expected == "documents d0_0, d1_0, d2_0"
    with pytest.raises(cb.CorefbenchError) as error:
        batches(NAMES[:4], NAMES[4:], [])
    assert error.value.expected == "documents d0_0, d1_0, d2_0 … (4 in all)"


def test_findings_name_the_file() -> None:
    heard: list[Finding] = []
    key, response = (
        iter([replace(cb.load(text(names)), name=name)])
        for names, name in ((NAMES[:2], "a.conll"), (NAMES[1:3], "b.conll"))
    )
    list(pair_documents(key, response, heard.append))
    assert [(f.place.source, f.place.document) for f in heard] == [("a.conll", "d0_0"), ("b.conll", "d2_0")]


def test_a_document_that_the_response_lacks_is_there_without_a_part() -> None:
    heard: list[Finding] = []
    *_, (key, response) = pair_documents(single(NAMES[:2]), single(NAMES[:1]), heard.append)
    assert key.documents.labels() == response.documents.labels() == ("d1_0",)
    assert response.documents.parts.tolist() == [-1]


def without_parts(names: list[str]):
    corpus = cb.load(text(names))
    bare = np.full(len(names), -1, np.int32)
    return iter([replace(corpus, documents=replace(corpus.documents, parts=bare))])


def test_where_some_differ_in_their_part_only_the_rest_is_not_paired() -> None:
    heard: list[Finding] = []
    pairs = list(pair_documents(without_parts(NAMES[:3]), single([*NAMES[1:3], NAMES[4]]), heard.append))
    assert [key.documents.names for key, _ in pairs] == [("d1", "d2"), ("d0",)]
    assert [(f.severity, f.place.document) for f in heard] == [("note", "d1_0"), ("warning", "d0"), ("warning", "d4_0")]


def test_every_document_is_paired_once_though_two_are_alike() -> None:
    assert _match_without_part(["a", "a_0_0"], ["a_0"]) == [("a", "a_0")]
    assert _match_without_part(["a_0"], ["a_0_0", "a"]) == [("a_0", "a_0_0")]


DEPENDENCIES = {"0.1": "1:nsubj", "2.1": "2:obj"}


def pro_drop(*ids: str, name: str) -> str:
    """A document whose mentions are the last word and the empty nodes: one chain."""
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other", f"# sent_id = {name}-1"]
    for number in ids:
        is_empty = "." in number
        entity = "Entity=(e1-person-1-)" if is_empty or number == ids[-1] else "_"
        form = "_" if is_empty else f"w{number}"
        tree = ["_", "_", DEPENDENCIES[number]] if is_empty else ["0", "root", "_"]
        lines.append("\t".join([number, form, "_", "NOUN", "_", "_", *tree, entity]))
    return "\n".join([*lines, "", ""])


@pytest.mark.parametrize("profile", ["conll-2012", "semeval-2010"])
@pytest.mark.parametrize("name", ["conll", "semeval", "corefud"])
def test_empty_nodes_are_aligned_whether_a_format_marks_them_or_not(tmp_path, name: str, profile: str) -> None:
    documents = (pro_drop("0.1", "1", "2", "2.1", "3", name="a"), pro_drop("1", "2", name="b"))
    (tmp_path / "key.conllu").write_text("".join(documents), encoding="utf-8")
    convert(tmp_path / "key.conllu", tmp_path / f"response.{name}", output_format=name)
    paths = tmp_path / "key.conllu", tmp_path / f"response.{name}"
    for key, response in (paths, paths[::-1]):
        result = cb.score(key, response, profile)
        assert result["muc"].f1 == result["b_cubed"].f1 == 1
        assert not {"CB204", "CB205"} & {finding.code for finding in result.findings}


def test_a_response_without_the_empty_nodes_is_aligned_by_words() -> None:
    # w1 _ w2 w3 w4: the key has the chains {_, w2, w4} and {w1, w3}, the response the same without _.
    def semeval(*rows: tuple[str, str]) -> bytes:
        lines = ["#begin document a"]
        for number, (word, cell) in enumerate(rows, 1):
            lines.append("\t".join([str(number), word, *["_"] * 14, cell]))
        return "\n".join([*lines, "", "#end document a", ""]).encode()

    key = semeval(("w1", "(2)"), ("_", "(1)"), ("w2", "(1)"), ("w3", "(2)"), ("w4", "(1)"))
    response = conll("(2)", "(1)", "(2)", "(1)", name="a", words=["w1", "w2", "w3", "w4"])
    result = cb.score(key, response)
    assert result["mentions"].recall == 4 / 5
    assert result["mentions"].precision == 1
    assert not {"CB204", "CB205"} & {finding.code for finding in result.findings}
