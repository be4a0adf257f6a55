"""``corefbench train`` and ``corefbench predict``: what they write, print and refuse."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from corefbench.errors import FormatError, UsageError
from corefbench.formats.load import load
from tests.cli import invoke as run

pytest.importorskip("safetensors", reason="needs the extra learned")
pytest.importorskip("onnxruntime", reason="needs the extra en-accurate")

KEY = Path(__file__).parents[4] / "examples" / "key.conll"
CONFIG = """kind = "ubiu"
[[train]]
corpus = "bundled"
only = ["news"]
[[dev]]
corpus = "bundled"
only = ["story-dog"]
[model]
singletons = "all"
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("config") / "tiny.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(config, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    done = run("train", config, "-o", folder)
    assert done.stdout.startswith(f"{folder}: ubiu, development bundled ")
    assert "pairs of document 6/6, 0 s left" in done.stderr
    return folder


def test_quiet_training_prints_only_its_result(config, tmp_path):
    done = run("train", config, "-o", tmp_path, "--quiet")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_response_is_written_in_the_format_of_its_ending(model, tmp_path):
    path = tmp_path / "response.jsonl"
    run("predict", model, KEY, "-o", path, "--quiet")
    assert len(load(path)) == 3


def test_a_response_is_printed_in_conll_or_another_format(model):
    printed = run("predict", model, KEY).stdout
    assert printed.startswith("#begin document (bicycle)")
    lines = run("predict", model, KEY, "--to", "jsonlines").stdout.splitlines()
    assert [json.loads(line)["doc_key"] for line in lines] == ["bicycle_0", "library_0", "cats_0"]


def test_given_mentions_are_kept(model):
    printed = run("predict", model, KEY, "--mentions", "gold").stdout
    key = load(KEY)
    answer = load(printed.encode(), format="conll")
    for ours, theirs in zip(answer, key, strict=True):
        assert sorted(s for c in ours.clusters() for s in c) == sorted(s for c in theirs.clusters() for s in c)


def test_mentions_that_are_none_and_models_that_are_none_are_refused(model, tmp_path):
    with pytest.raises(UsageError, match="predicted, gold, non-singleton"):
        run("predict", model, "bundled", "--mentions", "some")
    with pytest.raises(UsageError, match="only cross-document models"):
        run("predict", model, "bundled", "--linking", "blocked")
    with pytest.raises(FormatError, match="CB251"):
        run("predict", tmp_path, "bundled")


def test_a_wrong_configuration_is_refused_with_its_place(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(CONFIG.replace("singletons", "singeltons"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"wrong\.toml: CB250"):
        run("train", path, "-o", tmp_path)


def test_a_curve_is_a_table_a_file_and_a_chart(config, tmp_path):
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        pytest.skip("needs the extra charts")
    chart = tmp_path / "curve.svg"
    done = run("train", config, "-o", tmp_path, "--curve", "0.5,1", "--chart", chart, "--quiet")
    rows = [line.split()[:2] for line in done.stdout.splitlines() if line.strip()[:1] in {"0", "1"}]
    assert rows == [["0.5", "3"], ["1", "6"]]
    assert len(json.loads((tmp_path / "curve.json").read_bytes())["points"]) == 2
    assert "not in training" in chart.read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", [("--curve", "half"), ("--chart", "x.svg")])
def test_a_curve_needs_shares(config, tmp_path, arguments):
    with pytest.raises(UsageError):
        run("train", config, "-o", tmp_path, *arguments)
