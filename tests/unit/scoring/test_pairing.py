"""Documents are paired as they come, whatever the pieces of the streams."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import corefbench as cb
from corefbench.findings import Finding
from corefbench.formats.base import Reading
from corefbench.formats.convert import convert
from corefbench.formats.load import stream
from corefbench.scoring.choosing import customised
from corefbench.scoring.pairing import paired
from corefbench.scoring.run import score_streams
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
    for key, response in paired(
        iter(pieces(keys, key_size)), iter(pieces(responses, response_size)), heard.append
    ):
        assert key.documents.labels() == response.documents.labels() or not responses
        for one, other in zip(key, response, strict=True):
            out.append(one.name)
            expected = one.clusters() if one.name in common else []
            assert other.clusters() == expected
    assert sorted(out) == sorted(keys)
    assert {f.place.document for f in heard if f.code == "CB202"} == {
        f"{name}_0" for name in set(keys) - common
    }
    assert {f.place.document for f in heard if f.code == "CB203"} == {
        f"{name}_0" for name in set(responses) - common
    }


@given(st.permutations(NAMES), st.integers(1, 400), st.integers(1, 400))
def test_the_sizes_of_blocks_do_not_change_the_signature(
    order: list[str], key_size: int, response_size: int
) -> None:
    whole = cb.score(text(NAMES), text(order))
    cut = score_streams(
        pieces(NAMES, key_size), pieces(order, response_size), customised("conll-2012", {})
    )
    assert cut.scores == whole.scores
    assert cut.signature.key == whole.signature.key
    assert cut.signature.response == whole.signature.response


def test_a_key_without_parts_is_paired_with_a_response_that_must_number_them(tmp_path) -> None:
    response = text(NAMES)
    key = tmp_path / "key.conllu"
    corpus = cb.load(response)
    bare = replace(
        corpus, documents=replace(corpus.documents, parts=np.full(len(NAMES), -1, np.int32))
    )
    convert(bare, key)
    result = cb.score(key, response)
    assert result.conll is not None
    assert result.conll.f1 == 1.0
    assert result.documents == tuple(NAMES)
    assert [finding.code for finding in result.findings] == ["CB203"]
