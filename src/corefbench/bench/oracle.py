"""What better mention detection would be worth: the oracle of Chen et al. 2018, Table 6."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

from msgspec.structs import replace

from corefbench.analysis.studies import headline_score, read_whole
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
    resolved = map_with_progress(partial(resolve_document, plan=plan), pieces, engine, jobs, begin, advance)
    sizes = [len(chain) for document in resolved for chain in document.key]
    return Oracle(
        corpus=key.name,
        mode=mode,
        preprocessing=preprocessor_for(pieces[0], plan).identity,
        results={name: _score_answers(resolved, name, chosen) for name in resolved[0].answers},
        mentions={"detected": 0, "gold": sum(sizes), "non-singleton gold": sum(size for size in sizes if size > 1)},
        own_mentions=tuple(name for name in resolved[0].answers if _ignores_given(resolved, name)),
    )


def resolve_document(corpus: Corpus, plan: Plan) -> ResolvedDocument:
    """Resolve the only document of a corpus with each set of mentions."""
    predicted, gold = replace(plan, mentions="predicted"), replace(plan, mentions="gold")
    outcomes: dict[MentionSet, DocumentOutcome] = {
        "detected": evaluate_document(corpus, predicted),
        "gold": evaluate_document(corpus, gold),
        "non-singleton gold": evaluate_document(without_singletons(corpus), gold),
    }
    answers: dict[str, dict[MentionSet, Clusters]] = {}
    for mention_set, outcome in outcomes.items():
        for answer in outcome.answers:
            answers.setdefault(answer.resolver, {})[mention_set] = answer.clusters
    return ResolvedDocument(document=outcomes["gold"].document, key=outcomes["gold"].text.key, answers=answers)


def _score_answers(resolved: Sequence[ResolvedDocument], resolver: str, profile: Profile) -> dict[MentionSet, Result]:
    key = {document.document: document.key for document in resolved}
    return {
        mention_set: score_clusters(
            key, {document.document: document.answers[resolver][mention_set] for document in resolved}, profile
        )
        for mention_set in MENTION_SETS
    }


def _ignores_given(resolved: Sequence[ResolvedDocument], resolver: str) -> bool:
    foreign = answered = 0
    for document in resolved:
        given = {span for chain in document.key for span in chain}
        spans = [span for chain in document.answers[resolver]["gold"] for span in chain]
        foreign += sum(span not in given for span in spans)
        answered += len(spans)
    return foreign > _MAX_FOREIGN_SHARE * answered


def _describe_gain(old: float, new: float) -> str:
    points = round(new - old, 2)
    if not points:
        return f"stays at {new:.2f}"
    return f"{'gains' if points > 0 else 'loses'} {abs(points):.2f} points ({old:.2f} → {new:.2f})"
