"""Stored merges of several annotations.

    merges/ID/merge.json          ``Manifest``
    merges/ID/annotations/N/NAME  each annotation: a file or a folder
    merges/ID/key/NAME            an adjudicated annotation, if there is one
    merges/ID/decisions.txt       decisions of a person, if there are any

The ID is a hash of all of it: the same annotations and options have the same URL. Results are
computed from these files on demand.
"""

import os
import shutil
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import fullmatch, sub
from shlex import join
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec
from msgspec.structs import asdict

from corefbench.errors import DataError, Place, UnknownName, UsageError
from corefbench.records import Record
from corefbench.workbench.jobs import command_options, write_atomically
from corefbench.workbench.storage import Workbench, upload_file_name

if TYPE_CHECKING:
    from corefbench.analysis.annotation.agreement import Agreement
    from corefbench.analysis.annotation.merge import Merge

AnnotationSource: TypeAlias = bytes | Path
"""The content of an upload, or a file or folder of this machine."""

_MANIFEST_FILE, _DECISIONS_FILE = "merge.json", "decisions.txt"
MAX_ANNOTATION_BYTES = 64 << 20
"""Bytes of one annotation."""


class MergeOptions(Record, frozen=True):
    """Options of a merge; empty values are the defaults of ``corefbench merge``."""

    rule: str = ""
    mentions: str = ""
    links: str = ""
    ties: str = "split"
    scope: str = "document"
    lenient: bool = False
    format: str = ""


class Manifest(Record, frozen=True):
    """Description of a stored merge."""

    annotations: tuple[str, ...]
    """Names of the annotators, in order."""
    files: tuple[str, ...]
    """Names of their files or folders."""
    choices: MergeOptions
    created: str
    key: str = ""
    """The file of the adjudicated annotation."""
    decided: bool = False


class StoredMerge(Record, frozen=True):
    """A merge in its folder."""

    name: str
    folder: Path
    manifest: Manifest

    def annotations(self) -> dict[str, str]:
        """Return the paths by annotator."""
        manifest = self.manifest
        return {
            name: str(self.folder / "annotations" / str(number) / file)
            for number, (name, file) in enumerate(zip(manifest.annotations, manifest.files, strict=True))
        }


def create_merge(
    workbench: Workbench,
    annotations: Mapping[str, AnnotationSource],
    choices: MergeOptions,
    *,
    created: datetime,
    key: tuple[str, AnnotationSource] | None = None,
    decisions: bytes | None = None,
) -> str:
    """Merge annotations, store the merge if that succeeds, and return its name."""
    if len(annotations) < 2:
        raise UsageError(
            "at least two annotations are needed",
            found=str(len(annotations)),
            remedy="choose two files or more, or give their paths, one per line",
        )
    scratch = Path(mkdtemp(dir=workbench.folder / "merges", prefix="."))
    try:
        files = [
            _copy_annotation(scratch / "annotations" / str(number), name, source)
            for number, (name, source) in enumerate(annotations.items())
        ]
        manifest = Manifest(
            annotations=tuple(annotations),
            files=tuple(files),
            choices=choices,
            created=created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            key=_copy_annotation(scratch / "key", *key) if key else "",
            decided=decisions is not None,
        )
        if decisions is not None:
            write_atomically(scratch / _DECISIONS_FILE, decisions)
        target = workbench.folder / "merges" / _content_hash(scratch, manifest)
        try:
            scratch.rename(target)
        except OSError:  # the same merge is stored already, or is being stored
            if not target.exists():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if not (target / _MANIFEST_FILE).exists():
        _compute_and_list(StoredMerge(name=target.name, folder=target, manifest=manifest))
    return target.name


def _compute_and_list(merge: StoredMerge) -> None:
    """Merge the annotations in the folder; only then write the manifest, without which it is no merge.

    The results are computed where the page of the merge looks for them, so that it has them cached.
    """
    try:
        merge_result(merge)
        agreement_result(merge)
        write_atomically(merge.folder / _MANIFEST_FILE, msgspec.json.encode(merge.manifest))
    finally:
        if not (merge.folder / _MANIFEST_FILE).exists():
            shutil.rmtree(merge.folder, ignore_errors=True)


