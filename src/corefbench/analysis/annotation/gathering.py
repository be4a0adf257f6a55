"""Several annotations of the same texts, brought together document by document."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from corefbench.errors import MismatchError, Place, UsageError
from corefbench.findings import Finding, Strictness
from corefbench.formats.load import load
from corefbench.model.assemble import concatenate, take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Longs

Where: TypeAlias = str | Path | bytes | Corpus
Many: TypeAlias = Sequence[Where] | Mapping[str, Where]
"""Annotations in order, or by the name of their annotator."""

_SAME = "annotations can only be put together if they were made on one and the same file"


class Annotations(Columns, frozen=True, eq=False):
    """What each annotator has said about the same documents."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    base: Corpus
    """Every document, with what is said of its text and tokens by the first who has it."""
    documents: Longs
    """For each document of the base its number in each annotation; -1 where it is missing."""
    findings: tuple[Finding, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.base.documents.labels()


def gather(
    annotations: Many, *, format: str | None = None, lenient: bool = False, least: int = 2
) -> Annotations:
    """Read annotations and pair their documents by name; their tokens must be the same.

    A document that not all have is an error, or, when lenient, a document with fewer voters.
    """
    findings: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=findings.append)
    given = named(annotations)
    if len(given) < least:
        raise UsageError(f"at least {least} annotations are needed", found=str(len(given)))
    corpora = tuple(_loaded(where, format, strictness) for where in given.values())
    names = tuple(given)
    labels = _labels(corpora, names, findings.append)
    wanted = list(dict.fromkeys(label for some in labels for label in some))
    places = [{label: number for number, label in enumerate(some)} for some in labels]
    documents = np.array([[place.get(w, -1) for place in places] for w in wanted], np.int64)
    documents = documents.reshape(-1, len(names))
    _check_all_have(wanted, documents, names, strictness)
    _check_tokens(wanted, documents, corpora, names)
    return Annotations(
        names=names,
        corpora=corpora,
        base=_base(corpora, documents),
        documents=documents,
        findings=tuple(findings),
    )


def named(annotations: Many) -> dict[str, Where]:
    """Annotations by name: that of the file, or a letter where there is none.

    >>> list(named([b"", "some/b.conll"]))
    ['A', 'b.conll']
    """
    if isinstance(annotations, Mapping):
        return dict(annotations)
    made: dict[str, Where] = {}
    for number, where in enumerate(annotations):
        name = Path(where).name if isinstance(where, str | Path) else letter(number)
        made[name if name not in made else f"{name} ({letter(number)})"] = where
    return made


def letter(number: int) -> str:
    """What an annotator is called in answers.

    >>> [letter(number) for number in (0, 25, 26, 27)]
    ['A', 'Z', 'AA', 'AB']
    """
    before = letter(number // 26 - 1) if number >= 26 else ""
    return before + chr(ord("A") + number % 26)


def _loaded(where: Where, format: str | None, strictness: Strictness) -> Corpus:
    return where if isinstance(where, Corpus) else load(where, format=format, strictness=strictness)


def _labels(
    corpora: Sequence[Corpus], names: Sequence[str], report: Callable[[Finding], None]
) -> list[tuple[str, ...]]:
    labels = [corpus.documents.labels() for corpus in corpora]
    for name, some in zip(names, labels, strict=True):
        if len(set(some)) < len(some):
            twice = next(label for label in some if some.count(label) > 1)
            raise MismatchError(
                "an annotation names a document twice",
                code="CB109",
                place=Place(source=name, document=twice),
                remedy="give every document (and part) a name of its own",
            )
    if all(len(some) == 1 for some in labels) and len(set(labels)) > 1:
        for name, some in zip(names[1:], labels[1:], strict=True):
            if some != labels[0]:
                report(
                    Finding(
                        code="CB203",
                        severity="note",
                        message="the only documents have different names; they are paired",
                        place=Place(source=name, document=some[0]),
                        found=f"{some[0]!r} for {labels[0][0]!r}",
                    )
                )
        return [labels[0]] * len(labels)
    return labels


def _check_all_have(
    wanted: Sequence[str], documents: Longs, names: Sequence[str], strictness: Strictness
) -> None:
    if len(names) > 1 and not ((documents >= 0).sum(axis=1) > 1).any():
        raise MismatchError(
            "the annotations have no document in common",
            found=f"{len(wanted)} documents, each in one annotation only",
            remedy="documents are paired by name: check that they are named alike",
        )
    for document, annotator in np.argwhere(documents < 0).tolist():
        if not strictness.lenient:
            raise MismatchError(
                "an annotation lacks a document that another one has",
                code="CB202",
                place=Place(source=names[annotator], document=wanted[document]),
                remedy="--lenient lets those vote who have the document",
            )
        strictness.report(
            Finding(
                code="CB202",
                severity="warning",
                message="the annotation has no such document and has no vote on it",
                place=Place(source=names[annotator], document=wanted[document]),
            )
        )


def _check_tokens(
    wanted: Sequence[str], documents: Longs, corpora: Sequence[Corpus], names: Sequence[str]
) -> None:
    counts = [corpus.token_counts() for corpus in corpora]
    digests = [corpus.tokens.digests for corpus in corpora]
    for label, row in zip(wanted, documents.tolist(), strict=True):
        have = [annotator for annotator, number in enumerate(row) if number >= 0]
        first = have[0]
        for other in have[1:]:
            sizes = int(counts[first][row[first]]), int(counts[other][row[other]])
            place = Place(source=names[other], document=label)
            if sizes[0] != sizes[1]:
                raise MismatchError(
                    f"the number of tokens differs from that of {names[first]}",
                    code="CB204",
                    place=place,
                    found=f"{sizes[1]} tokens",
                    expected=f"{sizes[0]} tokens",
                    remedy=_SAME,
                )
            a, b = digests[first], digests[other]
            if a is not None and b is not None and a[row[first]] != b[row[other]]:
                raise _differing(
                    corpora[first][row[first]].words,
                    corpora[other][row[other]].words,
                    names[first],
                    place,
                )


def _differing(words: list[str], others: list[str], name: str, place: Place) -> MismatchError:
    pairs = enumerate(zip(words, others, strict=False))
    where, (word, other) = next(((n, p) for n, p in pairs if p[0] != p[1]), (0, ("", "")))
    return MismatchError(
        f"the tokens differ from those of {name}",
        code="CB205",
        place=place,
        found=f"{other!r} as token {where}",
        expected=f"{word!r}",
        remedy=_SAME,
    )


def _base(corpora: Sequence[Corpus], documents: Longs) -> Corpus:
    """The documents, in order, each from the first who has it."""
    owner = (documents >= 0).argmax(axis=1)
    pieces = []
    for number, corpus in enumerate(corpora):
        wanted = documents[owner == number, number]
        if len(wanted):
            known = corpus.documents
            names = [(known.names[d], int(known.parts[d])) for d in wanted.tolist()]
            pieces.append(take_documents(corpus, wanted, names))
    return concatenate(corpora[0].name, pieces)
