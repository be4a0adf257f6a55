"""Build wheel and sdist, look into them, install the wheel bare and with each extra on each Python,
and write docs/results/packaging.md."""

import argparse
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.inputs import ROOT
from benchmarks.pages import RESULTS
from recipes.packaging import contents
from recipes.packaging.environments import attempt, environment, heavy_torch, install, pythons
from recipes.packaging.page import Seen, page
from recipes.packaging.smoke import ALSO, BARE, EXTRAS, NEEDS_TORCH, TEXT

CONSTRAINTS = ROOT / "constraints.txt"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pythons", help="Versions, such as 3.11,3.12, or none; else all that are there."
    )
    parser.add_argument("--extras", help="Extras, such as charts,dask, or bare; else all.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="Where the files go.")
    parser.add_argument("--built", action="store_true", help="They are there already.")
    asked = parser.parse_args(arguments)
    if not asked.built:
        build(ROOT, asked.dist)
    wheel, source = newest(asked.dist, "*.whl"), newest(asked.dist, "*.tar.gz")
    archives = [contents.wheel(wheel, ROOT), contents.sdist(source, ROOT), again(source)]
    for archive in archives:
        print(archive.name, f"{archive.bytes:,} bytes,", archive.files, "files", *archive.faults)
    there = pythons()
    wanted = asked.pythons.split(",") if asked.pythons else list(there)
    extras = asked.extras.split(",") if asked.extras else ["bare", *EXTRAS]
    faulty = any(archive.faults for archive in archives)
    show(archives, known(wheel))
    for version in filter(there.__contains__, wanted):
        for extra in extras:
            one = tried(version, there[version], extra, wheel)
            print(*one.row(), flush=True)
            faulty |= bool(one.faults)
            show(archives, remember(one, wheel))
    return int(faulty)


def show(archives: list[contents.Archive], seen: list[Seen]) -> None:
    """Write the page."""
    (RESULTS / "packaging.md").write_text(page(archives, seen), encoding="utf-8")


def known(wheel: Path) -> list[Seen]:
    """What was seen of this wheel before, so that extras may be tried one by one."""
    kept = wheel.with_suffix(".json")
    if not kept.is_file() or kept.stat().st_mtime < wheel.stat().st_mtime:
        return []
    return msgspec.json.decode(kept.read_bytes(), type=list[Seen])


def remember(one: Seen, wheel: Path) -> list[Seen]:
    """All that was seen of this wheel."""
    again = (one.python, one.extra)
    others = [each for each in known(wheel) if (each.python, each.extra) != again]
    order = ["bare", *EXTRAS]
    seen = sorted([*others, one], key=lambda each: (each.python, order.index(each.extra)))
    wheel.with_suffix(".json").write_bytes(msgspec.json.encode(seen))
    return seen


def build(source: Path, dist: Path) -> None:
    """Wheel and sdist, by the tools that are installed here."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def newest(dist: Path, pattern: str) -> Path:
    """The file that was made last."""
    return max(dist.glob(pattern), key=lambda path: path.stat().st_mtime)


def again(source: Path) -> contents.Archive:
    """The wheel that is built from the sdist, which must be the same."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = folder.iterdir()
        command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", name]
        subprocess.run([*command, str(unpacked)], check=True, stdout=subprocess.DEVNULL)
        return contents.wheel(newest(folder, "*.whl"), ROOT)


def tried(version: str, interpreter: str, extra: str, wheel: Path) -> Seen:
    """One extra, in an environment of its own."""
    trials = BARE if extra == "bare" else EXTRAS[extra]
    names = ",".join(filter(None, (extra, ALSO.get(extra)))) if extra != "bare" else ""
    with environment(interpreter) as python, TemporaryDirectory() as name:
        folder = Path(name)
        furnish(folder)
        if extra in NEEDS_TORCH and (why := heavy_torch(python, CONSTRAINTS)):
            return Seen(python=version, extra=extra, left_out=why)
        wrong = install(python, wheel, names, CONSTRAINTS)
        if wrong:
            return Seen(python=version, extra=extra, faults=(f"not installed: {wrong}",))
        found = tuple(filter(None, (attempt(python, one, folder) for one in trials)))
        return Seen(python=version, extra=extra, trials=len(trials), faults=found)


def furnish(folder: Path) -> None:
    """What the commands look for."""
    for part in ("examples", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("_build"))
    shutil.copy(Path(__file__).with_name("visit.py"), folder)
    for alone in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / alone, folder)
    (folder / "story.txt").write_text(TEXT, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
