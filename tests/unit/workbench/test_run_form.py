"""Prepare a run: what is offered, how the input is checked, and what is ordered."""

import re
from pathlib import Path

import msgspec
import pytest

from corefbench.bench.plan import PRONOUN_RESOLVERS
from corefbench.resolvers import resolvers
from corefbench.web.rendering import encode_json
from corefbench.workbench import choices
from corefbench.workbench.inputs import check_input
from corefbench.workbench.jobs import JobSpec, RunForm
from corefbench.workbench.run_form import check_form, parse_form, run_command
from corefbench.workbench.storage import Workbench
from corefbench.workbench.views.jobs import build_prepare_page, prepare_page
from tests.unit.workbench.samples import connect
from tests.unit.workbench.samples import html as render

KEY = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"
RESPONSE = b"#begin document (a);\nAnn (1)\nleft -\nShe (2)\n\n#end document\n"
BROKEN = b"#begin document (a);\nAnn (1)\nleft 1)\n\n#end document\n"
BENCH = {"kind": "bench", "resolvers": ["mitkov"], "mode": "annotated", "match": "head"}


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path / "home")


@pytest.fixture
def ordered(workbench, monkeypatch) -> list[JobSpec]:
    """What was ordered; nothing is run."""
    made: list[JobSpec] = []
    monkeypatch.setattr(type(workbench.jobs), "submit", lambda self, order: made.append(order) or "made")
    return made


@pytest.fixture
def client(workbench):
    with connect(workbench) as client:
        yield client


def test_every_resolver_is_offered_with_title_and_description():
    made = {offer.name: offer for offer in choices.resolver_choices()}
    assert set(made) == set(resolvers)
    assert made["mitkov"].title == "Mitkov (1998)"
    assert made["mitkov"].description
    assert "window" in [parameter.name for parameter in made["mitkov"].parameters]
    assert not made["mitkov"].install
    assert made["command"].install == "the program, by run=COMMAND"


def test_what_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.setattr(choices, "distribution", _nothing_but("corefbench"))
    assert choices.missing_requirement("pip install fastcoref") == "pip install fastcoref"
    assert choices.missing_requirement("pip install 'corefbench[neural]'") == "pip install 'corefbench[neural]'"
    choices.preprocessor_choices.cache_clear()
    try:
        lacking = {offer.name: offer.install for offer in choices.preprocessor_choices()}
    finally:
        choices.preprocessor_choices.cache_clear()
    assert lacking["en-accurate"] == "pip install 'corefbench[en-accurate]'"
    assert lacking["en"] == lacking["spacy"] == "pip install 'corefbench[en]'"
    assert not lacking["conllu"]


def _nothing_but(*installed: str):
    def distribution(name: str) -> None:
        if name not in installed:
            raise choices.PackageNotFoundError(name)

    return distribution


def test_data_sets_are_offered_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("COREFBENCH_DATA", str(tmp_path))
    (tmp_path / "preco-sample").mkdir()
    (tmp_path / "preco-sample" / "preco.jsonl").write_text("{}")
    made = {corpus.name: corpus for corpus in choices.dataset_choices()}
    assert made["preco-sample"].here
    assert not made["gum"].here
    assert "dev" in made["gum"].parts
    assert made["gum"].how


def test_the_page_begins_with_what_the_command_line_begins_with(workbench):
    page = prepare_page(workbench, {})
    assert page.model["form"].resolvers == PRONOUN_RESOLVERS
    text = render(page, path="/prepare")
    assert len(re.findall(r'name="resolvers"[^>]*checked', text)) == len(PRONOUN_RESOLVERS)
    assert re.search(r'id="r-command" disabled', text)
    assert msgspec.json.decode(encode_json(page))["form"]["mode"] == "automatic"


def test_an_address_can_name_the_corpus(workbench, tmp_path):
    assert prepare_page(workbench, {"corpus": "gum/dev"}).model["form"].dataset == "gum/dev"
    form = prepare_page(workbench, {"corpus": str(tmp_path)}).model["form"]
    assert (form.corpus, form.path) == ("path", str(tmp_path))
    assert prepare_page(workbench, {"corpus": "bundled"}).model["form"].corpus == "bundled"


def test_text_of_strangers_is_text(workbench):
    form = RunForm(path="<script>alert(1)</script>", corpus="path", further='"><b>')
    text = render(build_prepare_page(workbench, form, check_form(workbench, form)))
    assert "<script>alert" not in text
    assert '"><b>' not in text


