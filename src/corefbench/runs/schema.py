"""The records of a run file, entry by entry, and the checks that they fit together.

    run.json              ``Header``: enough for a summary, read alone
    results/NNNNN.json    ``ResultTallies``: the tallies of one result
    documents/NNNNN.json  ``RunDocument``: one document with key, responses and twins
    bench.json            the verdicts of a comparison of resolvers (kind ``bench``)

Fields may be added; what is renamed or changes its meaning makes a new schema.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from corefbench.bench.reasons import Reason
from corefbench.diagnostics import Finding
from corefbench.errors import FormatError, Place
from corefbench.records import Record
from corefbench.scoring.measures import Score
from corefbench.scoring.profiles.profile import Profile

SCHEMA = 2
"""1 was plain JSON, for comparisons of resolvers only."""

Shape = TypeVar("Shape")
Kind: TypeAlias = Literal["score", "bench"]
Span: TypeAlias = tuple[int, int]


class StoredRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that is encoded without its default values."""


class Input(StoredRecord, frozen=True):
    """The key or a response, as an input."""

    role: Literal["key", "response"]
    name: str
    """The file name without folders; of a response, its own name."""
    content: str
    """The name of the corpus and its content hash, as in the signature."""
    order: tuple[int, ...]
    """The numbers of its documents, in the order of the input."""
    format: str = ""
    bytes: int = 0
    sha256: str = ""
    """Hash of the file, or of the names and contents of a folder; empty for corpora in memory."""


class ScoredResponse(Record, frozen=True):
    """The scores of a response."""

    name: str
    profile: Profile
    signature: str
    scores: dict[str, Score]
    conll: float | None
    findings: int
    """The number of findings, which are stored with the tallies."""


class Timing(Record, frozen=True):
    """Seconds of reading, scoring and, in a comparison of resolvers, resolving."""

    wall: float = 0.0
    cpu: float = 0.0


class Header(Record, frozen=True):
    """``run.json``."""

    schema: int
    kind: Kind
    version: str
    """The version of corefbench."""
    created: str
    """ISO 8601, in UTC."""
    command: tuple[str, ...]
    inputs: tuple[Input, ...]
    documents: tuple[str, ...]
    """The labels of all documents, by number."""
    results: tuple[ScoredResponse, ...]
    timing: Timing
    contents: str = ""
    """SHA-256 of all other entries, in the order of their names."""


