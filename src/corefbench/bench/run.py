"""Run a comparison of resolvers: documents in, a ``Bench`` out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from corefbench.analysis.comparison import PARTS, PRONOUNS, Comparison, Figure, Settings, SystemSample, compare_samples
from corefbench.analysis.significance import McNemar, mcnemar
from corefbench.analysis.statistics.pronouns import Pronouns
from corefbench.bench.document import (
    Clusters,
    DocumentOutcome,
    DocumentText,
    evaluate_document,
    map_with_progress,
    preprocessor_for,
)
from corefbench.bench.judge import Disclosure, GapScore, Rates, Verdict, compute_disclosure, compute_rates
from corefbench.bench.plan import Plan
from corefbench.bench.reasons import Reason
from corefbench.corpus.combine import split_documents
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding
from corefbench.display import as_html
from corefbench.errors import FormatError, MismatchError, Place, UsageError
from corefbench.formats.load import CorpusSource, stream
from corefbench.records import Floats, Record
from corefbench.resolvers import make
from corefbench.scoring.measures.tally import scores_of_ratios
from corefbench.scoring.profiles import profiles
from corefbench.scoring.signature import ContentHash
from corefbench.version import __version__


class Performance(Record, frozen=True, dict=True):
    """The answers and scores of one resolver on the whole corpus."""

    resolver: str
    verdicts: tuple[Verdict, ...]
    gap: GapScore | None
    scores: dict[str, dict[str, float]]
    """Coreference scores by measure: recall, precision and f1, as fractions."""
    conll: float | None
    seconds: float
    words: int
    clusters: tuple[Clusters, ...] = ()
    """The chains of every document."""
    findings: tuple[Finding, ...] = ()
    """The findings of the resolver, such as mentions that could not be aligned."""
    reasons: tuple[tuple[Reason, ...], ...] = ()
    """The reasons for its decisions, by document."""

    @cached_property
    def rates(self) -> Rates:
        """All rates over all documents."""
        return compute_rates(self.verdicts)

    @cached_property
    def disclosure(self) -> Disclosure:
        """Byron's standard disclosure."""
        return compute_disclosure(self.verdicts)

    @property
    def decisions(self) -> dict[tuple[str, int], bool]:
        """Whether each gold anaphor was resolved correctly, by document and token."""
        return {(v.document, v.token): v.correct for v in self.verdicts if v.anaphoric}

    def verdicts_by_document(self) -> dict[str, list[Verdict]]:
        """Return the verdicts of every document that has a pronoun."""
        groups: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            groups.setdefault(verdict.document, []).append(verdict)
        return groups

    def by_document(self) -> dict[str, Rates]:
        """Return the rates of every document that has a pronoun."""
        return {document: compute_rates(verdicts) for document, verdicts in self.verdicts_by_document().items()}


class Bench(Record, frozen=True):
    """The result of a comparison of resolvers."""

    corpus: str
    """Name and content hash of the corpus."""
    plan: Plan
    preprocessing: str
    documents: tuple[str, ...]
    words: tuple[int, ...]
    """Words of every document."""
    statistics: tuple[Pronouns, ...]
    """The pronouns of every document, as the key has them."""
    snippets: dict[str, dict[int, str]]
    """The context of every pronoun, by document and token."""
    performances: tuple[Performance, ...]
    seconds: float
    """Processor time of pre-processing."""
    lost: int
    texts: tuple[DocumentText, ...] = ()
    """The text of every document, with the chains of the key."""
    version: str = __version__

    def __getitem__(self, resolver: str) -> Performance:
        for performance in self.performances:
            if performance.resolver == resolver:
                return performance
        raise KeyError(resolver)

    def _repr_html_(self) -> str:
        return as_html(self)

    def signature(self, resolver: str) -> str:
        """Return everything that the numbers of a resolver depend on, in one line."""
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
        """Test whether two resolvers differ on the gold anaphors."""
        return mcnemar(self[first].decisions, self[second].decisions)


