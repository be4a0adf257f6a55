"""Texts with their annotation beside them: put together again, as they were in the archive."""

import io
import tarfile

from corefbench.formats.source import Source


def as_sources(files: list[tuple[str, bytes]], archive: str) -> list[Source]:
    """The files of an archive, one source each; stand-off annotation with its texts as one.

    Readers of stand-off annotation look for the text beside the annotation; in memory nothing is
    beside anything, but they read a tar archive of both.
    """
    annotation = [(name, content) for name, content in files if name.endswith(".ann")]
    stems = {name.removesuffix(".ann") for name, _ in annotation}
    texts = [(n, c) for n, c in files if n.endswith(".txt") and n.removesuffix(".txt") in stems]
    if not texts:
        return [Source(name=f"{archive}/{name}", content=content) for name, content in files]
    return [Source(name=archive, content=_tar([*annotation, *texts]))]


def _tar(files: list[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as bundle:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            bundle.addfile(member, io.BytesIO(content))
    return stream.getvalue()
