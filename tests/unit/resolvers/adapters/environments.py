"""Environments and packages for tests: real Pythons, and packages that imitate the real ones.

None of the systems can be installed with its models here, so small modules stand in for them: they
have the classes, arguments and results that the documentation of the package describes.
"""

import sys
from pathlib import Path
from venv import EnvBuilder

import pytest

from corefbench.resolvers.adapters import third_party
from corefbench.resolvers.base import Resolution


def install(folder: Path, name: str, code: str, *, package: str = "", version: str = "") -> None:
    """Leave a module, and its metadata where it has a version, as an installation does."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    if version:
        package = package or name
        metadata = folder / f"{package.replace('-', '_')}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Name: {package}\nVersion: {version}\n")


def environment(folder: Path) -> Path:
    """An empty environment; what is installed goes into the folder that ``packages`` gives."""
    EnvBuilder(symlinks=True).create(folder)
    return folder


def packages(made: Path) -> Path:
    """Where the packages of an environment are."""
    return next((made / "lib").glob("python*/site-packages"))


def import_from(monkeypatch: pytest.MonkeyPatch, folder: Path, *modules: str) -> None:
    """Make the modules importable here, for one test."""
    monkeypatch.syspath_prepend(str(folder))
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)  # so that it is forgotten afterwards
        del sys.modules[name]
    third_party._get_backend.cache_clear()


def chains(resolution: Resolution) -> list[list[str]]:
    """The chains as texts."""
    phrases, text_of = resolution.discourse.phrases, resolution.discourse.text_of
    return [[text_of(phrases[number]) for number in chain] for chain in resolution.chains()]
