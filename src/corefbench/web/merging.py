"""Merges that are kept: the annotations as they were given, and the choices made.

    merges/ID/merge.json          ``Manifest``
    merges/ID/annotations/N/NAME  each annotation: a file or a folder
    merges/ID/key/NAME            an adjudicated annotation, where one was given
    merges/ID/decisions.txt       a person's answers, where there are some

The ID is a hash of all of it: the same annotations and choices have the same address. Results are
made of these when they are asked for.
"""

import os
import shutil
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import fullmatch, sub
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from corefbench.errors import DataError, Place, UnknownName, UsageError
from corefbench.record import Record
from corefbench.web.workbench import Workbench, write_whole

if TYPE_CHECKING:
    from corefbench.analysis.annotation.agreement import Agreement
    from corefbench.analysis.annotation.merge import Merge

Given: TypeAlias = bytes | Path
"""A file that was sent, or a file or folder of this machine."""

_MANIFEST, _DECISIONS = "merge.json", "decisions.txt"
LARGEST = 64 << 20
"""Bytes of one annotation."""


class Choices(Record, frozen=True):
    """How annotations are merged; empty is what ``corefbench merge`` does."""

    rule: str = ""
    mentions: str = ""
    links: str = ""
    ties: str = "split"
    scope: str = "document"
    lenient: bool = False
    format: str = ""


class Manifest(Record, frozen=True):
    """What was merged."""

    annotations: tuple[str, ...]
    """The names of the annotators, in order."""
    files: tuple[str, ...]
    """The names of their files or folders."""
    choices: Choices
    created: str
    key: str = ""
    """The file of the adjudicated annotation."""
    decided: bool = False


class Kept(Record, frozen=True):
    """A merge in its folder."""

    name: str
    folder: Path
    manifest: Manifest

    def annotations(self) -> dict[str, str]:
        """The paths by annotator."""
        manifest = self.manifest
        return {
            name: str(self.folder / "annotations" / str(number) / file)
            for number, (name, file) in enumerate(
                zip(manifest.annotations, manifest.files, strict=True)
            )
        }


def keep(
    workbench: Workbench,
    annotations: Mapping[str, Given],
    choices: Choices,
    *,
    created: datetime,
    key: tuple[str, Given] | None = None,
    decisions: bytes | None = None,
) -> str:
    """Merge, and keep the merge if it can be done; its name."""
    if len(annotations) < 2:
        raise UsageError(
            "at least two annotations are needed",
            found=str(len(annotations)),
            remedy="choose two files or more, or give their paths, one a line",
        )
    scratch = Path(mkdtemp(dir=workbench.folder / "merges", prefix="."))
    try:
        made = _written(scratch, annotations, choices, created, key, decisions)
        merged_of(made)
        agreement_of(made)
        target = workbench.folder / "merges" / _digest(scratch, made.manifest)
        if not target.exists():
            scratch.rename(target)
        return target.name
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _written(
    folder: Path,
    annotations: Mapping[str, Given],
    choices: Choices,
    created: datetime,
    key: tuple[str, Given] | None,
    decisions: bytes | None,
) -> Kept:
    files = [
        _copied(folder / "annotations" / str(number), name, given)
        for number, (name, given) in enumerate(annotations.items())
    ]
    manifest = Manifest(
        annotations=tuple(annotations),
        files=tuple(files),
        choices=choices,
        created=created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        key=_copied(folder / "key", *key) if key else "",
        decided=decisions is not None,
    )
    if decisions is not None:
        write_whole(folder / _DECISIONS, decisions)
    write_whole(folder / _MANIFEST, msgspec.json.encode(manifest))
    return Kept(name="", folder=folder, manifest=manifest)


