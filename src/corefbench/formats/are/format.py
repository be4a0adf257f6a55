"""The Anaphora Resolution Exercise: inputs and answers of its four tasks.

Tasks 1 and 2 mark entities in paragraphs, ``<p>… <entity id="5">Israel</entity> …</p>``; task 1
lists the pronouns to resolve, ``<anaphoric_pronouns><pronoun id="6" value="it"/>…``. Tasks 3 and 4
number the words, ``<node id="26"/>Japan<node id="27"/>and``, and a span runs from the node of its
first word to that of its last (Orăsan et al. 2008, section 3.2).

The paper does not print answers. Here they are: task 1 ``<pronoun id="6" antecedent="5"/>``, task 2
``<chain><entity id="5"/>…</chain>``, task 3 ``<pronoun node="40"><entity start="26" end="28"/>
</pronoun>``, task 4 ``<chain><entity start="26" end="28"/>…</chain>``. A file may have the input,
the answers, or both; documents are ``<document id="…">`` in a root ``<are task="…">``, or the file.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.errors import UsageError
from corefbench.formats.are.reader import (
    Answers,
    DocumentText,
    FaultHandler,
    add_document,
    input_text,
    listed_pronouns,
    placeholder_text,
    read_answers,
    read_text,
)
from corefbench.formats.base import (
    ANY_MENTIONS,
    DOCUMENTS,
    NESTED_MENTIONS,
    Feature,
    FormatCard,
    Reading,
    require_words,
)
from corefbench.formats.common.decode import read_bytes
from corefbench.formats.common.sgml import escape, escape_attribute
from corefbench.formats.common.spans import select_nested, tags_by_token, unique_labels
from corefbench.formats.common.xml import Element, element_place, is_name, parse
from corefbench.formats.source import Source

PRONOUNS = frozenset(
    [
        "he",
        "him",
        "his",
        "himself",
        "she",
        "her",
        "hers",
        "herself",
        "it",
        "its",
        "itself",
        "they",
        "them",
        "their",
        "theirs",
        "themselves",
    ]
)
"""The pronouns that are to be resolved where a corpus does not say."""

_NOT_XML = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_BLANKS = re.compile(r"[ \t\r\n]+")

Kind: TypeAlias = Literal["whole", "input", "answers"]

_TEXT: frozenset[Feature] = DOCUMENTS | {"document attributes"}

HOLDS: dict[int, frozenset[Feature]] = {
    1: _TEXT | NESTED_MENTIONS,
    2: _TEXT | NESTED_MENTIONS | {"chain labels"},
    3: _TEXT | {"crossing mentions", "mentions across sentences"},
    4: _TEXT | ANY_MENTIONS | {"chain labels"},
}
"""What survives by task. Tasks 1 and 3 hold no more of a chain than the links of its pronouns."""

_TITLES = {
    0: "input or answers of any task",
    1: "pronouns among given entities",
    2: "chains of given entities",
    3: "pronouns in raw text",
    4: "chains in raw text",
}
_SURE = re.compile(rb"<are[\s>]|<anaphoric_pronouns[\s>]")
_LIKELY = re.compile(rb"<(?:pronoun\s+(?:id|node)|node\s+id|entity\s+(?:id|start))\s*=")
_NO_ROOT = re.compile(rb"\s*(<\?xml.*?\?>)?\s*<(?:p|pronoun|chain|anaphoric_pronouns)[\s>]")


class ARE:
    """Reads inputs and answers of any task, and writes those of one (task 4 unless told).

    Answers alone have no words: ``input`` is the corpus read from the input, or its file, and a
    document is found in it by its name; without it each entity, or each node, stands for a word.
    Mentions keep ``id``; a pronoun to be resolved has ``anaphoric`` = yes, and ``antecedent`` if
    it was answered (an id, or ``start..end``). ``kind`` chooses what is written.

    >>> sample = b'<p><entity id="1">Ann</entity> saw <entity id="2">her</entity> dog</p>'
    >>> answer = b'<pronoun id="2" antecedent="1"/>'
    >>> list(ARE().read(Source.of(b"<are>" + sample + answer + b"</are>"), Reading()))
    [<Corpus 'memory': 1 documents, 4 tokens, 2 mentions, 1 chains>]
    """

    def __init__(self, task: int | str = 0, kind: Kind = "whole", input: Corpus | str | Path | None = None) -> None:
        task = int(task) if str(task) in ("0", "1", "2", "3", "4") else -1
        if task not in _TITLES or kind not in ("whole", "input", "answers"):
            raise UsageError(
                "there is no such task or kind", remedy="tasks are 1 to 4; kinds are whole, input and answers"
            )
        self.task, self.kind = task, kind
        self.input = _read_input(input) if isinstance(input, str | Path) else input
        labels = self.input.documents.labels() if self.input is not None else ()
        self.documents = {label: number for number, label in enumerate(labels)}
        self.card = FormatCard(
            name=f"are-{task}" if task else "are",
            title=f"ARE task {task}" if task else "ARE",
            description=f"The Anaphora Resolution Exercise: {_TITLES[task]}.",
            extensions=(".xml",),
            holds=HOLDS[task or 4],
            selects=task in (1, 3),
            cites=("orasan2008",),
        )

    def recognises(self, head: bytes) -> float:
        """Sure of its root and of the list of pronouns. The tasks by name are never guessed."""
        if self.task:
            return 0.0
        if _SURE.search(head):
            return 0.95
        return 0.7 if _LIKELY.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        content = read_bytes(source, reading)
        if bare := _NO_ROOT.match(content.removeprefix(b"\xef\xbb\xbf")):
            # The paper's samples have no root.
            head = bare[1] or b""
            content = head + b"<are>" + content.removeprefix(b"\xef\xbb\xbf").lstrip()[len(head) :]
            content += b"</are>"
        root = parse(content, source.name)
        build = CorpusBuilder(source.stem, words=reading.words, columns=("node",))
        for element in list(root.iter("document")) or [root]:
            self._add(build, element, source, reading)
        yield build.finish()

    def _add(self, build: CorpusBuilder, element: Element, source: Source, reading: Reading) -> None:
        """Add one document, with its own text, that of the input, or none."""

        def fault(code: str, message: str, faulty: Element, repair: str) -> None:
            attributes = " ".join(f'{k}="{v}"' for k, v in faulty.attrib.items())
            reading.fault(
                code, message, element_place(faulty, source.name), f"<{faulty.tag} {attributes}>"[:80], repair
            )

        answers = read_answers(element, fault)
        text = read_text(element, fault)
        name, part = element.get("id") or source.stem, element.get("part", "")
        label = f"{name}_{part}" if part else name
        if text is None:
            text = self._text(label, answers, element, source, fault)
        add_document(build, element, name, text, answers, fault)

    def _text(
        self, label: str, answers: Answers, element: Element, source: Source, fault: FaultHandler
    ) -> DocumentText:
        if self.input is not None:
            if label in self.documents:
                return input_text(self.input[self.documents[label]])
            fault("CB128", "the input has no such document", element, "read without its words")
        place = element_place(element, source.name)
        return placeholder_text(answers.references(), place, listed_pronouns(element))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document of the corpus; tasks 1 and 2 leave out mentions that cross another."""
        require_words(corpus)
        stream.write(_file_text(corpus, self.task or 4, self.kind).encode())


