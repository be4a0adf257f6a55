import hashlib
import json
import re

import pytest

from corefbench.corpus.corpus import Corpus
from corefbench.datasets.bundled import load_bundled
from corefbench.errors import DataError, UnknownName, UsageError
from corefbench.formats.load import load
from corefbench.llm import Prompt, encode_prompts, load_template, prompts
from corefbench.llm.prompting import template_names

ANN = b"# document letters\n\n[Ann]1 fed [[her]1 cat]2. It \\[the cat\\] ate. [She]1 left.\n"


def ann() -> Corpus:
    return load(ANN, format="inline")


def only(corpus: Corpus, *given: str, **how: object) -> Prompt:
    (made,) = prompts(corpus, *given, **how)
    return made


def test_an_id_is_the_name_the_window_and_a_hash_of_label_and_words() -> None:
    text = "Ann fed her cat . It [ the cat ] ate . She left ."
    words = text.split()
    expected = hashlib.sha256("\0".join(["letters", *words]).encode()).hexdigest()[:8]
    assert only(ann()).id == f"letters-m0-{len(words)}-{expected}"


def test_ids_are_the_same_every_time_different_from_each_other_and_fit_for_services() -> None:
    corpus = load_bundled()
    for name in template_names():
        made = [prompt.id for prompt in prompts(corpus, name, size=120)]
        assert made == [prompt.id for prompt in prompts(corpus, name, size=120)]
        assert len(set(made)) == len(made)
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", one) for one in made)


def test_the_text_to_mark_is_plain_with_its_own_brackets_escaped() -> None:
    text = only(ann()).messages[-1].content
    assert text == r"Ann fed her cat. It \[the cat\] ate. She left."


def test_given_mentions_are_marked_with_a_question_mark() -> None:
    text = only(ann(), "given-mentions").messages[-1].content
    assert text.startswith("[Ann](#?) fed [[her](#?) cat](#?). It ")


def test_pronouns_are_asked_one_by_one_in_the_text_and_in_their_sentence() -> None:
    made = list(prompts(ann(), "answer-pronoun"))
    assert [prompt.id.split("-")[3] for prompt in made] == ["2", "12"]
    assert 'What does "She" stand for' in made[1].messages[-1].content
    assert made[1].messages[-1].content.endswith("[She](#?) left.")


def test_without_singletons_the_instruction_and_the_marks_say_so() -> None:
    keep, strip = (only(ann(), singletons=some).messages[0].content for some in (True, False))
    assert "mentioned once, too" in keep
    assert "mentioned only once" in strip
    asked = only(ann(), "given-mentions", singletons=False).messages[-1].content
    assert asked.startswith("[Ann](#?) fed [her](#?) cat. ")


def test_examples_are_turns_of_the_conversation_drawn_by_the_seed() -> None:
    made = [only(ann(), examples=2, train=load_bundled(), seed=seed).messages for seed in (0, 0, 1)]
    assert [message.role for message in made[0]] == [
        "system", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert made[0] == made[1] != made[2]
    question, answer = made[0][1].content, made[0][2].content
    assert re.sub(r"\[|\]\(#\d+\)", "", answer) == question
    assert "](#1)" in answer


def test_an_example_is_never_a_document_that_is_asked_about() -> None:
    corpus = load_bundled()
    with pytest.raises(UsageError, match="too few documents"):
        list(prompts(corpus, examples=1, train=corpus))


def test_examples_without_a_training_corpus_are_refused() -> None:
    with pytest.raises(UsageError, match="--train"):
        list(prompts(ann(), examples=1))


def test_a_batch_file_has_the_fields_of_chat_completions() -> None:
    (line,) = encode_prompts(prompts(ann()), "openai-batch", "some-model")
    row = json.loads(line)
    assert row["custom_id"] == only(ann()).id
    assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
    assert row["body"]["model"] == "some-model"
    assert row["body"]["messages"][-1]["role"] == "user"


def test_a_line_has_id_document_window_and_messages() -> None:
    (line,) = encode_prompts(prompts(ann()))
    row = json.loads(line)
    assert row["document"] == "letters"
    assert row["window"] == {"number": 1, "of": 1, "start": 0, "end": 15}
    assert [message["role"] for message in row["messages"]] == ["system", "user"]


def test_templates_are_files_and_users_may_bring_their_own(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ndescription = "d"\ntask = "mark-all"\nsystem = ""\nuser = "Mark: {{text}}"')
    messages = only(ann(), str(path)).messages
    assert [message.content[:13] for message in messages] == ["Mark: Ann fed"]


def test_a_template_that_makes_no_sense_is_refused_with_its_fault(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntask = "sing"\n')
    with pytest.raises(DataError, match="CB265"):
        load_template(str(path))
    with pytest.raises(UnknownName, match="did you mean mark-all"):
        load_template("mark-al")
    with pytest.raises(DataError, match="CB006"):
        load_template(str(tmp_path / "none.toml"))
