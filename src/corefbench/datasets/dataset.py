"""The card of a public corpus."""

from collections.abc import Mapping

from corefbench.record import Record


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
    """The format its files are in; empty where they are recognised."""
    files: str = ""
    """Where, in COREFBENCH_DATA, its files are: a folder, or a pattern; empty where there is no
    loader and the files are named on the command line."""
    parts: Mapping[str, str] = {}
    """Parts that are files of their own, each as a folder or a pattern …"""
    split: str = ""
    """… and the rule that divides the files where they are not; see ``splits``."""
    how: str = ""
    """How to point corefbench at it."""
