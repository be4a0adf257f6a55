"""What is done before anybody asks: every page can be made, and nothing is left to compile."""

import os
import time
from pathlib import Path

from corefbench.workbench.routes import RENDERER, ROUTES
from corefbench.workbench.serve import start_warm_up, warm_up
from corefbench.workbench.storage import UPLOAD_LIFETIME, Workbench


def test_every_view_is_loaded_and_every_template_compiled(tmp_path: Path) -> None:
    RENDERER.__dict__.pop("environment", None)
    rests: list[float] = []
    warm_up(Workbench(tmp_path), rests.append)
    made = RENDERER.environment
    assert {name for _, name in made.cache} == set(made.list_templates())
    assert len(rests) >= len(ROUTES) + len(made.list_templates())


def test_it_returns_at_once_and_sweeps_at_the_end(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    path = workbench.keep_upload("some.conll", b"a")
    past = time.time() - 2 * UPLOAD_LIFETIME
    for one in (path, path.parent):
        os.utime(one, (past, past))
    thread = start_warm_up(workbench)
    assert thread.daemon
    thread.join(120)
    assert not path.exists()


def test_a_folder_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    (tmp_path / "uploads").rmdir()
    warm_up(workbench, lambda _: None)
