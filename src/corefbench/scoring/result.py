"""The result of scoring: tallies with their profile and signature."""

from collections.abc import Iterator, Mapping

from corefbench.diagnostics import Finding
from corefbench.display import as_html
from corefbench.errors import UnknownName
from corefbench.records import Columns, Record
from corefbench.scoring.measures import Measure, Score, Tally
from corefbench.scoring.measures.tally import mean_score
from corefbench.scoring.profiles.profile import Profile
from corefbench.scoring.signature import Signature


class Average(Record, frozen=True):
    """The mean of several F1."""

    f1: float


class Result(Columns, frozen=True, eq=False):
    """Scores by name: ``result["lea"].recall``, ``result.conll.f1``, ``result.signature``."""

    profile: Profile
    measures: Mapping[str, Measure]
    tallies: Mapping[str, Tally]
    """What each score counted, one row per document."""
    documents: tuple[str, ...]
    """The names of the rows of the tallies."""
    signature: Signature
    findings: tuple[Finding, ...] = ()
    """What a reader of the score should know."""

    def __getitem__(self, name: str) -> Score:
        from corefbench.scoring.measures import measures

        if name not in self.tallies and name in measures:
            name = measures.canonical(name)
        if name not in self.tallies:
            raise UnknownName("score", name, list(self.tallies))
        return _average(self.measures[name], self.tallies[name], self.profile.average)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tallies)

    def __getattr__(self, name: str) -> Score:
        if name.startswith("_") or name not in self.tallies:
            raise AttributeError(name)
        return self[name]

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def scores(self) -> dict[str, Score]:
        """Every score."""
        return {name: self[name] for name in self.tallies}

    @property
    def conll(self) -> Average | None:
        """The CoNLL average of unrounded F1; None if the profile does not define it."""
        names = self.profile.conll
        if not names or any(name not in self.tallies for name in names):
            return None
        return Average(f1=sum(self[name].f1 for name in names) / len(names))

    def by_document(self) -> dict[str, dict[str, Score]]:
        """Return the scores of every document."""
        rows: dict[str, dict[str, Score]] = {document: {} for document in self.documents}
        for name, tally in self.tallies.items():
            for document, total in zip(self.documents, tally.rows(), strict=True):
                rows[document][name] = self.measures[name].score(total)
        return rows


def _average(measure: Measure, tally: Tally, average: str) -> Score:
    """Return the score of the sum (``micro``) or the mean over documents (``macro``)."""
    if average == "micro" or not len(tally):
        return measure.score(tally.sum())
    return mean_score([measure.score(row) for row in tally.rows()])
