"""The public corpora of the field: where to get them and how to read them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from corefbench.records import Record


class Dataset(Record, frozen=True):
    """What a corpus is, where to get it, and how to read it."""

    name: str
    title: str
    what: str
    where: str
    """The page of the project or of the publisher."""
    licence: str
    reference: str
    """The publication to cite."""
    languages: tuple[str, ...] = ("en",)
    size: str = ""
    format: str = ""
    """The format of its files; empty if it is detected."""
    files: str = ""
    """The folder or pattern of its files in COREFBENCH_DATA; empty if there is no loader."""
    parts: Mapping[str, str] = {}
    """Parts that are files of their own, each as a folder or a pattern …"""
    split: str = ""
    """… and the rule that splits the files if they are not; see ``load.SPLITS``."""
    how: str = ""
    """How to point corefbench at it."""


_ENTRIES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CATALOGUE: Mapping[str, Dataset] = MappingProxyType(
    {name: msgspec.convert({"name": name, **fields}, Dataset) for name, fields in _ENTRIES.items()}
)
"""The corpora of ``catalogue.toml`` under their names."""
