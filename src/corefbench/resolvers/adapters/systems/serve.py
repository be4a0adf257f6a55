"""Serve a coreference package over standard input and output, one JSON object per line.

Usage: python serve.py SYSTEM OPTIONS, the options as JSON. The first line of output is a
greeting, or the reason why the system cannot be loaded; each further line answers one line of
documents. The process exits at the end of its input.
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
"""Other packages may raise anything, and some call ``sys.exit`` if data are missing."""


def open_system(module: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Load a system; return it, or None, and the greeting or failure."""
    try:
        system = module.load(options)
    except ImportError as error:
        return None, {**failure(error, "package"), "package": error.name or ""}
    except (OSError, SystemExit) as error:
        return None, failure(error, "model")
    except Exception as error:
        return None, failure(error)
    return system, {"version": system.version}


def answer_documents(system: Any, documents: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answers to documents, or the failure."""
    try:
        return {"answers": system(documents)}
    except FAILURES as error:
        return failure(error)


def failure(error: BaseException, kind: str = "error") -> dict[str, Any]:
    """Describe an error in one line, with the location that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    location = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    message = f"{type(error).__name__}: {error}{location}".encode("utf-8", "replace").decode()
    return {"failed": kind, "said": message[:2000]}


def import_system(name: str) -> Any:
    """Import the file beside this one as part of a package, so that systems can share code.

    The folder itself must not be searched: its files are named after the packages they use.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    spec = spec_from_file_location(
        "corefbench_systems", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise ImportError(folder)
    package = module_from_spec(spec)
    sys.modules[spec.name] = package
    spec.loader.exec_module(package)
    return import_module(f"corefbench_systems.{name}")


def main() -> None:
    """Load the system, then answer until the input ends."""
    # Many packages print to standard output, which must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    system, greeting = open_system(import_system(sys.argv[1]), json.loads(sys.argv[2]))
    answers.write(json.dumps(greeting) + "\n")
    answers.flush()
    if system is None:
        return
    for line in sys.stdin.buffer:
        answers.write(json.dumps(answer_documents(system, json.loads(line)["documents"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
