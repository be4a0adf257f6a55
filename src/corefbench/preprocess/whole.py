"""One spaCy document over a whole text, from the annotated slices of it.

The slices hold words only. In the whole document the white space between them is there again, as
spaCy would have it: one space belongs to the word before, more is a token of its own (``SPACE``)
that hangs on the word before. So every token stands in the text at its ``idx``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corefbench.record import Hashes, Longs

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

ATTRIBUTES: list[int | str] = ["TAG", "POS", "MORPH", "LEMMA", "DEP", "ENT_IOB", "ENT_TYPE"]


def whole(vocab: Vocab, text: str, offsets: Sequence[tuple[int, int]], parts: list[Doc]) -> Doc:
    """The document; the words of its parts, in order, stand in the text at the offsets."""
    from spacy.tokens import Doc

    words, spaces, places = _tokens(text, offsets)
    doc = Doc(vocab, words=words, spaces=spaces)
    if not words:
        return doc
    here = np.arange(len(words))
    values = np.tile(_white_space(vocab), (len(words), 1))
    heads = np.maximum(here - 1, 0)
    if places:
        heads[: places[0]] = places[0]
        _fill(values, heads, np.asarray(places, dtype=np.int64), parts)
        _join_entities(values, np.asarray(places, dtype=np.int64))
    relative = (heads - here).astype(np.uint64)
    table: Any = np.column_stack([values, relative])
    doc.from_array([*ATTRIBUTES, "HEAD"], table)
    return doc


def _tokens(
    text: str, offsets: Sequence[tuple[int, int]]
) -> tuple[list[str], list[bool], list[int]]:
    """Words and white space as spaCy has them, and at which tokens the words are."""
    words: list[str] = []
    spaces: list[bool] = []
    places: list[int] = []
    position = 0
    for begin, end in [*offsets, (len(text), len(text))]:
        gap = text[position:begin]
        if words and gap[:1] == " ":
            spaces[-1], gap = True, gap[1:]
        if gap:
            words.append(gap)
            spaces.append(False)
        if begin < end:
            places.append(len(words))
            words.append(text[begin:end])
            spaces.append(False)
        position = end
    return words, spaces, places


def _white_space(vocab: Vocab) -> Hashes:
    """The attributes of a token of white space; ENT_IOB 2 is "outside"."""
    from spacy.symbols import IDS

    add = vocab.strings.add
    row: dict[int | str, int] = {
        "TAG": add("_SP"),
        "POS": IDS["SPACE"],
        "DEP": add("dep"),
        "ENT_IOB": 2,
    }
    return np.array([row.get(name, 0) for name in ATTRIBUTES], dtype=np.uint64)


def _fill(values: Hashes, heads: Longs, places: Longs, parts: list[Doc]) -> None:
    first = 0
    for part in parts:
        count = len(part)
        inside = places[first : first + count]
        values[inside] = part.to_array(ATTRIBUTES).reshape(count, len(ATTRIBUTES))
        heads[inside] = inside[np.arange(count) + part.to_array("HEAD").astype(np.int64)]
        first += count


def _join_entities(values: Hashes, places: Longs) -> None:
    """White space between two words of an entity is inside it: ENT_IOB 1."""
    iob, kind = ATTRIBUTES.index("ENT_IOB"), ATTRIBUTES.index("ENT_TYPE")
    after = places[(places > 0) & (values[places, iob] == 1)]
    white = np.setdiff1d(after - 1, places)
    values[white, iob], values[white, kind] = 1, values[white + 1, kind]
