"""The files of the exercise: inputs, keys and answers."""

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from corefbench.corpus.corpus import Corpus
from corefbench.formats.are import ARE, Kind
from corefbench.formats.common.xml import Element, parse
from corefbench.tasks.are.key import DocumentKey, make_document_key
from corefbench.tasks.are.make import TaskCorpora
from corefbench.tasks.are.measures import TaskAnswer
from corefbench.tasks.are.overlap import Span
from corefbench.tasks.are.run import Exercise


def write_files(corpora: TaskCorpora, folder: Path) -> list[Path]:
    """Write ``inputs/task-1.xml`` … and ``keys/task-1.xml`` … to a folder."""
    written = []
    for task, corpus in corpora.tasks.items():
        for kind, content in (("inputs", input_file(corpus, task)), ("keys", key_file(corpus, task))):
            path = folder / kind / f"task-{task}.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            written.append(path)
    return written


def input_file(corpus: Corpus, task: int) -> bytes:
    """Return the input file of participants."""
    return _write_bytes(corpus, task, "input")


def key_file(corpus: Corpus, task: int) -> bytes:
    """Return the key file: the input with its chains.

    Tasks 1 and 3 also list the pronouns to resolve, because any mention of their chain is correct.
    """
    if task == 1:
        return _merge_documents(1, _write_bytes(corpus, 1, "input"), _write_bytes(corpus, 2, "answers"))
    if task == 3:
        return _merge_documents(3, _write_bytes(corpus, 4, "whole"), _write_bytes(corpus, 3, "answers"))
    return _write_bytes(corpus, task, "whole")


def answers_file(corpus: Corpus, task: int, answers: Sequence[TaskAnswer]) -> bytes:
    """Return the answer file of a participant."""
    root = parse(_write_bytes(corpus, task, "input"), "answers")
    for element, document, answer in zip(root.iter("document"), corpus, answers, strict=True):
        # The elements of the input are replaced by answers; the list is a copy, since it shrinks.
        for child in list(element):
            element.remove(child)
        for child in _answer_elements(make_document_key(document), answer):
            child.tail = "\n"
            element.append(child)
    return _serialize(root)


def write_answers(exercise: Exercise, corpus: Corpus, folder: Path) -> list[Path]:
    """Write the answer file of every participant to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, answers in exercise.answers.items():
        path = folder / f"{re.sub(r'[^A-Za-z0-9.=-]+', '-', name).strip('-')}.xml"
        path.write_bytes(answers_file(corpus, exercise.task.number, answers))
        written.append(path)
    return written


def _answer_elements(key: DocumentKey, answer: TaskAnswer) -> Iterator[Element]:
    """Yield an element for every pronoun or chain."""
    for pronoun, antecedent in answer.links.items():
        yield _make_element("pronoun", id=key.ids[pronoun], antecedent=key.ids[antecedent])
    for pronoun_span, span in answer.raw_links.items():
        yield _make_element("pronoun", _span_element(key, span), node=key.nodes[pronoun_span[0]])
    for chain in answer.chains:
        yield _make_element("chain", *(_make_element("entity", id=key.ids[number]) for number in chain))
    for spans in answer.raw_chains:
        yield _make_element("chain", *(_span_element(key, span) for span in spans))


def _span_element(key: DocumentKey, span: Span) -> Element:
    return _make_element("entity", start=key.nodes[span[0]], end=key.nodes[span[1] - 1])


def _make_element(tag: str, *children: Element, **attributes: str) -> Element:
    from lxml import etree

    element = etree.Element(tag, attributes)
    element.extend(children)
    return element


def _serialize(root: Element) -> bytes:
    from lxml import etree

    content: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return content + b"\n"


def _write_bytes(corpus: Corpus, task: int, kind: Kind) -> bytes:
    stream = io.BytesIO()
    ARE(task, kind).write(corpus, stream)
    return stream.getvalue()


def _merge_documents(task: int, first: bytes, second: bytes) -> bytes:
    """Append the elements of the second file to the documents of the first."""
    root, more = parse(first, "key"), parse(second, "key")
    root.set("task", str(task))
    for document, other in zip(root.iter("document"), more.iter("document"), strict=True):
        document.extend(list(other))
    return _serialize(root)
