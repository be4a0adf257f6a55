"""How fast is every format read? ``python -m benchmarks.reading``.

GUM is written in every format that can be written, then read again; GAP and Winogender are read in
their own files, repeated. Reading is measured in processor time beside a trivial pass over the same
bytes (splitting them into lines). Conversion is measured in memory, on a file and on one four times
as long. Writes docs/results/reading.md.
"""

import argparse
import io
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.inputs import INPUTS, corpus
from benchmarks.measure import run
from benchmarks.pages import RESULTS, table
from benchmarks.pronouns import INPUTS as INSTEAD

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus

_TAGGED = (
    *("ecbplus", "mate", "mmax", "muc", "ontonotes", "workbench"),
    *("are", "are-1", "are-2", "are-3", "are-4"),
)
"""Formats of tags, whose goal is 5 MB/s; the others go line by line, and theirs is 20."""
_RUNS = 5
_SMALLEST = 1_000_000


def main() -> None:
    """Measure, print and write the page."""
    arguments = _arguments()
    # First, while this process is small: a child's peak cannot be seen below its parent's.
    memory = [] if arguments.only else _converting(arguments.inputs)
    rows = _reading(arguments.only)
    text = _page(rows, memory)
    print(text)
    if not arguments.only:
        arguments.page.write_text(text, encoding="utf-8")


def _reading(only: str) -> list[list[str]]:
    from corefbench.formats import formats
    from corefbench.formats.load import load

    gum = load(corpus("gum") / "gum-conll")
    rows = []
    for name in formats:
        if only in name and formats[name]().card.writes:
            content = INSTEAD[name]() if name in INSTEAD else _written(gum, name)
            if len(content) < _SMALLEST:
                print(f"{name}: too little to be measured", file=sys.stderr)
                continue
            rows.append(_row(name, content))
            print(*rows[-1], sep="\t", file=sys.stderr)
    if only in "mmax":
        rows.append(_folder_row("mmax", corpus("np4e")))
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
    return _measured(
        name, [content], lambda words: list(formats[name]().read(source, Reading(words=words)))
    )


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
    spent = [_least(partial(work, words)) for words in (True, False)]
    pass_over = _least(lambda: [content.split(b"\n") for content in contents])
    size = sum(map(len, contents)) / 1e6
    speeds = [f"{size / seconds:.1f}" for seconds in spent]
    goal = "5" if name in _TAGGED else "20"
    return [name, f"{size:.1f}", *speeds, goal, f"{spent[0] / pass_over:.0f}"]


def _least(work: Callable[[], object]) -> float:
    """The least processor time of some runs."""
    times = []
    for _ in range(_RUNS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return max(min(times), 1e-9)


def _converting(inputs: Path) -> list[list[str]]:
    rows = []
    for target in ("conllu", "jsonl"):
        for name in ("S", "S4"):
            made = run([sys.executable, "-m", "benchmarks.generate", name, "--folder", str(inputs)])
            if made.outcome != "done":
                raise SystemExit(made.complaint)
            source, out = inputs / f"{name}.key.conll", inputs / f"converted.{target}"
            usage = run(
                [sys.executable, "-m", "corefbench", "convert", str(source), str(out), "-q"]
            )
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
            "`python -m benchmarks.reading`",
            "",
            "GUM in every format that can be written, read again, and the files of GAP and "
            "Winogender, repeated under other numbers and names, and NP4E in MMAX2; processor "
            "time, least of "
            f"{_RUNS} runs.",
            "",
            table(head, rows),
            "",
            "## Memory of a conversion",
            "",
            "`corefbench convert`, from CoNLL-2012; it should not grow with the file.",
            "",
            table(["conversion", "file", "peak"], memory),
            "",
        ]
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="formats whose name has this in it; no page")
    parser.add_argument("--inputs", type=Path, default=INPUTS)
    parser.add_argument("--page", type=Path, default=RESULTS / "reading.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
