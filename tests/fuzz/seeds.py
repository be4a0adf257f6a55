"""What fuzzing begins with: a few proper files of a format, and the words it is made of."""

import io
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats import Format, formats
from corefbench.formats.capabilities import fit_to_format
from corefbench.formats.convert import FolderWriter
from corefbench.testing.corpora import corpus_for
from tests.hostile.samples import samples

EXAMPLE = Path(__file__).parents[2] / "examples" / "key.conll"
SEPARATOR = b"\n\xff\xfe\xff\n"
"""Between the files of a format of many files, in one input of the fuzzer."""
_MOST = 6_000
_PIECE = re.compile(rb"[A-Za-z_#@]{2,24}|[0-9]+|[^\sA-Za-z0-9]{1,4}")


def seeds(name: str) -> Iterator[bytes]:
    """Generated corpora, a piece of the bundled one, and the sample of the hostile collection."""
    form = formats[name]()
    if name in samples() and not file_names(name):
        yield samples()[name]
    corpora = [corpus_for(form.card, seed) for seed in range(8)]
    corpora.append(fit_to_format(cb.load(EXAMPLE), form.card.holds))
    for corpus in corpora:
        made = SEPARATOR.join(files(form, corpus).values())
        if len(made) <= _MOST:
            yield made


def files(form: Format, corpus: Corpus) -> dict[str, bytes]:
    """The files that a corpus becomes: several, where the format lays them side by side."""
    if not isinstance(form, FolderWriter):
        stream = io.BytesIO()
        form.write(corpus, stream)
        return {"made": stream.getvalue()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        form.write_folder(corpus, folder)
        found = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def file_names(name: str) -> list[str]:
    """The names of the files of one document, where these are several."""
    form = formats[name]()
    build = CorpusBuilder("one")
    build.begin_document("d")
    build.sentence(["Ann", "left", "."])
    build.mention("1", [(0, 1)])
    names = list(files(form, build.finish()))
    return names if len(names) > 1 else []


def dictionary(found: list[bytes]) -> str:
    """The pieces that the seeds are made of, in the syntax of libFuzzer."""
    pieces = sorted({piece for seed in found for piece in _PIECE.findall(seed)})
    shown = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in pieces[:400])
    return "".join(f'"{piece}"\n' for piece in shown)
