"""Where the corpora are: ``COREFBENCH_DATA``, else the archives beside the project."""

import os
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INPUTS = ROOT / "benchmarks" / ".inputs"
_ARCHIVES = ROOT.parent / "shared" / "data"
_UNPACKED = ROOT / "benchmarks" / ".data"


def corpus(name: str) -> Path:
    """The folder of an unpacked corpus (``gum``, ``litbank``)."""
    given = os.environ.get("COREFBENCH_DATA")
    if given:
        return _existing(Path(given) / name)
    folder = _UNPACKED / name
    if not folder.exists():
        _unpack(_existing(_ARCHIVES / f"{name}.tar.xz"))
    return _existing(folder)


def _unpack(archive: Path) -> None:
    _UNPACKED.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as packed:
        packed.extractall(_UNPACKED, filter="data")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise SystemExit(f"{path} is missing: set COREFBENCH_DATA to a folder of unpacked corpora")
    return path