def test_findings_are_those_of_the_check(tmp_path):
    (tmp_path / "bad.conll").write_bytes(BROKEN)
    made = check_input("corpus", str(tmp_path / "bad.conll"), RunForm())
    assert made.errors == 1
    assert next((f.code, str(f.place)) for f in made.findings) == ("CB104", "bad.conll:3:6")


def test_files_of_a_folder_that_are_no_corpus_are_left_out(tmp_path):
    (tmp_path / "a.conll").write_bytes(KEY)
    (tmp_path / "b.conll").write_bytes(KEY.replace(b"(a)", b"(b)"))
    (tmp_path / "LICENSE").write_bytes(b"\0\1\2 no corpus")
    (tmp_path / "nothing").write_bytes(b"")
    made = check_input("corpus", str(tmp_path), RunForm())
    assert made.errors == 0
    assert {f.place.source for f in made.findings} == {"LICENSE", "nothing"}


@pytest.mark.parametrize("name", ["none.conll", "pipe"])
def test_what_is_no_file_is_not_read(tmp_path, name):
    import os

    os.mkfifo(tmp_path / "pipe")
    made = check_input("corpus", str(tmp_path / name), RunForm())
    assert made.errors == 1
    assert made.findings[0].code == "CB006"


def test_what_is_too_large_is_left_to_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr("corefbench.workbench.inputs.MAX_CHECKED_BYTES", 10)
    (tmp_path / "a.conll").write_bytes(KEY)
    assert check_input("corpus", str(tmp_path / "a.conll"), RunForm()).unchecked
    assert check_input("corpus", str(tmp_path), RunForm()).unchecked


def test_a_good_form_becomes_an_order(workbench):
    made = check_form(workbench, parse_form({**_lists(BENCH), "further": ["random(seed=7)"]}))
    assert not made.problems
    assert made.order is not None
    assert (made.order.key, made.order.name) == ("bundled", "bundled")
    assert made.order.form.plan().resolvers == ("mitkov", "random(seed=7)")


@pytest.mark.parametrize(
    ("changed", "section", "code"),
    [
        ({"resolvers": []}, "resolvers", "CB002"),
        ({"further": "mitkow"}, "resolvers", "CB003"),
        ({"further": "random(seed=1,sead=2)"}, "resolvers", "CB002"),
        ({"further": "kb, kennedy-boguraev"}, "resolvers", "CB002"),
        ({"preprocess": "no-such"}, "preprocessing", "CB003"),
        ({"mode": "magic"}, "scoring", "CB002"),
        ({"profile": "conll-2013"}, "scoring", "CB003"),
        ({"format": "docx"}, "scoring", "CB003"),
        ({"processes": "0"}, "scoring", "CB002"),
        ({"corpus": "upload"}, "corpus", "CB002"),
        ({"corpus": "path", "path": "-"}, "corpus", "CB006"),
        ({"corpus": "path", "path": " "}, "corpus", "CB002"),
    ],
)
def test_what_makes_no_sense_is_said_where_it_stands(workbench, changed, section, code):
    values = {**BENCH, **changed}
    made = check_form(workbench, parse_form(_lists(values)))
    assert made.order is None
    assert (section, code) in [(problem.section, problem.code) for problem in made.problems]
    assert build_prepare_page(workbench, parse_form(_lists(values)), made).status == 422


def _lists(values: dict[str, object]) -> dict[str, list[str]]:
    return {n: v if isinstance(v, list) else [v] for n, v in values.items()}  # type: ignore[misc]


def test_the_command_line_says_the_same():
    form = RunForm(
        resolvers=("mitkov",),
        further="random(seed=7)",
        preprocess="conllu",
        mentions="gold",
        match="exact",
        cataphora=True,
        profile="ua",
        format="corefud",
    )
    made = " ".join(run_command(form, "/home/ann/x.conllu", [], "my"))
    assert made == (
        "corefbench bench x.conllu --resolvers mitkov,random(seed=7) --preprocess conllu "
        "--mentions gold --match exact --profile ua --input-format corefud --cataphora "
        "--run my.corefrun"
    )
    scored = run_command(RunForm(kind="score", lenient=True), "/k.conll", ["/a.conll", "/b.conll"], "s")
    assert " ".join(scored) == "corefbench score k.conll a.conll b.conll --lenient --run s.corefrun"


