"""A run: what was scored, when and how, with every document; read piece by piece."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.display import as_html
from corefbench.errors import FormatError, Place, UnknownName
from corefbench.measures import Tally, parse
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Floats
from corefbench.runs.archive import BENCH, HEADER, Entries, document_entry, result_entry
from corefbench.runs.checking import broken, check_document
from corefbench.runs.restoring import corpus_of, with_key_words
from corefbench.runs.schema import Counted, Header, Input, Kind, Layer, RunDocument, Scored, Table
from corefbench.scoring.result import Result
from corefbench.scoring.signature import Signature

if TYPE_CHECKING:
    from corefbench.bench.result import Bench

Shape = TypeVar("Shape")


class Corpora(Columns, frozen=True, eq=False):
    """What was scored."""

    key: Corpus
    responses: dict[str, Corpus]


class Run:
    """What a run file holds: ``run.results["system"].conll``, ``run.document("name")``.

    The header is there at once; tallies, verdicts and documents are read when they are asked for.
    """

    def __init__(self, header: Header, entries: Entries) -> None:
        self.header = header
        self.entries = entries

    def __repr__(self) -> str:
        return (
            f"<Run {self.kind}: {len(self.documents)} documents, results "
            f"{', '.join(result.name for result in self.header.results)}>"
        )

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def kind(self) -> Kind:
        """``score``, or ``bench`` for a comparison of resolvers."""
        return self.header.kind

    @property
    def documents(self) -> tuple[str, ...]:
        """The labels of all documents."""
        return self.header.documents

    @cached_property
    def results(self) -> dict[str, Result]:
        """The results by the names of the responses, with their tallies; documents are not read."""
        return {
            scored.name: self._result(number, scored)
            for number, scored in enumerate(self.header.results)
        }

    def _result(self, number: int, scored: Scored) -> Result:
        counted = self._decoded(result_entry(number), Counted)
        tallies = {
            name: Tally(columns=table.columns, values=_values(table))
            for name, table in counted.tallies.items()
        }
        if any(len(tally) != len(counted.units) for tally in tallies.values()) or set(
            tallies
        ) != set(scored.profile.measures):
            raise broken("", f"tallies of {scored.name} that are not those of its measures")
        return Result(
            profile=scored.profile,
            measures={name: parse(text) for name, text in scored.profile.measures.items()},
            tallies=tallies,
            documents=counted.units,
            signature=Signature.parse(scored.signature),
            findings=counted.findings,
        )

    def document(self, name: str | int) -> RunDocument:
        """One document, by its label or number; every layer has all its tokens."""
        if isinstance(name, str):
            if name not in self.documents:
                raise UnknownName("document", name, list(self.documents))
            name = self.documents.index(name)
        made = self._decoded(document_entry(range(len(self.documents))[name]), RunDocument)
        whole = replace(
            made,
            responses={
                response: with_key_words(layer, made.key)
                for response, layer in made.responses.items()
            },
        )
        check_document(whole)
        return whole

    @cached_property
    def bench(self) -> "Bench":
        """The verdicts of a comparison of resolvers; the texts are with the documents."""
        from corefbench.runs.verdicts import decode_bench

        if self.kind != "bench":
            raise UnknownName("part of this run", "bench", ["results", "documents"])
        return decode_bench(self.entries.read(BENCH), self.entries.source)

    def corpora(self, documents: Sequence[RunDocument] | None = None) -> Corpora:
        """The inputs as they were read, in their own order; ``documents`` are all of them, where
        they have been read before."""
        if documents is None:
            documents = [self.document(number) for number in range(len(self.documents))]
        keys = [one for one in self.header.inputs if one.role == "key"]
        answers = [one for one in self.header.inputs if one.role == "response"]
        if len(keys) != 1:
            raise broken("", f"{len(keys)} keys")
        return Corpora(
            key=_joined(keys[0], [document.key for document in documents]),
            responses={
                one.name: _joined(one, [d.responses.get(one.name) for d in documents])
                for one in answers
            },
        )

    def checksum(self) -> str:
        """SHA-256 of everything but the header."""
        digest = sha256()
        for name in self.entries.names():
            if name != HEADER:
                content = self.entries.read(name)
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()

    def _decoded(self, name: str, shape: type[Shape]) -> Shape:
        return decode(self.entries.read(name), shape, self.entries.source, name)


def decode(content: bytes, shape: type[Shape], source: str, entry: str) -> Shape:
    """An entry as the record it must be."""
    try:
        return msgspec.json.decode(content, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            "the run file is damaged",
            code="CB246",
            place=Place(source=source),
            found=f"{entry}: {error}",
            remedy="copy it again from where it was made, or make the run again",
        ) from error


def _values(table: Table) -> Floats:
    if any(len(row) != len(table.columns) for row in table.rows):
        raise broken("", "a tally whose rows are of different lengths")
    return np.array(table.rows, np.float64).reshape(len(table.rows), len(table.columns))


def _joined(one: Input, layers: list[Layer | None]) -> Corpus:
    """The documents of an input, in its order."""
    found = [layers[number] for number in one.order if 0 <= number < len(layers)]
    known = [corpus_of(layer) for layer in found if layer is not None]
    if len(known) != len(one.order):
        raise broken("", f"documents of {one.name} that are not there")
    name = one.content.rpartition("@")[0]
    return replace(concatenate(name, known), name=name)
