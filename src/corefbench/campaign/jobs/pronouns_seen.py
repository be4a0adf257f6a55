"""The errors in answers to ARE's first and third task: pronouns that earned less than they could.

unanswered  nothing was said of the pronoun
wrong       what was said is not in its chain, or overlaps no mention of it
partly      it is, but does not lead to a name or noun, or does not overlap it in full
"""

from collections import Counter
from collections.abc import Iterator

from corefbench.analysis.errors.error import Example, Passage
from corefbench.are.answers import Given, Raw
from corefbench.are.gold import Gold, gold_of
from corefbench.are.overlap import Span, overlap
from corefbench.are.pronouns import credit
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.record import Record

CLASSES = ("unanswered", "wrong", "partly")
_WIDTH = 8


class PronounErrors(Record, frozen=True):
    """By document, and some of them in their text."""

    documents: dict[str, dict[str, int]]
    examples: tuple[Example, ...]


def pronoun_errors(key: Corpus, answers: Corpus, task: int, examples: int) -> PronounErrors:
    """What became of every pronoun that was to be resolved."""
    told = {document.label: document for document in answers}
    if len(key.documents) == len(answers.documents) == 1:
        told = {key[0].label: answers[0]}
    counts: dict[str, dict[str, int]] = {}
    shown: dict[str, list[Example]] = {kind: [] for kind in CLASSES}
    for document in key:
        found = Counter[str]()
        for kind, example in _errors(document, told.get(document.label), task):
            found[kind] += 1
            if len(shown[kind]) < examples:
                shown[kind].append(example)
        counts[document.label] = dict(found)
    return PronounErrors(
        documents=counts, examples=tuple(one for kind in CLASSES for one in shown[kind])
    )


def _errors(
    document: Document, answers: Document | None, task: int
) -> Iterator[tuple[str, Example]]:
    gold = gold_of(document)
    links = _links(gold, answers, task)

    def worth(one: Span, other: Span) -> float:
        chain = gold.members[gold.chains[gold.by_span[one]]] if one in gold.by_span else []
        others = (gold.spans[number] for number in chain if gold.spans[number] != one)
        return max((overlap(other, span) for span in others), default=0.0)

    for number in gold.listed:
        span = gold.spans[number]
        earned = credit(span, links, worth, gold.is_pronoun)
        if earned < 1:
            kind = "unanswered" if span not in links else "partly" if earned else "wrong"
            yield kind, _example(document, gold, number, links.get(span), kind)


def _links(gold: Gold, answers: Document | None, task: int) -> dict[Span, Span]:
    """The answers as spans of words."""
    if answers is None:
        return {}
    if task == 3:
        return Raw(gold, answers, lambda name: None).links()
    found = Given(gold, answers, lambda name: None).links()
    return {gold.spans[pronoun]: gold.spans[answer] for pronoun, answer in found.items()}


def _example(
    document: Document, gold: Gold, number: int, answer: Span | None, kind: str
) -> Example:
    members = sorted(gold.spans[one] for one in gold.members[gold.chains[number]] if one != number)
    before = [span for span in members if span[0] < gold.spans[number][0]]
    nearest = before[-1] if before else members[0] if members else None
    return Example(
        taxonomy="decisions",
        kind=kind,
        mention=_passage(document, gold.spans[number]),
        key=_passage(document, nearest) if nearest else None,
        response=_passage(document, answer) if answer else None,
        type="pronoun",
    )


def _passage(document: Document, span: Span) -> Passage:
    words = document.words
    start, end = span
    sentence = sum(first <= start for first, _ in document.sentences)
    return Passage(
        document=document.label,
        sentence=sentence,
        span=span,
        text=" ".join(words[start:end]),
        before=" ".join(words[max(start - _WIDTH, 0) : start]),
        after=" ".join(words[end : end + _WIDTH]),
    )
