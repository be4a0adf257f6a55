"""Error feedback for participants in phases that are not blind."""

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from corefbench.analysis.errors import error_analysis
from corefbench.analysis.errors.taxonomy import Example, Passage
from corefbench.campaign.domain.config import Task
from corefbench.campaign.domain.evaluation import DocumentFeedback, DocumentRow, ErrorFeedback, Evaluation
from corefbench.campaign.domain.ranking import compute_are_scores, get_are_task_number
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.records import Record
from corefbench.scoring.measures import parse
from corefbench.scoring.measures.tally import Score
from corefbench.scoring.overrides import customise_profile
from corefbench.tasks.are.key import DocumentKey, make_document_key
from corefbench.tasks.are.measures import answer_credit
from corefbench.tasks.are.overlap import Span, overlap
from corefbench.tasks.are.score import EntityAnswers, SpanAnswers

_PRONOUN_ERRORS = ("unanswered", "wrong", "partly")
_CONTEXT_WORDS = 8
_MAX_EXAMPLES = 5


def build_feedback(task: Task, key: Corpus, answers: Corpus, evaluation: Evaluation) -> ErrorFeedback:
    """Return scores and error counts by document, and some errors of every class in context.

    The ARE tasks about pronouns have error classes of their own. The ARE tasks about chains, and
    profiles that score several documents as one, have only scores by document.
    """
    errors = _count_errors(task, key, answers)
    return ErrorFeedback(
        documents=tuple(
            DocumentFeedback(
                document=row.document,
                scores=_score_document(task, evaluation, row),
                errors=errors.documents.get(row.document, {}),
            )
            for row in evaluation.rows
        ),
        counts=errors.counts,
        examples=errors.examples,
    )


class _ErrorCounts(Record, frozen=True):
    documents: dict[str, dict[str, int]] = {}  # noqa: RUF012
    counts: dict[str, dict[str, int]] = {}  # noqa: RUF012
    examples: tuple[Example, ...] = ()


def _count_errors(task: Task, key: Corpus, answers: Corpus) -> _ErrorCounts:
    number = get_are_task_number(task)
    if number in (1, 3):
        return _count_pronoun_errors(key, answers, number)
    profile = None if number else customise_profile(task.scored, task.choices)
    if profile is None or profile.scope != "document":
        return _ErrorCounts()
    analysis = error_analysis(key, answers, profile)
    documents: dict[str, Counter[str]] = defaultdict(Counter)
    for error in analysis.errors:
        documents[error.document][error.kind] += 1
    return _ErrorCounts(
        documents={name: dict(by_kind) for name, by_kind in documents.items()},
        counts=analysis.counts,
        examples=tuple(analysis.examples(_MAX_EXAMPLES)),
    )


def _score_document(task: Task, evaluation: Evaluation, row: DocumentRow) -> dict[str, Score]:
    document_scores = {}
    for name, counts in row.counts.items():
        total = dict(zip(evaluation.columns[name], counts, strict=True))
        if get_are_task_number(task):
            scores = compute_are_scores({column: np.array([value]) for column, value in total.items()})
            document_scores[name] = Score(
                recall=float(scores.recall[0]), precision=float(scores.precision[0]), f1=float(scores.f1[0])
            )
        else:
            measures = customise_profile(task.scored, task.choices).measures
            document_scores[name] = parse(measures[name]).score(total)
    return document_scores


def _count_pronoun_errors(key: Corpus, answers: Corpus, task: int) -> _ErrorCounts:
    """Return the errors of every pronoun that was to be resolved, by document.

    unanswered  there is no answer for the pronoun
    wrong       the answer is not in its chain, or overlaps no mention of it
    partly      it is, but leads to no name or noun, or does not overlap it in full
    """
    answers_by_label = {document.label: document for document in answers}
    if len(key.documents) == len(answers.documents) == 1:
        answers_by_label = {key[0].label: answers[0]}
    documents: dict[str, dict[str, int]] = {}
    examples: dict[str, list[Example]] = {kind: [] for kind in _PRONOUN_ERRORS}
    for document in key:
        errors = list(_iter_pronoun_errors(document, answers_by_label.get(document.label), task))
        documents[document.label] = dict(Counter(kind for kind, _ in errors))
        for kind, example in errors:
            examples[kind].append(example)
    return _ErrorCounts(
        documents=documents,
        counts={"pronouns": {kind: len(examples[kind]) for kind in _PRONOUN_ERRORS}},
        examples=tuple(example for kind in _PRONOUN_ERRORS for example in examples[kind][:_MAX_EXAMPLES]),
    )


def _iter_pronoun_errors(document: Document, answers: Document | None, task: int) -> Iterator[tuple[str, Example]]:
    gold = make_document_key(document)
    links = _read_links(gold, answers, task)

    def worth(anaphor: Span, answer: Span) -> float:
        chain = gold.members[gold.chains[gold.by_span[anaphor]]] if anaphor in gold.by_span else []
        others = (gold.spans[number] for number in chain if gold.spans[number] != anaphor)
        return max((overlap(answer, span) for span in others), default=0.0)

    for number in gold.listed:
        span = gold.spans[number]
        earned = answer_credit(span, links, worth, gold.is_pronoun)
        if earned < 1:
            kind = "unanswered" if span not in links else "partly" if earned else "wrong"
            yield kind, _make_example(document, gold, number, links.get(span), kind)


def _read_links(gold: DocumentKey, answers: Document | None, task: int) -> dict[Span, Span]:
    """Return the answers as links between spans of words."""
    if answers is None:
        return {}
    if task == 3:
        return SpanAnswers(gold, answers, lambda name: None).links()
    links = EntityAnswers(gold, answers, lambda name: None).links()
    return {gold.spans[pronoun]: gold.spans[answer] for pronoun, answer in links.items()}


def _make_example(document: Document, gold: DocumentKey, number: int, answer: Span | None, kind: str) -> Example:
    members = sorted(gold.spans[member] for member in gold.members[gold.chains[number]] if member != number)
    before = [span for span in members if span[0] < gold.spans[number][0]]
    nearest = before[-1] if before else members[0] if members else None
    return Example(
        taxonomy="decisions",
        kind=kind,
        mention=_make_passage(document, gold.spans[number]),
        key=_make_passage(document, nearest) if nearest else None,
        response=_make_passage(document, answer) if answer else None,
        type="pronoun",
    )


def _make_passage(document: Document, span: Span) -> Passage:
    words = document.words
    start, end = span
    sentence = sum(first <= start for first, _ in document.sentences)
    return Passage(
        document=document.label,
        sentence=sentence,
        span=span,
        text=" ".join(words[start:end]),
        before=" ".join(words[max(start - _CONTEXT_WORDS, 0) : start]),
        after=" ".join(words[end : end + _CONTEXT_WORDS]),
    )
