"""What a run file holds, entry by entry, as typed records.

    run.json              ``Header``: enough for a summary, read alone
    results/NNNNN.json    ``Counted``: the tallies of one result
    documents/NNNNN.json  ``RunDocument``: one document with key, responses and twins
    bench.json            the verdicts of a comparison of resolvers (kind ``bench``)

Fields may be added; what is renamed or changes its meaning makes a new schema.
"""

from typing import Literal, TypeAlias

import msgspec

from corefbench.bench.reasons import Reason
from corefbench.findings import Finding
from corefbench.measures import Score
from corefbench.profiles.profile import Profile
from corefbench.record import Record

SCHEMA = 2
"""1 was plain JSON, for comparisons of resolvers only."""

Kind: TypeAlias = Literal["score", "bench"]
Span: TypeAlias = tuple[int, int]


class Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record of which only what is not empty is written."""


class Input(Stored, frozen=True):
    """A corpus that went in: the key or a response."""

    role: Literal["key", "response"]
    name: str
    """The name of the file, without the folders of one machine; of a response, its own name."""
    content: str
    """The corpus and the hash of what it says, as in the signature."""
    order: tuple[int, ...]
    """The numbers of its documents, in the order in which the input has them."""
    format: str = ""
    bytes: int = 0
    sha256: str = ""
    """Of the file; of a folder: of the names and contents of its files; empty for memory."""


class Scored(Record, frozen=True):
    """What a response came to."""

    name: str
    profile: Profile
    signature: str
    scores: dict[str, Score]
    conll: float | None
    findings: int
    """How many there are; they are with the tallies."""


class Timing(Record, frozen=True):
    """Seconds of reading, scoring and, in a comparison of resolvers, resolving."""

    wall: float = 0.0
    cpu: float = 0.0


class Header(Record, frozen=True):
    """``run.json``."""

    schema: int
    kind: Kind
    version: str
    """Of corefbench."""
    created: str
    """ISO 8601, in UTC."""
    command: tuple[str, ...]
    inputs: tuple[Input, ...]
    documents: tuple[str, ...]
    """The labels; the number of a document is its place."""
    results: tuple[Scored, ...]
    timing: Timing
    contents: str = ""
    """SHA-256 of all other entries, in the order of their names."""


class Table(Record, frozen=True):
    """A tally: a row a document."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class Counted(Record, frozen=True):
    """``results/NNNNN.json``."""

    units: tuple[str, ...]
    """What was scored as one: the rows of the tallies."""
    tallies: dict[str, Table]
    findings: tuple[Finding, ...]


class Words(Stored, frozen=True):
    """The tokens of a document."""

    count: int
    words: tuple[str, ...] | None = None
    sentences: tuple[int, ...] = ()
    """The first token of each."""
    text: str | None = None
    begin: tuple[int, ...] | None = None
    """Where each token begins in the text, in characters …"""
    finish: tuple[int, ...] | None = None
    """… and where it ends."""
    empty: tuple[int, ...] | None = None
    """The tokens that are empty nodes."""
    columns: dict[str, tuple[str, ...]] = {}
    """Speaker, lemma, parse … under the names of the format."""
    digest: int | None = None
    """Of the words, where they were not kept."""


class Marked(Stored, frozen=True):
    """Mentions, in the order in which they open; all lists are in step."""

    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    """A place in ``Layer.chains``."""
    head: tuple[int, ...] | None = None
    parts: tuple[tuple[Span, ...], ...] | None = None
    minimum: tuple[tuple[Span, ...], ...] | None = None
    referring: tuple[bool, ...] | None = None
    columns: dict[str, tuple[str, ...]] = {}


class Bridge(Stored, frozen=True):
    """A bridging anaphor and what it is anchored to."""

    anaphor: int
    mention: int = -1
    chain: int = -1
    label: str = ""


class Layer(Stored, frozen=True):
    """What the key, or one response, says about a document."""

    name: str
    tokens: Words
    part: int = -1
    columns: dict[str, str] = {}
    """Genre, topic …"""
    as_key: tuple[str, ...] = ()
    """The fields and columns of ``tokens`` that are the key's own and are not written again."""
    mentions: Marked = Marked()
    chains: tuple[str, ...] = ()
    """Their labels."""
    split: tuple[Span, ...] = ()
    """Chains with split antecedents: the chain, and one of those it is made of."""
    bridging: tuple[Bridge, ...] = ()


class Twinned(Stored, frozen=True):
    """How a response was matched with the key under the choices of the profile."""

    twins: tuple[int, ...] = ()
    """For every response mention the number of its key mention; -1: twinless."""
    uncounted: tuple[int, ...] = ()
    """Response mentions that the profile leaves out: stripped singletons, repeats …"""
    uncounted_key: tuple[int, ...] = ()
    """Key mentions that it leaves out."""


class RunDocument(Stored, frozen=True):
    """``documents/NNNNN.json``."""

    label: str
    key: Layer | None = None
    """None: only a response has the document; it is not scored."""
    responses: dict[str, Layer] = {}
    """A response that lacks the document has no layer."""
    matched: dict[str, Twinned] = {}
    reasons: dict[str, tuple[Reason, ...]] = {}
    """Of a comparison of resolvers: why each decided as it did, over the words of the key."""