def _copied(folder: Path, name: str, given: Given) -> str:
    """Put an annotation into a folder of its own; the name of its file."""
    folder.mkdir(parents=True)
    own = given.name if isinstance(given, Path) else sub(r" \(\d+\)$", "", name)
    bare = Path(own.replace("\\", "/")).name.replace("\0", "").strip(". ") or "annotation"
    if isinstance(given, bytes):
        write_whole(folder / bare, given)
    elif given.is_file():
        _refuse_large(given, given.stat().st_size)
        shutil.copyfile(given, folder / bare)
    elif given.is_dir():
        _refuse_large(given, sum(f.stat().st_size for f in given.rglob("*") if f.is_file()))
        shutil.copytree(given, folder / bare)
    else:
        raise DataError(
            "the annotation cannot be read",
            place=Place(source=str(given)),
            found="no such file or folder",
            remedy="check the path; it is that of the machine that corefbench runs on",
        )
    return bare


def _refuse_large(path: Path, size: int) -> None:
    if size > LARGEST:
        raise DataError(
            "the annotation is too large to be merged here",
            code="CB120",
            place=Place(source=str(path)),
            found=f"{size:,} bytes",
            expected=f"at most {LARGEST:,}",
            remedy="corefbench merge A B -o merged.conll",
        )


def _digest(folder: Path, manifest: Manifest) -> str:
    """Of names, choices and contents; not of the time."""
    state = sha256(msgspec.json.encode((manifest.annotations, manifest.choices)))
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name != _MANIFEST:
                path = Path(place) / name
                state.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                state.update(sha256(path.read_bytes()).digest())
    return state.hexdigest()[:12]


def opened(workbench: Workbench, name: str) -> Kept:
    """The merge of that name."""
    folder = workbench.folder / "merges" / name
    if not fullmatch(r"[0-9a-f]{12}", name) or not (folder / _MANIFEST).is_file():
        raise UnknownName("merge", name, [one.name for one in listed(workbench)])
    manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Manifest)
    return Kept(name=name, folder=folder, manifest=manifest)


def listed(workbench: Workbench) -> list[Kept]:
    """All merges that are kept, the newest first."""
    made = []
    for folder in (workbench.folder / "merges").iterdir():
        if fullmatch(r"[0-9a-f]{12}", folder.name) and (folder / _MANIFEST).is_file():
            made.append(opened(workbench, folder.name))
    return sorted(made, key=lambda one: (one.manifest.created, one.name), reverse=True)


@lru_cache(maxsize=4)
def merged_of(kept: Kept) -> "Merge":
    """The merged annotation; nothing in its folder ever changes."""
    from corefbench.analysis.annotation.merge import merge

    choices = kept.manifest.choices
    return merge(
        kept.annotations(),
        rule=choices.rule or None,
        mentions=choices.mentions or None,
        links=choices.links or None,
        ties=cast("Any", choices.ties),
        decisions=kept.folder / _DECISIONS if kept.manifest.decided else None,
        scope=cast("Any", choices.scope),
        format=choices.format or None,
        lenient=choices.lenient,
    )


@lru_cache(maxsize=4)
def agreement_of(kept: Kept) -> "Agreement":
    """How far the annotators agree."""
    from corefbench.analysis.annotation.agreement import agreement

    choices = kept.manifest.choices
    return agreement(
        kept.annotations(),
        key=str(kept.folder / "key" / kept.manifest.key) if kept.manifest.key else None,
        scope=cast("Any", choices.scope),
        format=choices.format or None,
        lenient=choices.lenient,
    )


def commands(kept: Kept) -> tuple[str, str]:
    """The same in a terminal: merge, and agreement."""
    from shlex import join

    manifest, choices = kept.manifest, kept.manifest.choices
    files = list(manifest.files)
    shared = ["--scope", choices.scope] if choices.scope != "document" else []
    shared += ["--input-format", choices.format] if choices.format else []
    shared += ["--lenient"] if choices.lenient else []
    how = []
    for option in ("rule", "mentions", "links"):
        if getattr(choices, option):
            how += [f"--{option}", getattr(choices, option)]
    how += ["--ties", choices.ties] if choices.ties != "split" else []
    how += ["--decisions", _DECISIONS] if manifest.decided else []
    key = ["--key", manifest.key] if manifest.key else []
    return (
        join(["corefbench", "merge", *files, *how, *shared, "-o", "merged.conll"]),
        join(["corefbench", "agreement", *files, *key, *shared]),
    )
