"""``corefbench compare``: what it takes, prints, writes, draws and refuses."""

import json
from functools import partial
from importlib.util import find_spec

import pytest

from corefbench.errors import MismatchError, UnknownName, UsageError
from corefbench.runs.record import save_run
from tests import cli
from tests.conll import conll

WORDS = ["Ann", "left", "her", "dog"]


def documents(*cells: str, count: int = 6) -> bytes:
    return b"".join(conll(*cells, name=f"d{n}", words=WORDS) for n in range(count))


@pytest.fixture
def files(tmp_path):
    """A key of six documents, a response that is all right and one that is empty."""
    result = {
        "key": documents("(1)", "-", "(1)", "-"),
        "good": documents("(1)", "-", "(1)", "-"),
        "bad": documents("-", "-", "-", "-"),
    }
    for name, content in result.items():
        (tmp_path / f"{name}.conll").write_bytes(content)
    return {name: str(tmp_path / f"{name}.conll") for name in result}


run = partial(cli.run, "compare")


def test_systems_are_compared_by_the_names_of_their_files(files):
    result = json.loads(run(files["key"], files["good"], files["bad"], "-f", "json"))
    assert [system["name"] for system in result["systems"]] == ["good.conll", "bad.conll"]
    matches = result["pairs"][0]["scores"]["conll"]["f1"]
    assert (matches["value"], matches["p"], matches["wins"]) == (1.0, 2 / 64, 6)
    test = result["pairs"][0]["pronouns"]
    # Six pronouns that only the first resolved: p = 2 / 2⁶.
    assert (test["only_first"], test["only_second"], test["p"]) == (6, 0, 2 / 64)


def test_options_are_in_the_signature(files):
    options = ("--test", "bootstrap", "--samples", 50, "--seed", 3, "--alpha", 0.01)
    text = run(files["key"], files["good"], files["bad"], "--brief", *options, "--correction", "bh")
    assert "test:bootstrap|samples:50|seed:3|confidence:0.95|alpha:0.01|correction:bh" in text


def test_measures_and_profile_are_chosen_as_in_score(files):
    choices = ("--profile", "coval-keep", "--measures", "lea,muc", "--average", "macro")
    result = json.loads(run(files["key"], files["good"], "-f", "json", *choices))
    assert list(result["titles"]) == ["lea", "muc"]
    assert "|average:macro|" in result["systems"][0]["signature"]


def test_a_response_may_come_from_standard_input_but_then_without_pronouns(files):
    content = documents("(1)", "-", "(1)", "-")
    result = json.loads(run(files["key"], "-", files["bad"], "-f", "json", given=content))
    assert result["pairs"][0]["pronouns"] is None
    assert result["pairs"][0]["scores"]["conll"]["f1"]["value"] == 1.0


def test_documents_that_a_system_lacks_count_as_empty(files, tmp_path):
    part = tmp_path / "part.conll"
    part.write_bytes(documents("(1)", "-", "(1)", "-", count=3))
    result = json.loads(run(files["key"], files["good"], part, "-f", "json", "--by", "document"))
    rows = result["systems"][1]["by_document"]["muc"]
    assert list(rows.values()) == [1, 1, 1, 0, 0, 0]


def test_runs_are_compared_like_the_files_they_were_made_from(files, tmp_path):
    for name in ("good", "bad"):
        save_run(tmp_path / f"{name}.run", files["key"], {name: files[name]})
    result = json.loads(run(tmp_path / "good.run", tmp_path / "bad.run", "-f", "json"))
    assert [system["name"] for system in result["systems"]] == ["good", "bad"]
    expected = json.loads(run(files["key"], files["good"], files["bad"], "-f", "json"))
    for part in ("scores", "pronouns"):
        assert result["pairs"][0][part] == expected["pairs"][0][part]


def test_runs_of_different_profiles_are_refused(files, tmp_path):
    save_run(tmp_path / "one.run", files["key"], {"good": files["good"]})
    save_run(tmp_path / "two.run", files["key"], {"bad": files["bad"]}, "coval-keep")
    with pytest.raises(MismatchError, match="CB220"):
        run(tmp_path / "one.run", tmp_path / "two.run")


def test_a_run_is_not_compared_with_a_file(files, tmp_path):
    save_run(tmp_path / "one.run", files["key"], {"good": files["good"]})
    with pytest.raises(UsageError, match="no run"):
        run(tmp_path / "one.run", files["bad"])


def test_a_key_alone_is_refused(files):
    with pytest.raises(UsageError, match="nothing to compare"):
        run(files["key"])


def test_a_system_given_twice_is_refused(files):
    with pytest.raises(UsageError, match="given twice"):
        run(files["key"], files["good"], files["good"])


def test_unknown_tests_are_refused_before_anything_is_read(files):
    with pytest.raises(UnknownName, match="did you mean randomization"):
        run("nowhere", "nobody", "--test", "randomisation")


def test_what_to_cite_goes_to_a_file_or_after_the_report(files, tmp_path):
    target = tmp_path / "used" / "bib.bib"
    run(files["key"], files["good"], files["bad"], "--bibtex", target)
    assert "@article{mcnemar1947," in target.read_text()
    assert "@article{mcnemar1947," in run(files["key"], files["good"], files["bad"], "--bibtex", "-")


@pytest.mark.skipif(find_spec("altair") is None, reason="needs the extra charts")
def test_a_chart_is_drawn_and_a_page_holds_one(files, tmp_path):
    chart, page = tmp_path / "chart.svg", tmp_path / "page.html"
    run(files["key"], files["good"], files["bad"], "--chart", chart, "-f", "html", "-o", page)
    assert "good.conll" in chart.read_text()
    assert "<svg" in page.read_text()
