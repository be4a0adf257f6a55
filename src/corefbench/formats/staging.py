"""Writing so that an output is there whole or not at all: beside its place, then renamed."""

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from corefbench.errors import DataError, Place


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A scratch folder whose files move into ``folder`` when all went well, and go otherwise."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".converting-", dir=folder) as name:
            scratch = Path(name)
            yield scratch
            for path in written(scratch):
                place = folder / path
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(scratch / path, place)
    except OSError as error:
        raise DataError(
            "the output cannot be written",
            code="CB006",
            place=Place(source=str(error.filename or folder)),
            found=error.strerror or str(error),
            remedy="check the path and its permissions",
        ) from error


def written(folder: Path) -> list[Path]:
    """The files of a folder and its sub-folders, relative to it, sorted."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, packed where its name ends in ``.gz``; on the disk when closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(str(path), "wb") as raw:
        if path.suffix == ".gz":
            # Without the time: the same input gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw
        raw.flush()
        os.fsync(raw.fileno())
