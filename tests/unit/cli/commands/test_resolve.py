"""``corefbench resolve``: what it takes, shows, writes and refuses."""

import json
import re
from functools import partial

import pytest

from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.formats import formats
from corefbench.formats.load import load
from corefbench.resolvers import resolvers
from corefbench.scoring.api import score
from corefbench.tasks.are.score import score_task
from tests import cli
from tests.cli import exit_code
from tests.conll import conll
from tests.unit.bench.texts import CONLLU

pytest.importorskip("onnxruntime")

TEXT = "Ann met Tom. She thanked him."
MARKED = "[Ann]1 met [Tom]2. [She]1 thanked [him]2."


run = partial(cli.run, "resolve")


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text(TEXT + "\n", encoding="utf-8")
    return path


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_bytes(CONLLU)
    return path


def test_a_text_a_file_and_standard_input_are_resolved_alike(story):
    assert run("--text", TEXT) == run(story) == run("-", given=TEXT + "\n") == MARKED + "\n"


def test_a_folder_of_texts_is_shown_text_by_text(story, tmp_path):
    (tmp_path / "other.txt").write_text("Tom met Ann. He thanked her.", encoding="utf-8")
    assert run(tmp_path).splitlines() == ["# other", "[Tom]1 met [Ann]2. [He]1 thanked [her]2.", "# story", MARKED]


def test_of_a_corpus_only_the_text_is_used_unless_told_otherwise(trees):
    assert "[She]1 gave [him]2" in run(trees)
    output = run(trees, "--preprocess", "conllu", "--given", "mentions", "-r", "most-recent-subject")
    assert "[The dog]1 saw a cat . [It]1 barked ." in output


def test_brackets_of_the_text_are_no_markup():
    text = "[bold] Ann slept [/bold]."
    assert run("--text", text, "-r", "most-recent") == text + "\n"


def test_control_characters_do_not_reach_the_terminal():
    output = run("--text", "Ann\x1b[31m slept\x07. She snored.", "--explain")
    assert "\x1b" not in output
    assert "\x07" not in output
    assert "␛" in output


@pytest.mark.parametrize("name", [name for name in resolvers if not resolvers[name].card.needs])
def test_every_resolver_runs_and_explains(name):
    output = run("--text", TEXT, "-r", name, "--explain")
    text, _, reasons = output.partition("\n\n")
    assert re.sub(r"\]\d+|\[", "", text).strip() == TEXT
    if resolvers[name].card.resolves == "pronouns":
        assert len(re.findall(r"^\S.* \(sentence 2\) → ", reasons, re.MULTILINE)) == 2


def test_a_resolver_that_learns_says_that_it_needs_a_model():
    with pytest.raises(UsageError, match="corefbench train"):
        run("--text", TEXT, "-r", "ubiu")


def test_reasons_name_candidates_scores_and_filters():
    output = run("--text", TEXT, "-r", "kb", "--explain")
    # Kennedy & Boguraev: a subject of the sentence has 50 + 25 + 40 + 40 + 25 = 180
    assert "→ Ann: 180 = SENT-S 50, CNTX-S 25, SUBJ-S 40, HEAD-S 40, ARG-S 25" in output
    assert "· Tom: dropped, gender" in output


def writable():
    return [name for name in formats if formats[name]().card.writes]


@pytest.mark.parametrize("name", ["conll", "corefud", "jsonlines", "inline", "semeval", "text"])
def test_chains_are_printed_in_other_formats(name):
    assert name in writable()
    printed = run("--text", TEXT, "--to", name)
    again = load(printed.encode(), format=name)
    assert again[0].words == ["Ann", "met", "Tom", ".", "She", "thanked", "him", "."]
    if name != "text":
        assert again[0].clusters() == [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]


def test_a_file_is_written_by_its_extension(story, tmp_path):
    path = tmp_path / "out.jsonl"
    assert run(story, "--output", path) == ""
    line = json.loads(path.read_text(encoding="utf-8"))
    assert line["clusters"] == [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]


def test_the_list_has_every_resolver_with_its_parameters():
    output = run("--list")
    assert not [name for name in resolvers if f"\n{name} " not in f"\n{output}"]
    assert "kennedy-boguraev (kb)" in output
    assert "\n    link_names=true: " in output


def test_parameters_are_taken_from_the_name():
    assert run("--text", TEXT, "-r", "mitkov(window=0)") == TEXT + "\n"
    with pytest.raises(UsageError):
        run("--text", TEXT, "-r", "mitkov(windw=0)")


def test_an_unknown_resolver_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean mitkov"):
        run("--text", TEXT, "-r", "mitkow")


def test_an_unknown_pre_processor_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean conllu"):
        run("--text", TEXT, "--preprocess", "conlu")


def test_nothing_or_too_much_to_resolve_is_refused(story):
    for arguments in ((), (story, "--text", TEXT), ("--text", TEXT, "--given", "everything")):
        with pytest.raises(UsageError):
            run(*arguments)


def test_exit_codes_tell_usage_from_data(monkeypatch, tmp_path, capsys):
    binary = tmp_path / "x.txt"
    binary.write_bytes(bytes(range(256)))
    assert exit_code(monkeypatch, "resolve", "--text", TEXT) == 0
    assert exit_code(monkeypatch, "resolve", "--text", TEXT, "-r", "nobody") == 2
    assert exit_code(monkeypatch, "resolve", tmp_path / "none.txt") == 3
    assert exit_code(monkeypatch, "resolve", binary) == 3
    assert "CB103" in capsys.readouterr().err


def test_syntax_that_a_text_does_not_have_is_asked_for_in_words():
    with pytest.raises(CorefbenchError, match="--preprocess en") as refused:
        run("--text", TEXT, "--preprocess", "conllu")
    assert refused.value.code == "CB211"


