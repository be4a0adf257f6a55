"""The cache: nothing is parsed twice, and nothing broken comes out."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from corefbench.preprocess.analysis import Analysis, Constituent, Entity
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.cache import CachedPreprocessor, entry_name, read_entry, write_entry
from tests.trees import analysis


class Counting:
    card = PreprocessorCard(name="counting", title="Counting", description="Counts.")

    def __init__(self, identity: str = "counting 1") -> None:
        self.identity = identity
        self.seen: list[str] = []

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        for given in inputs:
            self.seen.append(given.name)
            yield replace(analysis("He he PRON PRP 0 root"), name=given.name)


def inputs(*names: str) -> list[Input]:
    return [Input(name=name, text=f"text of {name}") for name in names]


def test_known_texts_do_not_reach_the_pipeline(tmp_path: Path):
    pipeline = Counting()
    cached = CachedPreprocessor(pipeline, tmp_path)
    first = list(cached.analyse(inputs("a", "b")))
    again = list(cached.analyse(inputs("b", "c", "a")))
    assert [one.name for one in again] == ["b", "c", "a"]
    assert pipeline.seen == ["a", "b", "c"]
    assert again[2] == first[0]
    assert cached.identity == "counting 1"


def test_another_pipeline_or_another_input_is_another_entry(tmp_path: Path):
    list(CachedPreprocessor(Counting(), tmp_path).analyse(inputs("a")))
    other = Counting("counting 2")
    list(CachedPreprocessor(other, tmp_path).analyse(inputs("a")))
    assert other.seen == ["a"]
    given = inputs("a")[0]
    tokens = replace(given, offsets=((0, 4),))
    assert entry_name(given, "x") != entry_name(tokens, "x")
    assert entry_name(given, "x") != entry_name(replace(given, text="other"), "x")


def test_a_broken_entry_is_replaced(tmp_path: Path):
    pipeline = Counting()
    list(CachedPreprocessor(pipeline, tmp_path).analyse(inputs("a")))
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    for content in (b"", b"nonsense", path.read_bytes()[:-5]):
        path.write_bytes(content)
        assert read_entry(path) is None
        list(CachedPreprocessor(pipeline, tmp_path).analyse(inputs("a")))
        assert read_entry(path) is not None
    assert pipeline.seen == ["a"] * 4


def test_a_cached_analysis_is_complete(tmp_path: Path):
    leaf = Constituent(label="PRP", start=0, end=1)
    made = replace(
        analysis("He he PRON PRP 0 root"),
        entities=(Entity(start=0, end=1, type="person"),),
        trees=(Constituent(label="NP", start=0, end=1, children=(leaf,)),),
        speakers=("Ann",),
    )
    write_entry(tmp_path / "x" / "entry", made)
    assert read_entry(tmp_path / "x" / "entry") == made
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["entry"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    cached = CachedPreprocessor(Counting(), tmp_path / "file" / "below")
    assert len(list(cached.analyse(inputs("a")))) == 1


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("COREFBENCH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert CachedPreprocessor(Counting()).folder == tmp_path / "corefbench" / "analyses"
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path / "mine"))
    assert CachedPreprocessor(Counting()).folder == tmp_path / "mine" / "analyses"
