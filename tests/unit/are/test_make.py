"""The tasks made from a corpus: what inputs show, what keys hold, and that they are read back."""

import re

import pytest

from corefbench.are.files import input_file, key, write_files
from corefbench.are.make import make, task_corpus
from corefbench.formats.load import load
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from tests.data import data


@pytest.fixture
def corpus() -> Corpus:
    """Two chains, a noun that is alone, and a mention that crosses another."""
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["Ann", "said", "that", "she", "saw", "a", "dog"])
    build.sentence(["It", "liked", "her", "&", "barked"])
    for label, span in (
        ("ann", (0, 1)),
        ("ann", (3, 4)),
        ("dog", (5, 7)),
        ("dog", (7, 8)),
        ("ann", (9, 10)),
        ("alone", (6, 7)),
        ("crossing", (9, 11)),
        ("crossing", (10, 12)),
    ):
        build.mention(label, [span])
    return build.finish()


def shown(content: bytes) -> str:
    """A file without its first lines, on one line."""
    return " ".join(content.decode().split("\n", 3)[3].split())


def test_task_1_marks_every_noun_phrase_and_lists_the_pronouns_to_resolve(corpus):
    assert shown(input_file(make(corpus).tasks[1], 1)) == (
        '<p><entity id="1">Ann</entity> said that <entity id="2">she</entity> saw '
        '<entity id="3">a <entity id="4">dog</entity></entity></p> '
        '<p><entity id="5">It</entity> liked <entity id="6"><entity id="7">her</entity> '
        "&amp;</entity> barked</p> "
        '<anaphoric_pronouns> <pronoun id="2" value="she"/> <pronoun id="5" value="It"/> '
        '<pronoun id="7" value="her"/> </anaphoric_pronouns> </document> </are>'
    )


def test_task_2_marks_what_is_in_chains_and_says_nothing_of_them(corpus):
    text = input_file(make(corpus).tasks[2], 2).decode()
    assert re.findall(r'entity id="(\d+)"', text) == ["1", "2", "3", "5", "7"]
    assert "chain" not in text
    assert "pronoun" not in text


@pytest.mark.parametrize("task", [3, 4])
def test_tasks_3_and_4_number_the_words(corpus, task):
    text = shown(input_file(make(corpus).tasks[task], task))
    assert text.startswith('<p><node id="1"/>Ann <node id="2"/>said <node id="3"/>that')
    assert not re.search("entity|pronoun|chain", text)


def test_what_is_left_out_is_counted(corpus):
    made = make(corpus)
    assert (made.crossing, made.dropped.links) == (1, 0)
    assert {task: len(one.mentions) for task, one in made.tasks.items()} == {1: 7, 2: 5, 3: 7, 4: 7}
    assert [made.pronouns(task) for task in (1, 2, 3, 4)] == [3, 3, 3, 3]


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_a_key_is_read_back_as_it_was_made(corpus, task):
    made = make(corpus).tasks[task]
    again = task_corpus(load(key(made, task)), task)
    assert clusters(again) == clusters(made)
    if task in (1, 3):
        assert list(again.mentions.columns["anaphoric"]) == list(made.mentions.columns["anaphoric"])
    if task in (1, 2):
        assert list(again.mentions.columns["id"]) == list(made.mentions.columns["id"])


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_a_key_says_which_task_it_is_of(corpus, task):
    assert f'<are task="{task}">'.encode() in key(make(corpus).tasks[task], task)


def test_a_corpus_made_before_stays_as_it_is(corpus):
    once = task_corpus(corpus, 1)
    assert clusters(task_corpus(once, 1)) == clusters(once)


def test_files_are_written_into_two_folders(corpus, tmp_path):
    written = write_files(make(corpus), tmp_path / "new" / "exercise")
    names = [path.relative_to(tmp_path / "new" / "exercise").as_posix() for path in written]
    expected = [f"{kind}/task-{task}.xml" for task in (1, 2, 3, 4) for kind in ("inputs", "keys")]
    assert names == expected
    assert all(path.is_file() for path in written)


def test_words_that_were_not_said_are_left_out():
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "came", "_"], empty=[False, False, True])
        build.sentence(["_"], empty=[True])
        build.sentence(["_", "saw", "her"], empty=[True, False, False])
        for span in [(0, 1), (2, 3), (4, 5), (6, 7)]:
            build.mention("x", [span])
    made = make(build.finish())
    assert [document.words for document in made.tasks[1]] == [["Ann", "came", "saw", "her"]] * 2
    assert [document.sentences for document in made.tasks[1]] == [[(0, 2), (2, 4)]] * 2
    assert clusters(made.tasks[4]) == [[[(0, 1), (3, 4)]]] * 2
    assert (made.crossing, made.pronouns(1)) == (0, 2)


def test_the_clusters_of_np4e_have_892_pronouns_to_resolve():
    made = make(load(data("np4e"), format="mmax"))
    assert [len(made.tasks[task].mentions) for task in (1, 2, 3, 4)] == [5689] * 4
    assert (made.pronouns(1), made.crossing, made.dropped.links) == (892, 0, 0)


def clusters(made: Corpus) -> list[list[list[tuple[int, int]]]]:
    return [sorted(filter(None, document.clusters())) for document in made]
