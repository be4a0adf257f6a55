"""Reading speed of every format.

GUM is written in every format that can be written, then read again; GAP and Winogender are read in
their own files, repeated. Reading is measured in processor time beside a trivial pass over the same
bytes (splitting them into lines). Conversion is measured in memory, on a file and on one four times
as long. Writes docs/results/reading.md.
"""

import argparse
import io
import re
import string
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import INPUTS, corpus_folder
from benchmarks.page import Page, markdown_table
from benchmarks.process import best_time, run_command

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus


_TASK_BYTES = 3_000_000


def gap() -> bytes:
    """The examples of GAP's test file, numbered on."""
    header, rows = _read_rows(corpus_folder("pronouns") / "gap" / "gap-test.tsv")
    numbers = count(1)

    def renumbered(row: str, _: str) -> str:
        _, _, rest = row.partition("\t")
        return f"test-{next(numbers)}\t{rest}"

    return _repeated(header, rows, renumbered)


def winogender() -> bytes:
    """Winogender's sentences, about ever other occupations and participants."""
    header, rows = _read_rows(corpus_folder("pronouns") / "winogender" / "data" / "all_sentences.tsv")

    def renamed(row: str, ending: str) -> str:
        people = "|".join(row.split(".")[:2])
        return re.sub(rf"(?i)\b({people})\b", rf"\g<1>{ending}", row)

    return _repeated(header, rows, renamed)


TASK_INPUTS: dict[str, Callable[[], bytes]] = {"gap": gap, "winogender": winogender}
"""What is measured in place of GUM."""


def _repeated(header: str, rows: list[str], change: Callable[[str, str], str]) -> bytes:
    """The rows, changed with another ending every time, until there are enough."""
    lines, size = [header], 0
    for ending in _endings():
        again = [change(row, ending) for row in rows]
        lines += again
        size += sum(map(len, again))
        if size >= _TASK_BYTES:
            break
    return ("\n".join(lines) + "\n").encode()


def _endings() -> Iterator[str]:
    """Letters to put after a name: none at first, then ever more."""
    for length in count():
        yield from map("".join, product(string.ascii_lowercase, repeat=length))


def _read_rows(path: Path) -> tuple[str, list[str]]:
    header, *rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return header, rows


_TAGGED = (*("ecbplus", "mate", "mmax", "muc", "ontonotes", "workbench"), *("are", "are-1", "are-2", "are-3", "are-4"))
"""Formats of tags, whose goal is 5 MB/s; the others go line by line, and theirs is 20."""
_RUNS = 5
_SMALLEST = 1_000_000


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    # First, while this process is small: a child's peak cannot be seen below its parent's.
    memory = [] if arguments.only else _converting(arguments.inputs)
    rows = _reading(arguments.only)
    text = _page(rows, memory)
    return Page("reading", text, is_complete=not arguments.only)


def _reading(only: str) -> list[list[str]]:
    from corefbench.formats import formats
    from corefbench.formats.load import load

    gum = load(corpus_folder("gum") / "gum-conll")
    rows = []
    for name in formats:
        if only in name and formats[name]().card.writes:
            content = TASK_INPUTS[name]() if name in TASK_INPUTS else _written(gum, name)
            if len(content) < _SMALLEST:
                print(f"{name}: too little to be measured", file=sys.stderr)
                continue
            rows.append(_row(name, content))
            print(*rows[-1], sep="\t", file=sys.stderr)
    if only in "mmax":
        rows.append(_folder_row("mmax", corpus_folder("np4e")))
        print(*rows[-1], sep="\t", file=sys.stderr)
    return rows


def _written(gum: "Corpus", name: str) -> bytes:
    """GUM in a format; nothing where it cannot be written."""
    from corefbench.errors import CorefbenchError
    from corefbench.formats import formats

    stream = io.BytesIO()
    try:
        formats[name]().write(gum, stream)
    except CorefbenchError as error:
        print(f"{name}: GUM cannot be written: {error.message}", file=sys.stderr)
        return b""
    return stream.getvalue()


def _row(name: str, content: bytes) -> list[str]:
    from corefbench.formats import Reading, Source, formats

    source = Source.of(content)
    return _measured(name, [content], lambda words: list(formats[name]().read(source, Reading(words=words))))


def _folder_row(name: str, folder: Path) -> list[str]:
    """A corpus that is a folder of small files: those that are read, opened and all."""
    from corefbench.formats import Reading
    from corefbench.formats.load import stream

    read = [*folder.rglob("*.mmax"), *folder.rglob("*_words.xml"), *folder.rglob("*_level.xml")]
    return _measured(
        name,
        [path.read_bytes() for path in read],
        lambda words: list(stream(folder, format=name, reading=Reading(words=words))),
    )


def _measured(name: str, contents: list[bytes], work: Callable[[bool], object]) -> list[str]:
    spent = [best_time(partial(work, words)) for words in (True, False)]
    pass_over = best_time(lambda: [content.split(b"\n") for content in contents])
    size = sum(map(len, contents)) / 1e6
    speeds = [f"{size / seconds:.1f}" for seconds in spent]
    goal = "5" if name in _TAGGED else "20"
    return [name, f"{size:.1f}", *speeds, goal, f"{spent[0] / pass_over:.0f}"]


def _converting(inputs: Path) -> list[list[str]]:
    rows = []
    for target in ("conllu", "jsonl"):
        for name in ("S", "S4"):
            generated = run_command([sys.executable, "-m", "benchmarks", "generate", name, "--folder", str(inputs)])
            if generated.outcome != "done":
                raise SystemExit(generated.errors)
            source, out = inputs / f"{name}.key.conll", inputs / f"converted.{target}"
            usage = run_command([sys.executable, "-m", "corefbench", "convert", str(source), str(out), "-q"])
            peak = f"{usage.peak / (1 << 20):.0f} MB"
            rows.append([f"{name} to {target}", f"{source.stat().st_size / 1e6:.0f} MB", peak])
            out.unlink(missing_ok=True)
    return rows


def _page(rows: list[list[str]], memory: list[list[str]]) -> str:
    head = ["format", "MB", "MB/s", "MB/s without words", "goal", "times a pass over the lines"]
    return "\n".join(
        [
            "# Reading",
            "",
            "`python -m benchmarks reading`",
            "",
            "GUM in every format that can be written, read again, and the files of GAP and "
            "Winogender, repeated under other numbers and names, and NP4E in MMAX2; processor "
            "time, least of "
            f"{_RUNS} runs.",
            "",
            markdown_table(head, rows),
            "",
            "## Memory of a conversion",
            "",
            "`corefbench convert`, from CoNLL-2012; it should not grow with the file.",
            "",
            markdown_table(["conversion", "file", "peak"], memory),
            "",
        ]
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", help="formats whose name has this in it; no page")
    parser.add_argument("--inputs", type=Path, default=INPUTS)
