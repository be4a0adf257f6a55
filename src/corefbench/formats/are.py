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

import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

import numpy as np

from corefbench.corpus.arrays import run_starts
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats.base import (
    ANY_MENTIONS,
    DOCUMENTS,
    NESTED_MENTIONS,
    Feature,
    FormatCard,
    Reading,
    document_attributes,
    document_part,
    mention_attribute,
    token_column,
    unique_or_numbered,
    write_documents,
)
from corefbench.formats.common.decode import parse_natural, read_bytes
from corefbench.formats.common.sgml import escape, escape_attribute
from corefbench.formats.common.spans import Span, select_nested, tags_by_token, unique_labels
from corefbench.formats.common.xml import XML_DECLARATION, Element, element_place, is_name, parse
from corefbench.formats.source import Source
from corefbench.records import Columns

Kind: TypeAlias = Literal["whole", "input", "answers"]
Reference: TypeAlias = tuple[str, ...]
"""The id of an entity, or the nodes of its first and last word."""
Answer: TypeAlias = tuple[Element, Reference]

PRONOUNS = frozenset(
    {"he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself",
     "they", "them", "their", "theirs", "themselves"}
)  # fmt: skip
"""The pronouns that are to be resolved where a corpus does not say."""
MAX_ANSWER_WORDS = 1 << 20
"""The most words that answers without an input may span."""

