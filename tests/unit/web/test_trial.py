"""Try it: the form, the answers, and what is refused."""

from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from corefbench.errors import UnknownName, UsageError
from corefbench.web.app import make_app
from corefbench.web.render import as_html, as_json, in_app
from corefbench.web.routes import visit
from corefbench.web.trials import MOST, Trial, find, keep, try_text
from corefbench.web.workbench import Workbench

TEXT = "Maria met the baker. She gave him a coin, and he put it in his pocket."


@pytest.fixture(scope="module")
def trial() -> Trial:
    return try_text(TEXT, ["kennedy-boguraev", "most-recent"])


@pytest.fixture
def workbench(tmp_path: Path, trial: Trial) -> Workbench:
    made = Workbench(tmp_path)
    keep(trial, tmp_path / "trials")
    return made


def test_every_pronoun_gets_an_answer_of_every_resolver(workbench: Workbench, trial: Trial) -> None:
    model = visit("tried", workbench, {"trial": trial.name}).model
    assert [row.pronoun for row in model.rows] == ["She", "him", "he", "it", "his"]
    she = model.rows[0].cells[0]
    assert (she.resolver, she.antecedent) == ("kennedy-boguraev", "Maria")
    assert all(len(row.cells) == 2 for row in model.rows)


def test_an_antecedent_that_is_a_pronoun_is_traced_to_its_name(
    workbench: Workbench, trial: Trial
) -> None:
    rows = visit("tried", workbench, {"trial": trial.name}).model.rows
    his = rows[4].cells[0]
    assert his.antecedent in {"he", "him"}
    assert his.name == "the baker"


def test_reasons_are_shown_of_the_pronoun_that_is_asked_for(
    workbench: Workbench, trial: Trial
) -> None:
    query = {"trial": trial.name, "resolver": "kennedy-boguraev", "why": "5"}
    page = visit("tried", workbench, query)
    why = page.model.why
    assert (why.pronoun, why.answer) == ("She", "Maria")
    assert any(one.chosen for one in why.candidates)
    assert "Why “She” is “Maria”" in as_html(page, in_app())


def test_the_text_is_whole_between_the_brackets(workbench: Workbench, trial: Trial) -> None:
    pieces = visit("tried", workbench, {"trial": trial.name}).model.pieces
    assert "".join(piece.text for piece in pieces) == TEXT
    opened = sum(piece.kind == "open" for piece in pieces)
    assert opened == sum(piece.kind == "close" for piece in pieces) > 3


def test_the_json_twin_holds_the_answers(workbench: Workbench, trial: Trial) -> None:
    page = visit("tried", workbench, {"trial": trial.name})
    twin = msgspec.json.decode(as_json(page))
    assert twin["trial"]["text"] == TEXT
    assert len(twin["rows"]) == 5


def test_what_a_stranger_wrote_stays_text(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    hostile = try_text("<script>alert(1)</script> Ann saw him.", ["most-recent"])
    keep(hostile, tmp_path / "trials")
    body = as_html(visit("tried", workbench, {"trial": hostile.name}), in_app())
    assert "<script>alert" not in body


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (MOST + 1)])
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
        find(name, workbench.folder / "trials")


def test_answers_of_a_resolver_that_was_not_tried_are_unknown(
    workbench: Workbench, trial: Trial
) -> None:
    with pytest.raises(UnknownName):
        visit("tried", workbench, {"trial": trial.name, "resolver": "hobbs"})


@pytest.mark.parametrize("token", ["0", "999999", "x", "-1"])
def test_words_without_a_decision_are_not_explained(
    workbench: Workbench, trial: Trial, token: str
) -> None:
    with pytest.raises(UsageError):
        visit("tried", workbench, {"trial": trial.name, "why": token})


def test_the_form_leads_to_the_answers_and_back(tmp_path: Path) -> None:
    with TestClient(make_app(Workbench(tmp_path)), base_url="http://127.0.0.1") as client:
        sent = {"text": TEXT, "resolvers": ["most-recent", "mitkov"], "preprocess": "en-accurate"}
        answer = client.post("/try", data=sent)
        assert answer.status_code == 200
        assert "Every pronoun" in answer.text
        name = answer.url.path.rpartition("/")[2]
        again = client.get(f"/try?again={name}")
        assert TEXT in again.text
        assert 'value="mitkov" checked' in again.text
        assert 'value="hobbs" checked' not in again.text


def test_an_empty_form_comes_back_with_what_is_wrong(tmp_path: Path) -> None:
    with TestClient(make_app(Workbench(tmp_path)), base_url="http://127.0.0.1") as client:
        answer = client.post("/try", data={"text": " ", "resolvers": "mitkov"})
        assert answer.status_code == 422
        assert "there is no text" in answer.text
        assert "<textarea" in answer.text
        long = "Ann saw her. " * 2_000
        answer = client.post("/try", data={"text": long, "resolvers": "mitkov"})
        assert answer.status_code == 422
        assert "too long" in answer.text
        assert "Ann saw her." in answer.text
