"""What is taken away: whole, unrounded, and harmless in a spreadsheet."""

import csv
import io
import json
import zipfile

import pytest

import corefbench as cb
from corefbench.runs import open_run
from corefbench.runs.record import save_run
from corefbench.workbench.storage import Workbench
from tests.unit.runs.samples import KEY, RESPONSES
from tests.unit.workbench.samples import connect, workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return workbench(tmp_path_factory.mktemp("workbench"))


@pytest.fixture(scope="module")
def client(bench: Workbench):
    with connect(bench) as client:
        yield client


TEXTS = ("results.tex", "results.csv", "documents.csv", "results.md", "results.json")


@pytest.mark.parametrize("run", ["scores", "bench"])
@pytest.mark.parametrize("what", [*TEXTS, "references.bib", "run"])
def test_everything_is_a_file_to_be_saved(client, run: str, what: str) -> None:
    answer = client.get(f"/runs/{run}/export/{what}")
    assert answer.status_code == 200
    assert answer.content
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{run}')


def test_csv_has_the_numbers_of_scoring_alone(client) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/runs/scores/export/results.csv").text)))
    for row in rows:
        result = cb.score(KEY, RESPONSES[row["method"]])
        if row["measure"] == "conll":
            assert float(row["value"]) == pytest.approx(result.conll.f1, abs=1e-15)
        else:
            assert float(row["value"]) == getattr(result[row["measure"]], row["part"])
        assert row["signature"] == str(result.signature)
    assert {row["part"] for row in rows} == {"recall", "precision", "f1"}


def test_csv_by_document_has_every_document_method_and_measure(client) -> None:
    text = client.get("/runs/bench/export/documents.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    found = {(row["document"], row["method"], row["measure"]) for row in rows}
    assert len(found) == len(rows)
    assert {row["method"] for row in rows} == {"most-recent", "random(seed=3)"}
    assert {"success_rate", "precision", "conll", "lea"} <= {row["measure"] for row in rows}


@pytest.mark.parametrize("name", ["=1+2", "+cmd", "-1+2", "@sum", "\tx"])
def test_no_name_is_a_formula(tmp_path, name: str) -> None:
    made = Workbench(tmp_path)
    save_run(tmp_path / "runs" / "x.corefrun", KEY, {name: RESPONSES["eager"], "b": KEY})
    with connect(made) as client:
        for what in ("results.csv", "documents.csv"):
            text = client.get(f"/runs/x/export/{what}").text
            for row in csv.reader(io.StringIO(text)):
                assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row)


def test_latex_says_what_the_letters_mean_and_keeps_the_signatures(client) -> None:
    text = client.get("/runs/scores/export/results.tex").text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") > 1
    assert "Letters after a score" in text
    for name, path in RESPONSES.items():
        assert f"% {name}: {cb.score(KEY, path).signature}" in text


def test_json_has_run_comparison_and_documents(client) -> None:
    made = json.loads(client.get("/runs/bench/export/results.json").text)
    assert made["run"]["kind"] == "bench"
    assert set(made["bench"]["resolvers"]) == {"most-recent", "random(seed=3)"}
    assert made["pronouns"]["systems"]
    assert made["scores"]["systems"][0]["by_document"]


def test_the_run_file_is_the_run(client, bench: Workbench, tmp_path) -> None:
    (tmp_path / "got.corefrun").write_bytes(client.get("/runs/scores/export/run").content)
    assert open_run(tmp_path / "got.corefrun").header == bench.run("scores").header


def test_bibtex_has_the_works_behind_measures_and_tests(client) -> None:
    text = client.get("/runs/bench/export/references.bib").text
    for key in ("barbu2001", "vilain1995", "holm1979", "mcnemar1947"):
        assert f"{{{key}," in text


def test_the_bundle_is_a_zip_of_pages_in_one_folder(client) -> None:
    answer = client.get("/runs/scores/export/bundle")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert "scores/index.html" in archive.namelist()
        assert all(name.startswith("scores/") for name in archive.namelist())


@pytest.mark.parametrize("what", ["tex", "csv", "md", "json"])
def test_statistics_are_taken_away_too(client, what: str) -> None:
    answer = client.get(f"/statistics/export/statistics.{what}", params={"corpus": str(KEY)})
    assert answer.status_code == 200
    assert "okens" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/runs/scores/export/passwords",
        "/runs/nothing/export/results.tex",
        "/runs/..%2Fruns%2Fscores/export/run",
        "/statistics/export/statistics.exe?corpus=bundled",
        "/statistics/export/statistics.csv",
    ],
)
def test_what_is_not_there_is_not_found(client, path: str) -> None:
    assert client.get(path).status_code == 404
