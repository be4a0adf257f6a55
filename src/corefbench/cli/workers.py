"""Workers begin to start while the command still imports what it needs itself.

A command of a few seconds would else spend a tenth of them waiting for the same modules twice, one
time after the other.
"""

import sys
from importlib.machinery import ModuleSpec


def expect_workers(engine: str, jobs: int, module: str) -> None:
    """Start the server that processes are forked from, with the module that their work is in."""
    if jobs > 1 and engine in ("", "processes"):
        from multiprocessing import forkserver

        forkserver.set_forkserver_preload([module])
        forkserver.ensure_running()


def spare_workers_the_command_line() -> None:
    """Be to them what ``python -m corefbench`` is, whose main module they do not import anew."""
    sys.modules["__main__"].__spec__ = ModuleSpec("corefbench.__main__", None)
