"""The result of a comparison: for every resolver its verdicts, and what they add up to."""

from collections.abc import Iterable
from functools import cached_property

from corefbench.bench.outcome import Clusters, Outcome, Text
from corefbench.bench.plan import Plan
from corefbench.bench.reasons import Reason
from corefbench.display import as_html
from corefbench.findings import Finding
from corefbench.judging.disclosure import Disclosure, disclose
from corefbench.judging.gap import GapScore
from corefbench.judging.success import Rates, rates
from corefbench.judging.verdict import Verdict
from corefbench.record import Record
from corefbench.stats.mcnemar import McNemar, mcnemar
from corefbench.stats.pronouns import Pronouns
from corefbench.version import __version__


class Performance(Record, frozen=True, dict=True):
    """One resolver on the whole corpus."""

    resolver: str
    verdicts: tuple[Verdict, ...]
    gap: GapScore | None
    scores: dict[str, dict[str, float]]
    """The coreference scores by measure: recall, precision and f1, as fractions."""
    conll: float | None
    seconds: float
    words: int
    clusters: tuple[Clusters, ...] = ()
    """The chains of every document."""
    findings: tuple[Finding, ...] = ()
    """What the resolver said of its answers, such as mentions that could not be placed."""
    reasons: tuple[tuple[Reason, ...], ...] = ()
    """Why it decided as it did, in every document."""

    @cached_property
    def rates(self) -> Rates:
        """Success rate and its relatives over all documents."""
        return rates(self.verdicts)

    @cached_property
    def disclosure(self) -> Disclosure:
        """Byron's rows."""
        return disclose(self.verdicts)

    def by_document(self) -> dict[str, Rates]:
        """The rates of every document."""
        groups: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            groups.setdefault(verdict.document, []).append(verdict)
        return {document: rates(some) for document, some in groups.items()}


class Bench(Record, frozen=True):
    """Resolvers side by side."""

    corpus: str
    """Its name and content hash."""
    plan: Plan
    preprocessing: str
    documents: tuple[str, ...]
    words: tuple[int, ...]
    """Words of every document."""
    statistics: tuple[Pronouns, ...]
    """The pronouns of every document, as the key has them."""
    snippets: dict[str, dict[int, str]]
    """For every document its pronouns, by their tokens, in the words around them."""
    performances: tuple[Performance, ...]
    seconds: float
    """Processor time of pre-processing."""
    lost: int
    texts: tuple[Text, ...] = ()
    """Every document as it reads, with the chains of the key."""
    version: str = __version__

    def __getitem__(self, resolver: str) -> Performance:
        for performance in self.performances:
            if performance.resolver == resolver:
                return performance
        raise KeyError(resolver)

    def _repr_html_(self) -> str:
        return as_html(self)

    def signature(self, resolver: str) -> str:
        """All that a number of this resolver depends on, in one line."""
        plan = self.plan
        mentions = "gold" if plan.takes_mentions else "predicted"
        fields = {
            "mode": plan.mode,
            "preprocess": self.preprocessing,
            "mentions": mentions,
            "match": plan.match,
            "cataphora": "counted" if plan.cataphora else "left out",
            "profile": plan.profile,
            "key": self.corpus,
            "version": self.version,
        }
        return "|".join([resolver, *(f"{name}:{value}" for name, value in fields.items())])

    def mcnemar(self, first: str, second: str) -> McNemar:
        """Whether two resolvers differ on the gold anaphors."""
        one = {(v.document, v.token): v.correct for v in self[first].verdicts if v.anaphoric}
        two = {(v.document, v.token): v.correct for v in self[second].verdicts if v.anaphoric}
        return mcnemar((right, two[place]) for place, right in one.items() if place in two)


def performances(outcomes: Iterable[Outcome], profile: str) -> tuple[Performance, ...]:
    """The answers of all documents, gathered by resolver."""
    from corefbench.scoring.api import score_clusters

    seen = list(outcomes)
    if not seen:
        return ()
    key = {outcome.document: outcome.text.key for outcome in seen}
    made = []
    for number, first in enumerate(seen[0].answers):
        answers = [(outcome, outcome.answers[number]) for outcome in seen]
        response = {outcome.document: answer.clusters for outcome, answer in answers}
        result = score_clusters(key, response, profile)
        gaps = [answer.gap for _, answer in answers if answer.gap is not None]
        made.append(
            Performance(
                resolver=first.resolver,
                verdicts=tuple(v for _, answer in answers for v in answer.verdicts),
                gap=sum(gaps, GapScore()) if gaps else None,
                scores={
                    name: {"recall": s.recall, "precision": s.precision, "f1": s.f1}
                    for name, s in result.scores.items()
                },
                conll=result.conll.f1 if result.conll else None,
                seconds=sum(answer.seconds for _, answer in answers),
                words=sum(outcome.words for outcome in seen),
                clusters=tuple(answer.clusters for _, answer in answers),
                findings=tuple(f for _, answer in answers for f in answer.findings),
                reasons=tuple(answer.reasons for _, answer in answers),
            )
        )
    return tuple(made)
