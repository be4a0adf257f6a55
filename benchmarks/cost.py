"""Does the cost double when the input does? ``python -m benchmarks.cost [--largest 1000000]``.

For every registered format, written and read, and for every measure and matching rule: processor
time of an input and of one twice as large, ordinary ones to a million mentions and hard shapes to
less. The cost of twice the input may be at most 2.3 times as high. Writes docs/results/cost.md;
the exit code says whether the goal is met.
"""

import argparse
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.cost_jobs import jobs, rows_of
from benchmarks.cost_notes import add_note, read_notes
from benchmarks.cost_page import page
from benchmarks.cost_row import Row
from benchmarks.pages import RESULTS


def rows(arguments: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """All that is measured, in processes of their own."""
    wanted = [job for job in jobs(arguments.largest, arguments.hard) if arguments.only in str(job)]
    noted = read_notes(arguments.notes)
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(arguments.workers, fresh) as pool:
        running = {str(j): pool.submit(rows_of, j, folder) for j in wanted if str(j) not in noted}
        for job in map(str, wanted):
            if job in running:
                noted[job] = running[job].result()
                add_note(arguments.notes, job, noted[job])
            yield from noted[job]


def main() -> None:
    """Measure, print and write the page."""
    arguments = _arguments()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(arguments, Path(folder)):
            found.append(row)
            print(_line(row), file=sys.stderr, flush=True)
    text = page(found, arguments.largest, arguments.hard)
    print(text)
    if not arguments.only:
        arguments.page.write_text(text, encoding="utf-8")
    sys.exit(any(row.over for row in found))


def _line(row: Row) -> str:
    spent = " ".join(f"{cost.mentions:,}: {cost.seconds:.2f} s" for cost in row.costs or ())
    by = f" by bytes, which grew {row.grown:.2f} times faster" if row.grown > 1 else ""
    step = f" (before: ×{row.before:.2f})" if row.before else ""
    mark = "  <-- more than doubling" if row.over else ""
    said = row.refused or f"{spent} ×{row.ratio:.2f}{by}{step}{mark}"
    return f"{row.kind:8} {row.name:18} {row.shape:11} {said}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, help="mentions, ordinary shapes")
    parser.add_argument("--hard", type=int, default=10_000, help="mentions, hard shapes")
    parser.add_argument("--only", default="", help="in kind, format and shape; writes no page")
    parser.add_argument("--workers", type=int, default=1, help="how many processes measure")
    parser.add_argument("--notes", type=Path, help="a file of what was measured: is not again")
    parser.add_argument("--page", type=Path, default=RESULTS / "cost.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
