"""Explaining an installation: what is there, what is missing, what is broken."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from corefbench.doctor.check import Check, Examination, State
from corefbench.version import __version__

__all__ = ["Check", "Examination", "State", "examine"]


def examine(*, thorough: bool = False) -> Examination:
    """Look at everything; ``thorough`` imports the packages and runs the models."""
    from corefbench.doctor.models import models
    from corefbench.doctor.packages import extras, required
    from corefbench.doctor.plugins import plugins
    from corefbench.doctor.surroundings import cache, data, programs

    brought = tuple(extras(thorough=thorough))
    return Examination(
        version=__version__,
        place=str(Path(__file__).parents[1]),
        editable=_is_editable(),
        python=platform.python_version(),
        executable=sys.executable,
        platform=platform.platform(),
        required=tuple(required(thorough=thorough)),
        extras=brought,
        models=tuple(models({one.name: one for one in brought}, thorough=thorough)),
        data=tuple(data(os.environ)),
        cache=(cache(),),
        plugins=tuple(plugins()),
        programs=tuple(programs()),
    )


def _is_editable() -> bool:
    try:
        return '"editable": true' in (distribution("corefbench").read_text("direct_url.json") or "")
    except PackageNotFoundError:
        return False
