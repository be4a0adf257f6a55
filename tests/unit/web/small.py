"""A workbench with two small runs: ``scores``, the examples; ``bench``, two resolvers."""

from pathlib import Path

from msgspec.structs import replace

from corefbench.bench.plan import Plan
from corefbench.bench.run import run_bench
from corefbench.runs import save
from corefbench.runs.record import record_bench
from corefbench.web.page import Page
from corefbench.web.render import as_html, in_app
from corefbench.web.routes import visit
from corefbench.web.workbench import Workbench
from tests.unit.bench.texts import corpus
from tests.unit.runs.made import NOON, run

PLAN = Plan(resolvers=("most-recent", "random(seed=3)"), mode="annotated", cache=False)


def workbench(folder: Path) -> Workbench:
    """The workbench."""
    made = Workbench(folder)
    save(run(), folder / "runs" / "scores.corefrun")
    bench = run_bench(corpus(), PLAN)
    save(
        record_bench(bench, created=NOON, command=("corefbench", "bench", "texts.conllu")),
        folder / "runs" / "bench.corefrun",
    )
    return made


def page(made: Workbench, name: str, **query: str) -> Page:
    """A page as the app makes it."""
    return visit(name, made, query)


def html(some: Page, *, live: bool = True) -> str:
    """The page as a browser gets it; ``live=False``: as it stands in a bundle."""
    place = replace(in_app(), live=live)
    return as_html(some, place, path="/here", twin="/here.json")
