"""Reads files in a process of its own, with limits, and prints how each was answered.

The input is a JSON list of [path, format or null]; the output a JSON object a line.
"""

import json
import re
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

SECONDS = 5
ADDRESS_SPACE = 2 << 30
"""Of which libraries reserve most; what is used is measured."""


class TooSlow(BaseException):
    """Not an Exception: readers must not be able to catch it."""


def answer(path: str, format: str | None) -> dict[str, object]:
    from corefbench.errors import CorefbenchError
    from corefbench.formats.check import check
    from corefbench.formats.load import load

    outcome: dict[str, object] = {"path": path, "strict": "read", "named": "read", "errors": []}
    longest = 0.0
    try:
        for key, name in {"named": format, "strict": None}.items():
            begun = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            try:
                load(path, format=name)
            except CorefbenchError as error:
                outcome[key] = error.code
            longest = max(longest, time.process_time() - begun)
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        outcome["errors"] = sorted({f.code for f in check(path, format) if f.severity == "error"})
        longest = max(longest, time.process_time() - begun)
    except TooSlow:
        outcome["failure"] = f"took more than {SECONDS} s"
    except BaseException:
        outcome["failure"] = traceback.format_exc()[-1_500:]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    outcome["seconds"] = longest
    outcome["megabytes"] = peak() >> 10
    return outcome


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
    for path, name in json.load(sys.stdin):
        print(json.dumps(answer(path, name)), flush=True)


if __name__ == "__main__":
    main()
