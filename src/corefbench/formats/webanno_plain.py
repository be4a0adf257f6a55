"""Plain WebAnno documents of one header as a corpus, without an object per token or span."""

from collections.abc import Sequence

import numpy as np

from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import NotPlain, require
from corefbench.formats.source import Source
from corefbench.formats.webanno_chains import chained
from corefbench.formats.webanno_lines import DECLARING, Layer, Relations, declare, name_and_part
from corefbench.formats.webanno_mentions import Spans
from corefbench.formats.webanno_text import Frame
from corefbench.model.corpus import Corpus, Documents, Tokens
from corefbench.model.digest import digest_documents
from corefbench.model.strings import Strings


def header_of(piece: str) -> list[tuple[str, str]]:
    """The lines of a document's header, as keys and values."""
    end = piece.find("\n#Text=")
    lines = (piece if end < 0 else piece[:end]).split("\n")
    return [(key, value) for key, _, value in (x.partition("=") for x in lines if x[:1] == "#")]


def read_plain(
    pieces: Sequence[str], source: Source, reading: Reading, apart: tuple[str, ...]
) -> Corpus:
    """Read documents that declare the same layers; raises NotPlain where they are not plain."""
    encoded = [piece.encode() for piece in pieces]
    content = b"".join(encoded)
    require(b"\0" not in content)
    rows = Rows(content, 1, multiword=True)
    require(len(rows))
    require(not (rows.lines.blank & (rows.lines.end > rows.lines.start)).any())
    headers = [header_of(piece) for piece in pieces]
    layers, relations, width = _declared(headers[0], source)
    require(rows.fewest() >= width)
    starts = np.cumsum([0, *map(len, encoded[:-1])])
    frame = Frame.of(rows, starts)
    spans = Spans(rows, layers, frame)
    chains, chain, links = chained(spans, relations, apart)
    names = [name_and_part(dict(header)) for header in headers]
    return Corpus(
        name=source.stem,
        documents=Documents(
            names=tuple(name or source.stem for name, _ in names),
            parts=np.array([part for _, part in names], np.int32),
            texts=Strings.of(frame.texts),
        ),
        tokens=Tokens(
            offsets=frame.offsets,
            sentences=rows.first[:-1],
            digests=digest_documents(frame.words, frame.offsets),
            words=frame.words if reading.words else None,
            begin=frame.begin,
            finish=frame.finish,
        ),
        mentions=spans.mentions(chain),
        chains=chains,
        relations=links,
    )


def _declared(
    header: list[tuple[str, str]], source: Source
) -> tuple[list[Layer], list[Relations], int]:
    layers: list[Layer] = []
    relations: list[Relations] = []
    width = 3
    try:
        for key, value in header:
            if key in DECLARING:
                width = declare(key, value, width, layers, relations, (source, 0))
    except FormatError as error:
        raise NotPlain from error
    require(layers)
    return layers, relations, width
