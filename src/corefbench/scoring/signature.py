"""The signature: all that a number depends on, in one line that reads back.

``conll-2012|match:exact|…|key:gold@1f3c…|response:system@9ab0…|scores:77aa…|version:0.1.0``
"""

import hashlib
from collections.abc import Iterator, Mapping

import numpy as np

from corefbench.errors import UsageError
from corefbench.measures import Tally
from corefbench.model.corpus import Corpus, Parts
from corefbench.record import Record
from corefbench.version import __version__

_DIGITS = 12


class Signature(Record, frozen=True):
    """The profile, the choices made in it, what was scored, and a hash of the outcome.

    >>> text = "conll-2012|match:exact|key:a@1|response:b@2|scores:3|version:0"
    >>> str(Signature.parse(text)) == text
    True
    """

    profile: str
    choices: dict[str, str]
    key: str
    response: str
    scores: str
    version: str = __version__

    def __str__(self) -> str:
        fields = {
            **self.choices,
            "key": self.key,
            "response": self.response,
            "scores": self.scores,
            "version": self.version,
        }
        return "|".join([self.profile, *(f"{name}:{value}" for name, value in fields.items())])

    @classmethod
    def parse(cls, text: str) -> "Signature":
        profile, *rest = text.strip().split("|")
        fields = dict(item.partition(":")[::2] for item in rest)
        try:
            named = {name: fields.pop(name) for name in ("key", "response", "scores", "version")}
        except KeyError as error:
            raise UsageError(
                "this is not a signature",
                code="CB007",
                found=text,
                expected="profile|choice:value|…|key:…|response:…|scores:…|version:…",
                remedy="copy the whole line that `corefbench score` printed after the table",
            ) from error
        return cls(profile=profile, choices=fields, **named)


class Said(Record, frozen=True):
    """What a piece of a corpus says, as bytes that are hashed; pieces of other processes are sent
    like this."""

    name: str
    labels: tuple[str, ...]
    documents: bytes
    """Name, tokens and mentions of each document."""
    mentions: bytes
    """Start, end and chain of each mention, the chains of each document numbered from 0."""
    count: int
    parts: tuple[tuple[int, str], ...]
    """The parts of discontinuous mentions, by number; of others, start and end say all."""
    entities: tuple[str, ...]
    """The labels of all chains."""

    @classmethod
    def by(cls, corpus: Corpus, *, entities: bool) -> "Said":
        """What a corpus says; the labels of its chains only if asked for."""
        mentions, chains = corpus.mentions, corpus.chains
        first_chain = np.searchsorted(chains.document, np.arange(len(corpus)))
        rows = np.empty((len(mentions), 3), np.int64)
        rows[:, 0], rows[:, 1] = mentions.start, mentions.end
        rows[:, 2] = mentions.chain - first_chain[mentions.document]
        counts = np.bincount(mentions.document, minlength=len(corpus)).tolist()
        tokens = corpus.token_counts().tolist()
        labels = corpus.documents.labels()
        lines = (f"{n}\t{t}\t{m}\n" for n, t, m in zip(labels, tokens, counts, strict=True))
        return cls(
            name=corpus.name,
            labels=tuple(labels),
            documents="".join(lines).encode(),
            mentions=rows.tobytes(),
            count=len(mentions),
            parts=tuple(_parts(mentions.parts)),
            entities=tuple(map(chains.label, range(len(chains)))) if entities else (),
        )


def _parts(parts: Parts | None) -> Iterator[tuple[int, str]]:
    if parts is not None:
        for mention in np.flatnonzero(np.diff(parts.offsets) > 1).tolist():
            yield mention, str(parts.of(mention))


class ContentHash:
    """A hash of what a corpus says, whatever the format it was read from.

    Fed piece by piece; where the pieces are cut does not matter. With ``across`` chains of
    different documents that carry one label are one, as they are for scopes wider than a document;
    else labels say nothing.
    """

    def __init__(self, *, across: bool = False) -> None:
        self._across: dict[str, int] | None = {} if across else None
        self._entities = hashlib.sha256()
        self._mentions = hashlib.sha256()
        self._documents = hashlib.sha256()
        self._parts = hashlib.sha256()
        self._has_parts = False
        self._seen = 0
        self.name = ""
        self.labels: list[str] = []
        """The documents, in the order in which they came."""

    def add(self, corpus: Corpus) -> None:
        """Take in the next piece."""
        self.take(Said.by(corpus, entities=self._across is not None))

    def take(self, said: Said) -> None:
        """Take in what the next piece says."""
        self.name = self.name or said.name
        self.labels += said.labels
        self._documents.update(said.documents)
        self._mentions.update(said.mentions)
        for mention, parts in said.parts:
            self._parts.update(f"{self._seen + mention}{parts}".encode())
            self._has_parts = True
        self._seen += said.count
        if self._across is not None:
            known = self._across
            # Entities have numbers in the order in which they appear.
            numbers = [known.setdefault(label, len(known)) for label in said.entities]
            self._entities.update(np.array(numbers, np.int64).tobytes())

    def __str__(self) -> str:
        said = self._mentions.digest() + self._documents.digest()
        if self._has_parts:
            said += self._parts.digest()
        if self._across is not None:
            said += self._entities.digest()
        both = hashlib.sha256(said).hexdigest()
        name = "".join(c if c not in "|:@" and c.isprintable() else "_" for c in self.name)
        return f"{name}@{both[:_DIGITS]}"


def scores_hash(tallies: Mapping[str, Tally]) -> str:
    """A hash of every count, so that a re-run can be compared bit for bit."""
    digest = hashlib.sha256()
    for name, tally in tallies.items():
        digest.update(name.encode() + tally.values.tobytes())
    return digest.hexdigest()[:_DIGITS]
