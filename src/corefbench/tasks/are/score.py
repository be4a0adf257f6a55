"""Score the answers to a task: ``score_task(1, "keys/task-1.xml", "answers.xml")``."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import DataError, MismatchError, Place, UsageError
from corefbench.formats.load import CorpusSource, load
from corefbench.scoring.signature import ContentHash
from corefbench.tasks.are.key import DocumentKey, make_document_key, node_names
from corefbench.tasks.are.make import make_task_corpus, without_empty_nodes
from corefbench.tasks.are.measures import TaskAnswer, score_answer
from corefbench.tasks.are.overlap import WEIGHTINGS, Span, Weighting
from corefbench.tasks.are.result import AVERAGES, Average, DocumentScore, Task, TaskResult, find_task

UnknownNameHandler = Callable[[str], None]
"""Called with a name that the key does not have."""
E = TypeVar("E", int, Span)


def score_task(
    task: int,
    key: CorpusSource,
    answers: CorpusSource,
    *,
    average: Average = "macro",
    weighting: Weighting = "mean",
    lenient: bool = False,
    format: str | None = None,
) -> TaskResult:
    """Score the answers to a task of the exercise.

    The key is a key file, or any coreference corpus. Answers with names that the key does not have
    are an error or, if ``lenient``, left out and reported. Documents are paired by name; if both
    sides have only one, they need not have the same name.
    """
    chosen = find_task(task)
    check_choices(average, weighting)
    findings: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=findings.append)
    annotated = _read_corpus(key, strictness, format)
    key_corpus = make_task_corpus(annotated, task)
    if key_corpus.chain_sizes().max(initial=0) < 2:
        raise DataError(
            "no two mentions of the key corefer",
            code="CB210",
            place=Place(source=key_corpus.name),
            remedy="name the key, not the input of the task",
        )
    answer_corpus = _drop_empty_nodes(_read_corpus(answers, strictness, format), annotated)
    scores = [
        _score_document(chosen, make_document_key(document), answer, weighting, strictness)
        for document, answer in _pair_documents(key_corpus, answer_corpus, findings)
    ]
    return TaskResult(
        task=chosen,
        average=average,
        weighting=weighting,
        documents=tuple(scores),
        key=content_hash(key_corpus),
        findings=tuple(findings),
    )


def check_choices(average: str, weighting: str) -> None:
    """Raise for unknown averages and weightings."""
    for name, value, known in (("average", average, AVERAGES), ("weighting", weighting, WEIGHTINGS)):
        if value not in known:
            raise UsageError(f"there is no {name} {value!r}", expected=", ".join(known))


def content_hash(corpus: Corpus) -> str:
    """Return the name and the content hash of a corpus."""
    content = ContentHash()
    content.add(corpus)
    return str(content)


def _read_corpus(source: CorpusSource, strictness: Strictness, format: str | None) -> Corpus:
    if isinstance(source, Corpus):
        return source
    return load(source, format=format, strictness=strictness)


def _drop_empty_nodes(answers: Corpus, key: Corpus) -> Corpus:
    """Return the answers without empty nodes, which the tasks do not have.

    Formats that cannot mark empty nodes write them as words: they are then where the key has them.
    Answers that name entities or nodes need no positions.
    """
    if "id" in answers.mentions.columns or "node" in answers.tokens.columns:
        return answers
    flags = np.zeros(len(key.tokens), np.bool_) if key.tokens.empty is None else key.tokens.empty
    empty = np.zeros(len(answers.tokens), np.bool_) if answers.tokens.empty is None else answers.tokens.empty.copy()
    numbers = {label: number for number, label in enumerate(key.documents.labels())}
    for document in answers:
        number = numbers.get(document.label, 0 if len(key) == len(answers) == 1 else -1)
        first, last = key.tokens.offsets[number : number + 2].tolist() if number >= 0 else (0, 0)
        tokens = slice(*answers.tokens.offsets[document.index : document.index + 2].tolist())
        if last - first == len(document) and not empty[tokens].any():
            empty[tokens] = flags[first:last]
    return without_empty_nodes(replace(answers, tokens=replace(answers.tokens, empty=empty)))


def _pair_documents(
    key: Corpus, answers: Corpus, findings: list[Finding]
) -> Iterator[tuple[Document, Document | None]]:
    """Yield every document of the key with its answers, or None."""
    if len(key) == len(answers) == 1:
        yield key[0], answers[0]
        return
    answers_by_label = {document.label: document for document in answers}
    key_labels = key.documents.labels()
    if not answers_by_label.keys() & set(key_labels):
        raise MismatchError(
            "key and answers have no document in common",
            code="CB201",
            found=", ".join(list(answers_by_label)[:3]) or "no documents",
            expected=", ".join(key_labels[:3]),
        )
    _report_documents(
        findings, "CB203", "a document of the answers is not in the key", answers_by_label.keys() - {*key_labels}
    )
    _report_documents(
        findings, "CB202", "the answers have nothing on a document", {*key_labels} - answers_by_label.keys()
    )
    for document in key:
        yield document, answers_by_label.get(document.label)


def _report_documents(findings: list[Finding], code: str, message: str, names: set[str]) -> None:
    findings += [
        Finding(code=code, severity="warning", message=message, place=Place(document=name)) for name in sorted(names)
    ]


class _Answers(Generic[E]):
    """The answers to one document, in the terms of the key.

    Tasks 1 and 2 name entities by their ids, tasks 3 and 4 spans by the nodes of their first and
    last words. Answers in other formats have neither: mentions are then identified by their
    positions, and the answer to a pronoun is the mention of its chain before it or, if it is the
    first, the first name or noun after it.
    """

    def __init__(self, gold: DocumentKey, document: Document, report_unknown: UnknownNameHandler) -> None:
        self.gold, self.document, self.report_unknown = gold, document, report_unknown
        self.columns = document.corpus.mentions.columns

    def entity(self, mention: Mention) -> E | None:
        """Return the entity of the key that a mention of the answers is."""
        raise NotImplementedError

    def target(self, name: str) -> E | None:
        """Return the entity of the key that an answer names."""
        raise NotImplementedError

    def is_asked(self, mention: Mention) -> bool:
        """Whether a mention in a chain is a pronoun to resolve."""
        raise NotImplementedError

    def chains(self) -> tuple[tuple[E, ...], ...]:
        """Return the chains, each with distinct entities."""
        named = (map(self.entity, chain.mentions) for chain in self.document.chains)
        members_by_chain = (tuple(dict.fromkeys(e for e in entities if e is not None)) for entities in named)
        return tuple(members for members in members_by_chain if members)

    def links(self) -> dict[E, E]:
        """Return the answered pronouns and their answers."""
        links = {}
        for mention, target in self._named_answers() if "antecedent" in self.columns else self._chain_answers():
            source = self.entity(mention)
            if source is not None and target is not None:
                links[source] = target
        return links

    def _named_answers(self) -> Iterator[tuple[Mention, E | None]]:
        for mention in self.document.mentions:
            if name := self.columns["antecedent"][mention.index]:
                yield mention, self.target(name)

    def _chain_answers(self) -> Iterator[tuple[Mention, E | None]]:
        for chain in self.document.chains:
            members = sorted(chain.mentions, key=lambda m: (m.start, -m.end))
            for position, mention in enumerate(members):
                if self.is_asked(mention) and len(members) > 1:
                    after = [m for m in members[1:] if not self.is_asked(m)] or members[1:]
                    yield mention, self.entity(members[position - 1] if position else after[0])


class EntityAnswers(_Answers[int]):
    """Answers to tasks 1 and 2: mentions of the key, by number."""

    def entity(self, mention: Mention) -> int | None:
        name = self.columns["id"][mention.index] if "id" in self.columns else ""
        if name:
            return self.target(name)
        number = self.gold.by_span.get((mention.start, mention.end))
        if number is None:
            self.report_unknown(f"words {mention.start + 1} to {mention.end}")
        return number

    def target(self, name: str) -> int | None:
        number = self.gold.by_id.get(name)
        if number is None:
            self.report_unknown(f"entity {name}")
        return number

    def is_asked(self, mention: Mention) -> bool:
        return self.gold.by_span.get((mention.start, mention.end)) in self.gold.listed


class SpanAnswers(_Answers[Span]):
    """Answers to tasks 3 and 4: spans of words."""

    def __init__(self, gold: DocumentKey, document: Document, report_unknown: UnknownNameHandler) -> None:
        super().__init__(gold, document, report_unknown)
        named = "node" in document.corpus.tokens.columns
        self.nodes = node_names(document) if named else gold.nodes

    def entity(self, mention: Mention) -> Span | None:
        if mention.end > len(self.nodes):
            self.report_unknown(f"words {mention.start + 1} to {mention.end}")
            return None
        return self._between(self.nodes[mention.start], self.nodes[mention.end - 1])

    def target(self, name: str) -> Span | None:
        first, _, last = name.partition("..")
        return self._between(first, last or first)

    def is_asked(self, mention: Mention) -> bool:
        span = self.entity(mention)
        return span is not None and span[1] - span[0] == 1 and span[0] in self.gold.third_person

    def _between(self, first: str, last: str) -> Span | None:
        position = self.gold.by_node
        if first not in position or last not in position or position[first] > position[last]:
            self.report_unknown(f"nodes {first} to {last}")
            return None
        return (position[first], position[last] + 1)


def _score_document(
    task: Task, key: DocumentKey, answers: Document | None, weighting: Weighting, strictness: Strictness
) -> DocumentScore:
    def report_unknown(name: str) -> None:
        strictness.fault(
            "CB128",
            "an answer has a name that the key does not have",
            place=Place(document=key.document),
            found=name,
            repair="left out",
        )

    answer = TaskAnswer()
    if answers is not None and task.gives_entities:
        entities = EntityAnswers(key, answers, report_unknown)
        answer = TaskAnswer(chains=entities.chains()) if task.asks_chains else TaskAnswer(links=entities.links())
    elif answers is not None:
        spans = SpanAnswers(key, answers, report_unknown)
        answer = TaskAnswer(raw_chains=spans.chains()) if task.asks_chains else TaskAnswer(raw_links=spans.links())
    return score_answer(task, key, answer, weighting)