class TallyTable(Record, frozen=True):
    """A tally, one row per document."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class ResultTallies(Record, frozen=True):
    """``results/NNNNN.json``."""

    units: tuple[str, ...]
    """The scored units: the rows of the tallies."""
    tallies: dict[str, TallyTable]
    findings: tuple[Finding, ...]


class LayerTokens(StoredRecord, frozen=True):
    """The tokens of a document."""

    count: int
    words: tuple[str, ...] | None = None
    sentences: tuple[int, ...] = ()
    """The first token of each sentence."""
    text: str | None = None
    begin: tuple[int, ...] | None = None
    """Character offset of the start of each token in the text …"""
    finish: tuple[int, ...] | None = None
    """… and of its end."""
    empty: tuple[int, ...] | None = None
    """The tokens that are empty nodes."""
    columns: dict[str, tuple[str, ...]] = {}
    """Speaker, lemma, parse … under the names of the format."""
    digest: int | None = None
    """Hash of the words, if they were not kept."""


class LayerMentions(StoredRecord, frozen=True):
    """Mentions in opening order; all lists are parallel."""

    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    """Index in ``Layer.chains``."""
    head: tuple[int, ...] | None = None
    parts: tuple[tuple[Span, ...], ...] | None = None
    minimum: tuple[tuple[Span, ...], ...] | None = None
    referring: tuple[bool, ...] | None = None
    columns: dict[str, tuple[str, ...]] = {}


class BridgingLink(StoredRecord, frozen=True):
    """A bridging anaphor and its anchor."""

    anaphor: int
    mention: int = -1
    chain: int = -1
    label: str = ""


class Layer(StoredRecord, frozen=True):
    """The annotation of a document in the key or one response."""

    name: str
    tokens: LayerTokens
    part: int = -1
    columns: dict[str, str] = {}
    """Genre, topic …"""
    as_key: tuple[str, ...] = ()
    """The fields and columns of ``tokens`` that equal those of the key and are not stored."""
    mentions: LayerMentions = LayerMentions()
    chains: tuple[str, ...] = ()
    """The labels of the chains."""
    split: tuple[Span, ...] = ()
    """Split antecedents: a chain, and one of the chains that it consists of."""
    bridging: tuple[BridgingLink, ...] = ()


class Twins(StoredRecord, frozen=True):
    """How a response was matched with the key under the choices of the profile."""

    twins: tuple[int, ...] = ()
    """For every response mention the number of its key mention; -1: twinless."""
    uncounted: tuple[int, ...] = ()
    """Response mentions that the profile leaves out: stripped singletons, repeats …"""
    uncounted_key: tuple[int, ...] = ()
    """Key mentions that the profile leaves out."""


class RunDocument(StoredRecord, frozen=True):
    """``documents/NNNNN.json``."""

    label: str
    key: Layer | None = None
    """None if only a response has the document, which is then not scored."""
    responses: dict[str, Layer] = {}
    """A response that lacks the document has no layer."""
    matched: dict[str, Twins] = {}
    reasons: dict[str, tuple[Reason, ...]] = {}
    """For a bench: the reasons of each resolver, over the words of the key."""


def check_header(header: Header) -> None:
    """Raise if the results of a run have no input, unknown scores, or others than each other."""
    responses = {source.name for source in header.inputs if source.role == "response"}
    for result in header.results:
        if result.name not in responses:
            raise inconsistent_run("", f"a result of {result.name}, which is no input")
        if not set(result.profile.conll) <= set(result.profile.measures):
            raise inconsistent_run("", f"a CoNLL average of scores that {result.name} does not have")
    shapes = {(tuple(result.profile.measures), bool(result.profile.conll)) for result in header.results}
    if len(shapes) > 1:
        raise inconsistent_run("", "results with different scores")


def check_document(document: RunDocument) -> None:
    """Raise if a document is inconsistent; its layers have all their tokens."""
    for layer in (document.key, *document.responses.values()):
        if layer is not None:
            _check_layer(layer)
    key_count = len(document.key.mentions.start) if document.key is not None else 0
    for name, matched in document.matched.items():
        layer = document.responses.get(name)
        response_count = len(layer.mentions.start) if layer is not None else -1
        if (
            len(matched.twins) != response_count
            or not _all_within(matched.twins, key_count, least=-1)
            or not _all_within(matched.uncounted, response_count)
            or not _all_within(matched.uncounted_key, key_count)
        ):
            raise inconsistent_run(document.label, f"twins of {name} that are not there")


def _check_layer(layer: Layer) -> None:
    """Raise if columns differ in length, or if numbers point nowhere."""
    tokens, mentions = layer.tokens, layer.mentions
    count, mention_count, chain_count = tokens.count, len(mentions.start), len(layer.chains)
    of_tokens = (tokens.words, tokens.begin, tokens.finish, *tokens.columns.values())
    of_mentions = (
        *(mentions.end, mentions.chain, mentions.head, mentions.parts, mentions.minimum, mentions.referring),
        *mentions.columns.values(),
    )
    spans = list(zip(mentions.start, mentions.end, strict=False))
    spans += [span for column in (mentions.parts, mentions.minimum) for m in column or () for span in m]
    checks = {
        "a column of tokens of another length": all(column is None or len(column) == count for column in of_tokens),
        "a column of mentions of another length": all(
            column is None or len(column) == mention_count for column in of_mentions
        ),
        "a span outside the document": 0 <= count < 1 << 31 and all(0 <= start < end <= count for start, end in spans),
        "a token outside the document": _all_within(tokens.sentences, count + 1)
        and _all_within(tokens.empty or (), count)
        and _all_within(mentions.head or (), count, least=-1),
        "a chain that is not there": _all_within(mentions.chain, chain_count)
        and _all_within([chain for pair in layer.split for chain in pair], chain_count)
        and _all_within([bridge.chain for bridge in layer.bridging], chain_count, least=-1),
        "a mention that is not there": _all_within([b.anaphor for b in layer.bridging], mention_count)
        and _all_within([bridge.mention for bridge in layer.bridging], mention_count, least=-1),
        "a mention without parts": mentions.parts is None or all(mentions.parts),
        "an offset that is no position in a text": _all_within(tokens.begin or (), 1 << 31)
        and _all_within(tokens.finish or (), 1 << 31),
        "a number that is no part": -1 <= layer.part < 1 << 31,
        "a number that is no hash": tokens.digest is None or 0 <= tokens.digest < 1 << 64,
    }
    for problem, is_consistent in checks.items():
        if not is_consistent:
            raise inconsistent_run(layer.name, problem)


def _all_within(numbers: Sequence[int], end: int, *, least: int = 0) -> bool:
    return not numbers or (min(numbers) >= least and max(numbers) < end)


def decode_entry(
    content: bytes,
    shape: type[Shape],
    source: str,
    entry: str,
    dec_hook: Callable[[type, Any], Any] | None = None,
) -> Shape:
    """Decode an entry; raise if it does not fit its schema."""
    try:
        return msgspec.json.decode(content, type=shape, dec_hook=dec_hook)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            "the run file is damaged",
            code="CB246",
            place=Place(source=source),
            found=f"{entry}: {error}",
            remedy="copy it again from where it was made, or make the run again",
        ) from error


def inconsistent_run(document: str, problem: str) -> FormatError:
    """Return the error for an inconsistent run file."""
    return FormatError(
        "the run file is inconsistent",
        code="CB246",
        place=Place(document=document),
        found=problem,
        remedy="make the run again",
    )
