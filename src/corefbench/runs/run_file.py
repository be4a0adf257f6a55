"""Run files: recognise, open, read entry by entry, and write them."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.display import as_html
from corefbench.errors import FormatError, Place, UnknownName
from corefbench.formats.source import unreadable_error
from corefbench.records import Columns, Floats
from corefbench.runs.archive import (
    BENCH,
    HEADER,
    ArchiveEntries,
    Entries,
    MemoryEntries,
    check_size,
    document_entry,
    has_run_header,
    result_entry,
    write_archive,
)
from corefbench.runs.documents import layer_to_corpus, restore_key_tokens
from corefbench.runs.schema import (
    SCHEMA,
    Header,
    Input,
    Kind,
    Layer,
    ResultTallies,
    RunDocument,
    ScoredResponse,
    TallyTable,
    Timing,
    check_document,
    check_header,
    decode_entry,
    inconsistent_run,
)
from corefbench.scoring.measures import Measure, Tally, parse
from corefbench.scoring.result import Result
from corefbench.scoring.signature import Signature

if TYPE_CHECKING:
    from corefbench.bench.run import Bench

Shape = TypeVar("Shape")
_SCHEMA_1_START = b'{"schema":'
"""How files of schema 1 begin."""
_HOW_TO_WRITE = "write one with --run FILE, as in `corefbench score KEY RESPONSE --run FILE`"


class Corpora(Columns, frozen=True, eq=False):
    """The key and the responses of a run."""

    key: Corpus
    responses: dict[str, Corpus]


class Run:
    """The contents of a run file: ``run.results["system"].conll``, ``run.document("name")``.

    The header is read at once; tallies, verdicts and documents are read on demand.
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
        """The results by response, with their tallies; documents are not read."""
        return {scored.name: self._result(number, scored) for number, scored in enumerate(self.header.results)}

    def _result(self, number: int, scored: ScoredResponse) -> Result:
        counted = self._decoded(result_entry(number), ResultTallies)
        tallies = {
            name: Tally(columns=table.columns, values=_tally_values(table)) for name, table in counted.tallies.items()
        }
        measures = {name: parse(text) for name, text in scored.profile.measures.items()}
        if (
            any(len(tally) != len(counted.units) for tally in tallies.values())
            or set(tallies) != set(measures)
            or not all(_can_score(measure, tallies[name].columns) for name, measure in measures.items())
        ):
            raise inconsistent_run("", f"tallies of {scored.name} that are not those of its measures")
        return Result(
            profile=scored.profile,
            measures=measures,
            tallies=tallies,
            documents=counted.units,
            signature=Signature.parse(scored.signature),
            findings=counted.findings,
        )

    def document(self, name: str | int) -> RunDocument:
        """Return one document, by its label or number; every layer has all its tokens."""
        if isinstance(name, str):
            if name not in self.documents:
                raise UnknownName("document", name, list(self.documents))
            name = self.documents.index(name)
        stored = self._decoded(document_entry(range(len(self.documents))[name]), RunDocument)
        document = replace(
            stored,
            responses={response: restore_key_tokens(layer, stored.key) for response, layer in stored.responses.items()},
        )
        check_document(document)
        return document

    @cached_property
    def bench(self) -> "Bench":
        """The bench of a comparison of resolvers, without texts, which are with the documents."""
        from corefbench.bench.run import Bench

        if self.kind != "bench":
            raise UnknownName("part of this run", "bench", ["results", "documents"])
        bench = decode_entry(self.entries.read(BENCH), Bench, self.entries.source, BENCH, _decode_counter)
        if not len(bench.documents) == len(bench.words) == len(bench.statistics):
            raise inconsistent_run("", "a comparison with other documents than it counts")
        resolvers = [performance.resolver for performance in bench.performances]
        if self.header.results and resolvers != [result.name for result in self.header.results]:
            raise inconsistent_run("", "a comparison of other resolvers than the results")
        return bench

    def corpora(self, documents: Sequence[RunDocument] | None = None) -> Corpora:
        """Return key and responses as they were read, in their own order.

        ``documents`` are all documents, if they have been read already.
        """
        if documents is None:
            documents = [self.document(number) for number in range(len(self.documents))]
        keys = [source for source in self.header.inputs if source.role == "key"]
        answers = [source for source in self.header.inputs if source.role == "response"]
        if len(keys) != 1:
            raise inconsistent_run("", f"{len(keys)} keys")
        return Corpora(
            key=_join_layers(keys[0], [document.key for document in documents]),
            responses={
                source.name: _join_layers(source, [d.responses.get(source.name) for d in documents])
                for source in answers
            },
        )

    def checksum(self) -> str:
        """Return the SHA-256 of all entries but the header."""
        digest = sha256()
        for name in self.entries.names():
            if name != HEADER:
                content = self.entries.read(name)
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()

    def _decoded(self, name: str, shape: type[Shape]) -> Shape:
        return decode_entry(self.entries.read(name), shape, self.entries.source, name)


