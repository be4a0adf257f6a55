"""``--run``, ``corefbench show`` and ``corefbench verify RUN``: kept, shown, scored again."""

import csv
import io
import json
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corefbench.errors import FormatError, UnknownName, UsageError
from corefbench.runs import open_run
from tests import cli
from tests.cli import run
from tests.unit.bench.texts import CONLLU
from tests.unit.runs.samples import KEY, RESPONSES

STEADY = "steady.response.conll"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "x.corefrun"
    run("score", KEY, *RESPONSES.values(), "--run", path)
    return path


def test_scores_are_printed_as_without_a_run(tmp_path: Path) -> None:
    arguments = ("score", KEY, RESPONSES["steady"], "--format", "json", "--singletons", "strip")
    with_run = run(*arguments, "--run", tmp_path / "x")
    assert json.loads(with_run) == json.loads(run(*arguments))


def test_the_summary_has_scores_signatures_and_inputs(kept: Path) -> None:
    output = run("show", kept)
    assert "steady.response.conll       87.67  90.00  80.61  79.45" in output
    assert "steady.response.conll: conll-2012|match:exact|" in output
    for part in ("Kind", "Created", "SHA-256", "key.conll"):
        assert part in output


def test_json_is_the_header(kept: Path) -> None:
    result = json.loads(run("show", kept, "--format", "json"))
    assert result["schema"] == 2
    assert result["documents"] == ["bicycle_0", "library_0", "cats_0"]
    assert [item["role"] for item in result["inputs"]] == ["key", "response", "response", "response"]


@pytest.mark.parametrize("shape", ["markdown", "latex", "csv", "html"])
def test_other_formats_have_the_scores_too(kept: Path, shape: str) -> None:
    assert "77.46" in run("show", kept, "--format", shape)


def test_a_document_is_shown_with_what_became_of_each_mention(kept: Path) -> None:
    lines = run("show", kept, "-d", "bicycle_0", "-r", STEADY).splitlines()
    assert "✓ right  ✗ wrong  ○ missed  + spurious" in lines[1]
    # The response has a shorter span for the market, and begins a chain anew with the boy.
    assert "   2 key       [He]3✓ rode [it]2✓ to [the market by [the river]5○]4○ ." in lines
    assert "     response  [He]c✓ rode [it]b✓ to [the market]d+ by the river ." in lines
    assert any(line.endswith("and [the boy]e✗ fell .") for line in lines)


def test_a_document_as_a_table_has_a_row_a_mention(kept: Path) -> None:
    output = run("show", kept, "-d", "bicycle_0", "-r", STEADY, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(output)))
    last = rows[-2]
    assert (last["Mark"].lstrip("'"), last["Side"], last["Mention"]) == (*("+", "response", "the market"),)
    assert [row["Mark"] for row in rows if row["Mention"] == "the boy"] == ["✗", "✗"]


def test_a_document_as_json_is_what_the_file_holds(kept: Path) -> None:
    result = json.loads(run("show", kept, "-d", "cats_0", "-f", "json"))
    assert result["label"] == "cats_0"
    assert result["responses"][STEADY]["tokens"]["words"] == result["key"]["tokens"]["words"]


def test_a_document_as_a_page_is_escaped(tmp_path: Path) -> None:
    evil = tmp_path / "evil.conll"
    evil.write_bytes(KEY.read_bytes().replace(b"Mira", b"<script>"))
    run("score", evil, evil, "--run", tmp_path / "x")
    output = run("show", tmp_path / "x", "-d", "bicycle_0", "-f", "html")
    assert "<script>" not in output
    assert "[&lt;script&gt;]1✓" in output


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    evil = tmp_path / "evil.conll"
    evil.write_bytes(KEY.read_bytes().replace(b"Mira", b"M\x1b[31mira"))
    run("score", evil, evil, "--run", tmp_path / "x")
    output = run("show", tmp_path / "x", "-d", "bicycle_0")
    assert "\x1b" not in output
    assert "␛[31m" in output


def test_a_drawing_needs_nothing_else(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    run("show", kept, "-d", "bicycle_0", "-r", STEADY, "--svg", path)
    drawing = path.read_text(encoding="utf-8")
    words = "".join(ElementTree.fromstring(drawing).itertext()).replace("\xa0", " ")
    assert "]3✗" in words
    assert "url(http" not in drawing
    assert "@font-face" not in drawing
    with pytest.raises(UsageError, match="document by document"):
        run("show", kept, "--svg", path)


def test_output_goes_to_a_file(kept: Path, tmp_path: Path) -> None:
    run("show", kept, "-d", "bicycle_0", "-o", tmp_path / "made" / "x.txt")
    assert "[Mira]1" in (tmp_path / "made" / "x.txt").read_text(encoding="utf-8")


def test_unknown_names_are_answered_with_the_nearest(kept: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean bicycle_0"):
        run("show", kept, "-d", "bicicle_0")
    with pytest.raises(UnknownName, match=r"did you mean steady\.response\.conll"):
        run("show", kept, "-d", "bicycle_0", "-r", "stedy.response.conll")
    with pytest.raises(UsageError, match="document by document"):
        run("show", kept, "-r", STEADY)


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(FormatError, match="not a run file"):
        run("show", KEY)


def test_a_comparison_of_resolvers_is_shown_with_its_rates(tmp_path: Path) -> None:
    (tmp_path / "corpus.conllu").write_bytes(CONLLU)
    path = tmp_path / "b.corefrun"
    resolvers = ("--mode", "annotated", "--resolvers", "most-recent,random", "--run", path)
    run("bench", tmp_path / "corpus.conllu", *resolvers)
    output = run("show", path)
    assert "Success" in output
    assert "75.00" in output
    assert "[It]1✗ barked ." in run("show", path, "-d", "second", "-r", "most-recent")
    assert "verified: 2 documents" in run("verify", path)


def test_a_run_is_verified_from_itself(kept: Path) -> None:
    # 7 tallies of 4 columns, BLANC's has 6 more: 30 numbers, 3 documents, 3 responses
    assert run("verify", kept) == ("verified: 3 documents scored again, 3 results, 270 counts equal to the last bit\n")


def test_a_signature_still_needs_its_data(kept: Path) -> None:
    signature = open_run(kept).header.results[2].signature
    assert "verified" in run("verify", signature, KEY, RESPONSES["steady"])
    with pytest.raises(UsageError, match="with the data that was scored"):
        run("verify", signature, KEY)


def test_exit_codes_tell_no_from_broken(kept: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    code = partial(cli.exit_code, monkeypatch)
    assert code("verify", kept) == 0
    kept.write_bytes(kept.read_bytes()[:-30])
    assert code("show", kept) == 3
    assert "CB118" in capsys.readouterr().err
    assert code("show", tmp_path / "none") == 3
