"""The kit finds a format at fault that breaks a rule, and none of the built-in ones."""

from collections.abc import Iterator
from typing import BinaryIO

import pytest
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding
from corefbench.formats import formats
from corefbench.formats.base import Reading
from corefbench.formats.convert import FolderWriter
from corefbench.formats.jsonlines import JsonLines
from corefbench.formats.source import Source
from corefbench.testing import Nonconformance, check_format

NAMED = {"litbank", "are-1", "are-2", "are-3", "are-4", "text"}
"""Formats that are never guessed, or not from a file that holds several."""
WRITTEN = [name for name in formats if formats[name]().card.writes or isinstance(formats[name](), FolderWriter)]


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "mmax"])
def test_the_built_in_formats_keep_the_rules(name: str) -> None:
    check_format(formats[name], corpora=2, recognised=name not in NAMED)


class Mine(JsonLines):
    card = replace(JsonLines.card, name="mine", extensions=(".mine",))


class ForgetsMentions(Mine):
    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        for corpus in super().read(source, reading):
            from corefbench.corpus.combine import keep_mentions

            keep = corpus.mentions.start > 0
            yield keep_mentions(corpus, keep)


class WritesTheTime(Mine):
    count = 0

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        super().write(corpus, stream)
        WritesTheTime.count += 1
        stream.write(b"\n" * WritesTheTime.count)


class Crashes(Mine):
    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        with source.open() as stream:
            stream.read().decode()
        return super().read(source, reading)


class HasNoCode(Mine):
    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        reading.strictness.report(Finding(code="X1", severity="note", message="strange"))
        return super().read(source, reading)


class KnowsEverything(Mine):
    def recognises(self, head: bytes) -> float:
        return 0.95 if head else 0.0


class KnowsNothing(Mine):
    def recognises(self, head: bytes) -> float:
        return 0.0


class IsTooSure(Mine):
    def recognises(self, head: bytes) -> float:
        return 7.0


class HasAnOddName(Mine):
    card = replace(Mine.card, name="My Format")


class HasOddExtensions(Mine):
    card = replace(Mine.card, extensions=("mine",))


@pytest.mark.parametrize(
    ("format", "rule"),
    [
        (ForgetsMentions, "chains differ"),
        (WritesTheTime, "the same bytes"),
        (Crashes, "refused with a code of corefbench.errors; found UnicodeDecodeError"),
        (HasNoCode, "findings have a code"),
        (KnowsEverything, "does not take just anything"),
        (KnowsNothing, "recognises its own file"),
        (IsTooSure, "confidence lies between 0 and 1"),
        (HasAnOddName, "lower case"),
        (HasOddExtensions, "begin with a dot"),
    ],
)
def test_a_format_that_breaks_a_rule_is_told_which(format: type[Mine], rule: str) -> None:
    with pytest.raises(Nonconformance, match=rule):
        check_format(format, corpora=5)


def test_a_format_that_cannot_be_written_is_checked_on_a_sample() -> None:
    class ReadsOnly(Mine):
        card = replace(Mine.card, writes=False)

    with pytest.raises(Nonconformance, match="give a sample"):
        check_format(ReadsOnly)
    line = b'{"doc_key": "a", "sentences": [["It", "is"]], "clusters": [[[0, 0]]]}\n'
    check_format(ReadsOnly, sample=line)
