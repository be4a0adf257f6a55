"""Reads files in a process of its own, with limits, and prints how each was answered.

The input is a JSON list of [path, format or null]; the output one JSON object per line. Each file is
read by name and recognised, checked, and scored as a response to a key of which nothing may be
said. An argument replaces the megabytes that may be packed at any ratio, for small bombs.
"""

import json
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus

SECONDS = 5
ADDRESS_SPACE = 2 << 30
"""Of which libraries reserve most; what is used is measured."""

SECRETS = ("quetzal", "ocelot", "axolotl", "tapir", "margay", "kinkajou", "777001", "777002")
"""Words and chains of the key."""


class TooSlow(BaseException):
    """Not an Exception: readers must not be able to catch it."""


def answer(path: str, format: str | None) -> dict[str, object]:
    outcome: dict[str, object] = {"path": path, "strict": "read", "named": "read", "errors": []}
    said: list[str] = []
    longest = 0.0
    try:
        for task in (_read(format, "named"), _read(None, "strict"), _check(format), _score(format)):
            begun = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            outcome |= task(path, said)
            longest = max(longest, time.process_time() - begun)
    except TooSlow:
        outcome["failure"] = f"took more than {SECONDS} s"
    except BaseException:
        outcome["failure"] = traceback.format_exc()[-1_500:]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    told = "\n".join(said)
    outcome["told"] = sorted({word for word in SECRETS if word in told})
    outcome["seconds"] = longest
    outcome["megabytes"] = peak() >> 10
    return outcome


Task = Callable[[str, list[str]], dict[str, object]]


def _read(format: str | None, name: str) -> Task:
    from corefbench.errors import CorefbenchError
    from corefbench.formats.load import load

    def read(path: str, said: list[str]) -> dict[str, object]:
        try:
            load(path, format=format)
        except CorefbenchError as error:
            return {name: error.code}
        return {name: "read"}

    return read


def _check(format: str | None) -> Task:
    from corefbench.formats.check import check

    def checked(path: str, said: list[str]) -> dict[str, object]:
        found = check(path, format)
        return {"errors": sorted({f.code for f in found if f.severity == "error"})}

    return checked


def _score(format: str | None) -> Task:
    """Score leniently, so that as much as can be is read, and keep all that is said."""
    from corefbench.errors import CorefbenchError
    from corefbench.scoring.api import score

    def scored(path: str, said: list[str]) -> dict[str, object]:
        try:
            result = score(key(), path, format=format, lenient=True)
        except CorefbenchError as error:
            said.append(str(error))
            return {"scored": error.code}
        said.extend(map(str, result.findings))
        return {"scored": "scored"}

    return scored


@cache
def key() -> "Corpus":
    """The documents of the samples, in other words."""
    from corefbench.corpus.builder import CorpusBuilder

    build = CorpusBuilder("key")
    for name in ("alpha", "beta"):
        build.begin_document(name, 0)
        build.sentence(["quetzal", "saw", "the", "ocelot", "of", "the", "axolotl", "."])
        build.sentence(["tapir", "margay", "kinkajou", "."])
        for label, span in (("777001", (0, 1)), ("777002", (2, 7)), ("777001", (8, 9))):
            build.mention(label, [span])
    return build.finish()


def peak() -> int:
    """The most memory this process has used, in kilobytes.

    ``ru_maxrss`` begins at what the parent had when it started us, which may be a test process with
    a language model in it; ``VmHWM`` is our own.
    """
    status = Path("/proc/self/status")
    if status.exists():
        own = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if own:
            return int(own[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    def stop(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGVTALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    if sys.argv[1:]:
        from corefbench.formats import source

        source.RATIO_EXEMPT_BYTES = int(sys.argv[1]) << 20
    for path, name in json.load(sys.stdin):
        print(json.dumps(answer(path, name)), flush=True)


if __name__ == "__main__":
    main()
