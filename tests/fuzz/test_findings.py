"""Files that fuzzing found something with, made small: each is answered as it should be.

And that fuzzing can find something: the invariants hold for proper files of every format, and are
broken by a reader that does not keep them.
"""

from collections.abc import Iterator

import pytest

from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats
from corefbench.formats.base import Reading
from corefbench.formats.source import Source
from tests.fuzz.invariants import Broken, Target
from tests.fuzz.seeds import dictionary, seeds

FINDINGS = {
    "a field that comes twice, and is no list of clusters at first": (
        "preco",
        b'{"id":"d","sentences":[["a"]],"mention_clusters":["x"],"mention_clusters":[[[0,0,1]]]}',
    )
}


@pytest.mark.parametrize("what", FINDINGS)
def test_fixed_findings_stay_fixed(what: str) -> None:
    name, content = FINDINGS[what]
    Target(name).answer(content)


@pytest.mark.parametrize("name", list(formats))
def test_valid_files_of_every_format_keep_the_invariants(name: str) -> None:
    found = list(seeds(name))
    assert found, "fuzzing has nothing to begin with"
    target = Target(name)
    for content in found[:4]:
        target.answer(content)
        target.answer(content[: len(content) // 2])
    assert dictionary(found).count("\n") > 5


def test_a_reader_that_fails_without_a_code_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(self: object, source: Source, reading: Reading) -> Iterator[Corpus]:
        raise ValueError("not a coded error")

    target = Target("inline")
    monkeypatch.setattr(type(target.form), "read", read)
    with pytest.raises(ValueError, match="not a coded error"):
        target.answer(b"[Ann]1 left.")


def test_a_reader_that_takes_less_when_lenient_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("inline")
    answer = target._read
    monkeypatch.setattr(target, "_read", lambda where, lenient: None if lenient else answer(where, False))
    with pytest.raises(Broken, match="refused leniently"):
        target.answer(b"[Ann]1 left.")
