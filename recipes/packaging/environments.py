"""Try extras in fresh environments."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from corefbench.records import Record

TEXT = "Ann met Tom. She thanked him."
KEY, RESPONSE = "examples/key.conll", "examples/steady.response.conll"


class Trial(Record, frozen=True):
    """A command, the exit code it must have, and a text that it must print."""

    words: tuple[str, ...]
    says: str = ""
    code: int = 0


def run(*words: str, says: str = "", code: int = 0) -> Trial:
    """A command of corefbench."""
    return Trial(words=("corefbench", *words), says=says, code=code)


def python(program: str, says: str = "") -> Trial:
    """A line of Python."""
    return Trial(words=("python", "-c", program), says=says)


SHARDS = run("convert", KEY, "shards/", "--output-format", "jsonlines", "--shard-size", "1", says="3 files")
"""A folder, since a small file is never shared out."""
BARE = (
    run("--version", says="corefbench"),
    run("score", KEY, RESPONSE, says="77.46"),
    run("convert", KEY, "key.jsonlines", says="40 mentions"),
    run("check", "key.jsonlines", says="checked"),
    run("stats", "key.jsonlines", says="108"),
    run("doctor", says="nothing that is installed is broken"),
    run("resolve", "--text", TEXT, says="corefbench[en-accurate]", code=4),
    run("resolve", "--text", TEXT, "--preprocess", "stanza", says="corefbench[stanza]", code=4),
    run("resolve", "--text", TEXT, "--resolver", "neural", says="pip install", code=4),
    run("stats", KEY, "--chart", "x.svg", says="corefbench[charts]", code=4),
    run("convert", KEY, "key.parquet", says="corefbench[parquet]", code=4),
    SHARDS,
    run("check", "shards", "--engine", "dask", says="corefbench[dask]", code=4),
    run("ui", "--no-browser", says="corefbench[ui]", code=4),
    run("campaign", "init", "exercise", says="campaign.toml"),
    run("campaign", "serve", "exercise", says="corefbench[campaign]", code=4),
    python("from corefbench.datasets.bundled import load_bundled; print(len(load_bundled()))", says="17"),
)

EXTRAS: dict[str, tuple[Trial, ...]] = {
    "en": (run("resolve", "--text", TEXT, "--preprocess", "en", says="She"),),
    "en-accurate": (run("resolve", "--text", TEXT, says="She"),),
    "charts": (run("stats", KEY, "--chart", "x.svg"),),
    "learned": (python("from corefbench.resolvers.mention_pair import ubiu; import sklearn, safetensors"),),
    "neural": (run("resolve", "story.txt", "--resolver", "neural", says="She"),),
    "ui": (Trial(words=("python", "visit.py"), says="200"),),
    "campaign": (
        run("campaign", "init", "exercise", says="campaign.toml"),
        run("campaign", "validate", "exercise", says="no problems found"),
        run("campaign", "dry-run", "exercise"),
    ),
    "postgresql": (python("import psycopg; print(psycopg.pq.__impl__)", says="binary"),),
    "dask": (SHARDS, run("check", "shards", "--engine", "dask", "--jobs", "2", says="no problems found")),
    "scale": (python("import hnswlib; print(hnswlib.Index('ip', 2).dim)", says="2"),),
    "parquet": (
        run("convert", KEY, "key.parquet", says="nothing is lost"),
        run("score", KEY, "key.parquet", says="100.00"),
    ),
    "docs": (Trial(words=("python", "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "out")),),
}
NEEDS_TORCH = frozenset({"neural"})
ALSO = {"neural": "en-accurate", "docs": "charts"}
"""Extras that go with another one in use: raw text is analysed before it is resolved."""
LEFT_OUT = {
    "stanza": "its models are downloaded; without it, it is said what to install",
    "test": "`make test` installs and uses it",
    "check": "`make check` installs and uses it",
    "fuzz": "`make fuzz` installs and uses it",
    "train-en-accurate": "`make train-en-accurate` installs and uses it",
}


VERSIONS = ("3.11", "3.12", "3.13")
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
"""Does what venv and pip do, in a tenth of the time; where it is not there, they serve."""


def find_pythons() -> dict[str, str]:
    """Return the installed interpreters by version: on the path, or those of pyenv."""
    interpreters = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for version in VERSIONS:
        installed = sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
        for path in (shutil.which(f"python{version}"), *map(str, reversed(installed))):
            if path and version not in interpreters and _is_version(path, version):
                interpreters[version] = path
    return {version: interpreters[version] for version in VERSIONS if version in interpreters}


def _is_version(interpreter: str, version: str) -> bool:
    program = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    process = subprocess.run([interpreter, "-c", program], capture_output=True, text=True, check=False)
    return process.returncode == 0 and process.stdout.strip() == version


@contextmanager
def environment(interpreter: str) -> Iterator[Path]:
    """Create a temporary environment."""
    with TemporaryDirectory(prefix="corefbench-") as folder:
        command = [UV, "venv", "--quiet", "--python", interpreter] if UV else [interpreter, "-m", "venv"]
        target = Path(folder) / "environment"
        subprocess.run([*command, str(target)], check=True)
        yield target / "bin" / "python"


def install(python: Path, wheel: Path, extra: str, constraints: Path) -> str:
    """Install the wheel with an extra; return what went wrong."""
    process = _pip(python, constraints, f"{wheel}[{extra}]" if extra else str(wheel))
    return "" if process.returncode == 0 else _last_line(process.stderr)


def find_torch_problem(python: Path, constraints: Path) -> str:
    """Return why torch cannot be installed for CPUs alone; empty if it can."""
    process = _pip(python, constraints, "torch", "--dry-run")
    packages = {*re.findall(r"\bnvidia-[a-z0-9-]+[a-z]", process.stdout + process.stderr)}
    if packages:
        return f"torch would bring {len(packages)} packages for graphics cards"
    return _last_line(process.stderr) if process.returncode else ""


def _pip(python: Path, constraints: Path, requirement: str, *options: str) -> subprocess.CompletedProcess[str]:
    pip = [UV, "pip", "install", "--python", str(python)] if UV else [str(python), "-m", "pip", "install"]
    links = os.environ.get("PIP_FIND_LINKS", "").split() if UV else []  # uv does not look there
    find_links = [word for link in links for word in ("--find-links", link)]
    command = [*pip, "--constraint", str(constraints), *find_links, *options, requirement]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_trial(python: Path, trial: Trial, folder: Path) -> str:
    """Run a command in a folder; return what is wrong with its result."""
    program = python if trial.words[0] == "python" else python.with_name(trial.words[0])
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        [str(program), *trial.words[1:]],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    output = process.stdout + process.stderr
    if process.returncode != trial.code:
        return f"`{' '.join(trial.words)}`: exit code {process.returncode}: {_last_line(output)}"
    return "" if trial.says in output else f"`{' '.join(trial.words)}` did not say {trial.says!r}"


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no word"
