"""Scoring files: the forms that keys and answers may have, averages, and what is refused."""

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import DataError, FormatError, MismatchError, UsageError
from corefbench.formats.convert import convert
from corefbench.tasks.are.score import score_task

TEXT = (
    '<p><entity id="1">Ann</entity> said that <entity id="2">she</entity> saw '
    '<entity id="3">a dog</entity> . <entity id="4">It</entity> liked <entity id="5">her</entity>'
    "</p>"
)
LISTED = (
    '<anaphoric_pronouns><pronoun id="2" value="she"/><pronoun id="4" value="It"/>'
    '<pronoun id="5" value="her"/></anaphoric_pronouns>'
)
CHAINS = (
    '<chain><entity id="1"/><entity id="2"/><entity id="5"/></chain><chain><entity id="3"/><entity id="4"/></chain>'
)
SENTENCE = ["Ann", "said", "she", "saw", "a", "dog"]
NODES = "".join(f'<node id="{n}"/>{word}' for n, word in enumerate(SENTENCE, 26))
RAW_KEY = (
    f"<p>{NODES}</p>"
    '<chain><entity start="26" end="26"/><entity start="28" end="28"/></chain>'
    '<chain><entity start="30" end="31"/><entity start="27" end="27"/></chain>'
)


def are(*documents: str) -> bytes:
    inner = "".join(f'<document id="d{n}">{text}</document>' for n, text in enumerate(documents))
    return f"<are>{inner}</are>".encode()


KEY = are(TEXT + LISTED + CHAINS)


def pronouns(**answers: str) -> str:
    return "".join(f'<pronoun id="{p[1:]}" antecedent="{a}"/>' for p, a in answers.items())


def test_task_1_is_a_success_rate():
    result = score_task(1, KEY, are(pronouns(p2="1", p4="3", p5="4")))
    assert result.success_rate == result.macro.recall == result.micro.recall == 2 / 3


def test_a_key_needs_no_text():
    answers = are(pronouns(p2="1", p4="3", p5="2"))
    assert score_task(1, are(LISTED + CHAINS), answers).success_rate == 1
    # *she* and *her* are pronouns for they are listed.
    assert score_task(1, are(LISTED + CHAINS), are(pronouns(p5="2"))).documents[0].hits == 0.5


def test_answers_may_stand_in_the_input():
    answers = are(TEXT + LISTED + pronouns(p2="1"))
    assert score_task(1, KEY, answers).documents[0].hits == 1


def test_chains_answer_pronouns_by_the_mention_before_or_after():
    chained = CHAINS.replace('<entity id="1"/>', "")
    # she → her → she is a circle; it → a dog is right.
    assert score_task(1, KEY, are(TEXT + chained)).documents[0].hits == 2


def test_task_2_is_muc():
    answers = are('<chain><entity id="1"/><entity id="2"/><entity id="3"/></chain>')
    score = score_task(2, KEY, answers).score
    assert (score.recall, score.precision) == (1 / 3, 1 / 2)


def test_tasks_3_and_4_speak_of_nodes():
    answer = '<pronoun node="28"><entity start="26" end="27"/></pronoun>'
    score = score_task(3, are(RAW_KEY), are(answer)).score
    assert (score.recall, score.precision, score.f1) == (0.5, 0.5, 0.5)
    chain = '<chain><entity start="26" end="26"/><entity start="28" end="29"/></chain>'
    score = score_task(4, are(RAW_KEY), are(chain)).score
    assert (score.recall, score.precision) == (0.75 / 2, 0.75)
    score = score_task(4, are(RAW_KEY), are(chain), weighting="min").score
    assert (score.recall, score.precision) == (0.25, 0.5)


def test_an_answer_without_antecedent_is_not_an_attempt():
    answers = are('<pronoun node="28"/>')
    assert score_task(3, are(RAW_KEY), answers).documents[0].response_total == 0


def test_any_corpus_may_be_the_key_or_the_answers():
    key = b"#begin document (d0); part 000\nd0 0 0 Ann (1)\nd0 0 1 said -\nd0 0 2 she (1)\n\n"
    key += b"#end document\n"
    assert score_task(3, key, key).score.f1 == score_task(4, key, key).score.f1 == 1
    assert score_task(1, key, key).success_rate == score_task(2, key, key).score.f1 == 1
    nodes = b'<are><pronoun node="3"><entity start="1"/></pronoun></are>'
    assert score_task(3, key, nodes).score.f1 == 1


def test_means_over_documents_are_not_shares_of_sums():
    short = f'{TEXT}<anaphoric_pronouns><pronoun id="4" value="It"/></anaphoric_pronouns>{CHAINS}'
    answers = are(pronouns(p2="1"), pronouns(p4="3"))
    key = are(TEXT + LISTED + CHAINS, short)
    result = score_task(1, key, answers)
    assert (result.macro.recall, result.micro.recall) == ((1 / 3 + 1) / 2, 2 / 4)
    assert result.success_rate == result.macro.recall
    assert score_task(1, key, answers, average="micro").success_rate == 0.5


