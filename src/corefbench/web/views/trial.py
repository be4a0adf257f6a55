"""Try it: a text of one's own, and the resolvers to try on it."""

from corefbench.preprocess import DEFAULT
from corefbench.record import Record
from corefbench.web import offers
from corefbench.web.page import Page, Query
from corefbench.web.trials import MOST, Trial, find, recent
from corefbench.web.workbench import Workbench

EXAMPLE = """\
The old ferry left the harbour before sunrise, and the captain blew its horn twice. Maria had \
promised her brother that she would meet him on deck, but he could not find her there. He asked \
the captain whether she had seen his sister.

"She is below," the captain said. "Tell her that the coffee is ready. It is hot, and she should \
drink it before the wind gets up." When he found Maria, she was reading a letter. He gave it back \
to her after he had read it himself.
"""
USUAL = ("kennedy-boguraev", "mitkov", "sieve")
"""Chosen until somebody chooses otherwise."""


class Filled(Record, frozen=True):
    """The form as it was filled in."""

    text: str = ""
    resolvers: tuple[str, ...] = USUAL
    preprocess: str = DEFAULT


class Earlier(Record, frozen=True):
    """A trial in a list."""

    name: str
    begins: str
    words: int
    resolvers: tuple[str, ...]


class Try(Record, frozen=True):
    """The page."""

    filled: Filled
    problem: str
    most: int
    example: bool
    resolvers: tuple[offers.Offer, ...]
    preprocessors: tuple[offers.Offer, ...]
    missing: tuple[offers.Offer, ...]
    """What could be chosen if it were installed."""
    earlier: tuple[Earlier, ...]


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``again`` is a trial to begin with, ``example`` fills in a text."""
    filled = Filled(text=query.get("text", "")[:MOST])
    if "again" in query:
        before = find(query["again"], workbench.folder / "trials")
        resolvers = tuple(answer.resolver for answer in before.answers)
        filled = Filled(text=before.text, resolvers=resolvers, preprocess=before.preprocess)
    elif "example" in query:
        filled = Filled(text=EXAMPLE)
    return page_of(workbench, filled)


def page_of(workbench: Workbench, filled: Filled, problem: str = "") -> Page:
    """The form, with what is wrong with it."""
    known = offers.resolvers()
    pipelines = [one for one in offers.preprocessors() if one.group == "text"]
    model = Try(
        filled=filled,
        problem=problem,
        most=MOST,
        example=not filled.text,
        resolvers=tuple(one for one in known if not one.install),
        preprocessors=tuple(one for one in pipelines if not one.install),
        missing=tuple(one for one in (*known, *pipelines) if one.install),
        earlier=tuple(map(_earlier, recent(workbench.folder / "trials"))),
    )
    return Page(
        template="trial.html", title="Try a text", model=model, status=422 if problem else 200
    )


def _earlier(trial: Trial) -> Earlier:
    begins = " ".join(trial.text.split())
    return Earlier(
        name=trial.name,
        begins=begins if len(begins) < 80 else f"{begins[:79]}…",
        words=len(trial.offsets),
        resolvers=tuple(answer.resolver for answer in trial.answers),
    )
