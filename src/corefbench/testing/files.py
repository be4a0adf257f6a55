"""Corpora written to files and read again, whatever number of files a format makes."""

import io
import tempfile
from pathlib import Path

from corefbench.formats.base import Format, Reading
from corefbench.formats.convert import FolderWriter
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus


def write(form: Format, corpus: Corpus, folder: Path) -> dict[str, bytes]:
    """The files that the corpus becomes, by name."""
    if isinstance(form, FolderWriter) and not form.card.writes:
        form.write_folder(corpus, folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}
    stream = io.BytesIO()
    form.write(corpus, stream)
    (folder / "made").write_bytes(stream.getvalue())
    return {"made": stream.getvalue()}


def read(form: Format, folder: Path) -> Corpus:
    """The corpus of a folder that ``write`` filled."""
    single = folder / "made"
    source = Source.of(single if single.is_file() else folder)
    return concatenate("made", list(form.read(source, Reading())))


def there_and_back(form: Format, corpus: Corpus) -> tuple[Corpus, dict[str, bytes]]:
    """The corpus as it is read again, and the files it was in between."""
    with tempfile.TemporaryDirectory() as name:
        files = write(form, corpus, Path(name))
        return read(form, Path(name)), files
