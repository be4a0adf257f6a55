"""Read from memory, write to memory and compare corpora."""

import io
from typing import Any

import numpy as np
import pytest

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus, Parts
from corefbench.corpus.strings import Strings
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError
from corefbench.formats.base import Format, Reading
from corefbench.formats.source import Source


def read(form: Format, text: str | bytes, **options: Any) -> Corpus:
    content = text.encode() if isinstance(text, str) else text
    return concatenate("memory", list(form.read(Source.of(content), Reading(**options))))


def read_leniently(form: Format, text: str | bytes) -> tuple[Corpus, list[Finding]]:
    heard: list[Finding] = []
    return read(form, text, strictness=Strictness(lenient=True, report=heard.append)), heard


def written(form: Format, corpus: Corpus) -> bytes:
    stream = io.BytesIO()
    form.write(corpus, stream)
    return stream.getvalue()


def plain(value: object) -> object:
    """Arrays and columns as lists, so that they can be compared and shown."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Strings):
        return list(value)
    if isinstance(value, Parts):
        return [value.of(i) for i in range(len(value.offsets) - 1)]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value


def contents(corpus: Corpus, *, leave_out: tuple[str, ...] = ()) -> dict[str, object]:
    """Every column of a corpus under its name."""
    return {
        f"{group}.{field}": plain(getattr(getattr(corpus, group), field))
        for group in ("documents", "tokens", "mentions", "chains", "relations")
        for field in getattr(corpus, group).__struct_fields__
        if f"{group}.{field}" not in leave_out
    }


def assert_faulty(form: Format, code: str, text: str, line: int) -> Corpus:
    """A fault is raised with its line, or repaired and reported; what the repair leaves."""
    with pytest.raises(FormatError) as caught:
        read(form, text)
    assert (caught.value.code, caught.value.place.line) == (code, line)
    corpus, heard = read_leniently(form, text)
    assert code in [finding.code for finding in heard]
    return corpus


def assert_stable(form: Format, first: Corpus) -> None:
    """Written and read again it is the same, and written again the same bytes."""
    text = written(form, first)
    second = read(form, text)
    assert contents(second) == contents(first)
    assert written(form, second) == text
