"""Runs the exercise: every resolver as a participant in one task, on one corpus."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from corefbench.are.chains import score_given, score_raw
from corefbench.are.gold import Gold, gold_of
from corefbench.are.make import task_corpus
from corefbench.are.overlap import Weighting
from corefbench.are.participant import Answer, answer_of, plan_of
from corefbench.are.pronouns import score_found, score_listed
from corefbench.are.result import DocumentScore, Mean, Result
from corefbench.are.score import check_choices, content_of
from corefbench.are.tasks import Task, task_of
from corefbench.bench.plan import PRONOUN_RESOLVERS
from corefbench.bench.prepare import prepare, preprocessor_for
from corefbench.engine import map_documents
from corefbench.errors import UsageError
from corefbench.formats.load import load
from corefbench.model.assemble import single_documents
from corefbench.model.corpus import Corpus
from corefbench.preprocess import DEFAULT
from corefbench.record import Record
from corefbench.resolvers import make, resolvers, signature

Where: TypeAlias = str | Path | bytes | Corpus

CHAIN_RESOLVERS = ("same-head", "same-head(pronouns=true)", "all-in-one")
"""What takes part beside the resolvers of pronouns."""
ALL = "all"
"""Stands for every resolver that needs nothing that corefbench does not bring."""


class Exercise(Record, frozen=True):
    """Participants side by side in one task."""

    task: Task
    corpus: str
    preprocessing: str
    documents: tuple[str, ...]
    results: dict[str, Result]
    """By participant."""
    answers: dict[str, tuple[Answer, ...]]
    """What they said, document by document."""

    def __getitem__(self, participant: str) -> Result:
        return self.results[participant]

    def signature(self, participant: str) -> str:
        """All that a participant's numbers depend on, in one line."""
        return f"{self.results[participant].signature}|preprocess:{self.preprocessing}"


def run_task(
    task: int,
    corpus: Where,
    participants: Sequence[str] = (),
    *,
    preprocess: str = "",
    average: Mean = "macro",
    weighting: Weighting = "mean",
    cache: bool = True,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Exercise:
    """Let resolvers take part in a task made from a coreference corpus.

    Without names, all resolvers of pronouns and the simple ones of chains take part. ``begin`` is
    told how many documents there are, ``advance`` of each that is done.
    """
    chosen, names = task_of(task), participants_of(participants)
    check_choices(average, weighting)
    made = task_corpus(corpus if isinstance(corpus, Corpus) else load(corpus, format=format), task)
    pieces = list(single_documents(made))
    if begin is not None:
        begin(len(pieces))
    work = Work(chosen, names, preprocess or DEFAULT, weighting, cache)
    done: list[Outcome] = []
    for one in map_documents(work, pieces, engine=engine, jobs=jobs):
        done.append(one)
        if advance is not None:
            advance(1)
    results = {
        name: Result(
            task=chosen,
            average=average,
            weighting=weighting,
            documents=tuple(one.scores[place] for one in done),
            key=content_of(made),
            participant=name,
        )
        for place, name in enumerate(names)
    }
    return Exercise(
        task=chosen,
        corpus=content_of(made),
        preprocessing=work.identity(made),
        documents=made.documents.labels(),
        results=results,
        answers={name: tuple(one.answers[n] for one in done) for n, name in enumerate(names)},
    )


def participants_of(names: Sequence[str]) -> tuple[str, ...]:
    """The resolvers of these names, as they are signed; a name that is not known is refused."""
    given = list(names) or [*PRONOUN_RESOLVERS, *CHAIN_RESOLVERS]
    if ALL in given:
        free = [n for n in resolvers if not resolvers[n].card.needs]  # type: ignore[attr-defined]
        given = [name for name in given if name != ALL] + free
    signed = tuple(dict.fromkeys(signature(make(name)) for name in given))
    if not signed:
        raise UsageError("nobody takes part", expected="at least one resolver")
    return signed


class Outcome(Record, frozen=True):
    """All participants on one document."""

    scores: tuple[DocumentScore, ...]
    answers: tuple[Answer, ...]


class Work:
    """What a process does with a document; the pipeline is loaded once in each."""

    def __init__(
        self, task: Task, names: Sequence[str], preprocess: str, weighting: Weighting, cache: bool
    ) -> None:
        self.task, self.names, self.weighting = task, tuple(names), weighting
        self.plan = plan_of(task, preprocess, cache=cache)

    def __call__(self, corpus: Corpus) -> Outcome:
        """What comes of a corpus of one document."""
        prepared = prepare(corpus[0], self.plan, preprocessor_for(corpus, self.plan))
        gold = gold_of(corpus[0])
        answers = [
            answer_of(self.task, prepared, make(name).resolve(prepared.discourse))
            for name in self.names
        ]
        scores = tuple(self.score(gold, answer) for answer in answers)
        return Outcome(scores=scores, answers=tuple(answers))

    def score(self, gold: Gold, answer: Answer) -> DocumentScore:
        """What an answer is worth."""
        if self.task.gives_entities:
            if self.task.asks_chains:
                return score_given(gold, answer.chains)
            return score_listed(gold, answer.links)
        if self.task.asks_chains:
            return score_raw(gold, answer.raw_chains, self.weighting)
        return score_found(gold, answer.raw_links, self.weighting)

    def identity(self, corpus: Corpus) -> str:
        """The pre-processing, with its version."""
        return preprocessor_for(corpus, self.plan).identity
