"""The signature: everything that a score depends on, in one line that can be parsed.

``conll-2012|match:exact|…|key:gold@1f3c…|response:system@9ab0…|scores:77aa…|version:0.1.0``
"""

import hashlib
from collections.abc import Iterator, Mapping

import numpy as np

from corefbench.corpus.corpus import Corpus, Parts
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.scoring.measures import Tally
from corefbench.version import __version__

_DIGITS = 12


class Signature(Record, frozen=True):
    """The profile, its choices, what was scored, and a hash of the scores.

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


class CorpusContent(Record, frozen=True):
    """The content of a piece of a corpus, as bytes to be hashed; workers send it."""

    name: str
    labels: tuple[str, ...]
    documents: bytes
    """Name, tokens and mentions of each document."""
    mentions: bytes
    """Start, end and chain of each mention, the chains of each document numbered from 0."""
    count: int
    parts: tuple[tuple[int, str], ...]
    """The parts of discontinuous mentions, by number."""
    entities: tuple[str, ...]
    """The labels of all chains."""

    @classmethod
    def of(cls, corpus: Corpus, *, entities: bool) -> "CorpusContent":
        """Return the content of a corpus; the labels of chains only if asked for."""
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
            parts=tuple(_discontinuous_parts(mentions.parts)),
            entities=tuple(map(chains.label, range(len(chains)))) if entities else (),
        )


def _discontinuous_parts(parts: Parts | None) -> Iterator[tuple[int, str]]:
    if parts is not None:
        for mention in np.flatnonzero(np.diff(parts.offsets) > 1).tolist():
            yield mention, str(parts.of(mention))


class ContentHash:
    """A hash of the content of a corpus, independent of its format.

    It is updated piece by piece; the size of the pieces does not matter. With ``across``, chains of
    different documents that have the same label are one, as in scopes wider than a document;
    otherwise labels are ignored.
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
        """The documents, in the order in which they were added."""

    def add(self, corpus: Corpus) -> None:
        """Add the next piece."""
        self.update(CorpusContent.of(corpus, entities=self._across is not None))

    def update(self, content: CorpusContent) -> None:
        """Add the content of the next piece."""
        self.name = self.name or content.name
        self.labels += content.labels
        self._documents.update(content.documents)
        self._mentions.update(content.mentions)
        for mention, parts in content.parts:
            self._parts.update(f"{self._seen + mention}{parts}".encode())
            self._has_parts = True
        self._seen += content.count
        if self._across is not None:
            known = self._across
            # Entities are numbered in order of appearance.
            numbers = [known.setdefault(label, len(known)) for label in content.entities]
            self._entities.update(np.array(numbers, np.int64).tobytes())

    def __str__(self) -> str:
        digests = self._mentions.digest() + self._documents.digest()
        if self._has_parts:
            digests += self._parts.digest()
        if self._across is not None:
            digests += self._entities.digest()
        digest = hashlib.sha256(digests).hexdigest()
        name = "".join(c if c not in "|:@" and c.isprintable() else "_" for c in self.name)
        return f"{name}@{digest[:_DIGITS]}"


def scores_hash(tallies: Mapping[str, Tally]) -> str:
    """Return a hash of every count, so that two runs can be compared bit for bit."""
    digest = hashlib.sha256()
    for name, tally in tallies.items():
        digest.update(name.encode() + tally.values.tobytes())
    return digest.hexdigest()[:_DIGITS]
