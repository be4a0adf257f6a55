"""The pronouns of a comparison of resolvers that are not right, in their text."""

from math import ceil

from corefbench.errors import UsageError
from corefbench.record import Record
from corefbench.runs import Run
from corefbench.runs.marks import Mark
from corefbench.web.analyses import Tried, mark_of, tried
from corefbench.web.reading.mentions import mentions

MARKS: tuple[Mark, ...] = ("wrong", "missed", "spurious")
_SIZE = 25


class PronounError(Record, frozen=True):
    """A pronoun that is not right."""

    document: int | None
    label: str
    token: int
    mention: int | None
    """Its number in the reading view."""
    form: str
    mark: Mark
    before: str
    after: str
    """The words around it."""
    chosen: str
    expected: str
    distance: int
    """Sentences back to the antecedent of the key; -1 for none."""
    rule: str


class PronounErrors(Record, frozen=True):
    """Those of one resolver."""

    tried: Tried
    mark: str
    """The kind that is asked for; empty for all."""
    page: int
    pages: int
    found: int
    rows: tuple[PronounError, ...]


def pronoun_errors(run: Run, response: str, mark: str, number: int) -> PronounErrors:
    """A page of the pronouns that are wrong, missed or spurious, in the order of the texts."""
    wanted = (mark,) if mark else MARKS
    found = [
        (verdict, said)
        for verdict in run.bench[response].verdicts
        if (said := mark_of(verdict)) in wanted and said is not None
    ]
    pages = max(1, ceil(len(found) / _SIZE))
    if number > pages:
        raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
    places = {label: place for place, label in enumerate(run.documents)}
    at: dict[int, dict[tuple[int, int], int]] = {}
    rows = []
    for verdict, said in found[(number - 1) * _SIZE : number * _SIZE]:
        document = places.get(verdict.document)
        if document is not None and document not in at:
            at[document] = spans_of(run, document, response)
        snippet = run.bench.snippets.get(verdict.document, {}).get(verdict.token, verdict.form)
        before, after = _around(snippet, verdict.form)
        rows.append(
            PronounError(
                document=document,
                label=verdict.document,
                token=verdict.token,
                mention=None
                if document is None
                else at[document].get((verdict.token, verdict.token + 1)),
                form=verdict.form,
                mark=said,
                before=before,
                after=after,
                chosen=verdict.answer,
                expected=verdict.expected,
                distance=verdict.distance,
                rule=verdict.rule,
            )
        )
    return PronounErrors(
        tried=sum(tried(run)[response], Tried()),
        mark=mark,
        page=number,
        pages=pages,
        found=len(found),
        rows=tuple(rows),
    )


def spans_of(run: Run, document: int, response: str) -> dict[tuple[int, int], int]:
    """The numbers that mentions have in the reading view, by their spans."""
    found = mentions(run.document(document), response)
    spans: dict[tuple[int, int], int] = {}
    for number, span in enumerate(zip(found.start, found.end, strict=True)):
        spans.setdefault(span, number)
    return spans


def _around(snippet: str, form: str) -> tuple[str, str]:
    """What stands before and after the pronoun, which a snippet has in brackets.

    >>> _around("She gave [Her] a book", "her")
    ('She gave', 'a book')
    """
    at = snippet.lower().find(f"[{form.lower()}]")
    return (snippet[:at].strip(), snippet[at + len(form) + 2 :].strip()) if at >= 0 else ("", "")
