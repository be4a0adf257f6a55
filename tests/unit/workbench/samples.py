"""A workbench with two small runs, ``scores`` (the examples) and ``bench`` (two resolvers)."""

from pathlib import Path

from litestar.testing import TestClient
from msgspec.structs import replace

from corefbench.bench.plan import Plan
from corefbench.bench.run import run_bench
from corefbench.runs import write_run
from corefbench.runs.record import record_bench
from corefbench.web.pages import Page
from corefbench.web.security import SecurityMiddleware
from corefbench.workbench.app import create_app
from corefbench.workbench.auth import AccessToken
from corefbench.workbench.routes import RENDERER, SERVER_LINKS, build_page
from corefbench.workbench.storage import Workbench
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import NOON, run

PLAN = Plan(resolvers=("most-recent", "random(seed=3)"), mode="annotated", cache=False)
HERE = "http://127.0.0.1:8765"


def workbench(folder: Path) -> Workbench:
    """The workbench."""
    made = Workbench(folder)
    write_run(run(), folder / "runs" / "scores.corefrun")
    bench = run_bench(corpus(), PLAN)
    write_run(
        record_bench(bench, created=NOON, command=("corefbench", "bench", "texts.conllu")),
        folder / "runs" / "bench.corefrun",
    )
    return made


def connect(made: Workbench) -> TestClient[SecurityMiddleware]:
    """A client that sends the token in a header, as scripts do."""
    token = AccessToken()
    client = TestClient(create_app(made, token), base_url=HERE)
    client.headers["authorization"] = f"Bearer {token.token}"
    client.follow_redirects = False
    return client


def page(made: Workbench, name: str, **query: str) -> Page:
    """A page as the application builds it."""
    return build_page(name, made, query)


def html(some: Page, *, live: bool = True, path: str = "/here") -> str:
    """The page as a browser gets it; ``live=False``: as it stands in a bundle."""
    links = replace(SERVER_LINKS, live=live)
    return RENDERER.render(some, links, path=path, json_url="/here.json", csrf="secret")