_NOT_XML = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_BLANKS = re.compile(r"[ \t\r\n]+")

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
_ANSWER_TAGS = ("chain", "pronoun", "anaphoric_pronouns", "answers")
_WORD = re.compile(r"[^ \t\r\n]+")
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
        self.input = input if input is None or isinstance(input, Corpus) else _read_input(input)
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
            _DocumentReader(element, source, reading).add_to(build, self.input, self.documents)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document of the corpus; tasks 1 and 2 leave out mentions that cross another."""
        task = self.task or 4
        root = f'<are task="{task}">\n'.encode()

        def to_text(document: Document) -> str:
            return _DocumentWriter(document, task).text(self.kind)

        write_documents(corpus, stream, to_text, XML_DECLARATION + root, b"</are>\n")


class _DocumentText(Columns, frozen=True, eq=False):
    """Words by paragraph, the node of every word, and the entities in opening order."""

    paragraphs: list[list[str]]
    nodes: list[str]
    """The node of every word; none where the text has no nodes."""
    entities: list[tuple[str, Span]]
    anaphoric: frozenset[str] = frozenset()
    """The ids of pronouns to be resolved."""


def _input_text(document: Document) -> _DocumentText:
    """The text of a document that was read from the input."""
    words = document.words
    nodes = token_column(document, "node")
    named = [(mention_attribute(mention, "id"), mention) for mention in document.mentions]
    return _DocumentText(
        paragraphs=[words[a:b] for a, b in document.sentences],
        nodes=nodes if "node" in document.corpus.tokens.columns else [],
        entities=[(name, (mention.start, mention.end)) for name, mention in named if name],
        anaphoric=frozenset(name for name, mention in named if mention_attribute(mention, "anaphoric")),
    )


def _placeholder_text(references: list[Reference], place: Place, anaphoric: frozenset[str]) -> _DocumentText:
    """Where there is no input: a word for every entity, or for every node of the range."""
    ids = sorted(
        {name for reference in references for name in reference}, key=lambda name: (parse_natural(name, 1 << 31), name)
    )
    if all(len(reference) == 1 for reference in references):
        return _DocumentText(
            paragraphs=[ids] if ids else [],
            nodes=[],
            entities=[(name, (token, token + 1)) for token, name in enumerate(ids)],
            anaphoric=anaphoric,
        )
    if all(parse_natural(name) >= 0 for name in ids):
        first, last = int(ids[0]), int(ids[-1])
        # Two nodes in a file of fifty bytes may name a billion words.
        if last - first >= MAX_ANSWER_WORDS:
            raise FormatError(
                "the nodes of the answers lie too far apart",
                code="CB112",
                place=place,
                found=f"{first} to {last}",
                expected=f"at most {MAX_ANSWER_WORDS} words",
                remedy="read the answers together with their input",
            )
        ids = [str(node) for node in range(first, last + 1)]
    return _DocumentText(paragraphs=[ids], nodes=ids, entities=[])


class _DocumentReader:
    """Reads one document: its own text, that of the input, or none; then its answers."""

    def __init__(self, element: Element, source: Source, reading: Reading) -> None:
        self.element, self.source, self.reading = element, source, reading
        lists = element.iter("anaphoric_pronouns")
        self.listed_pronouns = frozenset(p.get("id", "") for listed in lists for p in listed.iter("pronoun"))
        self.paragraphs: list[list[str]] = []
        self.word_count = 0
        self.word_nodes: dict[int, str] = {}
        """The nodes of the words that have one."""
        self.node = ""
        self.text_entities: list[tuple[str, Span]] = []
        self.seen_ids: set[str] = set()

    def _fault(self, code: str, message: str, element: Element, repair: str) -> None:
        attributes = " ".join(f'{key}="{value}"' for key, value in element.attrib.items())
        found = f"<{element.tag} {attributes}>"[:80]
        self.reading.fault(code, message, element_place(element, self.source.name), found, repair)

    def add_to(self, build: CorpusBuilder, input: Corpus | None, documents: dict[str, int]) -> None:
        """Add text and answers as one document; ``documents`` are those of the input, by label."""
        element = self.element
        chains, links = self._read_chains(), self._read_links()
        text = self._read_text()
        name, part = element.get("id") or self.source.stem, element.get("part", "")
        if text is None:
            label = f"{name}_{part}" if part else name
            if input is not None and label in documents:
                text = _input_text(input[documents[label]])
            else:
                if input is not None:
                    self._fault("CB128", "the input has no such document", element, "read without its words")
                references = [reference for _, members in chains for _, reference in members]
                references += [reference for _, *pair in links for reference in pair if reference]
                text = _placeholder_text(references, element_place(element, self.source.name), self.listed_pronouns)
        number = parse_natural(part)
        if part and number < 0:
            self._fault("CB125", "the part is not a number", element, "read as no part")
        columns = {key: value for key, value in element.attrib.items() if key not in ("id", "part", "task")}
        build.begin_document(name, number, columns)
        words = list(itertools.chain.from_iterable(text.paragraphs))
        first = run_starts(list(map(len, text.paragraphs)))
        build.sentences(words, first, columns={"node": text.nodes} if text.nodes else None)
        _AnswerResolver(text, self._fault).add(build, chains, links)

    def _read_text(self) -> _DocumentText | None:
        """Return the text of the document, or None if it has only answers."""
        paragraphs = list(self.element.iter("p"))
        if not paragraphs:
            texts = [self.element.text or "", *(child.tail or "" for child in self.element)]
            has_marks = any(child.tag in ("node", "entity") for child in self.element)
            if not has_marks and not "".join(texts).strip():
                return None
            paragraphs = [self.element]
        for paragraph in paragraphs:
            self._add_paragraph(paragraph)
        nodes = [self.word_nodes.get(word, "") for word in range(self.word_count)] if self.word_nodes else []
        return _DocumentText(
            paragraphs=[words for words in self.paragraphs if words],
            nodes=nodes,
            entities=[(name, span) for name, span in self.text_entities if span[0] < span[1]],
            anaphoric=self.listed_pronouns,
        )

    def _add_paragraph(self, element: Element) -> None:
        self.paragraphs.append([])
        self._add_words(element.text or "")
        for child in element:
            tag = child.tag
            if tag == "node" and child.text is None and not len(child):
                self.node = child.get("id", "")
            elif tag not in _ANSWER_TAGS:
                self._add_element(child)
            self._add_words(child.tail or "")

    def _add_element(self, element: Element) -> None:
        """Read an element in a paragraph; tags other than node and entity are ignored."""
        number, start = -1, self.word_count
        tag, name = element.tag, element.get("id", "")
        if tag == "node":
            self.node = name
        elif tag == "entity" and self._is_new_entity(name, element):
            number = len(self.text_entities)
            self.text_entities.append((name, (0, 0)))
        if text := element.text:
            self._add_words(text)
        if len(element):
            for child in element:
                self._add_element(child)
                if tail := child.tail:
                    self._add_words(tail)
        if number >= 0:
            self.text_entities[number] = (name, (start, self.word_count))
            if start == self.word_count:
                self._fault("CB129", "an entity has no words", element, "entity left out")

    def _is_new_entity(self, name: str, element: Element) -> bool:
        if not name:
            self._fault("CB125", "an entity has no id", element, "entity left out")
        elif name in self.seen_ids:
            self._fault("CB126", "an id occurs twice", element, "entity left out")
        else:
            self.seen_ids.add(name)
            return True
        return False

    def _add_words(self, text: str) -> None:
        """White space divides words; the first word after a node is the node's."""
        # XML has no other ASCII white space than these four, and ``split`` takes half the time.
        words = text.split() if text.isascii() else _WORD.findall(text)
        if words:
            if self.node:
                self.word_nodes[self.word_count] = self.node
                self.node = ""
            self.paragraphs[-1] += words
            self.word_count += len(words)

    def _read_chains(self) -> list[tuple[Element, list[Answer]]]:
        """Return every chain with the entities that it names."""
        chains = []
        for chain in self.element.iter("chain"):
            members = [(entity, self._reference(entity)) for entity in chain.iter("entity")]
            chains.append((chain, [(entity, reference) for entity, reference in members if reference]))
        return chains

    def _read_links(self) -> list[tuple[Element, Reference, Reference]]:
        """Return every pronoun with its antecedent, which is empty if none was given."""
        links: list[tuple[Element, Reference, Reference]] = []
        for pronoun in self.element.iter("pronoun"):
            chosen, node, name = (pronoun.get(key, "") for key in ("antecedent", "node", "id"))
            if pronoun.getparent().tag == "anaphoric_pronouns" and pronoun.get("antecedent") is None:
                continue
            if not (node or name):
                self._fault("CB125", "a pronoun has neither id nor node", pronoun, "answer left out")
                continue
            antecedents = [self._reference(entity) for entity in pronoun.iter("entity")]
            target: Reference = (chosen,) if chosen else next(iter(antecedents), ())
            links.append((pronoun, (node, node) if node else (name,), target))
        return links

    def _reference(self, entity: Element) -> Reference:
        """Return what an entity in an answer refers to; nothing if it has no reference."""
        if entity.get("id"):
            return (entity.get("id"),)
        start = entity.get("start", "")
        end = entity.get("end", start)
        if not start or not end:
            self._fault("CB125", "an entity has neither id nor start", entity, "entity left out")
            return ()
        return (start, end)


