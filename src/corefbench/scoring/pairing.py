"""Which document of the response answers which document of the key.

Both come as streams of small corpora; what is paired is passed on at once, so that memory does not
grow with the files as long as they name their documents in about the same order.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from corefbench.errors import MismatchError, Place
from corefbench.findings import Finding
from corefbench.model.assemble import concatenate, empty_corpus, take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Longs

Report = Callable[[Finding], None]

_ENOUGH = 1 << 16
"""Mentions that make a batch: many enough that starting one costs nothing, few for memory."""


def paired(
    key: Iterator[Corpus], response: Iterator[Corpus], report: Report
) -> Iterator[tuple[Corpus, Corpus]]:
    """Corpora with the same documents in the same order, in the order of the key.

    Documents are those of the key: one that the response lacks counts as empty, one that only the
    response has is left out. Both are reported.
    """
    keys, responses = _Waiting(key, "key"), _Waiting(response, "response")
    met = False
    while keys.more() | responses.more():
        common = [label for label in keys.labels if label in responses.labels]
        if common:
            met = True
            yield keys.take(common), responses.take(common)
    if alike := _alike_but_for_part(keys.labels, responses.labels):
        met = True
        yield _parted_pair(keys, responses, alike, report)
    if not met and len(keys.labels) == 1 and len(responses.labels) == 1:
        yield _lone_pair(keys, responses, report)
        return
    missing, extra = list(keys.labels), list(responses.labels)
    if not met and missing and extra:
        raise MismatchError(
            "key and response have no document in common",
            place=Place(source=responses.name),
            found=f"documents {_some(extra)}",
            expected=f"documents {_some(missing)}",
            remedy="check that both files are of the same data; documents are paired by name",
        )
    for label in missing:
        report(
            Finding(
                code="CB202",
                severity="warning",
                message="the response has no such document; it counts as empty",
                place=Place(source=keys.name, document=label),
            )
        )
    for label in extra:
        report(
            Finding(
                code="CB203",
                severity="warning",
                message="the key has no such document; it is not scored",
                place=Place(source=responses.name, document=label),
            )
        )
    if missing:
        yield keys.take(missing), responses.take(missing)


def _alike_but_for_part(key: Iterable[str], response: Iterable[str]) -> list[tuple[str, str]]:
    """Documents that one side calls by name and the other as part 0 of it: some formats must number
    parts.

    >>> _alike_but_for_part(["a", "b_0", "c_0"], ["a_0", "b", "c_1"])
    [('a', 'a_0'), ('b_0', 'b')]
    """
    answers = set(response)
    found = []
    for label in key:
        for other in (f"{label}_0", label.removesuffix("_0")):
            if other in answers:
                found.append((label, other))
                answers.remove(other)
                break
    return found


def _parted_pair(
    keys: "_Waiting", responses: "_Waiting", alike: list[tuple[str, str]], report: Report
) -> tuple[Corpus, Corpus]:
    report(
        Finding(
            code="CB203",
            severity="note",
            message="one side numbers the parts of documents, the other does not; part 0 is paired "
            "with the whole",
            place=Place(source=responses.name, document=alike[0][1]),
            found=f"{len(alike)} documents",
        )
    )
    return keys.take([label for label, _ in alike]), responses.take([label for _, label in alike])


def _lone_pair(keys: "_Waiting", responses: "_Waiting", report: Report) -> tuple[Corpus, Corpus]:
    (key_label,), (response_label,) = keys.labels, responses.labels
    report(
        Finding(
            code="CB203",
            severity="note",
            message="the only documents of key and response have different names; they are paired",
            place=Place(source=responses.name, document=response_label),
            found=f"{response_label!r} for {key_label!r}",
        )
    )
    return keys.take([key_label]), responses.take([response_label])


def _some(labels: list[str]) -> str:
    shown = ", ".join(labels[:3])
    return f"{shown} … ({len(labels)} in all)" if len(labels) > 3 else shown


class _Waiting:
    """The documents of one side that have been read and not yet paired."""

    def __init__(self, pieces: Iterator[Corpus], side: str) -> None:
        self._pieces = pieces
        self._held = empty_corpus("")
        self._seen: set[str] = set()
        self._side = side
        self.labels: dict[str, int] = {}
        self.name = side

    def more(self) -> bool:
        """Read on until a good number of mentions is waiting; False at the end."""
        pieces = [self._held] if len(self._held) else []
        waiting = len(self._held.mentions)
        for piece in self._pieces:
            self.name = piece.name
            self._check_names(piece)
            pieces.append(piece)
            waiting += len(piece.mentions)
            if waiting >= _ENOUGH:
                break
        else:
            if not pieces or pieces == [self._held]:
                return False
        self._hold(concatenate(self.name, pieces))
        return True

    def _check_names(self, piece: Corpus) -> None:
        for label in piece.documents.labels():
            if label in self._seen:
                raise MismatchError(
                    f"the {self._side} names a document twice",
                    code="CB109",
                    place=Place(source=piece.name, document=label),
                    remedy="give every document (and part) a name of its own",
                )
            self._seen.add(label)

    def _hold(self, corpus: Corpus) -> None:
        self._held = corpus
        self.labels = {label: i for i, label in enumerate(corpus.documents.labels())}

    def take(self, labels: list[str]) -> Corpus:
        """These documents, which are then no longer waiting; unknown ones are empty."""
        wanted = np.array([self.labels.get(label, -1) for label in labels], np.int64)
        taken = self._pick(wanted, labels)
        gone = set(labels)
        rest = [label for label in self.labels if label not in gone]
        left = np.array([self.labels[label] for label in rest], np.int64)
        self._hold(self._pick(left, rest) if rest else empty_corpus(self.name))
        return taken

    def _pick(self, wanted: Longs, labels: list[str]) -> Corpus:
        documents = self._held.documents
        names = [
            (documents.names[d], int(documents.parts[d])) if d >= 0 else (label, -1)
            for d, label in zip(wanted.tolist(), labels, strict=True)
        ]
        return take_documents(self._held, wanted, names)
