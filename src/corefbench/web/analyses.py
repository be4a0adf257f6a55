"""What pages ask of a run more than once: comparisons, errors, counts; made once, kept for a while.

A run that is opened again after its file changed is another run, and is analysed anew.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.runs import Corpora, Run
from corefbench.runs.marks import Mark, marks
from corefbench.runs.schema import RunDocument
from corefbench.web.page import Query

if TYPE_CHECKING:
    from corefbench.analysis.comparison import Comparison, Settings
    from corefbench.analysis.errors import ErrorAnalysis, Fixed
    from corefbench.analysis.singletons.study import SingletonStudy
    from corefbench.judging.verdict import Verdict
    from corefbench.stats import Description

_WORK = 60_000_000
"""Pairs × samples × documents that a page can wait for."""
_LEAST = 1_000


class Tried(Record, frozen=True):
    """What became of mentions, or of the pronouns of a comparison of resolvers."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def errors(self) -> int:
        """All that is not as the key has it."""
        return self.wrong + self.missed + self.spurious

    def __add__(self, other: "Tried") -> "Tried":
        return Tried(
            right=self.right + other.right,
            wrong=self.wrong + other.wrong,
            missed=self.missed + other.missed,
            spurious=self.spurious + other.spurious,
        )


def response_of(run: Run, query: Query) -> str:
    """The response that a page is about: the one asked for, or the first."""
    names = responses_of(run)
    asked = query.get("response") or (names[0] if names else "")
    if asked not in names:
        raise UnknownName("response", asked, list(names))
    return asked


def responses_of(run: Run) -> tuple[str, ...]:
    """The names of what was scored."""
    if run.header.results:
        return tuple(result.name for result in run.header.results)
    return tuple(one.resolver for one in run.bench.performances)


def require_documents(run: Run) -> None:
    """Refuse a run that holds numbers only."""
    if not run.header.inputs:
        raise UsageError(
            "this run holds no documents",
            found=f"a run file of schema {run.header.schema}",
            remedy="make the run again with this version of corefbench",
        )


@lru_cache(maxsize=4)
def corpora_of(run: Run) -> Corpora:
    """Key and responses."""
    require_documents(run)
    return run.corpora()


@lru_cache(maxsize=16)
def compared(run: Run) -> "Comparison | None":
    """The coreference scores with their intervals and tests; None where there are none."""
    from corefbench.analysis.comparison import compare

    if not run.results:
        return None
    settings = _settings(len(run.results), len(next(iter(run.results.values())).documents))
    return compare(run.results, **asdict(settings))


@lru_cache(maxsize=16)
def compared_on_pronouns(run: Run) -> "Comparison | None":
    """The success rates with their intervals and tests; None where no resolvers were compared."""
    from corefbench.analysis.comparison import compare_benches

    if run.kind != "bench":
        return None
    bench = run.bench
    settings = _settings(len(bench.performances), len(bench.documents))
    return compare_benches({"": bench}, settings)


def _settings(systems: int, documents: int) -> "Settings":
    """Those of ``corefbench compare``, with fewer samples where that would take long."""
    from corefbench.analysis.comparison import Settings

    usual = Settings()
    pairs = max(systems * (systems - 1) // 2, 1)
    affordable = _WORK // (pairs * max(documents, 1))
    if affordable >= usual.samples:
        return usual
    return Settings(samples=max(affordable // _LEAST * _LEAST, _LEAST))


@lru_cache(maxsize=16)
def tried(run: Run) -> dict[str, tuple[Tried, ...]]:
    """By response, for every document of the run: what became of its pronouns or mentions."""
    return _pronouns_tried(run) if run.kind == "bench" else _surveyed(run)[0]


def described(run: Run) -> "Description | None":
    """The key in numbers; None where the run does not hold it."""
    return _surveyed(run)[1]


@lru_cache(maxsize=16)
def _surveyed(run: Run) -> "tuple[dict[str, tuple[Tried, ...]], Description | None]":
    """What is counted in all documents, which are read once for it."""
    from corefbench.stats import describe

    documents = [run.document(number) for number in range(len(run.documents))]
    keys = tuple(one for one in run.header.inputs if one.role == "key")
    alone = Run(replace(run.header, inputs=keys), run.entries)
    return (
        _mentions_tried(run, documents) if run.kind != "bench" else {},
        describe(alone.corpora(documents).key) if keys else None,
    )


def _pronouns_tried(run: Run) -> dict[str, tuple[Tried, ...]]:
    made = {}
    for performance in run.bench.performances:
        counts: dict[str, Counter[Mark]] = {label: Counter() for label in run.bench.documents}
        for verdict in performance.verdicts:
            mark = mark_of(verdict)
            if mark is not None:
                counts[verdict.document][mark] += 1
        made[performance.resolver] = tuple(map(_counted, counts.values()))
    return made


def mark_of(verdict: "Verdict") -> Mark | None:
    """The mark of a pronoun; None for one that is not anaphoric and was left alone."""
    if not verdict.anaphoric:
        return "spurious" if verdict.attempted else None
    if not verdict.attempted:
        return "missed"
    return "right" if verdict.correct else "wrong"


def _mentions_tried(run: Run, documents: Sequence[RunDocument]) -> dict[str, tuple[Tried, ...]]:
    names = responses_of(run)
    made: dict[str, list[Tried]] = {name: [] for name in names}
    for document in documents:
        for name in names:
            found = marks(document, name)
            counts = Counter(found.key)
            counts["spurious"] = found.response.count("spurious")
            made[name].append(_counted(counts) if document.key is not None else Tried())
    return {name: tuple(some) for name, some in made.items()}


def _counted(counts: Counter[Mark]) -> Tried:
    return Tried(
        right=counts["right"],
        wrong=counts["wrong"],
        missed=counts["missed"],
        spurious=counts["spurious"],
    )


@lru_cache(maxsize=8)
def errors_of(run: Run, response: str) -> "ErrorAnalysis":
    """The errors of a response, by the profile it was scored with."""
    from corefbench.analysis.errors import error_analysis

    corpora = corpora_of(run)
    return error_analysis(corpora.key, corpora.responses[response], run.results[response].profile)


@lru_cache(maxsize=8)
def fixed_of(run: Run, response: str) -> "tuple[Fixed, ...]":
    """What a response would score with each class of its errors repaired."""
    return tuple(errors_of(run, response).if_fixed())


@lru_cache(maxsize=8)
def singletons_of(run: Run, response: str, profiles: tuple[str, ...]) -> "SingletonStudy":
    """What singletons do to the scores of a response."""
    from corefbench.analysis.singletons.study import singletons

    corpora = corpora_of(run)
    return singletons(corpora.key, corpora.responses[response], profiles)
