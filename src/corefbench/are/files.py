"""The files of the exercise: inputs to give away, keys to keep, and answers."""

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from corefbench.are.gold import Gold, gold_of
from corefbench.are.make import Made
from corefbench.are.overlap import Span
from corefbench.are.participant import Answer
from corefbench.are.run import Exercise
from corefbench.formats.are import ARE, Kind
from corefbench.formats.xml import Element, parse
from corefbench.model.corpus import Corpus


def write_files(made: Made, folder: Path) -> list[Path]:
    """``inputs/task-1.xml`` … and ``keys/task-1.xml`` …, in a folder that is made."""
    written = []
    for task, corpus in made.tasks.items():
        for kind, content in (("inputs", input_file(corpus, task)), ("keys", key(corpus, task))):
            path = folder / kind / f"task-{task}.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            written.append(path)
    return written


def input_file(corpus: Corpus, task: int) -> bytes:
    """What participants see."""
    return _file(corpus, task, "input")


def key(corpus: Corpus, task: int) -> bytes:
    """The input together with the chains; tasks 1 and 3 also say which pronouns are to be resolved,
    for any mention of their chain is right."""
    if task == 1:
        return _merged(1, _file(corpus, 1, "input"), _file(corpus, 2, "answers"))
    if task == 3:
        return _merged(3, _file(corpus, 4, "whole"), _file(corpus, 3, "answers"))
    return _file(corpus, task, "whole")


def answers(corpus: Corpus, task: int, given: Sequence[Answer]) -> bytes:
    """What a participant hands in: its answers to every document of a task's corpus."""
    root = parse(_file(corpus, task, "input"), "answers")
    for element, document, answer in zip(root.iter("document"), corpus, given, strict=True):
        for child in list(element):
            element.remove(child)
        for child in _answers(gold_of(document), answer):
            child.tail = "\n"
            element.append(child)
    return _bytes(root)


def write_answers(made: Exercise, corpus: Corpus, folder: Path) -> list[Path]:
    """A file of answers for every participant, in a folder that is made."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, given in made.answers.items():
        path = folder / f"{re.sub(r'[^A-Za-z0-9.=-]+', '-', name).strip('-')}.xml"
        path.write_bytes(answers(corpus, made.task.number, given))
        written.append(path)
    return written


def _answers(gold: Gold, answer: Answer) -> Iterator[Element]:
    """An element for every pronoun or chain."""
    for pronoun, antecedent in answer.links.items():
        yield _element("pronoun", id=gold.ids[pronoun], antecedent=gold.ids[antecedent])
    for place, span in answer.raw_links.items():
        yield _element("pronoun", _span(gold, span), node=gold.nodes[place[0]])
    for chain in answer.chains:
        yield _element("chain", *(_element("entity", id=gold.ids[number]) for number in chain))
    for spans in answer.raw_chains:
        yield _element("chain", *(_span(gold, span) for span in spans))


def _span(gold: Gold, span: Span) -> Element:
    return _element("entity", start=gold.nodes[span[0]], end=gold.nodes[span[1] - 1])


def _element(tag: str, *children: Element, **attributes: str) -> Element:
    from lxml import etree

    element = etree.Element(tag, attributes)
    element.extend(children)
    return element


def _bytes(root: Element) -> bytes:
    from lxml import etree

    content: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return content + b"\n"


def _file(corpus: Corpus, task: int, kind: Kind) -> bytes:
    stream = io.BytesIO()
    ARE(task, kind).write(corpus, stream)
    return stream.getvalue()


def _merged(task: int, first: bytes, second: bytes) -> bytes:
    """The documents of the first file, each with what the second says of it."""
    root, more = parse(first, "key"), parse(second, "key")
    root.set("task", str(task))
    for document, other in zip(root.iter("document"), more.iter("document"), strict=True):
        document.extend(list(other))
    return _bytes(root)
