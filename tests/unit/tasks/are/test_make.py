"""The tasks made from a corpus: what inputs show, what keys hold, and that they are read back."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats.load import load
from corefbench.tasks.are.files import input_file, key_file, write_files
from corefbench.tasks.are.make import KEPT_RELATIONS, DroppedCounts, filter_corpus, make_task_corpus, make_tasks
from tests.data import data

WORDS = ["Ann", "left", "and", "Tom", "saw", "the", "doctor", "."]


def annotated(said: dict[str, Sequence[str]], upos: Sequence[str] | None = None) -> Corpus:
    """Four mentions of one chain: Ann, Tom, the doctor, and left; ``said`` are their attributes."""
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(WORDS, columns={"upos": upos} if upos else None)
    for number, span in enumerate([(0, 1), (1, 2), (3, 4), (5, 7)]):
        values = {name: some[number] for name, some in said.items() if some[number]}
        build.mention("x", [span], columns=values, head=6 if span == (5, 7) else -1)
    return build.finish()


def chains(task_corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for chain in task_corpus[0].chains]


WHOLE = [["Ann", "left", "Tom", "the doctor"]]
WITHOUT_TOM = [["Ann", "left", "the doctor"], ["Tom"]]


@pytest.mark.parametrize("relation", [*KEPT_RELATIONS, "IDENT", "identity", "generalization"])
def test_links_of_the_four_relations_are_kept(relation):
    task_corpus, dropped = filter_corpus(annotated({"relation": ["", relation, relation, relation]}))
    assert (chains(task_corpus), dropped) == (WHOLE, DroppedCounts())


@pytest.mark.parametrize(
    ("name", "others", "value"),
    [
        ("tag", "coref", "ucoref"),
        ("status", "", "OPT"),
        ("type", "NP", "COPULAR"),
        ("type", "NP", "apposition"),
        ("type", "NP", "BRACKETED_TEXT"),
        ("type", "NP", "Speech Pronoun"),
        ("type", "NP", "OTHER"),
        ("relation", "IDENTITY", "indirect"),
    ],
)
def test_a_mention_whose_link_is_dropped_leaves_its_chain(name, others, value):
    task_corpus, dropped = filter_corpus(annotated({name: ["", others, value, others]}))
    assert chains(task_corpus) == WITHOUT_TOM
    assert dropped == DroppedCounts(links=1)


def test_a_first_mention_has_no_link_to_drop():
    task_corpus, dropped = filter_corpus(annotated({"tag": ["ucoref", "coref", "coref", "coref"]}))
    assert (chains(task_corpus), dropped.links) == (WHOLE, 0)


def test_an_attribute_with_other_values_does_not_drop_links():
    for values in (["person", "other", "other", "ucoref"], ["other"] * 4, [""] * 4):
        assert chains(filter_corpus(annotated({"etype": values}))[0]) == WHOLE


def test_one_attribute_may_name_the_relation_and_another_the_kind_of_link():
    said = {"rel": ["", *["IDENTITY"] * 3], "link": ["", "NP", "NP", "COPULAR"]}
    assert chains(filter_corpus(annotated(said))[0]) == [["Ann", "left", "Tom"], ["the doctor"]]


def test_verbs_are_not_noun_phrases():
    tags = ["PROPN", "VERB", "CCONJ", "PROPN", "VERB", "DET", "NOUN", "PUNCT"]
    task_corpus, dropped = filter_corpus(annotated({}, tags))
    assert chains(task_corpus) == [["Ann", "Tom", "the doctor"]]
    assert dropped == DroppedCounts(mentions=1)


def test_mentions_that_do_not_refer_are_left_out():
    whole = annotated({})
    silent = replace(whole, mentions=replace(whole.mentions, referring=np.array([True, True, False, True])))
    task_corpus, dropped = filter_corpus(silent)
    assert (chains(task_corpus), dropped.mentions) == ([["Ann", "left", "the doctor"]], 1)


def test_optional_links_of_muc_are_uncertain_ones():
    text = (
        b'<DOC><COREF ID="1">Ann</COREF> is <COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">'
        b'a doctor</COREF> and <COREF ID="3" TYPE="IDENT" REF="1">she</COREF> left .</DOC>'
    )
    task_corpus, dropped = filter_corpus(load(text, format="muc"))
    assert (chains(task_corpus), dropped.links) == ([["Ann", "she"], ["a doctor"]], 1)


def test_chains_stay_with_their_documents():
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "saw", "her"])
        build.mention("x", [(0, 1)], columns={"tag": "coref"})
        build.mention("x", [(2, 3)], columns={"tag": "ucoref" if name == "a" else "coref"})
    task_corpus, _ = filter_corpus(build.finish())
    assert [[len(chain) for chain in document.chains] for document in task_corpus] == [[1, 1], [2]]


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
    assert shown(input_file(make_tasks(corpus).tasks[1], 1)) == (
        '<p><entity id="1">Ann</entity> said that <entity id="2">she</entity> saw '
        '<entity id="3">a <entity id="4">dog</entity></entity></p> '
        '<p><entity id="5">It</entity> liked <entity id="6"><entity id="7">her</entity> '
        "&amp;</entity> barked</p> "
        '<anaphoric_pronouns> <pronoun id="2" value="she"/> <pronoun id="5" value="It"/> '
        '<pronoun id="7" value="her"/> </anaphoric_pronouns> </document> </are>'
    )


def test_task_2_marks_mentions_in_chains_without_the_chains(corpus):
    text = input_file(make_tasks(corpus).tasks[2], 2).decode()
    assert re.findall(r'entity id="(\d+)"', text) == ["1", "2", "3", "5", "7"]
    assert "chain" not in text
    assert "pronoun" not in text


@pytest.mark.parametrize("task", [3, 4])
def test_tasks_3_and_4_number_the_words(corpus, task):
    text = shown(input_file(make_tasks(corpus).tasks[task], task))
    assert text.startswith('<p><node id="1"/>Ann <node id="2"/>said <node id="3"/>that')
    assert not re.search("entity|pronoun|chain", text)


def test_what_is_left_out_is_counted(corpus):
    task_corpus = make_tasks(corpus)
    assert (task_corpus.crossing, task_corpus.dropped.links) == (1, 0)
    assert {task: len(one.mentions) for task, one in task_corpus.tasks.items()} == {1: 7, 2: 5, 3: 7, 4: 7}
    assert [task_corpus.pronouns(task) for task in (1, 2, 3, 4)] == [3, 3, 3, 3]


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_a_key_is_read_back_as_it_was_made(corpus, task):
    task_corpus = make_tasks(corpus).tasks[task]
    again = make_task_corpus(load(key_file(task_corpus, task)), task)
    assert clusters(again) == clusters(task_corpus)
    if task in (1, 3):
        assert list(again.mentions.columns["anaphoric"]) == list(task_corpus.mentions.columns["anaphoric"])
    if task in (1, 2):
        assert list(again.mentions.columns["id"]) == list(task_corpus.mentions.columns["id"])


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_a_key_has_the_number_of_its_task(corpus, task):
    assert f'<are task="{task}">'.encode() in key_file(make_tasks(corpus).tasks[task], task)


def test_a_corpus_made_before_stays_as_it_is(corpus):
    once = make_task_corpus(corpus, 1)
    assert clusters(make_task_corpus(once, 1)) == clusters(once)


def test_files_are_written_into_two_folders(corpus, tmp_path):
    written = write_files(make_tasks(corpus), tmp_path / "new" / "exercise")
    names = [path.relative_to(tmp_path / "new" / "exercise").as_posix() for path in written]
    expected = [f"{kind}/task-{task}.xml" for task in (1, 2, 3, 4) for kind in ("inputs", "keys")]
    assert names == expected
    assert all(path.is_file() for path in written)


def test_empty_nodes_are_left_out():
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "came", "_"], empty=[False, False, True])
        build.sentence(["_"], empty=[True])
        build.sentence(["_", "saw", "her"], empty=[True, False, False])
        for span in [(0, 1), (2, 3), (4, 5), (6, 7)]:
            build.mention("x", [span])
    task_corpus = make_tasks(build.finish())
    assert [document.words for document in task_corpus.tasks[1]] == [["Ann", "came", "saw", "her"]] * 2
    assert [document.sentences for document in task_corpus.tasks[1]] == [[(0, 2), (2, 4)]] * 2
    assert clusters(task_corpus.tasks[4]) == [[[(0, 1), (3, 4)]]] * 2
    assert (task_corpus.crossing, task_corpus.pronouns(1)) == (0, 2)


def test_the_clusters_of_np4e_have_892_pronouns_to_resolve():
    task_corpus = make_tasks(load(data("np4e"), format="mmax"))
    assert [len(task_corpus.tasks[task].mentions) for task in (1, 2, 3, 4)] == [5689] * 4
    assert (task_corpus.pronouns(1), task_corpus.crossing, task_corpus.dropped.links) == (892, 0, 0)


def clusters(task_corpus: Corpus) -> list[list[list[tuple[int, int]]]]:
    return [sorted(filter(None, document.clusters())) for document in task_corpus]
