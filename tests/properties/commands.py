"""A battery of real commands, run in one process; prints a digest of all that they say and write.

``python -m tests.properties.commands FOLDER JOBS light|all``: FOLDER is where they write. The clock
stands still, as it is no input; ``PYTHONHASHSEED`` and the number of workers may be what they like.
"""

import contextlib
import hashlib
import io
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = "key.conll"
RESPONSES = ("cautious.response.conll", "eager.response.conll", "steady.response.conll")
PRINTED = ("table", "json", "markdown", "latex", "csv", "html")


def light(jobs: str) -> dict[str, list[str]]:
    """Commands that need no resolver."""
    from corefbench.formats import formats

    shared = ["--jobs", jobs]
    run = ["--run", "score.run", "-q"]
    found = {f"score {f}": ["score", KEY, *RESPONSES, *shared, "-f", f, "-q"] for f in PRINTED}
    found |= {
        "score by document": ["score", KEY, RESPONSES[0], *shared, "--by", "document", "-q"],
        "score macro": ["score", KEY, RESPONSES[0], "--average", "macro", "-p", "ua", "-q"],
        "score run": ["score", KEY, *RESPONSES, *shared, *run, "-o", "score.json", "-f", "json"],
        "show": ["show", "score.run"],
        "show json": ["show", "score.run", "-f", "json"],
        "compare": _compare(shared, "json"),
        "compare table": _compare(shared, "table"),
        "compare html": [*_compare(shared, "html"), "-o", "compare.html"],
        "errors": ["errors", KEY, RESPONSES[1], "-f", "json", "-q"],
        "errors html": ["errors", KEY, RESPONSES[1], "-f", "html", "-o", "errors.html", "-q"],
        "stats": ["stats", KEY, *shared, "-f", "json", "-q"],
        "stats csv": ["stats", KEY, *shared, "-f", "csv", "-q"],
        "singletons": ["singletons", KEY, *RESPONSES, "-f", "json", "-q"],
        "levels": ["levels", "across/key.conll", "across/lexical.conll", "-f", "json", "-q"],
        "merge": ["merge", KEY, *RESPONSES, "-o", "merged.conll", "-f", "json", "-q"],
        "agreement": ["agreement", KEY, *RESPONSES, "-f", "json", "-q"],
        "deduplicate": ["deduplicate", KEY, *shared, "-o", "once.conll", "-f", "json", "-q"],
        "profiles": ["profiles", "-f", "json"],
        "are make": ["are", "make", KEY, "tasks", "-f", "json"],
        "no such file": ["score", "nothing.conll", KEY],
        "no such measure": ["score", KEY, KEY, "--measures", "nothing"],
    }
    for name in formats:
        target = f"in-{name}/"
        found[f"convert {name}"] = ["convert", KEY, target, "--output-format", name, *shared, "-q"]
        found[f"check {name}"] = ["check", target, "--input-format", name, *shared, "-f", "json"]
    return found


def heavy(jobs: str) -> dict[str, list[str]]:
    """Commands that resolve, draw prompts, and rebuild a table."""
    from corefbench.resolvers import resolvers

    shared, words = ["--jobs", jobs], ["--preprocess", "en-words"]
    rules = [name for name in resolvers if not resolvers[name].card.needs]
    found = {f"resolve {name}": ["resolve", KEY, "-r", name, *words, *shared, "-o", f"{name}.conll"] for name in rules}
    bench = ["bench", "bundled", "-r", "mitkov,cogniac,random", *words, *shared]
    are = ["are", "run", "4", KEY, "-r", "most-recent", *words, *shared, "-f", "json"]
    prompts = ["prompts", KEY, "prompts.jsonl", "--seed", "7", "-q"]
    return {
        **found,
        "bench": [*bench, "-f", "json", "--run", "bench.run"],
        "bench html": [*bench, "--report", "bench.html"],
        "are run": are,
        "prompts": prompts,
        "reproduce": ["reproduce", "002", "-f", "json"],
        "reproduce html": ["reproduce", "000", "-f", "html", "-o", "reproduced.html"],
    }


def _compare(shared: list[str], form: str) -> list[str]:
    drawn = ["--samples", "300", "--seed", "7"]
    return ["compare", KEY, *RESPONSES, *drawn, *shared, "-f", form, "-q"]


def said(arguments: list[str]) -> tuple[int, bytes, bytes]:
    """The exit code of a command, what it printed, and what it complained of."""
    from corefbench.cli import main

    out, complaint = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    sys.argv = ["corefbench", *arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaint):
        code = main._run()
    for stream in (out, complaint):
        stream.flush()
    return code, out.buffer.getvalue(), complaint.buffer.getvalue()  # type: ignore[attr-defined]


def stop_the_clock() -> None:
    """The time and the seconds that commands note are not made of the input."""
    from corefbench.bench import document
    from corefbench.cli import run_metadata
    from corefbench.runs import record

    run_metadata.current_time = lambda: datetime(2020, 1, 1, tzinfo=UTC)
    for module in (document, run_metadata, record):
        module.perf_counter = module.process_time = lambda: 0.0  # type: ignore[attr-defined]


def main() -> None:
    folder, jobs, which = sys.argv[1:]
    os.chdir(folder)
    for name in (KEY, *RESPONSES):
        Path(name).write_bytes((EXAMPLES / name).read_bytes())
    Path("across").mkdir()
    for path in (EXAMPLES / "cross-document").iterdir():
        (Path("across") / path.name).write_bytes(path.read_bytes())
    stop_the_clock()
    answers: dict[str, object] = {}
    for name, command in (light(jobs) | (heavy(jobs) if which == "all" else {})).items():
        code, printed, complained = said(command)
        shown = [hashlib.sha256(text).hexdigest()[:16] for text in (printed, complained)]
        answers[name] = [code, *shown, complained[-300:].decode() if code else ""]
    for path in sorted(Path().rglob("*")):
        if path.is_file():
            answers[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    sys.__stdout__.write(json.dumps(answers))  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]
    os._exit(0)


if __name__ == "__main__":
    main()
elif __name__ == "__mp_main__":  # a worker
    stop_the_clock()
