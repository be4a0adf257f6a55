"""Scores the answers to a task: ``score_task(1, "keys/task-1.xml", "answers.xml")``."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from corefbench.are.answers import Given, Raw, Stranger
from corefbench.are.chains import score_given, score_raw
from corefbench.are.gold import Gold, gold_of
from corefbench.are.make import task_corpus
from corefbench.are.overlap import WEIGHTINGS, Weighting
from corefbench.are.pronouns import score_found, score_listed
from corefbench.are.result import MEANS, DocumentScore, Mean, Result
from corefbench.are.tasks import Task, task_of
from corefbench.errors import DataError, MismatchError, Place, UsageError
from corefbench.findings import Finding, Strictness
from corefbench.formats.load import load
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.scoring.signature import ContentHash

Where: TypeAlias = str | Path | bytes | Corpus


def score_task(
    task: int,
    key: Where,
    answers: Where,
    *,
    average: Mean = "macro",
    weighting: Weighting = "mean",
    lenient: bool = False,
    format: str | None = None,
) -> Result:
    """The score of answers to a task of the exercise.

    The key is a key that ``make`` wrote, or any coreference corpus. Answers that name what the key
    does not have are refused, or, if ``lenient``, left out and reported. Documents go together by
    name; if either side has but one, they need not be called the same.
    """
    chosen = task_of(task)
    check_choices(average, weighting)
    heard: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=heard.append)
    gold = task_corpus(_read(key, strictness, format), task)
    if gold.chain_sizes().max(initial=0) < 2:
        raise DataError(
            "no two mentions of the key corefer",
            code="CB210",
            place=Place(source=gold.name),
            remedy="name the key, not the input of the task",
        )
    told = _read(answers, strictness, format)
    scores = [
        _document(chosen, gold_of(document), answer, weighting, strictness)
        for document, answer in _pairs(gold, told, heard)
    ]
    return Result(
        task=chosen,
        average=average,
        weighting=weighting,
        documents=tuple(scores),
        key=content_of(gold),
        findings=tuple(heard),
    )


def content_of(corpus: Corpus) -> str:
    """The name and the content hash of a corpus."""
    content = ContentHash()
    content.add(corpus)
    return str(content)


def check_choices(average: str, weighting: str) -> None:
    """Refuse averages and weightings that do not exist."""
    for name, value, known in (("average", average, MEANS), ("weighting", weighting, WEIGHTINGS)):
        if value not in known:
            raise UsageError(f"there is no {name} {value!r}", expected=", ".join(known))


def _read(where: Where, strictness: Strictness, format: str | None) -> Corpus:
    if isinstance(where, Corpus):
        return where
    return load(where, format=format, strictness=strictness)


def _pairs(
    key: Corpus, answers: Corpus, heard: list[Finding]
) -> Iterator[tuple[Document, Document | None]]:
    """Every document of the key with its answers; None where there are none."""
    if len(key) == len(answers) == 1:
        yield key[0], answers[0]
        return
    named = {document.label: document for document in answers}
    known = key.documents.labels()
    if not named.keys() & set(known):
        raise MismatchError(
            "key and answers have no document in common",
            code="CB201",
            found=", ".join(list(named)[:3]) or "no documents",
            expected=", ".join(known[:3]),
        )
    _report(heard, "CB203", "a document of the answers is not in the key", named.keys() - {*known})
    _report(heard, "CB202", "the answers have nothing on a document", {*known} - named.keys())
    for document in key:
        yield document, named.get(document.label)


def _report(heard: list[Finding], code: str, message: str, names: set[str]) -> None:
    heard += [
        Finding(code=code, severity="warning", message=message, place=Place(document=name))
        for name in sorted(names)
    ]


def _document(
    task: Task, gold: Gold, answers: Document | None, weighting: Weighting, strictness: Strictness
) -> DocumentScore:
    def stranger(name: str) -> None:
        strictness.fault(
            "CB128",
            "an answer names what the key does not have",
            place=Place(document=gold.document),
            found=name,
            repair="left out",
        )

    if task.gives_entities:
        return _given(task, gold, answers, stranger)
    raw = Raw(gold, answers, stranger) if answers is not None else None
    if task.asks_chains:
        return score_raw(gold, raw.chains() if raw else [], weighting)
    return score_found(gold, raw.links() if raw else {}, weighting)


def _given(task: Task, gold: Gold, answers: Document | None, stranger: Stranger) -> DocumentScore:
    given = Given(gold, answers, stranger) if answers is not None else None
    if task.asks_chains:
        return score_given(gold, given.chains() if given else [])
    return score_listed(gold, given.links() if given else {})
