"""Run resolvers as participants of a task."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

from corefbench.bench.document import PreparedDocument, map_with_progress, prepare_document, preprocessor_for
from corefbench.bench.key import make_key
from corefbench.bench.plan import PRONOUN_RESOLVERS, Mode, Plan
from corefbench.corpus.combine import split_documents
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UsageError
from corefbench.formats.load import CorpusSource, load
from corefbench.preprocess import DEFAULT
from corefbench.preprocess.discourse import Phrase
from corefbench.preprocess.documents import TokenAlignment
from corefbench.records import Record
from corefbench.resolvers import make, resolvers, signature
from corefbench.resolvers.base import Resolution
from corefbench.tasks.are.key import make_document_key
from corefbench.tasks.are.make import make_task_corpus
from corefbench.tasks.are.measures import TaskAnswer, score_answer
from corefbench.tasks.are.overlap import Span, Weighting
from corefbench.tasks.are.result import Average, DocumentScore, Task, TaskResult, find_task
from corefbench.tasks.are.score import check_choices, content_hash

E = TypeVar("E", int, Span)
CHAIN_RESOLVERS = ("same-head", "same-head(pronouns=true)", "all-in-one")
"""What takes part beside the resolvers of pronouns."""
ALL_RESOLVERS = "all"
"""Stands for every resolver that needs nothing that corefbench does not bring."""


class Exercise(Record, frozen=True):
    """The results of all participants in one task."""

    task: Task
    corpus: str
    preprocessing: str
    documents: tuple[str, ...]
    results: dict[str, TaskResult]
    """By participant."""
    answers: dict[str, tuple[TaskAnswer, ...]]
    """Their answers by document."""

    def __getitem__(self, participant: str) -> TaskResult:
        return self.results[participant]

    def signature(self, participant: str) -> str:
        """Return all that a participant's numbers depend on, in one line."""
        return f"{self.results[participant].signature}|preprocess:{self.preprocessing}"


