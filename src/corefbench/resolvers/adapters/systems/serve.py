"""Answers documents for another program: one JSON object a line in, one a line out.

Usage: python serve.py SYSTEM OPTIONS, the options as JSON. The first line it prints says that the
system is loaded, or why not; each further line answers one line of documents. It ends with its
standard input.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

FAILURES = (Exception, SystemExit)
"""Foreign code may raise anything, and some of it leaves by ``sys.exit`` where data are missing."""


def opened(module: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The loaded system and what to say of it; None where it could not be loaded."""
    try:
        system = module.load(options)
    except ImportError as error:
        return None, {**failure(error, "package"), "package": error.name or ""}
    except (OSError, SystemExit) as error:
        return None, failure(error, "model")
    except Exception as error:
        return None, failure(error)
    return system, {"version": system.version}


def answered(system: Any, documents: list[dict[str, Any]]) -> dict[str, Any]:
    """The answers to some documents, or what went wrong."""
    try:
        return {"answers": system(documents)}
    except FAILURES as error:
        return failure(error)


def failure(error: BaseException, kind: str = "error") -> dict[str, Any]:
    """An error in one line, with the place in the foreign code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    said = f"{type(error).__name__}: {error}{place}".encode("utf-8", "replace").decode()
    return {"failed": kind, "said": said[:2000]}


def system_module(name: str) -> Any:
    """The file beside this one, as part of a package, so that systems can share code.

    The folder itself must not be searched: its files are named after the packages they use.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != here]
    spec = spec_from_file_location(
        "corefbench_systems",
        os.path.join(here, "__init__.py"),
        submodule_search_locations=[here],
    )
    if spec is None or spec.loader is None:
        raise ImportError(here)
    package = module_from_spec(spec)
    sys.modules[spec.name] = package
    spec.loader.exec_module(package)
    return import_module(f"corefbench_systems.{name}")


def main() -> None:
    """Load the system, then answer until there is no more."""
    # Many systems print: what they print must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    system, greeting = opened(system_module(sys.argv[1]), json.loads(sys.argv[2]))
    answers.write(json.dumps(greeting) + "\n")
    answers.flush()
    if system is None:
        return
    for line in sys.stdin.buffer:
        answers.write(json.dumps(answered(system, json.loads(line)["documents"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