def test_bad_input_is_refused_and_nothing_of_the_form_is_lost(client, ordered):
    answer = client.post(
        "/prepare",
        data={**BENCH, "corpus": "upload", "further": "random(seed=7)", "name": "mine"},
        files={"corpus_files": ("bad.conll", BROKEN)},
    )
    assert answer.status_code == 422
    assert not ordered
    assert "CB104" in answer.text
    assert "3:6" in answer.text
    assert 'value="random(seed=7)"' in answer.text
    assert 'value="mine"' in answer.text
    assert re.search(r'value="upload" checked', answer.text)
    assert re.search(r'id="r-mitkov"[^>]* checked', answer.text)
    assert not re.search(r'id="r-hobbs"[^>]* checked', answer.text)
    kept = re.search(r'name="kept" value="([^"]+)"', answer.text)
    assert kept is not None
    assert kept[1].endswith("/bad.conll")


def test_a_file_that_is_kept_need_not_be_sent_again(client, ordered):
    sent = {"corpus_files": ("good.conll", KEY)}
    first = client.post("/prepare", data={**BENCH, "do": "check", "corpus": "upload"}, files=sent)
    assert first.status_code == 200
    assert not ordered
    assert "corefbench bench good.conll" in first.text
    kept = re.search(r'name="kept" value="([^"]+)"', first.text)
    second = client.post(
        "/prepare",
        data={**BENCH, "corpus": "upload", "kept": kept[1]},
        files={"corpus_files": ("", b"")},
        follow_redirects=False,
    )
    assert second.status_code == 303
    assert Path(ordered[0].key).read_bytes() == KEY
    assert ordered[0].name == "good"


def test_files_are_scored_against_a_key(client, ordered, tmp_path):
    (tmp_path / "one.conll").write_bytes(RESPONSE)
    answer = client.post(
        "/prepare",
        data={"kind": "score", "corpus": "upload", "responses_path": f"{tmp_path / 'one.conll'}\n", "profile": "ua"},
        files=[
            ("corpus_files", ("key.conll", KEY)),
            ("response_files", ("one.conll", KEY)),
            ("response_files", ("two.conll", RESPONSE)),
        ],
        follow_redirects=False,
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == "/jobs/made"
    assert list(ordered[0].responses) == ["one.conll", "two.conll", "one.conll (2)"]
    assert ordered[0].form.profile == "ua"


def test_broken_responses_are_refused_unless_they_are_to_be_repaired(client, ordered):
    files = [("corpus_files", ("key.conll", KEY)), ("response_files", ("r.conll", BROKEN))]
    data = {"kind": "score", "corpus": "upload"}
    assert client.post("/prepare", data=data, files=files).status_code == 422
    assert not ordered
    data["lenient"] = "true"
    client.post("/prepare", data=data, files=files, follow_redirects=False)
    assert ordered[0].form.lenient
    assert any(finding.code == "CB104" for finding in ordered[0].findings)


def test_a_key_without_responses_is_refused(client, ordered):
    answer = client.post(
        "/prepare", data={"kind": "score", "corpus": "upload"}, files={"corpus_files": ("key.conll", KEY)}
    )
    assert answer.status_code == 422
    assert "there is nothing to score" in answer.text


def test_an_upload_that_is_too_large_is_refused(client, ordered):
    answer = client.post(
        "/prepare", data={**BENCH, "corpus": "upload"}, files={"corpus_files": ("large.conll", b"x" * (65 << 20))}
    )
    assert answer.status_code == 413
    assert not ordered


def test_pages_give_no_advice_to_use_options_of_the_command_line(tmp_path):
    faulty = b"#begin document (a);\nAnn (1\nleft -\nShe 2)\n\n#end document\n"
    with connect(Workbench(tmp_path)) as client:
        files = [("corpus_files", ("key.conll", faulty)), ("response_files", ("response.conll", faulty))]
        for kind in ("score", "bench"):
            answer = client.post("/prepare", data={"kind": kind, "corpus": "upload"}, files=files)
            assert answer.status_code == 422
            assert "it can be repaired:" in answer.text
            assert "--lenient" not in answer.text
        merged = client.post("/merge", files=[("files", ("a.conll", faulty)), ("files", ("b.conll", faulty))])
        assert "tick the box" in merged.text
        assert "--lenient" not in merged.text