@pytest.mark.parametrize("ending", ["conll", "jsonl"])
def test_the_answer_for_a_corpus_with_parts_can_be_scored_against_it(tmp_path, ending):
    key, answer = tmp_path / "key.conll", tmp_path / f"answer.{ending}"
    key.write_bytes(conll("(1)", "-", "(1)", part="003", words=["Ann", "saw", "herself"]))
    run(key, "-r", "same-head", "--given", "sentences", "-o", answer)
    assert score(key, answer).documents == ("d_3",)


# Nodes are not numbered from 1 (section 3.2 of Orăsan et al. 2008 prints 26 to 28), and "can't" is one node.
NODES = """<are><document id="d"><p><node id="26"/>Ann<node id="27"/>met<node id="28"/>Tom<node id="29"/>.</p>
<p><node id="30"/>She<node id="31"/>can't<node id="32"/>thank<node id="33"/>him<node id="34"/>.</p>{}
</document></are>"""
CHAINS = """<answers><chain><entity start="26" end="26"/><entity start="30" end="30"/></chain>
<chain><entity start="28" end="28"/><entity start="33" end="33"/></chain></answers>"""


@pytest.mark.parametrize("given", ["nothing", "tokens", "sentences"])
@pytest.mark.parametrize("task", [3, 4])
def test_answers_to_the_exercise_keep_the_nodes_of_the_input(tmp_path, task, given):
    (tmp_path / "input.xml").write_text(NODES.format(""), encoding="utf-8")
    (tmp_path / "key.xml").write_text(NODES.format(CHAINS), encoding="utf-8")
    run(tmp_path / "input.xml", "--given", given, "--to", f"are-{task}", "-o", tmp_path / "answers.xml")
    assert load(tmp_path / "answers.xml")[0].words == load(tmp_path / "input.xml")[0].words
    assert score_task(task, tmp_path / "key.xml", tmp_path / "answers.xml").score.f1 == 1


def test_answers_to_the_exercise_keep_the_ids_of_entities(tmp_path):
    text = """<are><p><entity id="7">Ann</entity> met <entity id="5">Tom</entity>.</p>
    <p><entity id="4">She</entity> thanked <entity id="9">him</entity>.</p>{}</are>"""
    chains = '<chain><entity id="7"/><entity id="4"/></chain><chain><entity id="5"/><entity id="9"/></chain>'
    (tmp_path / "input.xml").write_text(text.format(""), encoding="utf-8")
    (tmp_path / "key.xml").write_text(text.format(chains), encoding="utf-8")
    run(tmp_path / "input.xml", "--given", "mentions", "--to", "are-2", "-o", tmp_path / "answers.xml")
    assert score_task(2, tmp_path / "key.xml", tmp_path / "answers.xml").score.f1 == 1


def test_empty_nodes_of_the_source_are_written(tmp_path):
    node = b"2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:obj\t_\n"
    lines = CONLLU.splitlines(keepends=True)
    second = next(number for number, line in enumerate(lines) if line.startswith(b"2\t"))
    (tmp_path / "key.conllu").write_bytes(b"".join([*lines[: second + 1], node, *lines[second + 1 :]]))
    run(tmp_path / "key.conllu", "--given", "sentences", "-o", tmp_path / "answer.conll")
    assert load(tmp_path / "answer.conll")[0].words == load(tmp_path / "key.conllu")[0].words
    findings = score(tmp_path / "key.conllu", tmp_path / "answer.conll").findings
    assert not {"CB204", "CB205"} & {finding.code for finding in findings}


def test_workbench_xml_has_all_that_its_reader_needs(tmp_path):
    # Example 2 of Barbu & Mitkov (2001). It attaches the subject of the passive to the auxiliary; the
    # reader moves it to the main verb.
    path = tmp_path / "sample.xml"
    run("--text", "This is an input file. It is used for evaluation.", "--to", "workbench", "-o", path)
    columns = load(path).tokens.columns
    assert [*columns["dep"]] == ["2", "0", "5", "5", "2", "2", "3", "3", "0", "3", "4", "3"]
    assert [*columns["gfun"]] == (
        ["SUBJ", "+FMAINV", "DN", "A", "PCOMPL", "", "SUBJ", "+FAUXV", "-FMAINV", "ADVL", "PCOMP", ""]
    )
    assert [*columns["pos"]] == (["PRON", "V", "DET", "N", "N", "PUNCT", "PRON", "V", "EN", "PREP", "N", "PUNCT"])
    assert [*columns["nr"]] == ["SG", "", "", "SG", "SG", "", "SG", "", "", "", "SG", ""]
    assert [*columns["np"]] == ["(*)", "*", "(*", "*", "*)", "*", "(*)", "*", "*", "*", "(*)", "*"]
    assert run(path, "--preprocess", "workbench") == "# text\n[This]1 is an input file. [It]1 is used for evaluation.\n"


@pytest.mark.parametrize("given", ["nothing", "sentences"])
def test_workbench_xml_of_a_corpus_without_syntax_can_be_read(tmp_path, given):
    key, path = tmp_path / "key.conll", tmp_path / "answer.xml"
    words = ["Ann", "can't", "use", "a", "file", "she", "likes"]  # the pipeline divides "can't"
    key.write_bytes(conll("(1)", "-", "-", "-", "-", "(1)", "-", words=words))
    run(key, "--given", given, "--to", "workbench", "-o", path)
    corpus = load(path)
    assert corpus[0].words == words
    assert corpus[0].clusters() == [[(0, 1), (5, 6)]]
    assert [*corpus.tokens.columns["dep"]] == ["3", "3", "0", "5", "3", "7", "5"]
    assert "[Ann]1 can't use" in run(path, "--preprocess", "workbench", "--given", "sentences")