def is_run(path: str | Path) -> bool:
    """Whether a file is a run, judging by its first bytes."""
    path = Path(path)
    if has_run_header(path):
        return True
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_SCHEMA_1_START)) == _SCHEMA_1_START
    except OSError:
        return False


def open_run(path: str | Path) -> Run:
    """Open a run file; only its header is read at once."""
    path = Path(path)
    if not path.exists():
        raise unreadable_error(str(path), FileNotFoundError("no such file"))
    if not has_run_header(path):
        return _open_schema_1(path)
    entries = ArchiveEntries(path)
    content = entries.read(HEADER)
    _check_version(decode_entry(content, _Version, str(path), HEADER).schema, path)
    header = decode_entry(content, Header, str(path), HEADER)
    check_header(header)
    return Run(header, entries)


def write_run(run: Run, path: str | Path) -> None:
    """Write a run file atomically."""
    # The header is the first entry, so that files can be recognised by their first bytes.
    names = [name for name in run.entries.names() if name != HEADER]
    check_size(len(names) + 1, sum(len(run.entries.read(name)) for name in names))
    entries = ((name, run.entries.read(name)) for name in names)
    header = msgspec.json.encode(run.header)
    write_archive(Path(path), [(HEADER, header), *entries])


def _tally_values(table: TallyTable) -> Floats:
    if any(len(row) != len(table.columns) for row in table.rows):
        raise inconsistent_run("", "a tally whose rows are of different lengths")
    # A table without rows keeps its columns.
    return np.array(table.rows, np.float64).reshape(len(table.rows), len(table.columns))


def _can_score(measure: Measure, columns: Sequence[str]) -> bool:
    """Whether a tally has the columns that a measure computes its score from."""
    try:
        measure.score(dict.fromkeys(columns, 0.0))
    except KeyError:
        return False
    return len(set(columns)) == len(columns)


def _join_layers(source: Input, layers: list[Layer | None]) -> Corpus:
    """Return the documents of an input, in its order."""
    layers_in_order = [layers[number] for number in source.order if 0 <= number < len(layers)]
    corpora = [layer_to_corpus(layer) for layer in layers_in_order if layer is not None]
    if len(corpora) != len(source.order):
        raise inconsistent_run("", f"documents of {source.name} that are not there")
    name = source.content.rpartition("@")[0]
    return replace(concatenate(name, corpora), name=name)


class _Version(msgspec.Struct, frozen=True):
    """The part of the header that all schemas share."""

    schema: int


class _Schema1File(msgspec.Struct, frozen=True):
    """The contents of a file of schema 1."""

    bench: msgspec.Raw


def _decode_counter(kind: Any, value: Any) -> Any:
    """Decode the counters of a bench, whose keys are strings in JSON."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    key = get_args(kind)[0]
    return Counter({key(name): count for name, count in msgspec.convert(value, dict[str, int]).items()})


def _open_schema_1(path: Path) -> Run:
    """Open a file of schema 1; raise for any other file."""
    try:
        content = path.read_bytes() if is_run(path) else b""
        schema = msgspec.json.decode(content, type=_Version).schema
        if schema == 1:
            from corefbench.bench.run import Bench

            bench = msgspec.json.decode(content, type=_Schema1File).bench
            return _run_of_bench(bench, msgspec.json.decode(bench, type=Bench, dec_hook=_decode_counter).version)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
        raise FormatError(
            "this is not a run file",
            place=Place(source=str(path)),
            found=str(error) if path.is_file() else "not a file",
            remedy=_HOW_TO_WRITE,
        ) from error
    _check_version(schema, path)
    raise FormatError("this is not a run file", place=Place(source=str(path)), remedy=_HOW_TO_WRITE)


def _run_of_bench(bench: msgspec.Raw, version: str) -> Run:
    """Return a run that has a bench and no documents."""
    header = Header(
        schema=1,
        kind="bench",
        version=version,
        created="",
        command=(),
        inputs=(),
        documents=(),
        results=(),
        timing=Timing(),
    )
    return Run(header, MemoryEntries({BENCH: bytes(bench)}))


def _check_version(schema: int, path: Path) -> None:
    if schema != SCHEMA:
        raise FormatError(
            "the run file is of another version",
            code="CB245",
            place=Place(source=str(path)),
            found=f"schema {schema}",
            expected=f"schema {SCHEMA}",
            remedy="open it with the corefbench that made it, or a newer one"
            if schema > SCHEMA
            else "make the run again",
        )