def _copy_annotation(folder: Path, name: str, source: AnnotationSource) -> str:
    """Copy an annotation into a folder of its own and return the name of its file."""
    folder.mkdir(parents=True)
    original_name = source.name if isinstance(source, Path) else sub(r" \(\d+\)$", "", name)
    file_name = upload_file_name(original_name)
    if isinstance(source, bytes):
        write_atomically(folder / file_name, source)
    elif os.path.isfile(source):  # Path.is_file raises for names that no file can have
        _check_size(source, source.stat().st_size)
        shutil.copyfile(source, folder / file_name)
    elif os.path.isdir(source):
        _check_size(source, sum(f.stat().st_size for f in source.rglob("*") if f.is_file()))
        shutil.copytree(source, folder / file_name)
    else:
        raise DataError(
            "the annotation cannot be read",
            place=Place(source=str(source)),
            found="no such file or folder",
            remedy="check the path; it is that of the machine that corefbench runs on",
        )
    return file_name


def _check_size(path: Path, size: int) -> None:
    if size > MAX_ANNOTATION_BYTES:
        raise DataError(
            "the annotation is too large to be merged here",
            code="CB120",
            place=Place(source=str(path)),
            found=f"{size:,} bytes",
            expected=f"at most {MAX_ANNOTATION_BYTES:,}",
            remedy="corefbench merge A B -o merged.conll",
        )


def _content_hash(folder: Path, manifest: Manifest) -> str:
    """Hash names, options and contents, but not the time."""
    digest = sha256(msgspec.json.encode((manifest.annotations, manifest.choices)))
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name != _MANIFEST_FILE:
                path = Path(parent) / name
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def load_merge(workbench: Workbench, name: str) -> StoredMerge:
    """Return a merge by its name."""
    folder = workbench.folder / "merges" / name
    if not fullmatch(r"[0-9a-f]{12}", name) or not (folder / _MANIFEST_FILE).is_file():
        raise UnknownName("merge", name, [merge.name for merge in list_merges(workbench)])
    manifest = msgspec.json.decode((folder / _MANIFEST_FILE).read_bytes(), type=Manifest)
    return StoredMerge(name=name, folder=folder, manifest=manifest)


def list_merges(workbench: Workbench) -> list[StoredMerge]:
    """Return all merges, the newest first."""
    merges = []
    for folder in (workbench.folder / "merges").iterdir():
        if fullmatch(r"[0-9a-f]{12}", folder.name) and (folder / _MANIFEST_FILE).is_file():
            merges.append(load_merge(workbench, folder.name))
    return sorted(merges, key=lambda merge: (merge.manifest.created, merge.name), reverse=True)


@lru_cache(maxsize=4)
def merge_result(stored: StoredMerge) -> "Merge":
    """Merge the annotations; cached, as the files of a merge never change."""
    from corefbench.analysis.annotation.merge import merge

    choices = stored.manifest.choices
    return merge(
        stored.annotations(),
        rule=choices.rule or None,
        mentions=choices.mentions or None,
        links=choices.links or None,
        ties=cast("Any", choices.ties),
        decisions=stored.folder / _DECISIONS_FILE if stored.manifest.decided else None,
        scope=cast("Any", choices.scope),
        format=choices.format or None,
        lenient=choices.lenient,
    )


@lru_cache(maxsize=4)
def agreement_result(stored: StoredMerge) -> "Agreement":
    """Compute the agreement of the annotators."""
    from corefbench.analysis.annotation.agreement import agreement

    choices = stored.manifest.choices
    return agreement(
        stored.annotations(),
        key=str(stored.folder / "key" / stored.manifest.key) if stored.manifest.key else None,
        scope=cast("Any", choices.scope),
        format=choices.format or None,
        lenient=choices.lenient,
    )


def merge_commands(stored: StoredMerge) -> tuple[str, str]:
    """Return the commands for the merge and for the agreement."""
    manifest, choices = stored.manifest, stored.manifest.choices
    defaults = asdict(MergeOptions())
    shared = {"scope": choices.scope, "input-format": choices.format, "lenient": choices.lenient}
    rules = {name: getattr(choices, name) for name in ("rule", "mentions", "links", "ties")}
    decisions = {"decisions": _DECISIONS_FILE if manifest.decided else ""}
    merge_options = command_options({**rules, **decisions, **shared}, defaults)
    agreement_options = command_options({"key": manifest.key, **shared}, defaults)
    return (
        join(["corefbench", "merge", *manifest.files, *merge_options, "-o", "merged.conll"]),
        join(["corefbench", "agreement", *manifest.files, *agreement_options]),
    )
