"""Training configuration files and their corpora.

kind = "neural"
seed = 0
[[train]]
corpus = "litbank/0/train"
scheme = "litbank"
[[dev]]
corpus = "litbank/0/dev"
scheme = "litbank"
[model]
[training]
epochs = 10
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from corefbench.corpus.combine import keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.datasets import CATALOGUE, load_dataset
from corefbench.datasets.bundled import load_bundled
from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, Place
from corefbench.formats.load import is_pattern, load
from corefbench.preprocess import DEFAULT
from corefbench.records import Longs, Record
from corefbench.scoring.signature import ContentHash

T = TypeVar("T")

_EXPECTED = "a TOML file with kind, [[train]] and [[dev]]; see the page on training"

Report = Callable[[str], None]
"""Called with lines that say how training proceeds."""


class CorpusSource(Record, frozen=True, forbid_unknown_fields=True):
    """A corpus for training, or for choosing parameters."""

    corpus: str
    """A path, ``bundled``, or a name of the catalogue such as ``litbank/0/train``."""
    scheme: str = "own"
    """Name of its annotation scheme; corpora of one scheme have the same kinds of mentions."""
    also: Mapping[str, str] = {}
    """Corpora with further annotation of the same documents, by scheme. For the source's own scheme
    it replaces the annotation of ``corpus``."""
    only: tuple[str, ...] = ()
    """Documents to take, by name or by a part of it between ``_`` or ``-``, such as a genre."""
    without: tuple[str, ...] = ()
    """Documents to leave out, named in the same way."""
    lenient: bool = False
    """Whether to repair faulty files rather than refuse them."""


class TrainingConfig(Record, frozen=True, forbid_unknown_fields=True):
    """A training configuration file."""

    kind: Literal["ubiu", "neural", "cross-document"]
    train: tuple[CorpusSource, ...]
    dev: tuple[CorpusSource, ...] = ()
    calibrate: tuple[CorpusSource, ...] = ()
    """Corpora of schemes that are not in ``dev``, on which only thresholds are chosen."""
    seed: int = 0
    share: float = 1.0
    """Share of the training documents that is used."""
    licence: str = ""
    notes: str = ""
    start: str = ""
    """Folder of a trained model of the same kind and shape, whose weights are the initial ones."""
    preprocess: str = DEFAULT
    """Pipeline that finds noun phrases, for models that need them."""
    model: Mapping[str, Any] = {}
    training: Mapping[str, Any] = {}
    source: str = ""
    """File name, for error messages; set on reading."""


def read_config(path: Path) -> TrainingConfig:
    """Read a configuration; errors name the line."""
    text = ""
    try:
        text = path.read_text("utf-8")
        config = msgspec.convert(tomllib.loads(text), TrainingConfig)
    except OSError as error:
        raise FormatError(
            "the file cannot be read", code="CB006", place=Place(source=str(path)), found=error.strerror or str(error)
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise _config_error(str(error), _locate(path, text, str(error))) from error
    place = Place(source=str(path))
    if not config.train:
        raise _config_error("no [[train]]", place)
    if not 0 < config.share <= 1:
        raise _config_error(f"share {config.share}", place, "a share above 0, at most 1")
    return msgspec.structs.replace(config, source=str(path))


def parse_section(values: Mapping[str, Any], kind: type[T], section: str, source: str = "") -> T:
    """Convert a section of a configuration to its record; unknown names are refused."""
    known = kind.__struct_fields__  # type: ignore[attr-defined]
    unknown = [name for name in values if name not in known]
    place = Place(source=source)
    if unknown:
        raise _config_error(f"{unknown[0]!r} in [{section}]", place, ", ".join(known))
    try:
        return msgspec.convert(dict(values), kind)
    except msgspec.ValidationError as error:
        raise _config_error(f"[{section}]: {error}", place, "a value that fits") from error


def _config_error(found: str, place: Place, expected: str = _EXPECTED) -> FormatError:
    return FormatError("the configuration cannot be used", code="CB250", place=place, found=found, expected=expected)


def _locate(path: Path, text: str, message: str) -> Place:
    """Return the line that the parser names, or that of the invalid setting."""
    position = re.search(r"at line (\d+), column (\d+)", message)
    if position:
        return Place(source=str(path), line=int(position[1]), column=int(position[2]))
    named = re.search(r"unknown field `(\w+)`", message) or re.search(r"\$.*?(\w+)(?:\[.*)?`$", message)
    if named:
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(rf"\s*(\[+\s*)?{named[1]}\b", line):
                return Place(source=str(path), line=number)
    return Place(source=str(path))


def load_corpus(name: str, *, lenient: bool = False) -> Corpus:
    """Load a corpus by path or name, without non-referring mentions."""
    corpus = _read_corpus(name, lenient)
    referring = corpus.mentions.referring
    return corpus if referring is None else keep_mentions(corpus, referring)


def _read_corpus(name: str, lenient: bool) -> Corpus:
    if not Path(name).exists() and not is_pattern(name):
        if name == "bundled":
            return load_bundled()
        if name.partition("/")[0] in CATALOGUE:
            return load_dataset(name, strictness=Strictness(lenient=lenient))
    return load(name, lenient=lenient)


def load_source(source: CorpusSource, share: float = 1.0, seed: int = 0) -> Corpus:
    """Load the selected documents of a source, or a random share of them.

    With the same seed, a smaller share is part of every larger one.
    """
    corpus = load_corpus(source.corpus, lenient=source.lenient)
    wanted = np.array(
        [
            number
            for number, name in enumerate(corpus.documents.names)
            if _is_wanted(source, {name, *re.split("[_-]", name)})
        ],
        np.int64,
    )
    if share < 1:
        order = np.random.default_rng(seed).permutation(len(wanted))
        wanted = np.sort(wanted[order[: ceil(share * len(wanted))]])
    return corpus if len(wanted) == len(corpus) else _take_documents(corpus, wanted)


def _is_wanted(source: CorpusSource, names: set[str]) -> bool:
    listed = not source.only or bool(names & {*source.only})
    return listed and not names & {*source.without}


def _take_documents(corpus: Corpus, wanted: Longs) -> Corpus:
    documents = corpus.documents
    names = [(documents.names[n], int(documents.parts[n])) for n in wanted.tolist()]
    return take_documents(corpus, wanted, names)


def hash_sources(sources: Iterable[CorpusSource]) -> dict[str, str]:
    """Return the content hash of every corpus by name."""
    hashes = {}
    for source in sources:
        for name in (source.corpus, *source.also.values()):
            content = ContentHash()
            content.add(load_corpus(name, lenient=source.lenient))
            hashes[name] = str(content)
    return hashes
