"""The recorded pages of the workbench and of a campaign, visited on servers that were started."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.snapshots.browser import Browser

PASSWORD = "correct horse battery staple"
Pages = dict[str, str]

CAMPAIGN = """\
name = "small"
title = "A small campaign"
contact = "organisers@example.org"
description = "Three documents."
anonymity = "until-published"
approval = true
ranking = "best"

[[tasks]]
name = "coreference"
title = "Coreference"
scored = "conll-2012"
rank = "conll"

[[tasks]]
name = "links"
title = "Links only"
scored = "conll-2012"
rank = "lea"

[[phases]]
name = "training"
title = "Training"
opens = 2020-01-01T00:00:00Z
closes = 2098-01-01T00:00:00Z
blind = false
scores = "at-once"

[[phases.data]]
task = "coreference"
key = "data/key.conll"
input = "data/input.conll"
format = "conll"

[[phases]]
name = "test"
title = "Test"
opens = 2020-01-01T00:00:00Z
closes = 2098-01-01T00:00:00Z
blind = true
scores = "published"
window_hours = 48
public = 0.5
quota = { total = 3, day = 2 }

[[phases.data]]
task = "coreference"
key = "data/key.conll"
input = "data/input.conll"
format = "conll"

[[phases.data]]
task = "links"
key = "data/key.conll"
input = "data/input.conll"
format = "conll"

[[phases]]
name = "later"
title = "Later"
opens = 2098-01-01T00:00:00Z
closes = 2099-01-01T00:00:00Z
blind = true
scores = "published"

