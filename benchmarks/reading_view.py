"""How fluid is the reading view? ``python -m benchmarks.reading_view``.

The first 100,000 tokens of input XL (GUM with singletons, entities merged by name) as one document
of a run, served by ``corefbench ui`` to Debian's chromium. Measured in the browser: the first paint
of text after the address was asked for, and the time from a key press to the frame that shows what
it did, for steps from error to error, along the largest chain, and first focus of that chain.
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
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.documents import Pair, within
from benchmarks.generate import pairs
from benchmarks.pages import RESULTS, table
from benchmarks.writing import SIDES, conll

TOKENS = 100_000
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


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--beside", default="", help="what else the machine did meanwhile")
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("--steps", type=int, default=40)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        size = _make_run(Path(folder))
        with _server(Path(folder)) as (address, process):
            where = f"{address}/runs/long/read/0"
            rows, about = _measured(
                where, process, arguments.chromium, arguments.loads, arguments.steps
            )
    text = _page(size, rows, about, arguments.beside)
    print(text)
    (RESULTS / "reading-view.md").write_text(text, encoding="utf-8")


def _page(size: str, rows: list[tuple[str, ...]], about: str, beside: str) -> str:
    made = table(("", "Median", "Worst", "Goal", "Processor time"), rows)
    note = f" The machine also did other work: {beside}." if beside else ""
    return (
        f"# The reading view on a long document\n\n{size} {about}{note} Made by "
        f"`python -m benchmarks.reading_view`.\n\n{made}\n\nPaints are counted from the request, "
        "so the server's work is in them; keys from the press to the end of the frame that shows "
        "the focus. Processor time is the median, of the server for its answer and of the page's "
        "main thread for all else.\n"
    )


def _make_run(folder: Path) -> str:
    """A run of one long document in the folder of a workbench, and its size in words."""
    from corefbench.runs import save
    from corefbench.runs.record import record_scores

    pair = _long()
    sides = {side: conll(pair, side).encode() for side in SIDES}
    run = record_scores(sides["key"], {"noisy": sides["response"]}, created=datetime.now(UTC))
    (folder / "runs").mkdir()
    save(run, folder / "runs" / "long.corefrun")
    longest = max(map(len, pair.key))
    return (
        f"One document of {len(pair.text.words):,} tokens with {sum(map(len, pair.key)):,} "
        f"mentions in {len(pair.key):,} chains in the key, {sum(map(len, pair.response)):,} in "
        f"the response; the largest chain has {longest:,} mentions."
    )


def _long() -> Pair:
    whole = next(pairs("XL"))
    end = whole.text.sentence_of(TOKENS)[1]
    key, response = (within(chains, 0, end) for chains in (whole.key, whole.response))
    return Pair("long", 0, whole.text.cut(0, end), key, response)


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, int]]:
    """The address of the workbench, and the number of its process."""
    said = folder / "said.txt"
    options = ["ui", "--folder", str(folder), "--port", "0", "--no-browser"]
    with open(said, "wb") as stream:
        process = subprocess.Popen([sys.executable, "-m", "corefbench", *options], stderr=stream)
        try:
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", said.read_text())):
                if process.poll() is not None:
                    raise SystemExit("corefbench ui did not start")
                time.sleep(0.1)
            yield found[0], process.pid
        finally:
            process.terminate()
            process.wait(10)


Times = list[tuple[float, float]]
"""Milliseconds by the clock, and of a processor."""


def _measured(
    address: str, server: int, chromium: str, loads: int, steps: int
) -> tuple[list[tuple[str, ...]], str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        answers: Times = []
        paints: Times = []
        largest: Times = []
        for _ in range(loads):
            before = _worked(server)
            tab = _opened(browser, address)
            answers.append((tab.evaluate(_ANSWER), _worked(server) - before))
            paints.append((tab.evaluate(_PAINT), _busy(tab)))
            largest.append((tab.evaluate("window.largest_paint"), _busy(tab)))
            tab.context.close()
        keys = {
            "Next error (`n`)": _pressed(_opened(browser, address), "n", steps),
            "Largest chain, first focus": _first_focus(_opened(browser, address), steps),
            "Next of the largest chain (`j`)": _along_the_largest(_opened(browser, address), steps),
        }
        about = f"Chromium {browser.version}, {loads} loads, {steps} presses of a key."
        browser.close()
    rows = [
        _row("Server's answer, first visit", answers[:1], ""),
        _row("First paint of text, first visit", paints[:1], "≤ 1,000 ms"),
        _row("Server's answer, again", answers[1:], ""),
        _row("First paint of text, again", paints[1:], "≤ 1,000 ms"),
        _row("Largest paint, again", largest[1:], ""),
        *(_row(name, times, "≤ 50 ms") for name, times in keys.items()),
    ]
    return rows, about


def _worked(process: int) -> float:
    """Milliseconds of processor time that a process has had."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_ANSWER = "performance.getEntriesByType('navigation')[0].responseEnd"
_LARGEST = """() => {
  const links = [...document.querySelectorAll("[data-entities] a")];
  return links[0].getAttribute("href");
}"""


def _opened(browser: Any, address: str) -> Any:
    """A tab with the page in it, ready; the clock of its thread runs."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(0)
    tab = context.new_page()
    tab.thread = context.new_cdp_session(tab)
    tab.thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.add_init_script(_WATCH)
    tab.goto(address)
    tab.locator("html[data-ready]").wait_for(state="attached")
    tab.wait_for_timeout(500)
    return tab


def _busy(tab: Any) -> float:
    """Milliseconds of processor time that the page's main thread has had."""
    metrics = tab.thread.send("Performance.getMetrics")["metrics"]
    return next(1000 * one["value"] for one in metrics if one["name"] == "TaskDuration")


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
    found: Times = []
    first = tab.evaluate(_LARGEST)
    for _ in range(max(1, steps // 4)):
        tab.evaluate("(hash) => { location.hash = ''; location.hash = hash; }", first)
        tab.wait_for_timeout(400)
        tab.keyboard.press("Escape")
        tab.wait_for_timeout(400)
        found += _pressed(tab, "Enter", 1)
    return found


def _along_the_largest(tab: Any, steps: int) -> Times:
    tab.evaluate("(hash) => { location.hash = hash; }", tab.evaluate(_LARGEST))
    tab.wait_for_timeout(500)
    return _pressed(tab, "j", steps)


def _row(name: str, times: Times, goal: str) -> tuple[str, ...]:
    clock, busy = ([one[side] for one in times] for side in (0, 1))
    return (
        name,
        f"{median(clock):,.0f} ms",
        f"{max(clock):,.0f} ms",
        goal,
        f"{median(busy):,.0f} ms",
    )


if __name__ == "__main__":
    main()