ARE1, ARE2, ARE3, ARE4 = (partial(ARE, task) for task in (1, 2, 3, 4))


def _file_text(corpus: Corpus, task: int, kind: str) -> str:
    """The file, from its declaration to the end of its root."""
    documents = "".join(_DocumentWriter(document, task).text(kind) for document in corpus)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<are task="{task}">\n{documents}</are>\n'


def _format_attribute(name: str, value: str) -> str:
    return f' {name}="{escape_attribute(_NOT_XML.sub(chr(0xFFFD), value))}"'


class _DocumentWriter:
    """One document with its mentions, as one task sees it."""

    def __init__(self, document: Document, task: int) -> None:
        self.document, self.task = document, task
        self.columns = document.corpus.mentions.columns
        self.words = document.words
        mentions = document.mentions
        if task < 3:
            spans = [(m.start, m.end) for m in mentions]
            kept = select_nested(spans, [a for a, _ in document.sentences])
            mentions = [mentions[n] for n in kept]
        self.mentions = mentions
        self.ids = self._names_or_numbers([self._value("id", m) for m in mentions])
        column = document.corpus.tokens.columns.get("node")
        first = int(document.corpus.tokens.offsets[document.index])
        nodes = column.slice(first, first + len(document)) if column is not None else []
        self.nodes = self._names_or_numbers(nodes or [""] * len(document))

    @staticmethod
    def _names_or_numbers(names: list[str]) -> list[str]:
        """Return the names, or numbers if some are missing or the same."""
        is_unique = all(names) and len(set(names)) == len(names)
        return names if is_unique else [str(number + 1) for number in range(len(names))]

    def _value(self, column: str, mention: Mention) -> str:
        return self.columns[column][mention.index] if column in self.columns else ""

    def _chain(self, mention: Mention) -> int:
        return int(self.document.corpus.mentions.chain[mention.index])

    def text(self, kind: str) -> str:
        body = self._paragraphs() if kind != "answers" else ""
        if self.task == 1 and kind != "answers":
            body += self._listed_pronouns()
        if kind != "input":
            body += "<answers>\n" + (self._links() if self.task % 2 else self._chains())
            body += "</answers>\n"
        return f"<document{self._attributes()}>\n{body}</document>\n"

    def _attributes(self) -> str:
        documents = self.document.corpus.documents
        part = int(documents.parts[self.document.index])
        attributes = _format_attribute("id", self.document.name)
        attributes += _format_attribute("part", str(part)) if part >= 0 else ""
        for name, values in documents.columns.items():
            value = values[self.document.index]
            if value and is_name(name) and name not in ("id", "part", "task"):
                attributes += _format_attribute(name, value)
        return attributes

    def _paragraphs(self) -> str:
        """Return a paragraph per sentence: entities in tags, or every word after its node."""
        words = [escape(_without_white_space(word)) for word in self.words]
        if self.task < 3:
            spans = [(m.start, m.end) for m in self.mentions]
            tags = [f"<entity{_format_attribute('id', name)}>" for name in self.ids]
            before, after = tags_by_token(spans, range(len(spans)), tags, "</entity>")
            words = [before.get(t, "") + w + after.get(t, "") for t, w in enumerate(words)]
        else:
            nodes = (f"<node{_format_attribute('id', name)}/>" for name in self.nodes)
            words = [node + word for node, word in zip(nodes, words, strict=True)]
        return "".join(f"<p>{' '.join(words[a:b])}</p>\n" for a, b in self.document.sentences if a < b)

    def _listed_pronouns(self) -> str:
        """The pronouns to be resolved."""
        lines = ""
        for name, mention in zip(self.ids, self.mentions, strict=True):
            if self._is_anaphoric(mention):
                text = _without_white_space(" ".join(self.words[mention.start : mention.end]))
                attributes = _format_attribute("id", name) + _format_attribute("value", text)
                lines += f"<pronoun{attributes}/>\n"
        return f"<anaphoric_pronouns>\n{lines}</anaphoric_pronouns>\n"

    def _is_anaphoric(self, mention: Mention) -> bool:
        """Whether the column says so; without one, whether it is such a pronoun."""
        if "anaphoric" in self.columns:
            return bool(self._value("anaphoric", mention))
        return mention.end == mention.start + 1 and self.words[mention.start].lower() in PRONOUNS

    def _links(self) -> str:
        """Return every pronoun with its antecedent.

        That is the one that was chosen, else the preceding mention of the chain, else, for the
        first of a chain, the following one.
        """
        by_name = {name: number for number, name in enumerate(self.ids)}
        by_nodes = {self._nodes_of(m): number for number, m in reversed(list(enumerate(self.mentions)))}
        members: dict[int, list[int]] = {}
        for number, mention in enumerate(self.mentions):
            members.setdefault(self._chain(mention), []).append(number)
        lines = []
        for number, mention in enumerate(self.mentions):
            if not self._is_anaphoric(mention):
                continue
            answer = self._value("antecedent", mention)
            target = by_name.get(answer) if self.task == 1 else by_nodes.get(tuple(answer.split("..")))
            if target is None and "antecedent" not in self.columns:
                chain = members[self._chain(mention)]
                index = chain.index(number)
                target = chain[index - 1] if index else chain[1] if len(chain) > 1 else None
            lines.append(self._link(number, target))
        return "".join(lines)

    def _link(self, number: int, target: int | None) -> str:
        if self.task == 1:
            answer = _format_attribute("antecedent", self.ids[target]) if target is not None else ""
            return f"<pronoun{_format_attribute('id', self.ids[number])}{answer}/>\n"
        mention = self.mentions[number]
        if mention.end > mention.start + 1:
            return ""
        answer = self._entity(self.mentions[target]) if target is not None else ""
        return f"<pronoun{_format_attribute('node', self.nodes[mention.start])}>{answer}</pronoun>\n"

    def _chains(self) -> str:
        """Every chain, singletons too, in the order in which they first appear."""
        members: dict[int, list[str]] = {}
        for name, mention in zip(self.ids, self.mentions, strict=True):
            element = self._entity(mention)
            if self.task == 2:
                element = f"<entity{_format_attribute('id', name)}/>"
            members.setdefault(self._chain(mention), []).append(element)
        labels = unique_labels(self.document, members)
        return "".join(
            f"<chain{_format_attribute('id', labels[chain])}>{''.join(members[chain])}</chain>\n" for chain in members
        )

    def _nodes_of(self, mention: Mention) -> tuple[str, ...]:
        return (self.nodes[mention.start], self.nodes[mention.end - 1])

    def _entity(self, mention: Mention) -> str:
        start, end = self._nodes_of(mention)
        return f"<entity{_format_attribute('start', start)}{_format_attribute('end', end)}/>"


def _without_white_space(word: str) -> str:
    """Replace white space in a word: the exercise joins multiword tokens by underscores."""
    return _NOT_XML.sub("\ufffd", _BLANKS.sub("_", word.strip(" \t\r\n"))) or "_"


def _read_input(where: str | Path) -> Corpus:
    return concatenate("input", list(ARE().read(Source.of(where), Reading())))
