"""How fluid is the reading view? ``python -m benchmarks reading-view``.

The first 100,000 tokens of input XL (GUM with singletons, entities merged by name) as one document
of a run, served by ``corefbench ui`` to Debian's chromium. Measured in the browser: the first paint
of text after the address was asked for, and the time from a key press to the frame that shows what
it did, for steps from error to error, along the largest chain, and first focus of that chain. The
server is started several times, and visited as soon as it says where it is. The first 1,000
documents of input L are a second run, of which the list of runs and the results are opened.
Beside these, processor time: of the server for an answer, and of the page's own thread. It says
what the work costs even where the machine is busy with other things, which ``--beside`` notes.
Writes docs/results/reading-view.md.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.data import Pair, within
from benchmarks.generate import pairs
from benchmarks.page import Page, markdown_table
from benchmarks.render import SIDES, conll

TOKENS = 100_000
DOCUMENTS = 1_000
_FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_WATCH = """
window.frames_of_keys = [];
addEventListener("keydown", (event) => {
  const began = event.timeStamp;
  requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = () => window.frames_of_keys.push(performance.now() - began);
    after.port2.postMessage(0);
  });
}, true);
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.largest_paint = one.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--beside", default="", help="what else the machine did meanwhile")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("--steps", type=int, default=40)


def run(arguments: argparse.Namespace) -> Page:
    """Measure in a browser."""
    with TemporaryDirectory() as folder:
        size = _make_runs(Path(folder))
        before = os.getloadavg()[0]
        rows, version = _measured(Path(folder), arguments)
    about = (
        f"Chromium {version}, {arguments.starts} starts of the server, {arguments.loads} loads, "
        f"{arguments.steps} presses of a key. The load of the machine ({os.cpu_count()} "
        f"processors) was {before:.1f} before and {os.getloadavg()[0]:.1f} after."
    )
    text = _page(size, rows, about, arguments.beside)
    return Page("reading-view", text)


def _page(size: str, rows: list[tuple[str, ...]], about: str, beside: str) -> str:
    table = markdown_table(("", "Median", "Worst", "Goal", "Processor time"), rows)
    note = f" The machine also did other work: {beside}." if beside else ""
    return (
        f"# The reading view on a long document\n\n{size} {about}{note} Made by "
        f"`python -m benchmarks reading-view`.\n\n{table}\n\nPaints are counted from the request, "
        "so the server's work is in them; keys from the press to the end of the frame that shows "
        "the focus. First visits are those of a server that has just said where it is. Processor "
        "time is the median, of the server for its answer and for the run of many documents, of "
        "the page's main thread for all else; in first visits it has what the server prepares "
        "beside.\n"
    )


def _make_runs(folder: Path) -> str:
    """A run of one long document and one of many in the folder of a workbench; their sizes."""
    (folder / "runs").mkdir()
    pair = _long()
    many = list(islice(pairs("L"), DOCUMENTS))
    _save([pair], folder / "runs" / "long.corefrun")
    _save(many, folder / "runs" / "many.corefrun")
    longest = max(map(len, pair.key))
    return (
        f"One document of {len(pair.text.words):,} tokens with {sum(map(len, pair.key)):,} "
        f"mentions in {len(pair.key):,} chains in the key, {sum(map(len, pair.response)):,} in "
        f"the response; the largest chain has {longest:,} mentions. Beside it a run of "
        f"{len(many):,} documents with {sum(len(one.text.words) for one in many):,} tokens."
    )


def _save(some: list[Pair], path: Path) -> None:
    from corefbench.runs import write_run
    from corefbench.runs.record import record_scores

    sides = {side: "".join(conll(pair, side) for pair in some).encode() for side in SIDES}
    run = record_scores(sides["key"], {"noisy": sides["response"]}, created=datetime.now(UTC))
    write_run(run, path)


def _long() -> Pair:
    whole = next(pairs("XL"))
    end = whole.text.sentence_of(TOKENS)[1]
    key, response = (within(chains, 0, end) for chains in (whole.key, whole.response))
    return Pair("long", 0, whole.text.cut(0, end), key, response)


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, int]]:
    """The address of the workbench, and the number of its process."""
    log = folder / "log.txt"
    options = ["ui", "--folder", str(folder), "--port", "0", "--no-browser"]
    with open(log, "wb") as stream:
        process = subprocess.Popen([sys.executable, "-m", "corefbench", *options], stderr=stream)
        try:
            pattern = r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)"
            while not (match := re.search(pattern, log.read_text())):
                if process.poll() is not None:
                    raise SystemExit("corefbench ui did not start")
                time.sleep(0.02)
            _HEADERS["authorization"] = f"Bearer {match[2]}"
            yield match[1], process.pid
        finally:
            process.terminate()
            process.wait(10)


_HEADERS: dict[str, str] = {}
"""What signs in to the workbench that runs."""
Times = list[tuple[float, float]]
"""Milliseconds by the clock, and of a processor."""


