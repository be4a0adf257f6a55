"""What is done before anybody asks: every page can be made, and nothing is left to compile."""

import os
import time
from pathlib import Path

from corefbench.web.render import environment
from corefbench.web.routes import all_routes
from corefbench.web.sweeping import WEEK
from corefbench.web.warming import start_warming, warm
from corefbench.web.workbench import Workbench


def test_every_view_is_loaded_and_every_template_compiled(tmp_path: Path) -> None:
    environment.cache_clear()
    rests: list[float] = []
    warm(Workbench(tmp_path), rests.append)
    made = environment()
    assert {name for _, name in made.cache} == set(made.list_templates())
    assert len(rests) >= len(list(all_routes())) + len(made.list_templates())


def test_it_returns_at_once_and_sweeps_at_the_end(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    path = workbench.keep_upload("some.conll", b"a")
    past = time.time() - 2 * WEEK
    for one in (path, path.parent):
        os.utime(one, (past, past))
    thread = start_warming(workbench)
    assert thread.daemon
    thread.join(120)
    assert not path.exists()


def test_a_folder_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    workbench = Workbench(tmp_path)
    (tmp_path / "uploads").rmdir()
    warm(workbench, lambda _: None)