def run_task(
    task: int,
    corpus: CorpusSource,
    participants: Sequence[str] = (),
    *,
    preprocess: str = "",
    average: Average = "macro",
    weighting: Weighting = "mean",
    cache: bool = True,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Exercise:
    """Run resolvers as participants in a task made from a coreference corpus.

    By default, all pronoun resolvers and simple chain resolvers take part. ``begin`` is called with
    the number of documents, ``advance`` after each of them.
    """
    chosen, names = find_task(task), parse_participants(participants)
    check_choices(average, weighting)
    task_corpus = make_task_corpus(corpus if isinstance(corpus, Corpus) else load(corpus, format=format), task)
    pieces = list(split_documents(task_corpus))
    work = _DocumentWorker(chosen, names, preprocess or DEFAULT, weighting, cache)
    outcomes = map_with_progress(work, pieces, engine, jobs, begin, advance)
    results = {
        name: TaskResult(
            task=chosen,
            average=average,
            weighting=weighting,
            documents=tuple(outcome.scores[index] for outcome in outcomes),
            key=content_hash(task_corpus),
            participant=name,
        )
        for index, name in enumerate(names)
    }
    return Exercise(
        task=chosen,
        corpus=content_hash(task_corpus),
        preprocessing=preprocessor_for(task_corpus, work.plan).identity,
        documents=task_corpus.documents.labels(),
        results=results,
        answers={name: tuple(outcome.answers[n] for outcome in outcomes) for n, name in enumerate(names)},
    )


def parse_participants(names: Sequence[str]) -> tuple[str, ...]:
    """Return the signatures of resolvers; raise for unknown names."""
    requested = list(names) or [*PRONOUN_RESOLVERS, *CHAIN_RESOLVERS]
    if ALL_RESOLVERS in requested:
        built_in = [n for n in resolvers if not resolvers[n].card.needs]  # type: ignore[attr-defined]
        requested = [name for name in requested if name != ALL_RESOLVERS] + built_in
    signed = tuple(dict.fromkeys(signature(make(name)) for name in requested))
    if not signed:
        raise UsageError("there are no participants", expected="at least one resolver")
    return signed


def _make_answer(task: Task, prepared: PreparedDocument, resolution: Resolution) -> TaskAnswer:
    """Convert a resolution to the answer to a task.

    A pronoun that a resolver left undecided but put in a chain is answered by the mention of the
    chain before it.
    """
    if task.gives_entities:
        entity = _entity_finder(prepared, resolution)
        if task.asks_chains:
            return TaskAnswer(chains=_answer_chains(resolution, entity))
        return TaskAnswer(links=_answer_links(resolution, entity))
    span = _span_finder(prepared, resolution)
    if task.asks_chains:
        return TaskAnswer(raw_chains=_answer_chains(resolution, span))
    return TaskAnswer(raw_links=_answer_links(resolution, span))


def _entity_finder(prepared: PreparedDocument, resolution: Resolution) -> Callable[[Phrase], int | None]:
    """Return a function from phrases to entities of the input."""
    # A resolver may have found phrases of its own, which are then matched with the key again.
    key = prepared.key
    if resolution.discourse is not prepared.discourse:
        offsets = prepared.given.offsets or ()
        key = make_key(prepared.document, offsets, resolution.discourse)

    def entity(phrase: Phrase) -> int | None:
        number = key.mention_of[phrase.index]
        return None if number < 0 else key.mentions[number].original

    return entity


def _span_finder(prepared: PreparedDocument, resolution: Resolution) -> Callable[[Phrase], Span | None]:
    """Return a function from phrases to spans of words of the input."""
    tokens = resolution.discourse.analysis.offsets
    alignment = TokenAlignment(tokens, prepared.given.offsets or ())
    return lambda phrase: alignment.span((phrase.start, phrase.end))


def _answer_chains(resolution: Resolution, entity: Callable[[Phrase], E | None]) -> tuple[tuple[E, ...], ...]:
    """Return the chains; an entity of several phrases is in the first chain that has it."""
    phrases, taken = resolution.discourse.phrases, set[E]()
    chains = []
    for chain in resolution.chains():
        entities = [e for number in chain if (e := entity(phrases[number])) is not None]
        members = tuple(e for e in dict.fromkeys(entities) if e not in taken)
        taken.update(members)
        if len(members) > 1:
            chains.append(members)
    return tuple(chains)


def _answer_links(resolution: Resolution, entity: Callable[[Phrase], E | None]) -> dict[E, E]:
    """Return what every pronoun was resolved to."""
    phrases, links = resolution.discourse.phrases, dict[E, E]()
    for anaphor, antecedent in sorted(_find_antecedents(resolution).items()):
        source, target = entity(phrases[anaphor]), entity(phrases[antecedent])
        if source is not None and target is not None and source != target:
            links.setdefault(source, target)
    return links


def _find_antecedents(resolution: Resolution) -> dict[int, int]:
    """Return the antecedents of pronouns as phrases: those decided, then those from chains."""
    phrases = resolution.discourse.phrases
    decided = {
        decision.anaphor: decision.antecedent
        for decision in resolution.decisions
        if decision.antecedent is not None and phrases[decision.anaphor].pronoun is not None
    }
    for chain in resolution.chains():
        for before, number in pairwise(chain):
            if phrases[number].anaphoric:
                decided.setdefault(number, before)
    return {
        anaphor: antecedent
        for anaphor, antecedent in decided.items()
        if (pronoun := phrases[anaphor].pronoun) is not None and pronoun.is_anaphor
    }


class _DocumentOutcome(Record, frozen=True):
    """The scores and answers of all participants on one document."""

    scores: tuple[DocumentScore, ...]
    answers: tuple[TaskAnswer, ...]


class _DocumentWorker:
    """Resolve and score one document; a worker process loads the pipeline once."""

    def __init__(self, task: Task, names: Sequence[str], preprocess: str, weighting: Weighting, cache: bool) -> None:
        self.task, self.names, self.weighting = task, tuple(names), weighting
        mode: Mode = "annotated" if task.gives_entities else "automatic"
        # The entities of the input are all that can be answered.
        mentions: Literal["", "gold"] = "gold" if task.gives_entities else ""
        self.plan = Plan(mode=mode, preprocess=preprocess, mentions=mentions, cache=cache)

    def __call__(self, corpus: Corpus) -> _DocumentOutcome:
        """Resolve and score a corpus of one document."""
        prepared = prepare_document(corpus[0], self.plan, preprocessor_for(corpus, self.plan))
        key = make_document_key(corpus[0])
        answers = [_make_answer(self.task, prepared, make(name).resolve(prepared.discourse)) for name in self.names]
        scores = tuple(score_answer(self.task, key, answer, self.weighting) for answer in answers)
        return _DocumentOutcome(scores=scores, answers=tuple(answers))
