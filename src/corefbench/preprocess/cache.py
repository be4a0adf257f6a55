"""Analyses kept on disk, so that no text is parsed twice by the same pipeline.

The name of an entry is a hash of the pipeline's identity and of everything that it sees. Entries
are written whole or not at all; one that cannot be read counts as missing.
"""

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from corefbench.caches import cache_folder
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor, PreprocessorCard

_FORMAT = b"corefbench analysis 1"
"""Part of every name: a change of the records or of what all pipelines share makes new entries."""
_BATCH = 32
_LEVEL = 1

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Analysis).decode


class Cached:
    """A pre-processor that looks into a folder first."""

    def __init__(self, preprocessor: Preprocessor, folder: Path | None = None) -> None:
        self.preprocessor = preprocessor
        self.card: PreprocessorCard = preprocessor.card
        self.folder = folder or cache_folder("analyses")

    @property
    def identity(self) -> str:
        return self.preprocessor.identity

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs; only unknown texts reach the pipeline."""
        batch: list[Input] = []
        for given in inputs:
            batch.append(given)
            if len(batch) == _BATCH:
                yield from self._batch(batch)
                batch = []
        yield from self._batch(batch)

    def _batch(self, batch: list[Input]) -> Iterator[Analysis]:
        paths = [self.folder / entry_name(given, self.identity) for given in batch]
        known = [read(path) for path in paths]
        missing = [given for given, found in zip(batch, known, strict=True) if found is None]
        fresh = iter(self.preprocessor.analyse(missing)) if missing else iter(())
        for path, found in zip(paths, known, strict=True):
            if found is None:
                found = next(fresh)
                write(path, found)
            yield found


def entry_name(given: Input, identity: str) -> str:
    """The name of an entry: two characters, a folder, and the rest of the hash."""
    seen = (
        given.name,
        given.text,
        given.offsets,
        given.sentences,
        given.paragraphs,
        given.speakers,
    )
    name = hashlib.sha256(b"\0".join((_FORMAT, identity.encode(), _encode(seen)))).hexdigest()
    return f"{name[:2]}/{name[2:]}"


def read(path: Path) -> Analysis | None:
    """The entry, or None where it is missing or broken."""
    try:
        return _decode(zlib.decompress(path.read_bytes()))
    except (OSError, zlib.error, msgspec.DecodeError, msgspec.ValidationError):
        return None


def write(path: Path, analysis: Analysis) -> None:
    """Write beside the final place and rename; where the disk refuses, nothing is kept."""
    content = zlib.compress(_encode(analysis), _LEVEL)
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
