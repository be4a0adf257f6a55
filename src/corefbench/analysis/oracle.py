"""What better mention detection would be worth: the oracle of Chen et al. 2018, Table 6."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.reading import read_whole
from corefbench.analysis.score_changes import headline_score
from corefbench.bench.document import Clusters, DocumentOutcome, evaluate_document, map_with_progress, preprocessor_for
from corefbench.bench.plan import Mode, Plan
from corefbench.corpus.combine import split_documents
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UnknownName
from corefbench.formats.load import CorpusSource
from corefbench.records import Columns, Record
from corefbench.resolvers import make
from corefbench.scoring.api import score_clusters
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.policy.singletons import without_singletons
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result

MentionSet: TypeAlias = Literal["detected", "gold", "non-singleton gold"]
MENTION_SETS: tuple[MentionSet, ...] = ("detected", "gold", "non-singleton gold")
"""The mentions that a resolver finds itself, all of the key, those of the key in chains."""
RESOLVERS = ("sieve", "same-head")
"""The default resolvers: those that link mentions of all kinds."""
_MAX_FOREIGN_SHARE = 0.1
"""A resolver with a larger share of mentions that it was not given uses its own mentions."""


class Oracle(Columns, frozen=True, eq=False):
    """Scores by resolver and by the mentions it was given: ``study["sieve"]["gold"].conll.f1``."""

    corpus: str
    mode: Mode
    preprocessing: str
    results: Mapping[str, Mapping[MentionSet, Result]]
    mentions: Mapping[MentionSet, int]
    """The number of mentions that were given; for ``detected``, 0."""
    own_mentions: tuple[str, ...]
    """Resolvers that answer with mentions of their own, whatever they are given."""

    def __getitem__(self, resolver: str) -> Mapping[MentionSet, Result]:
        if resolver not in self.results:
            raise UnknownName("resolver of this study", resolver, list(self.results))
        return self.results[resolver]

    def signature(self, resolver: str, mention_set: MentionSet) -> str:
        """Return all that a number depends on, in one line."""
        head = f"{resolver}|given:{mention_set}|mode:{self.mode}|preprocess:{self.preprocessing}"
        return f"{head}|{self.results[resolver][mention_set].signature}"

    def explanation(self) -> tuple[str, ...]:
        """Return sentences on what gold mentions, and knowing the singletons, are worth."""
        return tuple(sentence for name in self.results for sentence in self._explain(name))

    def _explain(self, name: str) -> Iterator[str]:
        if name in self.own_mentions:
            yield f"{name} answers with mentions of its own: what it is given changes little."
        detected, gold, chained = (headline_score(self.results[name][m]) for m in MENTION_SETS)
        yield (
            f"Given all gold mentions, {name} {_describe_gain(detected, gold)}; given only those "
            f"that are in chains, it {_describe_gain(gold, chained)}."
        )
        total, detection = chained - detected, gold - detected
        if total > 0 and 0 <= detection <= total:
            yield (
                f"Of the {total:.2f} points between detected and non-singleton gold mentions, "
                f"{detection:.2f} are due to finding the mentions, {total - detection:.2f} to "
                "being told which of them are in chains."
            )


class ResolvedDocument(Record, frozen=True):
    """The answers of all resolvers to one document, by the mentions that they were given."""

    document: str
    key: Clusters
    """All chains of the key, with singletons: every answer is scored against them."""
    answers: dict[str, dict[MentionSet, Clusters]]
    foreign: dict[str, int]
    """By resolver: mentions of its answer to ``gold`` that it was not given …"""
    answered: dict[str, int]
    """… out of so many."""


def oracle(
    corpus: CorpusSource,
    resolvers: Sequence[str] = RESOLVERS,
    profile: str | Profile = "conll-2012",
    *,
    mode: Mode = "automatic",
    preprocess: str = "",
    singletons: str = "strip",
    cache: bool = True,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Oracle:
    """Run resolvers with detected, all gold and non-singleton gold mentions, and score all three.

    Every answer is scored against the same key, without its singletons unless ``singletons`` is
    ``keep``: otherwise a resolver would be charged for the singletons that it is not given.
    """
    plan = Plan(resolvers=tuple(resolvers), mode=mode, preprocess=preprocess, cache=cache)
    plan.check()
    # Unknown names are reported before the work begins.
    for name in resolvers:
        make(name)
    chosen = customise_profile(profile, {"singletons": singletons})
    key = read_whole(corpus, format=format)
    pieces = list(split_documents(key))
    if not pieces:
        raise FormatError("the corpus has no documents", code="CB102")
    worker = _DocumentWorker(plan)
    resolved = map_with_progress(worker, pieces, engine, jobs, begin, advance)
    return Oracle(
        corpus=key.name,
        mode=mode,
        preprocessing=preprocessor_for(pieces[0], plan).identity,
        results={name: _score_answers(resolved, name, chosen) for name in resolved[0].answers},
        mentions=_count_given(resolved),
        own_mentions=tuple(name for name in resolved[0].answers if _ignores_given(resolved, name)),
    )


class _DocumentWorker:
    """Resolve one document; a worker process loads the pipeline once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, corpus: Corpus) -> ResolvedDocument:
        outcomes: dict[MentionSet, DocumentOutcome] = {
            "detected": self._outcome(corpus, "predicted"),
            "gold": self._outcome(corpus, "gold"),
            "non-singleton gold": self._outcome(without_singletons(corpus), "gold"),
        }
        key = outcomes["gold"].text.key
        spans = {span for chain in key for span in chain}
        answered = {
            answer.resolver: [span for chain in answer.clusters for span in chain]
            for answer in outcomes["gold"].answers
        }
        return ResolvedDocument(
            document=outcomes["gold"].document,
            key=key,
            answers={
                name: {mention_set: _clusters_of(outcome, name) for mention_set, outcome in outcomes.items()}
                for name in answered
            },
            foreign={name: sum(s not in spans for s in spans_answered) for name, spans_answered in answered.items()},
            answered={name: len(spans_answered) for name, spans_answered in answered.items()},
        )

    def _outcome(self, corpus: Corpus, mentions: Literal["predicted", "gold"]) -> DocumentOutcome:
        plan = replace(self.plan, mentions=mentions)
        resolvers = [make(name) for name in plan.resolvers]
        return evaluate_document(corpus, plan, preprocessor_for(corpus, plan), resolvers)


