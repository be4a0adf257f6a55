"""Pair the documents of key and response by name.

Both sides are streams of small corpora. Pairs are yielded as soon as they are complete, so memory
does not grow with the files as long as both have their documents in about the same order.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.combine import concatenate, empty_corpus, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.selection import Selection, select_pair
from corefbench.diagnostics import Finding, Report
from corefbench.errors import MismatchError, Place
from corefbench.records import Longs

_BATCH_MENTIONS = 1 << 16
"""Mentions per batch: enough to make the cost of a batch negligible, few enough for memory."""


def pair_documents(
    key: Iterator[Corpus], response: Iterator[Corpus], report: Report, only: tuple[Selection, ...] = ()
) -> Iterator[tuple[Corpus, Corpus]]:
    """Yield pairs of corpora with the same documents in the same order, that of the key.

    A document that the response lacks counts as empty; one that only the response has is not
    scored. Both are reported. Empty nodes that one side marks and the other writes as words are
    marked on both. ``only`` selects documents and mentions of the pairs.
    """
    for named in _pair_by_name(key, response, report):
        for pair in _mark_empty_nodes(*named):
            selected = select_pair(*pair, only)
            if len(selected[0]):
                yield selected


def _pair_by_name(key: Iterator[Corpus], response: Iterator[Corpus], report: Report) -> Iterator[tuple[Corpus, Corpus]]:
    keys, responses = _DocumentBuffer(key, "key"), _DocumentBuffer(response, "response")
    has_paired = False
    # Not "or": both sides read on in turn, so that neither runs ahead of the other.
    while keys.read_more() | responses.read_more():
        common = [label for label in keys.labels if label in responses.labels]
        if common:
            has_paired = True
            yield keys.take(common), responses.take(common)
    if matches := _match_without_part(keys.labels, responses.labels):
        has_paired = True
        yield _pair_without_part(keys, responses, matches, report)
    if not has_paired and len(keys.labels) == 1 and len(responses.labels) == 1:
        yield _pair_only_documents(keys, responses, report)
        return
    missing, extra = list(keys.labels), list(responses.labels)
    if not has_paired and missing and extra:
        raise MismatchError(
            "key and response have no document in common",
            place=Place(source=responses.name),
            found=f"documents {_list_some(extra)}",
            expected=f"documents {_list_some(missing)}",
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


def _mark_empty_nodes(key: Corpus, response: Corpus) -> Iterator[tuple[Corpus, Corpus]]:
    """Yield the pair; documents in which only one side marks the empty nodes are a pair of their own.

    Formats that cannot mark empty nodes write them as words. Such a document has as many words as
    the other side has words and empty nodes; compared word by word, every later span would be off.
    Where empty nodes were left out, words correspond without help.
    """
    key_nodes, response_nodes = _count_empty_nodes(key), _count_empty_nodes(response)
    same_length = key.token_counts() == response.token_counts()
    unmarked_response = same_length & (key_nodes > 0) & (response_nodes == 0)
    unmarked_key = same_length & (response_nodes > 0) & (key_nodes == 0)
    for unmarked in (unmarked_response, unmarked_key, ~(unmarked_response | unmarked_key)):
        if not unmarked.any():
            continue
        ours, theirs = key, response
        if not unmarked.all():
            documents = np.flatnonzero(unmarked)
            ours, theirs = take_documents(key, documents), take_documents(response, documents)
        if unmarked is unmarked_response:
            theirs = _copy_empty_nodes(ours, theirs)
        elif unmarked is unmarked_key:
            ours = _copy_empty_nodes(theirs, ours)
        yield ours, theirs


def _count_empty_nodes(corpus: Corpus) -> Longs:
    empty = corpus.tokens.empty
    if empty is None:
        return np.zeros(len(corpus), np.int64)
    return np.diff(np.append(0, np.cumsum(empty))[corpus.tokens.offsets])


def _copy_empty_nodes(source: Corpus, target: Corpus) -> Corpus:
    """Mark the empty nodes of a corpus as in another with the same tokens.

    The position of an empty node depends on its sentence and its id. What the target has a digest
    of includes its empty nodes, and cannot be compared.
    """
    tokens = source.tokens
    columns = {name: column for name, column in target.tokens.columns.items() if name != "id"}
    if "id" in tokens.columns:
        columns["id"] = tokens.columns["id"]
    digests = target.tokens.digests
    marked = replace(
        target.tokens,
        empty=tokens.empty,
        sentences=tokens.sentences,
        digests=None if digests is None else np.zeros_like(digests),
        columns=columns,
    )
    return replace(target, tokens=marked)


def _match_without_part(key: Iterable[str], response: Iterable[str]) -> list[tuple[str, str]]:
    """Match documents that one side names without a part and the other as part 0.

    Some formats cannot do without part numbers.

    >>> _match_without_part(["a", "b_0", "c_0"], ["a_0", "b", "c_1"])
    [('a', 'a_0'), ('b_0', 'b')]
    """
    unmatched = set(response)
    matches = []
    for label in key:
        for other in (f"{label}_0", label.removesuffix("_0")):
            if other in unmatched:
                matches.append((label, other))
                unmatched.remove(other)
                break
    return matches


def _pair_without_part(
    keys: "_DocumentBuffer", responses: "_DocumentBuffer", matches: list[tuple[str, str]], report: Report
) -> tuple[Corpus, Corpus]:
    report(
        Finding(
            code="CB203",
            severity="note",
            message="one side numbers the parts of documents, the other does not; part 0 is paired with the whole",
            place=Place(source=responses.name, document=matches[0][1]),
            found=f"{len(matches)} documents",
        )
    )
    return keys.take([label for label, _ in matches]), responses.take([label for _, label in matches])


def _pair_only_documents(
    keys: "_DocumentBuffer", responses: "_DocumentBuffer", report: Report
) -> tuple[Corpus, Corpus]:
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


def _list_some(labels: list[str]) -> str:
    shown = ", ".join(labels[:3])
    return f"{shown} … ({len(labels)} in all)" if len(labels) > 3 else shown


class _DocumentBuffer:
    """The documents of one side that have been read but not paired."""

    def __init__(self, pieces: Iterator[Corpus], side: str) -> None:
        self._pieces = pieces
        self._buffered = empty_corpus("")
        self._seen: set[str] = set()
        self._side = side
        self.labels: dict[str, int] = {}
        self.name = side

    def read_more(self) -> bool:
        """Read until a batch of mentions is buffered; return False at the end."""
        pieces = [self._buffered] if len(self._buffered) else []
        count = len(self._buffered.mentions)
        for piece in self._pieces:
            self.name = piece.name
            self._check_names(piece)
            pieces.append(piece)
            count += len(piece.mentions)
            if count >= _BATCH_MENTIONS:
                break
        else:
            if not pieces or pieces == [self._buffered]:
                return False
        self._buffer(concatenate(self.name, pieces))
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

    def _buffer(self, corpus: Corpus) -> None:
        self._buffered = corpus
        self.labels = {label: i for i, label in enumerate(corpus.documents.labels())}

    def take(self, labels: list[str]) -> Corpus:
        """Remove these documents from the buffer and return them; unknown ones are empty."""
        wanted = np.array([self.labels.get(label, -1) for label in labels], np.int64)
        taken = self._select(wanted, labels)
        removed = set(labels)
        rest = [label for label in self.labels if label not in removed]
        remaining = np.array([self.labels[label] for label in rest], np.int64)
        self._buffer(self._select(remaining, rest) if rest else empty_corpus(self.name))
        return taken

    def _select(self, wanted: Longs, labels: list[str]) -> Corpus:
        documents = self._buffered.documents
        names = [
            (documents.names[d], int(documents.parts[d])) if d >= 0 else (label, -1)
            for d, label in zip(wanted.tolist(), labels, strict=True)
        ]
        return take_documents(self._buffered, wanted, names)
