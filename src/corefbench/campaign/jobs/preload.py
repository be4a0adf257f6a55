"""Imported by the fork server: isolate it, then load the libraries that its children need."""

import os
import sys

from corefbench.campaign.jobs.sandbox import isolate_process, make_child_environment

_MARKER = "PYTHON_COREFBENCH_SANDBOX"


def _is_fork_server() -> bool:
    return any("multiprocessing.forkserver" in argument for argument in sys.orig_argv)


def _load_libraries() -> None:
    """Import all that a job may need, by doing a small one."""
    import scipy.optimize
    import scipy.sparse.csgraph  # noqa: F401

    from corefbench.analysis.errors import error_analysis
    from corefbench.campaign.jobs import scoring  # noqa: F401
    from corefbench.formats import formats
    from corefbench.scoring.api import score

    text = b"#begin document (a); part 000\na 0 0 Ann (1)\na 0 1 her (1)\n\n#end document\n"
    score(text, text)
    error_analysis(text, text)
    for name in formats:
        _ = formats[name]


if _is_fork_server():
    if _MARKER not in os.environ:
        # Only exec removes the variables from /proc/self/environ, where children could read them.
        os.execve(sys.executable, sys.orig_argv, make_child_environment() | {_MARKER: "1"})
    isolate_process()
    _load_libraries()
