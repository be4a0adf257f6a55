"""The environment variables of a child process: what an interpreter needs, and no secret.

A server may be told the password of its database, or of its mail, by a variable. A child reads what
strangers send, and need not know it.
"""

import os

_KEPT = ("PATH", "HOME", "TMPDIR", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_KEPT_BEGINNINGS = ("LC_", "PYTHON")
_CALM = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Libraries that start threads could not within the limits."""


def surroundings() -> dict[str, str]:
    """The variables that a child gets.

    >>> "COREFBENCH_DATABASE" in surroundings()
    False
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }
    return kept | _CALM
