"""What the first pages would wait for, done while nobody waits: modules, templates, charts.

What the workbench need not keep is deleted last.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Thread
from time import perf_counter, sleep, time

from corefbench.report.charts.inline import can_draw
from corefbench.web.assets import assets
from corefbench.web.render import environment
from corefbench.web.routes import all_routes
from corefbench.web.workbench import Workbench

_FIRST = ("home", "reading", "results")
"""What people see first."""


def start_warming(workbench: Workbench) -> Thread:
    """Begin, and return at once."""
    made = Thread(target=warm, args=[workbench], name="warming", daemon=True)
    made.start()
    return made


def warm(workbench: Workbench, rest: Callable[[float], None] = sleep) -> None:
    """Do all steps; after each comes a rest as long as it took, for pages that are asked for."""
    for step in steps(workbench):
        began = perf_counter()
        step()
        rest(perf_counter() - began)


def steps(workbench: Workbench) -> Iterator[Callable[[], object]]:
    """Style sheets and what every page is made of, then page by page."""
    yield assets
    templates = environment().list_templates()
    compiled = partial(partial, environment().get_template)
    yield from map(compiled, ("base.html", "macros.html"))
    for route in sorted(all_routes(), key=lambda route: route.name not in _FIRST):
        yield route.view
        yield from (compiled(name) for name in templates if name.startswith(route.name))
    yield from map(compiled, templates)
    if can_draw():
        yield partial(import_module, "altair")
    yield lambda: _sweep(workbench)


def _sweep(workbench: Workbench) -> None:
    from corefbench.web.sweeping import sweep

    with suppress(OSError):  # as where somebody deletes the folder meanwhile
        sweep(workbench, now=time())
