"""Run files: summary, documents side by side with their key, and SVG."""

import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.errors import escape_controls
from corefbench.report.chains import COLOURS
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.scores import score_table
from corefbench.report.table import Cell, Table, make_table, tabulate
from corefbench.runs import Run
from corefbench.runs.matching import SYMBOLS, Mark, MentionMarks, mark_mentions
from corefbench.runs.schema import Header, Layer, RunDocument

if TYPE_CHECKING:
    from rich.text import Text

LEGEND = "✓ right  ✗ wrong  ○ missed  + spurious  · not counted by the profile"
_FONT_FACE = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_MAX_WIDTH = 140


def report_run(run: Run, format: ReportFormat = "table") -> str:
    """Render the summary of a run without reading its documents."""
    if format == "json":
        return render_json(run_to_dict(run))
    return render_tables(run_tables(run), format)


def run_to_dict(run: Run) -> dict[str, Any]:
    """Return the header as a dictionary for JSON, as in the file; programs may rely on the keys."""
    values: dict[str, Any] = msgspec.to_builtins(run.header)
    return values


def run_tables(run: Run) -> list[Table]:
    """Return the scores, then the run and its inputs."""
    tables = [score_table(run.results)] if run.results else []
    if run.kind == "bench":
        from corefbench.report.bench import rate_table

        tables.insert(0, rate_table(run.bench))
    tables.append(run_table(run.header))
    return [*tables, input_table(run.header)] if run.header.inputs else tables


def run_table(header: Header) -> Table:
    """Tabulate the properties of a run."""
    rows = {
        "Kind": header.kind,
        "Created": header.created,
        "corefbench": header.version,
        "Schema": str(header.schema),
        "Command": " ".join(header.command),
        "Documents": str(len(header.documents)),
        "Findings": str(sum(result.findings for result in header.results)),
        "Seconds": f"{header.timing.wall:.2f}" if header.timing.wall else "",
        "Processor seconds": f"{header.timing.cpu:.2f}" if header.timing.cpu else "",
    }
    return make_table("The run", ["Field", "Value"], (row for row in rows.items() if row[1]))


def input_table(header: Header) -> Table:
    """Tabulate the inputs of a run."""
    return tabulate(
        "Inputs",
        header.inputs,
        {
            "Input": "name",
            "Role": "role",
            "Format": "format",
            "Bytes": lambda source: f"{source.bytes:,}" if source.sha256 else "",
            "Documents": lambda source: len(source.order),
            "Content": lambda source: source.content.rpartition("@")[2],
            "SHA-256": lambda source: source.sha256[:16],
        },
    )


def render_document(document: RunDocument, response: str) -> "Text":
    """Render a document sentence by sentence, key above response.

    Chains of the key are numbers, those of the response letters. A response chain has the colour
    of the key chain that it shares most mentions with.
    """
    from rich.text import Text

    text = Text(f"{escape_controls(document.label)}\n{LEGEND}\n")
    marks = mark_mentions(document, response)
    key, layer = document.key, document.responses.get(response)
    sides = (
        ("key", key, marks.key, _chain_number, list(range(_chain_count(key)))),
        ("response", layer, marks.response, _chain_letters, _response_colours(document, response)),
    )
    first = key or layer
    if first is None:
        return text
    for number, (start, end) in enumerate(_sentences(first), 1):
        for name, side, side_marks, label, colours in sides:
            line_number = f"{number:>4}" if name == "key" else "    "
            text.append(f"\n{line_number} {name:<9} ", "dim")
            if side is None:
                text.append("(the document is missing)", "dim")
            else:
                text.append_text(_render_sentence(side, start, end, side_marks, label, colours))
        text.append("\n")
    return text


