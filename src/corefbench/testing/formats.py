"""Whether a format keeps the rules: what it writes it reads again, and bad bytes do no harm."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

from corefbench.errors import CODES, CorefbenchError
from corefbench.findings import Finding, Strictness
from corefbench.formats import formats
from corefbench.formats.base import Feature, Format, Reading
from corefbench.formats.convert import FolderWriter
from corefbench.formats.features import beyond
from corefbench.formats.sniff import CERTAIN
from corefbench.formats.source import Source
from corefbench.testing.corpora import corpus_for
from corefbench.testing.damage import damaged
from corefbench.testing.files import there_and_back, write
from corefbench.testing.rule import Nonconformance, require, require_card
from corefbench.testing.telling import in_order, told

TWO_WAY: frozenset[Feature] = frozenset(("words", "singletons"))
"""A format that holds these, and is read and written, must give corpora back."""
FLIPS = 25
"""How many copies of a file have bytes changed."""


def check_format(
    format: Format | Callable[[], Format],
    *,
    corpora: int = 25,
    seed: int = 0,
    sample: bytes | None = None,
    recognised: bool = True,
) -> None:
    """Check the card, recognition, the way there and back, and hostile bytes.

    ``sample`` is a file of the format, needed only where it cannot be written; ``recognised`` is
    false of a format that looks like another and is always named.

    >>> from corefbench.formats.jsonlines import JsonLines
    >>> check_format(JsonLines, corpora=2)
    """
    form = format() if callable(format) else format
    who = f"format {form.card.name}"
    _check_card(form, who)
    if is_two_way(form):
        for number in range(corpora):
            check_round_trip(form, seed + number)
    given = _sample(form, seed) if sample is None else {"sample": sample}
    _check_recognition(form, who, given if recognised and len(given) == 1 else {})
    check_damaged(form, given, seed=seed)


def is_two_way(form: Format) -> bool:
    """Whether it can give a corpus back."""
    card = form.card
    writes = card.writes or isinstance(form, FolderWriter)
    return card.reads and writes and not card.selects and card.holds >= TWO_WAY


def check_round_trip(form: Format, seed: int) -> None:
    """What is written is read again, all that the card says it holds, and written the same."""
    who = f"format {form.card.name}, corpus {seed}"
    corpus = corpus_for(form.card, seed)
    over = beyond(corpus, form.card).keys() - {"chain labels", "text", "document names"}
    require(not over, who, "the corpus to write has no more than it holds", ", ".join(over))
    second, files = there_and_back(form, corpus)
    expected = in_order(told(corpus, form.card), form)
    _same(in_order(told(second, form.card), form), expected, f"{who}: what was written is read")
    third, again = there_and_back(form, second)
    require(again == files, who, "what was read is written again in the same bytes")
    _same(in_order(told(third, form.card), form), expected, f"{who}: what was read twice")


def _same(found: list[dict[str, object]], expected: list[dict[str, object]], what: str) -> None:
    if len(found) != len(expected):
        raise Nonconformance(f"{what}: {len(found)} documents, not {len(expected)}")
    for ours, theirs in zip(found, expected, strict=True):
        for name in theirs:
            if ours.get(name) != theirs[name]:
                raise Nonconformance(
                    f"{what}: {name} differ; found {ours.get(name)!r}, expected {theirs[name]!r}"
                )


def check_damaged(form: Format, files: dict[str, bytes], *, seed: int = 0) -> None:
    """Bytes that are no proper file are read or refused with a code, strictly and leniently."""
    for name, content in files.items():
        for what, bad in damaged(content, seed, flips=FLIPS // len(files)):
            for lenient in (False, True):
                _answered(form, {**files, name: bad}, what, lenient)


def _answered(form: Format, files: dict[str, bytes], what: str, lenient: bool) -> None:
    heard: list[Finding] = []
    reading = Reading(strictness=Strictness(lenient=lenient, report=heard.append))
    who = f"format {form.card.name}, {what}{', lenient' if lenient else ''}"
    rule = "bad bytes are read, or refused with a code of corefbench.errors"
    with tempfile.TemporaryDirectory() as folder:
        source = _put(form, files, Path(folder))
        try:
            for corpus in form.read(source, reading):
                len(corpus)
        except CorefbenchError as error:
            require(error.code in CODES and error.code != "CB001", who, rule, error.code)
        except Exception as error:
            raise Nonconformance(f"{who}: {rule}; found {type(error).__name__}: {error}") from error
    for finding in heard:
        require(finding.code in CODES, who, "findings have a code of corefbench.errors", finding)


def _put(form: Format, files: dict[str, bytes], folder: Path) -> Source:
    """The files on disk, as a source: the folder itself where the format writes folders."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    single = len(files) == 1 and not (isinstance(form, FolderWriter) and not form.card.writes)
    return Source.of(folder / next(iter(files)) if single else folder)


def _sample(form: Format, seed: int) -> dict[str, bytes]:
    """The files that a corpus becomes."""
    if not (form.card.writes or isinstance(form, FolderWriter)):
        raise Nonconformance(f"format {form.card.name}: it cannot be written, so give a sample")
    with tempfile.TemporaryDirectory() as folder:
        return write(form, corpus_for(form.card, seed), Path(folder))


def _check_card(form: Format, who: str) -> None:
    card = form.card
    require_card(card, who, "title", "description")
    require(card.holds <= {*get_args(Feature)}, who, "it holds known features", [*card.holds])
    dotted = all(one.startswith(".") for one in card.extensions)
    require(dotted, who, "extensions begin with a dot", card.extensions)


def _check_recognition(form: Format, who: str, files: dict[str, bytes]) -> None:
    """It is sure of its own, never of nothing, and no surer of others' files than they are."""
    for content in (b"", b"\0" * 64, b"Once upon a time.\n"):
        sure = form.recognises(content)
        require(0 <= sure <= 1, who, "it is sure from 0 to 1", sure)
        require(sure < 0.5, who, "it does not take just anything for its own", content[:20])
    require(form.recognises(b"") == 0, who, "it does not recognise an empty file")
    for content in files.values():
        require(form.recognises(content[: 1 << 16]) > 0, who, "it recognises its own file")
    for name, other, content in _others(form.card.name):
        sure, theirs = form.recognises(content), other.recognises(content)
        # A format that is certain is not asked against others that come after it.
        apart = sure <= theirs or theirs >= CERTAIN
        require(apart, who, f"it leaves files in {name} alone", sure)


def _others(own: str) -> Iterator[tuple[str, Format, bytes]]:
    """A file in each of the most common formats."""
    for name in ("conll", "corefud", "jsonlines", "inline"):
        if name != own:
            other = formats[name]()
            yield name, other, _sample(other, 7)["made"]