def _clusters_of(outcome: DocumentOutcome, resolver: str) -> Clusters:
    return next(answer.clusters for answer in outcome.answers if answer.resolver == resolver)


def _score_answers(resolved: Sequence[ResolvedDocument], resolver: str, profile: Profile) -> dict[MentionSet, Result]:
    key = {document.document: document.key for document in resolved}
    return {
        mention_set: score_clusters(
            key, {document.document: document.answers[resolver][mention_set] for document in resolved}, profile
        )
        for mention_set in MENTION_SETS
    }


def _count_given(resolved: Sequence[ResolvedDocument]) -> dict[MentionSet, int]:
    sizes = np.array([len(chain) for document in resolved for chain in document.key], np.int64)
    return {"detected": 0, "gold": int(sizes.sum()), "non-singleton gold": int(sizes[sizes > 1].sum())}


def _ignores_given(resolved: Sequence[ResolvedDocument], resolver: str) -> bool:
    foreign = sum(document.foreign[resolver] for document in resolved)
    return foreign > _MAX_FOREIGN_SHARE * sum(document.answered[resolver] for document in resolved)


def _describe_gain(old: float, new: float) -> str:
    points = round(new - old, 2)
    if not points:
        return f"stays at {new:.2f}"
    return f"{'gains' if points > 0 else 'loses'} {abs(points):.2f} points ({old:.2f} → {new:.2f})"
