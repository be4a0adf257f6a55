"""Where the shared data is: ``data("litbank")`` is a folder, or skips the test that asks for it.

``COREFBENCH_DATA`` names a folder of unpacked archives; without it the archives in
``../shared/data`` are unpacked, once, into ``.cache/data``.
"""

import os
import tarfile
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def data(name: str) -> Path:
    """The folder of a data set."""
    given = os.environ.get("COREFBENCH_DATA")
    if given:
        folder = Path(given) / name
        if folder.is_dir():
            return folder
        pytest.skip(f"COREFBENCH_DATA has no folder {name}")
    cached = ROOT / ".cache" / "data" / name
    if cached.is_dir():
        return cached
    archive = ROOT.parent / "shared" / "data" / f"{name}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"the data set {name} is not here; COREFBENCH_DATA can name its folder")
    return _unpacked(archive, cached)


def _unpacked(archive: Path, folder: Path) -> Path:
    """Unpack beside the final place and rename, so that tests may run in parallel."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        try:
            (Path(scratch) / folder.name).rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    return folder
