"""Counts that add, groups, scopes and selections."""

import pytest

from corefbench.analysis.statistics import Counts, Selection, compute_figures, count_corpus, describe
from corefbench.corpus.combine import concatenate
from corefbench.corpus.selection import genre_from_name
from corefbench.errors import DataError, UsageError
from corefbench.formats.base import Reading
from corefbench.formats.load import stream
from tests.conll import conll
from tests.unit.analysis.statistics.corpora import ann_and_the_dog, corpus


def made(name: str, labels: str, **columns: str):
    """A document with a mention for each label."""
    mentions = [(label, i, i + 1) for i, label in enumerate(labels)]
    return corpus(" ".join("w" * len(labels)), mentions=mentions, name=name, **columns)


def whole(*documents):
    return concatenate("made", documents)


def test_counts_of_two_corpora_add_up_to_those_of_both():
    one, two = ann_and_the_dog("a"), corpus("It fell", mentions=[("x", 0, 1)], name="b")
    assert count_corpus(one) + count_corpus(two) == count_corpus(whole(one, two))


def test_blocks_of_a_stream_add_up_to_the_corpus():
    text = b"".join(conll("(1)", "(2", "2)", "", "(1)|(3)", name=n) for n in "abcdef")
    blocks = [count_corpus(block) for block in stream(text, reading=Reading(block_bytes=80))]
    assert len(blocks) > 1
    assert sum(blocks, Counts()) == describe(text).counts


@pytest.mark.parametrize(
    ("name", "genre"),
    [("bn/abc/00/abc_0001", "bn"), ("./nw/wsj/x", "nw"), ("GUM_news_iodine", "news"),
     ("GENTLE_poetry_death", "poetry"), ("d1", "unknown")],
)  # fmt: skip
def test_a_genre_is_read_off_the_name(name, genre):
    assert genre_from_name(name) == genre


def test_groups_are_the_genres_of_documents_and_add_up():
    described = describe(whole(made("bn/x", "112"), made("nw/y", "1"), made("bn/z", "33")), by="genre")
    assert {name: c.inventory.mentions for name, c in described.groups.items()} == {"bn": 5, "nw": 1}
    assert sum(described.groups.values(), Counts()) == described.counts


def test_a_genre_column_goes_before_the_name():
    described = describe(made("bn/x", "1", genre="fiction"), by="genre")
    assert [*described.groups] == ["fiction"]


def test_an_attribute_that_documents_do_not_have_is_refused():
    with pytest.raises(UsageError, match="no attribute 'author'"):
        describe(made("x", "1"), by="author")


def test_a_wider_scope_joins_chains_by_label():
    # by document: {1,1} {2} | {2} {3}; over the corpus: {1,1} {2,2} {3}
    corpora = whole(made("x", "112", topic="A"), made("y", "23", topic="B"))
    names = ("chains", "coreferent_chains", "singletons")
    values = compute_figures(describe(corpora).counts)
    assert [values[name] for name in names] == [4, 1, 3]
    values = compute_figures(describe(corpora, scope="corpus").counts)
    assert [values[name] for name in names] == [3, 2, 1]
    assert (values["documents"], values["topics"]) == (2, 2)


def test_the_scope_of_topics_cuts_chains_between_topics():
    corpora = whole(made("x", "12", topic="A"), made("y", "2", topic="A"), made("z", "1", topic="B"))
    assert describe(corpora, scope="topic").counts.inventory.chain_sizes == {1: 2, 2: 1}


def test_a_selection_keeps_documents_by_attribute():
    corpora = whole(made("x", "1", topic="36"), made("y", "12", topic="37"), made("z", "1"))
    described = describe(corpora, only=[Selection.parse("topic=36,37")])
    assert (described.counts.inventory.documents, described.counts.inventory.mentions) == (2, 3)


def test_a_selection_takes_its_values_from_a_file(tmp_path):
    (tmp_path / "names").write_text("x\n\n z \n", encoding="utf-8")
    corpora = whole(made("x", "1"), made("y", "12"), made("z", "1"))
    described = describe(corpora, only=[Selection.parse(f"document=@{tmp_path / 'names'}")])
    assert described.counts.inventory.documents == 2


def test_a_selection_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(UsageError, match="invalid selection"):
        Selection.parse("topic")
    with pytest.raises(DataError, match="cannot be read"):
        Selection.parse(f"topic=@{tmp_path / 'missing'}")


def test_a_selection_without_documents_raises():
    with pytest.raises(DataError, match="no document"):
        describe(made("x", "1"), only=[Selection.parse("document=y")])