def _render_sentence(
    layer: Layer, start: int, end: int, marks: Sequence[Mark], label: Callable[[int], str], colours: Sequence[int]
) -> "Text":
    """Render words with the brackets of the mentions that begin or end at them."""
    from rich.text import Text

    opens: dict[int, list[tuple[int, int]]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for mention, (first, last) in _mention_parts(layer):
        if first < end and last > start:
            opens.setdefault(first, []).append((-last, mention))
            closes.setdefault(last - 1, []).append((-first, -mention))
    words = layer.tokens.words or tuple(f"#{n}" for n in range(layer.tokens.count))
    text = Text()
    for token in range(start, min(end, len(words))):
        text.append(" " if token > start else "")
        for _, mention in sorted(opens.get(token, ())):
            text.append("[", _style(colours[layer.mentions.chain[mention]]))
        text.append(escape_controls(words[token]))
        for _, mention in sorted(closes.get(token, ())):
            chain = layer.mentions.chain[-mention]
            text.append(f"]{label(chain)}{SYMBOLS[marks[-mention]]}", _style(colours[chain]))
    return text


def mention_table(document: RunDocument, response: str) -> Table:
    """Tabulate the mentions with their marks: all of the key, and wrong ones of the response."""
    marks = mark_mentions(document, response)
    rows = _mention_rows(document.key, marks.key, "key", _chain_number)
    rows += [
        row
        for row in _mention_rows(document.responses.get(response), marks.response, "response", _chain_letters)
        if row[0] != SYMBOLS["right"]
    ]
    return make_table(
        f"{escape_controls(document.label)}: the key's mentions, and those of {response} that are not right",
        ["Mark", "Side", "Chain", "Start", "End", "Mention"],
        rows,
        [LEGEND, _count_marks(marks)],
    )


def _mention_rows(
    layer: Layer | None, marks: tuple[Mark, ...], side: str, name: Callable[[int], str]
) -> list[list[Cell]]:
    if layer is None:
        return []
    words, mentions = layer.tokens.words or (), layer.mentions
    spans = zip(marks, mentions.chain, mentions.start, mentions.end, strict=True)
    return [
        [SYMBOLS[mark], side, name(chain), start, end, escape_controls(" ".join(words[start:end]))]
        for mark, chain, start, end in spans
    ]


def _count_marks(marks: MentionMarks) -> str:
    """Count the mentions by mark.

    >>> _count_marks(MentionMarks(key=("right", "missed"), response=("right", "spurious")))
    '1 right, 0 wrong, 1 missed, 1 spurious'
    """
    counts = {mark: marks.key.count(mark) for mark in ("right", "wrong", "missed")}
    counts |= {"spurious": marks.response.count("spurious")}
    return ", ".join(f"{count} {mark}" for mark, count in counts.items())


def _mention_parts(layer: Layer) -> list[tuple[int, tuple[int, int]]]:
    """Return the contiguous parts of all mentions, each with the index of its mention."""
    mentions = layer.mentions
    parts = mentions.parts or [(span,) for span in zip(mentions.start, mentions.end, strict=True)]
    return [(mention, part) for mention, spans in enumerate(parts) for part in spans]


def _sentences(layer: Layer) -> list[tuple[int, int]]:
    starts = layer.tokens.sentences or (0,)
    ends = (*starts[1:], layer.tokens.count)
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end]


def _response_colours(document: RunDocument, response: str) -> list[int]:
    """Return the colour of each response chain: that of the closest key chain."""
    layer, key = document.responses.get(response), document.key
    if layer is None:
        return []
    shares: list[Counter[int]] = [Counter() for _ in layer.chains]
    twins = document.matched[response].twins if response in document.matched else ()
    for chain, twin in zip(layer.mentions.chain, twins, strict=False):
        if twin >= 0 and key is not None:
            shares[chain][key.mentions.chain[twin]] += 1
    # A chain that shares nothing gets a colour after those of the key.
    return [share.most_common(1)[0][0] if share else _chain_count(key) + n for n, share in enumerate(shares)]


def _chain_count(layer: Layer | None) -> int:
    return len(layer.chains) if layer is not None else 0


def _style(colour: int) -> str:
    return f"bold {COLOURS[colour % len(COLOURS)]}"


def _chain_number(chain: int) -> str:
    return str(chain + 1)


def _chain_letters(chain: int) -> str:
    """Label chains a … z, aa, ab …

    >>> _chain_letters(0), _chain_letters(25), _chain_letters(26)
    ('a', 'z', 'aa')
    """
    chain, letter = divmod(chain, 26)
    return (_chain_letters(chain - 1) if chain else "") + chr(ord("a") + letter)


def text_to_svg(text: "Text", title: str = "") -> str:
    """Draw text as it looks in a terminal, with the fonts of the reader's machine."""
    from rich.console import Console

    width = min(_MAX_WIDTH, max(map(len, text.plain.splitlines()), default=1) + 1)
    console = Console(file=io.StringIO(), record=True, width=width, force_terminal=True, highlight=False)
    console.print(text)
    # The font that rich would load from another server is not there offline.
    style, end, body = console.export_svg(title=title, unique_id="corefbench").partition("</style>")
    return _FONT_FACE.sub("", style).replace("Fira Code", "ui-monospace") + end + body