[[phases.data]]
task = "coreference"
key = "data/key.conll"
input = "data/input.conll"
format = "conll"
"""


def _command(arguments: list[str], folder: Path, environment: Mapping[str, str], text: str = "") -> None:
    done = subprocess.run(
        [sys.executable, "-m", "corefbench", *arguments],
        cwd=folder,
        env=dict(environment),
        input=text,
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{arguments}: {done.stderr}")


@contextmanager
def served(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Start a server; the address that it prints."""
    log = folder / "server.log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "corefbench", *arguments],
            cwd=folder,
            env=dict(environment),
            stderr=stream,
            stdout=stream,
        )
    try:
        yield _address(log, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
        log.unlink()


def _address(log: Path, process: "subprocess.Popen[bytes]") -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://[^\s\"')]+", log.read_text())
        if found:
            return found[0]
        time.sleep(0.1)
    raise RuntimeError(f"the server did not start: {log.read_text()}")


class Visit:
    """Collects what pages answer."""

    def __init__(self, browser: Browser, pages: Pages, prefix: str = "") -> None:
        self.browser, self.pages, self.prefix = browser, pages, prefix

    def see(self, name: str, path: str) -> str:
        """Record a page; the text of it."""
        return self.keep(name, self.browser.get(path))

    def keep(self, name: str, answer: httpx.Response) -> str:
        """Record an answer."""
        kind = answer.headers.get("content-type", "").partition(";")[0]
        ending = {"text/html": "html", "application/json": "json", "image/svg+xml": "svg"}.get(kind, "txt")
        if kind in ("application/zip", "application/octet-stream"):
            text = f"{len(answer.content) > 0}"
        elif name == "metrics":
            text = "\n".join(sorted(set(re.findall(r"(?m)^# TYPE (\S+)", answer.text))))
        else:
            text = answer.text
        self.pages[f"{self.prefix}{name}.{ending}"] = (
            text if ending == "json" and answer.is_success else f"{answer.status_code} {kind}\n{text}"
        )
        return answer.text


def workbench_pages(folder: Path, environment: Mapping[str, str]) -> Pages:
    """Every page of the workbench, with a scored run, a bench and a trial."""
    key = "examples/key.conll"
    responses = [f"examples/{n}.response.conll" for n in ("cautious", "eager", "steady")]
    runs = folder / "home" / "runs"
    runs.mkdir(parents=True)
    _command(["score", key, *responses, "--run", "home/runs/scored.corefrun", "-q"], folder, environment)
    _command(
        [
            "bench",
            "examples/oracle.conllu",
            "--mode",
            "annotated",
            "--resolvers",
            "kb,mitkov,sieve",
            "--brief",
            "--run",
            "home/runs/bench.corefrun",
        ],
        folder,
        environment,
    )
    for number, name in enumerate(("scored", "bench")):  # listed by age
        os.utime(runs / f"{name}.corefrun", (1_700_000_000 + number,) * 2)
    pages: Pages = {}
    with served(["ui", "--no-browser", "--port", "0", "--folder", "home"], folder, environment) as start:
        browser = Browser(start)
        browser.http.get(start)
        visit = Visit(browser, pages)
        _visit_runs(visit)
        _visit_forms(visit, folder)
    return pages


def _visit_runs(visit: Visit) -> None:
    visit.see("home", "/")
    visit.see("home-json", "/index.json")
    visit.see("home-find", "/?find=sco")
    visit.see("home-manage", "/?manage=scored")
    for run, document in (("scored", "bicycle_0"), ("bench", "")):
        results = visit.see(f"{run}-results", f"/runs/{run}")
        visit.see(f"{run}-results-json", f"/runs/{run}.json")
        visit.see(f"{run}-results-document", f"/runs/{run}?by=document")
        links = re.findall(rf'href="(/runs/{run}/read/[^"#]+)', results)
        place = f"/runs/{run}/read/{document}" if document else (links or ["/missing"])[0]
        place = place.partition("?")[0].partition("&")[0]
        visit.see(f"{run}-reading", place)
        visit.see(f"{run}-reading-json", f"{place}.json")
        visit.see(f"{run}-compare", place.replace("/read/", "/compare/"))
        visit.see(f"{run}-compare-json", place.replace("/read/", "/compare/") + ".json")
        for page in ("errors", "singletons"):
            visit.see(f"{run}-{page}", f"/runs/{run}/{page}")
            visit.see(f"{run}-{page}-json", f"/runs/{run}/{page}.json")
    visit.see("scored-reading-eager", "/runs/scored/read/cats_0?response=eager.response.conll&show=errors")
    visit.see("scored-errors-class", "/runs/scored/errors?class=false-link&by=type&value=pronoun")
    visit.see("unknown-run", "/runs/nothing")
    visit.see("unknown-run-json", "/runs/nothing.json")
    visit.see("unknown-page", "/nothing")
    for drawing in sorted(set(re.findall(r"/drawings/[0-9a-f]+-[a-z]+\.svg", "".join(visit.pages.values()))))[:4]:
        visit.see("drawing" + drawing.replace("/", "-").removesuffix(".svg"), drawing)


def _visit_forms(visit: Visit, folder: Path) -> None:
    visit.see("statistics", "/statistics")
    path = (folder / "examples" / "key.conll").absolute()
    visit.see("statistics-corpus", f"/statistics?path={path}&by=document")
    visit.see("statistics-json", f"/statistics.json?path={path}&by=document")
    visit.see("prepare", "/prepare")
    visit.see("prepare-json", "/prepare.json")
    visit.see("prepare-bundled", "/prepare?corpus=bundled")
    visit.see("try", "/try")
    visit.see("try-json", "/try.json")
    visit.see("merge", "/merge")
    visit.see("merge-json", "/merge.json")
    text = "Ann saw Bob. She greeted him, and he thanked her."
    try:
        visit.keep("tried", visit.browser.submit("/try", "/try", text=text, resolver="mitkov"))
    except LookupError as error:
        visit.pages["tried.txt"] = str(error)


def campaign_pages(folder: Path, environment: Mapping[str, str]) -> Pages:
    """Every page of a campaign: as a visitor, an applicant, a participant and an organiser."""
    campaign = folder / "campaign"
    (campaign / "data").mkdir(parents=True)
    (campaign / "campaign.toml").write_text(CAMPAIGN)
    examples = folder / "examples"
    key = (examples / "key.conll").read_text()
    (campaign / "data" / "key.conll").write_text(key)
    (campaign / "data" / "input.conll").write_text(re.sub(r"(?m)^(?!#)(.*\S)\s+\S+$", r"\1\t-", key))
    _command(["campaign", "organiser", "campaign", "o@example.org"], folder, environment, PASSWORD + "\n")
    pages: Pages = {}
    with served(["campaign", "serve", "campaign", "--port", "0"], folder, environment) as start:
        visitor, team, organiser = Browser(start), Browser(start), Browser(start)
        _visit_public(Visit(visitor, pages, "visitor-"))
        joined = Visit(team, pages, "applicant-")
        joined.keep(
            "registered",
            team.submit(
                "/register",
                "/register",
                name="Ada",
                email="ada@example.org",
                password=PASSWORD,
                team="A-Team",
                affiliation="Somewhere",
            ),
        )
        team.submit("/sign-in", "/sign-in", email="ada@example.org", password=PASSWORD)
        for name, path in (("home", "/"), ("team", "/team"), ("task", "/phases/training/tasks/coreference")):
            joined.see(name, path)
        organiser.submit("/sign-in", "/sign-in", email="o@example.org", password=PASSWORD)
        console = Visit(organiser, pages, "organiser-")
        teams = console.see("teams-before", "/organise/teams")
        (number,) = set(re.findall(r"/organise/teams/([0-9a-f]+)", teams))
        console.keep("approved", organiser.submit("/organise/teams", f"/organise/teams/{number}", decision="approved"))
        _take_part(Visit(team, pages, "team-"), examples)
        _organise(console)
        _visit_public(Visit(visitor, pages, "visitor-after-"))
    return pages


def _visit_public(visit: Visit) -> None:
    for name, path in {
        "home": "/",
        "api": "/api",
        "receipt": "/receipt",
        "register": "/register",
        "sign-in": "/sign-in",
        "account": "/account",
        "team": "/team",
        "boards": "/boards",
        "training": "/phases/training/tasks/coreference",
        "later": "/phases/later/tasks/coreference",
        "board": "/phases/training/tasks/coreference/board",
        "test-board": "/phases/test/tasks/links/board",
        "organise": "/organise",
        "missing": "/nothing",
        "live": "/health/live",
        "ready": "/health/ready",
        "me": "/api/v1/me",
        "api-campaign": "/api/v1/campaign",
        "api-missing": "/api/v1/nothing",
        "api-task": "/api/v1/phases/training/tasks/coreference",
        "api-board": "/api/v1/phases/training/tasks/coreference/board",
        "api-submissions": "/api/v1/submissions",
        "openapi": "/api/v1/openapi.json",
    }.items():
        visit.see(name, path)


def _take_part(visit: Visit, examples: Path) -> None:
    browser = visit.browser
    for name, path in {
        "home": "/",
        "team": "/team",
        "submissions": "/submissions",
        "account": "/account",
        "tokens": "/tokens",
        "test": "/phases/test/tasks/links",
    }.items():
        visit.see(name, path)
    task = "/phases/training/tasks/coreference"
    visit.keep("downloaded", browser.submit(task, "/download"))
    for name in ("steady", "eager"):
        content = (examples / f"{name}.response.conll").read_bytes()
        answer = browser.submit(task, "/submissions", files={"file": (f"{name}.conll", content)}, label=name)
        _wait(browser, str(answer.url))
        visit.see(f"submission-{name}", str(answer.url))
    visit.keep("refused", browser.submit(task, "/submissions", files={"file": ("x.conll", b"nonsense")}))
    visit.see("task", task)
    visit.see("submissions-after", "/submissions")
    test = "/phases/test/tasks/links"
    visit.keep("window", browser.submit(test, "/download", understood="yes"))
    content = (examples / "cautious.response.conll").read_bytes()
    answer = browser.submit(test, "/submissions", files={"file": ("c.conll", content)})
    _wait(browser, str(answer.url))
    visit.see("submission-blind", str(answer.url))
    visit.see("test-after", test)
    visit.see("board", f"{task}/board")
    visit.keep("token", browser.submit("/tokens", "/tokens", label="program"))


def _wait(browser: Browser, address: str) -> None:
    """Wait until a submission is scored."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        text = browser.http.get(address).text
        if not re.search(r"\b(queued|waiting|being scored|running|in the queue)\b", text, re.IGNORECASE):
            return
        time.sleep(0.3)


def _organise(visit: Visit) -> None:
    browser = visit.browser
    for name, path in {
        "home": "/",
        "console": "/organise",
        "teams": "/organise/teams",
        "submissions": "/organise/submissions",
        "audit": "/organise/audit",
        "phase": "/organise/phases/test",
        "board": "/phases/test/tasks/links/board",
        "metrics": "/metrics",
        "site": "/organise/site.zip",
    }.items():
        visit.see(name, path)
    visit.keep("freeze", browser.submit("/organise", "/organise/freeze"))
    try:
        visit.keep("published", browser.submit("/organise/phases/training", "/organise/phases/training"))
    except LookupError as error:
        visit.pages["published.txt"] = str(error)