def test_a_document_without_pronouns_is_not_in_the_mean():
    silent = f'{TEXT}<anaphoric_pronouns/><chain><entity id="1"/><entity id="3"/></chain>'
    answers = are(pronouns(p2="1", p4="3", p5="1"), pronouns(p2="1"))
    result = score_task(1, are(TEXT + LISTED + CHAINS, silent), answers)
    assert [document.key_total for document in result.documents] == [3, 0]
    assert result.success_rate == 1


def test_a_document_without_answers_counts_and_is_reported():
    key = are(TEXT + LISTED + CHAINS, TEXT + LISTED + CHAINS)
    result = score_task(1, key, are(pronouns(p2="1", p4="3", p5="1")))
    assert result.success_rate == 0.5
    assert [(f.code, f.place.document) for f in result.findings] == [("CB202", "d1")]


def test_a_document_that_the_key_does_not_have_is_reported():
    key = are(TEXT + LISTED + CHAINS)
    result = score_task(1, key, are(pronouns(p2="1"), pronouns(p2="1")))
    assert [(f.code, f.place.document) for f in result.findings] == [("CB203", "d1")]


def test_single_documents_go_together_whatever_they_are_called():
    answers = are(pronouns(p2="1")).replace(b"d0", b"answers-of-s1")
    assert score_task(1, KEY, answers).documents[0].hits == 1


def test_documents_must_have_some_name_in_common():
    key = are(TEXT + LISTED + CHAINS, TEXT + LISTED + CHAINS)
    with pytest.raises(MismatchError) as caught:
        score_task(1, key, are(pronouns(p2="1")).replace(b"d0", b"x"))
    assert caught.value.code == "CB201"


@pytest.mark.parametrize(
    ("task", "key", "answers"),
    [
        (1, KEY, are(pronouns(p2="99"))),
        (1, KEY, are(pronouns(p99="1"))),
        (2, KEY, are('<chain><entity id="1"/><entity id="99"/></chain>')),
        (3, are(RAW_KEY), are('<pronoun node="28"><entity start="99"/></pronoun>')),
        (4, are(RAW_KEY), are('<chain><entity start="26"/><entity start="99"/></chain>')),
    ],
)
def test_answers_that_name_what_the_key_does_not_have_are_refused_or_left_out(task, key, answers):
    with pytest.raises(FormatError) as caught:
        score_task(task, key, answers)
    assert caught.value.code == "CB128"
    result = score_task(task, key, answers, lenient=True)
    assert result.documents[0].hits == 0
    assert {finding.code for finding in result.findings} == {"CB128"}


def test_an_input_is_not_a_key():
    with pytest.raises(DataError, match="not the input"):
        score_task(1, are(TEXT + LISTED), are(pronouns(p2="1")))


@pytest.mark.parametrize("wrong", [{"average": "median"}, {"weighting": "max"}, {"task": 5}])
def test_what_does_not_exist_is_refused(wrong):
    given = {"task": 1, "key": KEY, "answers": KEY} | wrong
    with pytest.raises(UsageError):
        score_task(**given)


def test_of_two_answers_to_one_pronoun_the_last_counts():
    twice = pronouns(p2="3") + pronouns(p2="1")
    assert score_task(1, KEY, are(twice)).documents[0].hits == 1
    assert score_task(1, KEY, are(pronouns(p2="1") + pronouns(p2="3"))).documents[0].hits == 0


def test_a_span_may_stand_in_two_chains():
    twice = '<chain><entity start="30" end="31"/><entity start="29" end="29"/></chain>'
    assert score_task(4, are(RAW_KEY + twice), are(RAW_KEY + twice)).score.f1 == 1


def test_a_pronoun_that_opens_a_chain_is_answered_by_the_first_noun_after_it():
    text = (
        '<p><entity id="1">She</entity> said <entity id="2">she</entity> is '
        '<entity id="3">Ann</entity></p><anaphoric_pronouns><pronoun id="1" value="She"/>'
        '<pronoun id="2" value="she"/></anaphoric_pronouns>'
        '<chain><entity id="1"/><entity id="2"/><entity id="3"/></chain>'
    )
    assert score_task(1, are(text), are(text)).success_rate == 1


@pytest.mark.parametrize("task", [2, 4])
def test_answers_may_have_the_empty_nodes_of_the_key_as_words(task, tmp_path):
    build = CorpusBuilder("key")
    build.begin_document("d")
    build.sentence(["_", "left", "Ann", "saw", "her"], empty=[True, False, False, False, False])
    for span in ((0, 1), (2, 3), (4, 5)):
        build.mention("1", [span])
    key = build.finish()
    convert(key, tmp_path / "answers.conll")
    assert score_task(task, key, tmp_path / "answers.conll").score.f1 == 1
    assert score_task(task, key, key).score.f1 == 1