def _measured(folder: Path, asked: argparse.Namespace) -> tuple[list[tuple[str, ...]], str]:
    """The rows of the table, and the version of the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=asked.chromium, args=list(_FLAGS))
        visits = []
        for _ in range(asked.starts):
            with _server(folder) as (address, process):
                visits.append(_visited(browser, f"{address}{_LONG}", process))
        rows = _of_visits("first visit", visits)
        with _server(folder) as (address, process):
            rows += _of_pages(browser, address, process)
            again = [_visited(browser, f"{address}{_LONG}", process) for _ in range(asked.loads)]
            rows += _of_visits("again", again) + _of_keys(browser, address, asked.steps)
        version = browser.version
        browser.close()
    return rows, version


def _visited(browser: Any, address: str, server: int, ready: str = "html[data-ready]") -> Times:
    """A page that is opened: the server's answer, the first paint and the largest."""
    before = _worked(server)
    tab = _opened(browser, address, ready)
    answer = (tab.evaluate(_ANSWER), _worked(server) - before)
    busy = _busy(tab)
    times = [answer, (tab.evaluate(_PAINT), busy), (tab.evaluate("window.largest_paint"), busy)]
    tab.context.close()
    return times


def _of_visits(when: str, visits: list[Times]) -> list[tuple[str, ...]]:
    answers, paints, largest = (list(column) for column in zip(*visits, strict=True))
    return [
        _row(f"Server's answer, {when}", answers, ""),
        _row(f"First paint of text, {when}", paints, _PAINTED),
        _row(f"Largest paint, {when}", largest, ""),
    ]


def _of_pages(browser: Any, address: str, process: int) -> list[tuple[str, ...]]:
    """The pages around a run of many documents, of a server that has not shown them yet."""
    rows = []
    for name, path in (
        ("Runs", "/"),
        (f"Results of {DOCUMENTS:,} documents, first", "/runs/many"),
        (f"Results of {DOCUMENTS:,} documents, again", "/runs/many"),
        (f"All {DOCUMENTS:,} documents", "/runs/many?by=document"),
        (f"Reading one of {DOCUMENTS:,} documents, first", "/runs/many/read/0"),
    ):
        (_, worked), (paint, _), _ = _visited(browser, f"{address}{path}", process, "body")
        rows.append(_row(f"{name}: first paint", [(paint, worked)], "≤ 2,000 ms"))
    return rows


def _of_keys(browser: Any, address: str, steps: int) -> list[tuple[str, ...]]:
    where = f"{address}{_LONG}"
    keys = {
        "Next error (`n`)": _pressed(_opened(browser, where), "n", steps),
        "Largest chain, first focus": _first_focus(_opened(browser, where), steps),
        "Next of the largest chain (`j`)": _along_the_largest(_opened(browser, where), steps),
    }
    return [_row(name, times, "≤ 50 ms") for name, times in keys.items()]


def _worked(process: int) -> float:
    """Milliseconds of processor time that a process has had."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


_LONG = "/runs/long/read/0"
_PAINTED = "≤ 1,000 ms"
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_ANSWER = "performance.getEntriesByType('navigation')[0].responseEnd"
_LARGEST = """() => {
  const links = [...document.querySelectorAll("[data-entities] a")];
  return links[0].getAttribute("href");
}"""


def _opened(browser: Any, address: str, ready: str = "html[data-ready]") -> Any:
    """A tab with the page in it, ready; the clock of its thread runs."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, extra_http_headers=_HEADERS)
    context.set_default_timeout(0)
    tab = context.new_page()
    tab.thread = context.new_cdp_session(tab)
    tab.thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.add_init_script(_WATCH)
    tab.goto(address)
    tab.locator(ready).first.wait_for(state="attached")
    tab.wait_for_timeout(500)
    return tab


def _busy(tab: Any) -> float:
    """Milliseconds of processor time that the page's main thread has had."""
    metrics = tab.thread.send("Performance.getMetrics")["metrics"]
    return float(next(1000 * one["value"] for one in metrics if one["name"] == "TaskDuration"))


def _pressed(tab: Any, key: str, times: int) -> Times:
    tab.evaluate("window.frames_of_keys.length = 0")
    busy = []
    for number in range(times):
        before = _busy(tab)
        tab.keyboard.press(key)
        # Asked from outside: the page's policy forbids to evaluate strings inside.
        while tab.evaluate("window.frames_of_keys.length") <= number:
            tab.wait_for_timeout(20)
        busy.append(_busy(tab) - before)
    return list(zip(tab.evaluate("window.frames_of_keys"), busy, strict=True))


def _first_focus(tab: Any, steps: int) -> Times:
    """Enter on the first mention of the largest chain, while no chain is focused."""
    times: Times = []
    first = tab.evaluate(_LARGEST)
    for _ in range(max(1, steps // 4)):
        tab.evaluate("(hash) => { location.hash = ''; location.hash = hash; }", first)
        tab.wait_for_timeout(400)
        tab.keyboard.press("Escape")
        tab.wait_for_timeout(400)
        times += _pressed(tab, "Enter", 1)
    return times


def _along_the_largest(tab: Any, steps: int) -> Times:
    tab.evaluate("(hash) => { location.hash = hash; }", tab.evaluate(_LARGEST))
    tab.wait_for_timeout(500)
    return _pressed(tab, "j", steps)


def _row(name: str, times: Times, goal: str) -> tuple[str, ...]:
    clock, busy = ([one[side] for one in times] for side in (0, 1))
    return (name, f"{median(clock):,.0f} ms", f"{max(clock):,.0f} ms", goal, f"{median(busy):,.0f} ms")