class _AnswerResolver:
    """Finds the mentions that answers name, and joins them in chains."""

    def __init__(self, text: _DocumentText, fault: Callable[[str, str, Element, str], None]) -> None:
        self.fault = fault
        self.nodes = {node: token for token, node in enumerate(text.nodes) if node}
        self.spans: list[Span] = [span for _, span in text.entities]
        self.ids: list[str] = [name for name, _ in text.entities]
        self.columns: dict[int, dict[str, str]] = {}
        """Attributes beside the id, which few mentions have."""
        self.by_id = {name: number for number, name in enumerate(self.ids)}
        self.by_span: dict[Span, int] = {}
        self.labels: dict[int, str] = {}
        self.chained: set[int] = set()
        self.root: list[int] = list(range(len(self.spans)))
        for name in text.anaphoric & self.by_id.keys():
            self.columns[self.by_id[name]] = {"anaphoric": "yes"}

    def add(
        self,
        build: CorpusBuilder,
        chains: list[tuple[Element, list[Answer]]],
        links: list[tuple[Element, Reference, Reference]],
    ) -> None:
        used: set[str] = set()
        for chain, members in chains:
            label = chain.get("id", "")
            if label and label in used:
                self.fault("CB126", "an id occurs twice", chain, "another id given")
                label = ""
            used.add(label)
            self._add_chain(label, members)
        for pronoun, anaphor, antecedent in links:
            self._add_link(pronoun, anaphor, antecedent)
        numbers: dict[str, int] = {}
        chain_of = np.array([numbers.setdefault(label, len(numbers)) for label in self._chain_labels()], np.int32)
        start, end = np.array(self.spans, np.int32).reshape(-1, 2).T
        chain_of += build.add_chains(list(numbers))
        full = {"id": self.ids} if any(self.ids) else None
        build.add_mentions(start, end, chain_of, columns=self.columns, full=full)

    def _chain_labels(self) -> list[str]:
        """The label of every mention's chain, made where it has none."""
        labels = self.labels
        used = set(labels.values())
        mention_labels = []
        for number, above in enumerate(self.root):
            first = number if above == number else self._find_root(number)
            label = labels.get(first)
            if label is None:
                label = self.ids[first] or str(first + 1)
                while label in used:
                    label += "'"
                labels[first] = label
                used.add(label)
            mention_labels.append(label)
        return mention_labels

    def _add_chain(self, label: str, members: list[Answer]) -> None:
        """One chain; an entity named by its nodes is a mention each time it is named."""
        numbers = []
        for element, reference in members:
            number = self._find_mention(element, reference, new=True)
            if number is not None and number in self.chained:
                self.fault("CB113", "an entity is in two chains", element, "kept in the first")
            elif number is not None:
                numbers.append(number)
                self.chained.add(number)
        for number in numbers[1:]:
            self._join(numbers[0], number)
        if numbers and label:
            self.labels[self._find_root(numbers[0])] = label

    def _add_link(self, pronoun: Element, anaphor: Reference, antecedent: Reference) -> None:
        source = self._find_mention(pronoun, anaphor)
        if source is None:
            return
        columns = self.columns.setdefault(source, {})
        columns["anaphoric"] = "yes"
        target = self._find_mention(pronoun, antecedent) if antecedent else None
        if target is not None:
            name = antecedent[0] if len(antecedent) == 1 else "..".join(antecedent)
            columns["antecedent"] = name
            self._join(source, target)

    def _find_mention(self, element: Element, reference: Reference, new: bool = False) -> int | None:
        """The mention that a reference names, made where nodes name a new one."""
        if len(reference) == 1:
            number = self.by_id.get(reference[0])
            if number is None:
                self.fault("CB115", f"no entity {reference[0]}", element, "left out")
            return number
        if reference[0] not in self.nodes or reference[1] not in self.nodes:
            self.fault("CB115", f"no nodes {'..'.join(reference)}", element, "left out")
            return None
        span = (self.nodes[reference[0]], self.nodes[reference[1]] + 1)
        if span[0] >= span[1]:
            self.fault("CB112", "a span ends before it begins", element, "left out")
            return None
        if new or span not in self.by_span:
            self.by_span[span] = len(self.spans)
            self.root.append(len(self.spans))
            self.spans.append(span)
            self.ids.append("")
        return self.by_span[span]

    def _find_root(self, number: int) -> int:
        while self.root[number] != number:
            self.root[number] = self.root[self.root[number]]
            number = self.root[number]
        return number

    def _join(self, mention: int, other: int) -> None:
        """Make one chain of two; the label that one of them has is kept."""
        first, second = sorted((self._find_root(mention), self._find_root(other)))
        if first != second:
            self.root[second] = first
            label = self.labels.pop(second, None)
            if label is not None:
                self.labels.setdefault(first, label)


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
        self.ids = unique_or_numbered([mention_attribute(mention, "id") for mention in mentions])
        self.nodes = unique_or_numbered(token_column(document, "node"))

    def text(self, kind: str) -> str:
        body = self._paragraphs() if kind != "answers" else ""
        if self.task == 1 and kind != "answers":
            body += self._listed_pronouns()
        if kind != "input":
            body += "<answers>\n" + (self._links() if self.task % 2 else self._chains())
            body += "</answers>\n"
        return f"<document{self._attributes()}>\n{body}</document>\n"

    def _attributes(self) -> str:
        part = document_part(self.document)
        attributes = _format_attribute("id", self.document.name)
        attributes += _format_attribute("part", str(part)) if part >= 0 else ""
        for name, value in document_attributes(self.document).items():
            if is_name(name) and name not in ("id", "part", "task"):
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
            return bool(mention_attribute(mention, "anaphoric"))
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
            members.setdefault(mention.chain.index, []).append(number)
        lines = []
        for number, mention in enumerate(self.mentions):
            if not self._is_anaphoric(mention):
                continue
            # A corpus that was read from answers keeps what was chosen, even if the chain has nearer mentions.
            answer = mention_attribute(mention, "antecedent")
            target = by_name.get(answer) if self.task == 1 else by_nodes.get(tuple(answer.split("..")))
            if target is None and "antecedent" not in self.columns:
                chain = members[mention.chain.index]
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
            members.setdefault(mention.chain.index, []).append(element)
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


def _read_input(path: str | Path) -> Corpus:
    return concatenate("input", list(ARE().read(Source.of(path), Reading())))


ARE1, ARE2, ARE3, ARE4 = (partial(ARE, task) for task in (1, 2, 3, 4))
