"""Annotations of several people: give them here, or open a merge that is kept."""

from corefbench.analysis.annotation.merge import RULES
from corefbench.record import Record
from corefbench.scope import SCOPES
from corefbench.web.merging import Choices, listed
from corefbench.web.offers import Offer, formats
from corefbench.web.page import Page, Query
from corefbench.web.workbench import Workbench


class MergeEntry(Record, frozen=True):
    """A merge in a list."""

    name: str
    created: str
    annotations: tuple[str, ...]
    rule: str
    decided: bool


class MergeForm(Record, frozen=True):
    """The page."""

    merges: tuple[MergeEntry, ...]
    rules: tuple[str, ...]
    scopes: tuple[str, ...]
    formats: tuple[Offer, ...]
    choices: Choices = Choices()
    paths: str = ""
    key_path: str = ""
    error: str = ""
    """What was wrong with what was sent."""


def view(workbench: Workbench, query: Query) -> Page:
    """The page."""
    return page_of(workbench)


def page_of(
    workbench: Workbench,
    choices: Choices = Choices(),
    *,
    paths: str = "",
    key_path: str = "",
    error: str = "",
) -> Page:
    """The form, filled in as it was sent."""
    model = MergeForm(
        merges=tuple(
            MergeEntry(
                name=one.name,
                created=one.manifest.created,
                annotations=one.manifest.annotations,
                rule=one.manifest.choices.rule,
                decided=one.manifest.decided,
            )
            for one in listed(workbench)
        ),
        rules=tuple(RULES),
        scopes=tuple(SCOPES),
        formats=formats(),
        choices=choices,
        paths=paths,
        key_path=key_path,
        error=error,
    )
    return Page(
        template="merge.html",
        title="Merge annotations",
        model=model,
        status=422 if error else 200,
    )
