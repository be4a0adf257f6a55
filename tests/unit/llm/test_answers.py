import json

import pytest

from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError
from corefbench.llm.answers import Answer, read_answers_file, read_ids


def read(*rows: object) -> list[Answer]:
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return list(read_answers_file(text, Strictness()))


def test_our_own_lines_have_an_id_and_an_answer() -> None:
    assert read({"id": "a", "answer": "x", "model": "m"}) == [Answer(id="a", text="x")]


def test_an_answer_of_a_chat_batch_is_in_the_first_choice() -> None:
    choice = {"message": {"role": "assistant", "content": "x"}, "finish_reason": "length"}
    row = {"id": "r", "custom_id": "a", "response": {"body": {"choices": [choice]}}, "error": None}
    assert read(row) == [Answer(id="a", text="x", cut=True)]


def test_an_answer_of_a_message_batch_is_in_parts() -> None:
    parts = [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]
    row = {"custom_id": "a", "result": {"message": {"content": parts, "stop_reason": "end_turn"}}}
    assert read(row) == [Answer(id="a", text="xy")]


@pytest.mark.parametrize(
    "row",
    [
        {"custom_id": "a", "response": None, "error": {"code": "timeout"}},
        {"custom_id": "a", "response": {"status_code": 500, "body": {"choices": []}}},
        {"custom_id": "a", "result": {"type": "errored"}},
        {"id": "a", "answer": None},
    ],
)
def test_a_service_that_failed_gave_no_answer(row: dict) -> None:
    assert read(row) == [Answer(id="a", text=None)]


@pytest.mark.parametrize(
    "line",
    [
        b"not JSON",
        b"[1]",
        b'{"id": 7, "answer": "x"}',
        b'{"answer": "x"}',
        b'{"id": "a"}',
        b"\xff{}",
        b'{"id": "a", "answer": 3}',
    ],
)
def test_a_line_that_is_not_an_answer_raises_or_is_skipped(line: bytes) -> None:
    text = b'{"id": "a", "answer": "x"}\n' + line + b"\n"
    with pytest.raises(FormatError, match="memory:2: CB266"):
        list(read_answers_file(text, Strictness()))
    heard: list[Finding] = []
    found = list(read_answers_file(text, Strictness(lenient=True, report=heard.append)))
    assert [answer.id for answer in found] == ["a"]
    assert [finding.code for finding in heard] == ["CB266"]


def test_ids_of_prompts_are_read_from_both_shapes() -> None:
    text = b'{"id": "a", "messages": []}\n\n{"custom_id": "b", "body": {}}\n'
    assert read_ids(text, Strictness()) == ["a", "b"]
