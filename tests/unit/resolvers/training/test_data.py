"""Corpora of a configuration: names, schemes, and documents without sentences."""

import pytest

from corefbench.formats.load import load
from corefbench.preprocess.documents import default_keep, word_chains
from corefbench.resolvers.neural.training import load_examples
from corefbench.resolvers.training.config import CorpusSource
from corefbench.resolvers.training.data import hash_sources, load_corpus, load_source


def conll(names, chain, *, words=3, cut=True):
    lines = []
    for name in names:
        lines.append(f"#begin document ({name}); part 000")
        for place in range(words):
            cell = f"({chain})" if place in (0, 2) else "-"
            lines += [f"{name} 0 {place} w{place} {cell}"] + ([""] if cut and place == 1 else [])
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def write(tmp_path):
    def made(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return made


def test_mentions_that_refer_to_nothing_are_left_out():
    from corefbench.datasets.bundled import load_bundled

    whole = load_bundled()
    assert len(load_corpus("bundled").mentions) == int(whole.mentions.referring.sum())


def test_documents_are_taken_and_left_out_by_name_or_by_part_of_a_name():
    def names(**choice):
        return set(load_source(CorpusSource(corpus="bundled", **choice)).documents.names)

    stories = names(only=("story",))
    assert len(stories) == 5
    assert names(only=("story",), without=("story-dog",)) == stories - {"story-dog"}
    assert not names(without=("story",)) & stories


def test_the_other_scheme_of_a_document_stands_beside_its_own(write):
    one, two = write("one.conll", conll("ab", 1)), write("two.conll", conll("b", 7))
    made = load_examples(CorpusSource(corpus=one, scheme="one", also={"two": two}))
    assert [sorted(example.chains) for example in made] == [["one"], ["one", "two"]]
    assert made[1].chains["two"] == (((0, 1), (2, 3)),)
    assert made[1].sentences == (0, 2)


def test_annotation_of_the_same_scheme_replaces_that_of_the_corpus(write):
    one = write("one.conll", conll("ab", 1))
    two = write("two.conll", conll("b", 7, cut=False))
    (example,) = load_examples(CorpusSource(corpus=one, scheme="two", also={"two": two}))
    assert example.name == "b"
    assert example.sentences == (0, 2)  # of the corpus, for the other has none


def test_annotation_of_another_text_is_not_taken(write):
    one, two = write("one.conll", conll("a", 1)), write("two.conll", conll("a", 1, words=4))
    (example,) = load_examples(CorpusSource(corpus=one, scheme="one", also={"two": two}))
    assert list(example.chains) == ["one"]


def test_every_corpus_has_a_hash(write):
    one, two = write("one.conll", conll("a", 1)), write("two.conll", conll("b", 1))
    found = hash_sources([CorpusSource(corpus=one, also={"two": two})])
    assert list(found) == [one, two]
    assert found[one] != found[two]


def test_a_long_document_of_one_sentence_was_never_cut_into_sentences():
    short = load(conll("a", 1, cut=False).encode())[0]
    long = load(conll("a", 1, words=300, cut=False).encode())[0]
    assert (default_keep(short), default_keep(long)) == ("sentences", "tokens")
    assert word_chains(short) == [[(0, 1), (2, 3)]]
