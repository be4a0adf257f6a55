"""Try it: the form, the answers, and what is refused."""

from pathlib import Path

import msgspec
import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.web.rendering import encode_json
from corefbench.workbench.routes import build_page
from corefbench.workbench.storage import Workbench
from corefbench.workbench.trials import MAX_CHARACTERS, Trial, load_trial, save_trial, try_text
from tests.unit.workbench.samples import connect
from tests.unit.workbench.samples import html as render

TEXT = "Maria met the baker. She gave him a coin, and he put it in his pocket."


@pytest.fixture(scope="module")
def trial() -> Trial:
    return try_text(TEXT, ["kennedy-boguraev", "most-recent"])


@pytest.fixture
def workbench(tmp_path: Path, trial: Trial) -> Workbench:
    made = Workbench(tmp_path)
    save_trial(trial, tmp_path / "trials")
    return made


def test_every_pronoun_gets_an_answer_of_every_resolver(workbench: Workbench, trial: Trial) -> None:
    model = build_page("trial", workbench, {"trial": trial.name}).model
    assert [row.pronoun for row in model["rows"]] == ["She", "him", "he", "it", "his"]
    she = model["rows"][0].cells[0]
    assert (she.resolver, she.antecedent) == ("kennedy-boguraev", "Maria")
    assert all(len(row.cells) == 2 for row in model["rows"])


def test_an_antecedent_that_is_a_pronoun_is_traced_to_its_name(workbench: Workbench, trial: Trial) -> None:
    rows = build_page("trial", workbench, {"trial": trial.name}).model["rows"]
    his = rows[4].cells[0]
    assert his.antecedent in {"he", "him"}
    assert his.name == "the baker"


def test_reasons_are_shown_of_the_pronoun_that_is_asked_for(workbench: Workbench, trial: Trial) -> None:
    query = {"trial": trial.name, "resolver": "kennedy-boguraev", "why": "5"}
    page = build_page("trial", workbench, query)
    why = page.model["why"]
    assert (why["pronoun"], why["answer"]) == ("She", "Maria")
    assert any(candidate["chosen"] for candidate in why["candidates"])
    assert "Why “She” is “Maria”" in render(page)


def test_the_text_is_whole_between_the_brackets(workbench: Workbench, trial: Trial) -> None:
    pieces = build_page("trial", workbench, {"trial": trial.name}).model["pieces"]
    assert "".join(piece.text for piece in pieces) == TEXT
    opened = sum(piece.kind == "open" for piece in pieces)
    assert opened == sum(piece.kind == "close" for piece in pieces) > 3


def test_the_json_twin_holds_the_answers(workbench: Workbench, trial: Trial) -> None:
    page = build_page("trial", workbench, {"trial": trial.name})
    twin = msgspec.json.decode(encode_json(page))
    assert twin["trial"]["text"] == TEXT
    assert len(twin["rows"]) == 5


def test_what_a_stranger_wrote_stays_text(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    hostile = try_text("<script>alert(1)</script> Ann saw him.", ["most-recent"])
    save_trial(hostile, tmp_path / "trials")
    body = render(build_page("trial", workbench, {"trial": hostile.name}))
    assert "<script>alert" not in body


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (MAX_CHARACTERS + 1)])
def test_no_text_and_too_much_text_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="text"):
        try_text(text, ["most-recent"])


def test_a_text_without_resolvers_is_refused() -> None:
    with pytest.raises(UsageError, match="no resolver"):
        try_text(TEXT, [])


def test_the_same_trial_has_the_same_name(trial: Trial) -> None:
    again = try_text(TEXT, ["kennedy-boguraev", "most-recent"])
    assert again.name == trial.name
    assert try_text(TEXT, ["most-recent"]).name != trial.name


@pytest.mark.parametrize("name", ["0" * 16, "../runs/x", "no"])
def test_a_trial_that_is_not_kept_is_unknown(workbench: Workbench, name: str) -> None:
    with pytest.raises(UnknownName):
        load_trial(name, workbench.folder / "trials")


def test_answers_of_a_resolver_that_was_not_tried_are_unknown(workbench: Workbench, trial: Trial) -> None:
    with pytest.raises(UnknownName):
        build_page("trial", workbench, {"trial": trial.name, "resolver": "hobbs"})


@pytest.mark.parametrize("token", ["0", "999999", "x", "-1"])
def test_words_without_a_decision_are_not_explained(workbench: Workbench, trial: Trial, token: str) -> None:
    with pytest.raises(UsageError):
        build_page("trial", workbench, {"trial": trial.name, "why": token})


def test_the_form_leads_to_the_answers_and_back(tmp_path: Path) -> None:
    with connect(Workbench(tmp_path)) as client:
        sent = {"text": TEXT, "resolvers": ["most-recent", "mitkov"], "preprocess": "en-accurate"}
        answer = client.post("/try", data=sent, follow_redirects=True)
        assert answer.status_code == 200
        assert "Every pronoun" in answer.text
        name = answer.url.path.rpartition("/")[2]
        again = client.get(f"/try?again={name}")
        assert TEXT in again.text
        assert 'value="mitkov" checked' in again.text
        assert 'value="hobbs" checked' not in again.text


def test_an_empty_form_comes_back_with_what_is_wrong(tmp_path: Path) -> None:
    with connect(Workbench(tmp_path)) as client:
        answer = client.post("/try", data={"text": " ", "resolvers": "mitkov"})
        assert answer.status_code == 422
        assert "there is no text" in answer.text
        assert "<textarea" in answer.text
        long = "Ann saw her. " * 2_000
        answer = client.post("/try", data={"text": long, "resolvers": "mitkov"})
        assert answer.status_code == 422
        assert "too long" in answer.text
        assert "Ann saw her." in answer.text


def test_no_space_stands_between_a_pronoun_and_punctuation(tmp_path: Path) -> None:
    trial = try_text("Ann has a dog. Bob likes it. It barks, and he hears it.", ["most-recent"], "en-words")
    workbench = Workbench(tmp_path)
    save_trial(trial, tmp_path / "trials")
    text = render(build_page("trial", workbench, {"trial": trial.name}))
    assert '<strong>it</strong><span class="muted">.' in text
    assert '<strong>It</strong><span class="muted"> barks' in text
