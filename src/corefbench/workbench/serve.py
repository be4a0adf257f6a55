"""Serve the workbench on the loopback address."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Thread, Timer
from time import perf_counter, sleep, time

import uvicorn

from corefbench.report.charts import can_draw
from corefbench.web.server import bind_socket
from corefbench.workbench.app import create_app
from corefbench.workbench.auth import AccessToken
from corefbench.workbench.routes import ASSETS, RENDERER, ROUTES
from corefbench.workbench.storage import Workbench, delete_unused_uploads

_HOST = "127.0.0.1"
_FIRST_PAGES = ("home", "reading", "results")
"""Routes that people visit first."""


def serve(workbench: Workbench, *, port: int, start: str, browser: bool, say: Callable[[str], None]) -> None:
    """Listen on the loopback address only; ``start`` is the page to open."""
    listener = bind_socket(_HOST, port)
    url = f"http://{_HOST}:{listener.getsockname()[1]}{start}"
    token = AccessToken()
    config = uvicorn.Config(
        create_app(workbench, token),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    # Long pages make many objects. Collecting less often, and never what exists now, halves the
    # pauses; the short switch interval lets small requests through while such a page is made.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    sys.setswitchinterval(0.001)
    say(f"corefbench is at {token.add_to(url)} (Ctrl+C stops it; runs are in {workbench.folder})")
    if browser:
        Timer(0.1, _open_browser, [token.add_code_to(url)]).start()
    start_warm_up(workbench)
    try:
        with suppress(KeyboardInterrupt):  # raised again by the server once it has stopped
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        workbench.jobs.close()


def _open_browser(url: str) -> None:
    import webbrowser

    webbrowser.open(url)


def start_warm_up(workbench: Workbench) -> Thread:
    """Load in the background what the first pages would wait for."""
    thread = Thread(target=warm_up, args=[workbench], name="warm-up", daemon=True)
    thread.start()
    return thread


def warm_up(workbench: Workbench, rest: Callable[[float], None] = sleep) -> None:
    """Do all steps; rest after each as long as it took, so that requests get their turn."""
    for step in warm_up_steps(workbench):
        start = perf_counter()
        step()
        rest(perf_counter() - start)


def warm_up_steps(workbench: Workbench) -> Iterator[Callable[[], object]]:
    """Yield steps: assets, templates and views, those of the first pages first."""
    yield lambda: ASSETS.by_name
    environment = RENDERER.environment
    templates = environment.list_templates()

    def compile_template(name: str) -> Callable[[], object]:
        return partial(environment.get_template, name)

    yield from map(compile_template, ("base.html", "layout.html", "macros.html"))
    for route in sorted(ROUTES.values(), key=lambda route: route.name not in _FIRST_PAGES):
        yield partial(ROUTES.load_view, route.name)
        yield from (compile_template(name) for name in templates if name.startswith(route.name))
    yield from map(compile_template, templates)
    if can_draw():
        yield partial(import_module, "altair")
    yield partial(_clean_up, workbench)


def _clean_up(workbench: Workbench) -> None:
    with suppress(OSError):  # somebody may delete the folder meanwhile
        delete_unused_uploads(workbench, now=time())
