"""A document of a run for people: key and response line by line, every mention with its mark."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from corefbench.report.chains import COLOURS, printable
from corefbench.report.table import Table
from corefbench.runs.marks import SYMBOLS, Mark, Marks, marks
from corefbench.runs.schema import Layer, RunDocument

if TYPE_CHECKING:
    from rich.text import Text

LEGEND = "✓ right  ✗ wrong  ○ missed  + spurious  · not counted by the profile"


def read_along(document: RunDocument, response: str) -> "Text":
    """The document sentence by sentence: chains of the key are numbers, of the response letters;
    both have one colour where they share most of their mentions."""
    from rich.text import Text

    made = Text(f"{printable(document.label)}\n{LEGEND}\n")
    found = marks(document, response)
    key, layer = document.key, document.responses.get(response)
    shades = _shades(document, response)
    sides = [
        ("key", key, found.key, list(map(_number, range(_chains(key)))), list(range(_chains(key)))),
        ("response", layer, found.response, list(map(_letters, range(_chains(layer)))), shades),
    ]
    shown = key or layer
    if shown is None:
        return made
    for number, (start, end) in enumerate(_sentences(shown), 1):
        for place, (name, side, some, names, colours) in enumerate(sides):
            head = f"{number:>4}" if not place else "    "
            made.append(f"\n{head} {name:<9} ", "dim")
            if side is None:
                made.append("(the document is not there)", "dim")
            else:
                made.append_text(_line(side, start, end, some, names, colours))
        made.append("\n")
    return made


def _line(
    layer: Layer, start: int, end: int, found: tuple[Mark, ...], names: list[str], shades: list[int]
) -> "Text":
    """Some words with the brackets of the mentions that begin or end at them."""
    from rich.text import Text

    opens: dict[int, list[tuple[int, int]]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for mention, (first, last) in _parts(layer):
        if first < end and last > start:
            opens.setdefault(first, []).append((-last, mention))
            closes.setdefault(last - 1, []).append((-first, -mention))
    words = layer.tokens.words or tuple(f"#{n}" for n in range(layer.tokens.count))
    made = Text()
    for token in range(start, min(end, len(words))):
        made.append(" " if token > start else "")
        for _, mention in sorted(opens.get(token, ())):
            made.append("[", _style(shades[layer.mentions.chain[mention]]))
        made.append(printable(words[token]))
        for _, mention in sorted(closes.get(token, ())):
            chain = layer.mentions.chain[-mention]
            mark = SYMBOLS[found[-mention]]
            made.append(f"]{names[chain]}{mark}", _style(shades[chain]))
    return made


def mention_table(document: RunDocument, response: str) -> Table:
    """A row a mention: what it is, where, and what became of it."""
    found = marks(document, response)
    rows = _rows(document.key, found.key, "key", _number)
    rows += [
        row
        for row in _rows(document.responses.get(response), found.response, "response", _letters)
        if row[0] != SYMBOLS["right"]
    ]
    return Table(
        caption=f"{printable(document.label)}: the key's mentions, and those of {response} that "
        "are not right",
        headers=("Mark", "Side", "Chain", "Start", "End", "Mention"),
        rows=tuple(rows),
        notes=(LEGEND, _summary(found)),
    )


def _rows(
    layer: Layer | None, found: tuple[Mark, ...], side: str, name: Callable[[int], str]
) -> list[tuple[str, ...]]:
    if layer is None:
        return []
    words, marked = layer.tokens.words or (), layer.mentions
    return [
        (
            SYMBOLS[found[mention]],
            side,
            name(marked.chain[mention]),
            str(marked.start[mention]),
            str(marked.end[mention]),
            printable(" ".join(words[marked.start[mention] : marked.end[mention]])),
        )
        for mention in range(len(marked.start))
    ]


def _summary(found: Marks) -> str:
    """How many there are of each.

    >>> _summary(Marks(key=("right", "missed"), response=("right", "spurious")))
    '1 right, 0 wrong, 1 missed, 1 spurious'
    """
    counts = {mark: found.key.count(mark) for mark in ("right", "wrong", "missed")}
    counts |= {"spurious": found.response.count("spurious")}
    return ", ".join(f"{count} {mark}" for mark, count in counts.items())


def _parts(layer: Layer) -> list[tuple[int, tuple[int, int]]]:
    """The contiguous parts of all mentions, each with the number of its mention."""
    marked = layer.mentions
    whole = zip(marked.start, marked.end, strict=True)
    parts = marked.parts or tuple(((start, end),) for start, end in whole)
    return [(mention, part) for mention, some in enumerate(parts) for part in some]


def _sentences(layer: Layer) -> list[tuple[int, int]]:
    starts = layer.tokens.sentences or (0,)
    ends = (*starts[1:], layer.tokens.count)
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end]


def _shades(document: RunDocument, response: str) -> list[int]:
    """The colour of each response chain: that of the key chain it shares most mentions with."""
    layer, key = document.responses.get(response), document.key
    if layer is None:
        return []
    shares: list[dict[int, int]] = [{} for _ in layer.chains]
    twins = document.matched[response].twins if response in document.matched else ()
    for chain, twin in zip(layer.mentions.chain, twins, strict=False):
        if twin >= 0 and key is not None:
            of_key = key.mentions.chain[twin]
            shares[chain][of_key] = shares[chain].get(of_key, 0) + 1
    other = _chains(key)
    return [max(s, key=s.__getitem__) if s else other + n for n, s in enumerate(shares)]


def _chains(layer: Layer | None) -> int:
    return len(layer.chains) if layer is not None else 0


def _style(shade: int) -> str:
    return f"bold {COLOURS[shade % len(COLOURS)]}"


def _number(chain: int) -> str:
    return str(chain + 1)


def _letters(chain: int) -> str:
    """a … z, aa, ab …

    >>> _letters(0), _letters(25), _letters(26)
    ('a', 'z', 'aa')
    """
    chain, letter = divmod(chain, 26)
    return (_letters(chain - 1) if chain else "") + chr(ord("a") + letter)
