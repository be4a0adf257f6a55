"""Chains by their labels, and the relations between chains and mentions."""

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.formats.parquet_columns import Rows
from corefbench.model.builder import labels
from corefbench.model.corpus import Chains, Mentions, Relations
from corefbench.model.strings import Strings
from corefbench.record import Columns, Ints, Longs


class Labelled(Columns, frozen=True, eq=False):
    """The chains of some rows, and the chain of each mention and of each end of a relation."""

    records: Chains
    of_mentions: Ints
    plural: Ints
    element: Ints
    bridging: Ints
    """-1 where no chain is named."""


def labelled(rows: Rows, document: Ints, lengths: Longs) -> Labelled:
    """A chain for each label of a document, numbered by first appearance."""
    said = [_labels(rows, "mention_chain", document, lengths)]
    plural, bridging = _lengths(rows, "split_plural"), _lengths(rows, "bridging_anaphor")
    for name, counts in (
        ("split_plural", plural),
        ("split_element", plural),
        ("bridging_chain", bridging),
    ):
        said.append(_labels(rows, name, np.repeat(np.arange(len(rows)), counts), counts))
    known: dict[tuple[int, str], int] = {}
    numbers = [
        np.array(
            [known.setdefault(one, len(known)) if one[1] or not name else -1 for one in some],
            np.int32,
        )
        for name, some in enumerate(said)
    ]
    return Labelled(
        records=Chains(
            document=np.array([row for row, _ in known], np.int32),
            labels=labels([label for _, label in known]),
        ),
        of_mentions=numbers[0],
        plural=numbers[1],
        element=numbers[2],
        bridging=numbers[3],
    )


def relations_of(rows: Rows, mentions: Mentions, chains: Labelled) -> Relations:
    """Split antecedents and bridging; an error where a reference points to nothing."""
    counts, anaphor = rows.numbers("bridging_anaphor")
    owner = np.repeat(np.arange(len(rows)), counts)
    first = np.searchsorted(mentions.document, np.arange(len(rows) + 1))
    _, anchor = rows.numbers("bridging_mention")
    anchor = anchor if len(anchor) == len(anaphor) else np.full(len(anaphor), -1, np.int64)
    size = np.diff(first)[owner]
    _check(rows, owner, (anaphor < 0) | (anaphor >= size) | (anchor >= size))
    _, kinds = rows.text_lists("bridging_label")
    return Relations(
        plural=chains.plural,
        element=chains.element,
        bridging_anaphor=(anaphor + first[owner]).astype(np.int32),
        bridging_mention=np.where(anchor < 0, -1, anchor + first[owner]).astype(np.int32),
        bridging_chain=chains.bridging,
        bridging_label=tuple(kinds) if len(kinds) == len(anaphor) else ("",) * len(anaphor),
    )


def _check(rows: Rows, owner: Longs, wrong: np.ndarray) -> None:
    if wrong.any():
        row = int(owner[np.flatnonzero(wrong)[0]])
        raise FormatError(
            "a reference points to nothing",
            code="CB115",
            place=Place(source=rows.source, document=rows.names[row]),
            found="a bridging anaphor or its anchor that is no mention",
        )


def _lengths(rows: Rows, name: str) -> Longs:
    return rows.lists(name)[0]


def _labels(
    rows: Rows, name: str, document: Longs | Ints, expected: Longs
) -> "list[tuple[int, str]]":
    """The label of each, with its document; nothing where the column is not there."""
    counts, said = rows.text_lists(name)
    if not counts.any():
        said, counts = Strings.of([""] * int(expected.sum())), expected
    if (wrong := counts != expected).any():
        row = int(np.flatnonzero(wrong)[0])
        raise rows.unfit(name, f"{counts[row]} values", str(expected[row]), row)
    return list(zip(document.tolist(), said, strict=True))
