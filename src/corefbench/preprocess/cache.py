"""Disk cache of analyses, so that no text is parsed twice by the same pipeline.

The name of an entry is a hash of the pipeline's identity and its whole input. Entries are written
atomically; one that cannot be read counts as missing.
"""

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from corefbench.paths import cache_folder
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor, PreprocessorCard

_FORMAT = b"corefbench analysis 1"
"""Part of every name; raise it when the records or the code shared by all pipelines change."""
_BATCH = 32
_COMPRESSION_LEVEL = 1

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Analysis).decode


class CachedPreprocessor:
    """A pre-processor with a disk cache."""

    def __init__(self, preprocessor: Preprocessor, folder: Path | None = None) -> None:
        self.preprocessor = preprocessor
        self.card: PreprocessorCard = preprocessor.card
        self.folder = folder or cache_folder("analyses")

    @property
    def identity(self) -> str:
        return self.preprocessor.identity

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs; only new ones reach the pipeline."""
        batch: list[Input] = []
        for source in inputs:
            batch.append(source)
            if len(batch) == _BATCH:
                yield from self._batch(batch)
                batch = []
        yield from self._batch(batch)

    def _batch(self, batch: list[Input]) -> Iterator[Analysis]:
        paths = [self.folder / entry_name(source, self.identity) for source in batch]
        entries = [read_entry(path) for path in paths]
        missing = [source for source, entry in zip(batch, entries, strict=True) if entry is None]
        analyses = iter(self.preprocessor.analyse(missing)) if missing else iter(())
        for path, entry in zip(paths, entries, strict=True):
            if entry is None:
                entry = next(analyses)
                write_entry(path, entry)
            yield entry


def entry_name(source: Input, identity: str) -> str:
    """Return the path of an entry: a folder of two characters and the rest of the hash."""
    content = (source.name, source.text, source.offsets, source.sentences, source.paragraphs, source.speakers)
    name = hashlib.sha256(b"\0".join((_FORMAT, identity.encode(), _encode(content)))).hexdigest()
    return f"{name[:2]}/{name[2:]}"


def read_entry(path: Path) -> Analysis | None:
    """Return the entry, or None if it is missing or broken."""
    try:
        return _decode(zlib.decompress(path.read_bytes()))
    except (OSError, zlib.error, msgspec.DecodeError, msgspec.ValidationError):
        return None


def write_entry(path: Path, analysis: Analysis) -> None:
    """Write an entry atomically; ignore a full or read-only disk."""
    content = zlib.compress(_encode(analysis), _COMPRESSION_LEVEL)
    scratch = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            scratch = stream.name
            stream.write(content)
        os.replace(scratch, path)
    except OSError:
        if scratch:
            Path(scratch).unlink(missing_ok=True)
