"""Record the outputs of a checkout: ``python -m tests.snapshots.record CHECKOUT FOLDER``.

Every call gets a folder below FOLDER with a file for each output. Calls run one after the other,
or in ``--jobs`` processes; what varies from run to run is replaced (see ``normalize``).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from hashlib import sha256
from pathlib import Path

from tests.snapshots.calls import calls
from tests.snapshots.normalize import hide_pseudonyms, normalize, renumber
from tests.snapshots.pages import campaign_pages, workbench_pages

API = Path(__file__).with_name("api.py")
PAGES = {"pages.workbench": workbench_pages, "pages.campaign": campaign_pages}
_LARGE = 400_000
"""Characters beyond which a digest stands for the rest of a file."""
_BINARY = (".corefrun", ".parquet", ".png", ".gz", ".tar", ".db", ".npz", ".safetensors", ".pickle")


class Recorder:
    """Runs calls with one checkout and writes what they put out."""

    def __init__(self, checkout: Path, out: Path, scratch: Path) -> None:
        self.checkout, self.out, self.scratch = checkout, out, scratch
        self.data = Path(os.environ.get("COREFBENCH_DATA", checkout / ".cache" / "data"))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(scratch),
            "PYTHONPATH": str(checkout / "src"),
            "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "snapshots-pycache"),
            "COREFBENCH_DATA": str(self.data),
            "COREFBENCH_CACHE": str(scratch / "cache"),
            "COREFBENCH_HOME": str(scratch / "home"),
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "OMP_NUM_THREADS": "1",
            "LANG": "C.UTF-8",
        }

    def folder(self, name: str) -> Path:
        """A scratch folder with the inputs."""
        folder = self.scratch / "calls" / name
        folder.mkdir(parents=True)
        (folder / "examples").symlink_to(self.checkout / "examples")
        (folder / "data").symlink_to(self.data)
        return folder

    def command(self, name: str, commands: list[list[str]]) -> None:
        """Record a call of the command line."""
        folder = self.folder(name)
        outputs: dict[str, str] = {}
        for number, words in enumerate(commands, start=1):
            done = subprocess.run(
                [sys.executable, "-m", "corefbench", *words],
                cwd=folder,
                env=self.environment,
                capture_output=True,
                check=False,
                stdin=subprocess.DEVNULL,
            )
            kind = words[words.index("--format") + 1] if "--format" in words[:-1] else "txt"
            ending = {"table": "txt", "markdown": "md", "latex": "tex", "text": "txt"}.get(kind, kind)
            outputs[f"{number}.out.{ending}"] = done.stdout.decode("utf-8", "replace")
            outputs[f"{number}.err.txt"] = f"exit {done.returncode}\n" + done.stderr.decode("utf-8", "replace")
        self.write(name, folder, outputs)

    def api(self, names: list[str]) -> None:
        """Record calls of the Python API, all in one process."""
        import json

        folder = self.folder("api")
        done = subprocess.run(
            [sys.executable, str(API), *names], cwd=folder, env=self.environment, capture_output=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        for name, found in json.loads(done.stdout).items():
            text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False)
            self.write(name, folder, {"out.json": text}, files=False)

    def pages(self, name: str) -> None:
        """Record the pages of an application."""
        folder = self.folder(name)
        self.write(name, folder, PAGES[name](folder, self.environment), files=False)

    def write(self, name: str, folder: Path, outputs: Mapping[str, str], *, files: bool = True) -> None:
        """Write outputs, and the files that a call has left, without what varies."""
        found = dict(outputs)
        if files:
            for path in sorted(folder.rglob("*")):
                inside = path.relative_to(folder)
                if path.is_file() and not path.is_symlink() and inside.parts[0] not in ("examples", "data"):
                    found[f"files/{inside}"] = _content(path)
        paths = {
            str(folder): "<scratch>",
            str(self.checkout): "<checkout>",
            str(self.data): "<data>",
            str(self.scratch): "<home>",
        }
        seen: dict[str, str] = {}
        target = self.out / name
        shutil.rmtree(target, ignore_errors=True)
        for file, text in found.items():
            text = normalize(text, paths)
            if name == "cli.doctor":  # the cache grows with the calls before
                text = re.sub(r"[\d.,]+ MB|[\d,]+ files?", "<size>", text)
            if "campaign" in name:
                text = hide_pseudonyms(text)
            if name.startswith("pages."):
                text = renumber(text, seen)
            if len(text) > _LARGE:
                text = f"{text[:_LARGE]}\n… sha256 {sha256(text.encode()).hexdigest()}\n"
            place = target / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def _content(path: Path) -> str:
    data = path.read_bytes()
    if path.name.endswith(_BINARY) or b"\0" in data:
        return f"binary {path.suffix}\n"  # run files and databases hold the time
    return data.decode("utf-8", "replace")


def record(checkout: Path, out: Path, pattern: str = "*", jobs: int = 1) -> dict[str, float]:
    """Record the calls whose names match; the seconds that each took."""
    out.mkdir(parents=True, exist_ok=True)
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="snapshots-") as scratch:
        recorder = Recorder(checkout.resolve(), out, Path(scratch))
        work = {n: partial(recorder.command, n, c) for n, c in calls().items() if fnmatch(n, pattern)}
        names = [name for name in _api_names() if fnmatch(name, pattern)]
        if names:
            work["api"] = partial(recorder.api, names)
        work |= {n: partial(recorder.pages, n) for n in PAGES if fnmatch(n, pattern)}

        def run(name: str) -> None:
            began = time.monotonic()
            try:
                work[name]()
            except Exception as error:
                recorder.write(name, Path(scratch), {"failed.txt": repr(error)}, files=False)
            seconds[name] = time.monotonic() - began

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(run, work))
    return seconds


def _api_names() -> list[str]:
    return [f"api.{name}" for name in re.findall(r"@call\ndef (\w+)", API.read_text())]


def main() -> None:
    """Record, and print the slowest calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="*", help="names of calls, such as 'cli.score.*'")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    seconds = record(given.checkout, given.folder, given.only, given.jobs)
    for name, took in sorted(seconds.items(), key=lambda item: -item[1])[:12]:
        print(f"{took:6.1f} s  {name}")
    print(f"{sum(seconds.values()):6.1f} s  {len(seconds)} calls")


if __name__ == "__main__":
    main()