def run_bench(
    corpus: CorpusSource,
    plan: Plan = Plan(),
    *,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Bench:
    """Compare resolvers on a corpus.

    ``jobs`` workers of an ``engine`` share the documents; the result does not depend on how many.
    ``begin`` is called with the number of documents, ``advance`` after each of them.
    """
    plan.check()
    # Unknown names are reported before the work begins.
    for name in plan.resolvers:
        make(name)
    profiles.canonical(plan.profile)
    blocks = [corpus] if isinstance(corpus, Corpus) else list(stream(corpus, format=format))
    content = ContentHash()
    for block in blocks:
        content.add(block)
    pieces = [single for block in blocks for single in split_documents(block)]
    _check_documents(pieces)
    outcomes = map_with_progress(partial(evaluate_document, plan=plan), pieces, engine, jobs, begin, advance)
    identity = preprocessor_for(pieces[0], plan).identity
    return Bench(
        corpus=str(content),
        plan=plan,
        preprocessing=identity,
        documents=tuple(outcome.document for outcome in outcomes),
        words=tuple(outcome.words for outcome in outcomes),
        statistics=tuple(outcome.statistics for outcome in outcomes),
        snippets={outcome.document: outcome.snippets for outcome in outcomes},
        performances=collect_performances(outcomes, plan.profile),
        seconds=sum(outcome.seconds for outcome in outcomes),
        lost=sum(outcome.lost for outcome in outcomes),
        texts=tuple(outcome.text for outcome in outcomes),
    )


def _check_documents(pieces: Sequence[Corpus]) -> None:
    """Raise if the corpus is empty, or if two documents have the same name."""
    if not pieces:
        raise FormatError("the corpus has no documents", code="CB102")
    labels: set[str] = set()
    for piece in pieces:
        name = piece[0].label
        if name in labels:
            raise FormatError("two documents have the same name", code="CB109", place=Place(document=name))
        labels.add(name)


def collect_performances(outcomes: Iterable[DocumentOutcome], profile: str) -> tuple[Performance, ...]:
    """Collect the answers of all documents by resolver, and score them."""
    from corefbench.scoring.api import score_clusters

    all_outcomes = list(outcomes)
    if not all_outcomes:
        return ()
    key = {outcome.document: outcome.text.key for outcome in all_outcomes}
    performances = []
    for number, first in enumerate(all_outcomes[0].answers):
        answers = [(outcome, outcome.answers[number]) for outcome in all_outcomes]
        response = {outcome.document: answer.clusters for outcome, answer in answers}
        result = score_clusters(key, response, profile)
        gaps = [answer.gap for _, answer in answers if answer.gap is not None]
        performances.append(
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
                words=sum(outcome.words for outcome in all_outcomes),
                clusters=tuple(answer.clusters for _, answer in answers),
                findings=tuple(f for _, answer in answers for f in answer.findings),
                reasons=tuple(answer.reasons for _, answer in answers),
            )
        )
    return tuple(performances)


def compare_benches(
    benches: Mapping[str, Bench], settings: Settings = Settings(), *, advance: Callable[[int], None] | None = None
) -> Comparison:
    """Compare the resolvers of bench runs: recall C/G, their success rate, precision C/A, and F1.

    With several runs, resolvers are named by their run and their own name. McNemar's test uses the
    gold anaphors that both have a verdict for, as ``Bench.mcnemar`` does.
    """
    settings.check()
    if not benches:
        raise UsageError("there is nothing to compare", expected="at least one run")
    (name, first), *others = benches.items()
    for other, bench in others:
        if (bench.corpus, bench.documents) != (first.corpus, first.documents):
            raise MismatchError(
                f"{name} and {other} are runs on different corpora",
                code="CB221",
                found=f"{first.corpus} and {bench.corpus}",
                expected="runs on one corpus",
                remedy="run both on the same corpus",
            )
    return compare_samples(
        [
            _sample_performance(f"{run}: " if others else "", bench, performance)
            for run, bench in benches.items()
            for performance in bench.performances
        ],
        settings,
        title="pronoun resolution",
        titles={PRONOUNS: "Pronouns"},
        cites=("aone1995", "barbu2001"),
        advance=advance,
    )


def _sample_performance(prefix: str, bench: Bench, performance: Performance) -> SystemSample:
    row = {document: number for number, document in enumerate(bench.documents)}
    tallies = np.zeros((len(row), 4))
    for verdict in performance.verdicts:
        right = verdict.anaphoric and verdict.correct
        tallies[row[verdict.document]] += (right, verdict.anaphoric, right, verdict.attempted)
    return SystemSample(
        name=prefix + performance.resolver,
        signature=bench.signature(performance.resolver),
        documents=bench.documents,
        figures=tuple(Figure(score=PRONOUNS, part=part) for part in PARTS),
        tallies=tallies,
        statistic=_pronoun_figures,
        by_document=_pronoun_figures(tallies),
        decisions=performance.decisions,
    )


def _pronoun_figures(sums: Floats) -> Floats:
    columns = ("recall_hits", "recall_total", "precision_hits", "precision_total")
    scores = scores_of_ratios({name: sums[:, n] for n, name in enumerate(columns)})
    return np.stack([scores.recall, scores.precision, scores.f1], axis=1)
