"""Documents as layers: everything comes back, nothing is written twice."""

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.datasets.bundled import load_bundled
from corefbench.errors import FormatError
from corefbench.runs.documents import document_to_layer, layer_to_corpus, restore_key_tokens
from corefbench.runs.schema import RunDocument, Twins, check_document
from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.signature import ContentHash
from tests.unit.runs.samples import rich_corpus

NO_WORDS = corpus_from_clusters([[(5, 6), (0, 1)], [(3, 3)]], "clusters")


def again(corpus: Corpus) -> Corpus:
    return concatenate(corpus.name, [layer_to_corpus(document_to_layer(corpus, n)) for n in range(len(corpus))])


def plain(record):
    """Arrays and columns as values that can be compared."""
    if isinstance(record, np.ndarray):
        return [str(record.dtype.kind), record.tolist()]
    if hasattr(record, "blob"):
        return list(record)
    if hasattr(record, "__struct_fields__"):
        return {field: plain(getattr(record, field)) for field in record.__struct_fields__}
    if isinstance(record, dict):
        return {name: plain(value) for name, value in record.items()}
    return record


@pytest.mark.parametrize("corpus", [rich_corpus(), load_bundled()], ids=["rich", "bundled"])
def test_every_array_of_a_corpus_comes_back(corpus: Corpus) -> None:
    assert plain(again(corpus)) == plain(corpus)


def test_a_corpus_without_words_comes_back_in_its_own_order() -> None:
    found = again(NO_WORDS)
    assert found.tokens.words is None
    assert found.tokens.digests is None
    assert found.mentions.start.tolist() == [5, 0, 3]
    assert (found.token_counts() == NO_WORDS.token_counts()).all()


def test_the_content_hash_is_that_of_the_corpus_wherever_it_is_cut() -> None:
    corpus = rich_corpus()
    whole, cut = ContentHash(), ContentHash()
    whole.add(corpus)
    cut.name = corpus.name
    for number in range(len(corpus)):
        cut.add(layer_to_corpus(document_to_layer(corpus, number)))
    assert str(whole) == str(cut)


def test_the_content_hash_knows_the_parts_of_a_mention() -> None:
    corpus = rich_corpus()
    parts = corpus.mentions.parts
    moved = replace(parts, end=np.where(parts.end == 3, 4, parts.end).astype(np.int32))
    one, other = ContentHash(), ContentHash()
    one.add(corpus)
    other.add(replace(corpus, mentions=replace(corpus.mentions, parts=moved)))
    assert str(one) != str(other)


def test_what_a_response_has_of_the_key_is_not_written_again() -> None:
    key = rich_corpus()
    layer = document_to_layer(key, 0, key[0])
    assert set(layer.as_key) == {"words", "text", "column lemma", "column speaker"}
    assert layer.tokens.words is None
    assert restore_key_tokens(layer, document_to_layer(key, 0)) == document_to_layer(key, 0)


def test_a_response_of_other_words_keeps_its_own() -> None:
    key = rich_corpus()
    layer = document_to_layer(key, 2, key[0])
    assert layer.as_key == ()
    assert layer.tokens.words == ("He", "left")


def test_a_layer_whose_key_is_missing_is_refused() -> None:
    key = rich_corpus()
    with pytest.raises(FormatError, match="the key does not have"):
        restore_key_tokens(document_to_layer(key, 0, key[0]), None)


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("start", (0, 2), "another length"),
        ("end", (1, 99, 5), "outside the document"),
        ("start", (-1, 2, 4), "outside the document"),
        ("chain", (0, 1, 9), "chain that is not there"),
        ("head", (0, 4, 77), "token outside"),
        ("parts", (((0, 1),), (), ((4, 5),)), "without parts"),
    ],
)
def test_numbers_that_lead_nowhere_are_refused(field: str, value: tuple, found: str) -> None:
    layer = document_to_layer(rich_corpus(), 0)
    broken = replace(layer, mentions=replace(layer.mentions, **{field: value}))
    with pytest.raises(FormatError, match="is inconsistent") as refused:
        check_document(RunDocument(label="a", key=broken))
    assert found in refused.value.found
    assert refused.value.code == "CB246"


def test_twins_that_are_not_there_are_refused() -> None:
    layer = document_to_layer(rich_corpus(), 2)
    made = RunDocument(label="c", key=layer, responses={"r": layer}, matched={"r": Twins(twins=(4,))})
    with pytest.raises(FormatError, match="is inconsistent"):
        check_document(made)
