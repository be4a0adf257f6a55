"""Writes the input of an ARE task, its answers, or both."""

import re

from corefbench.formats.markup import escaped, inside_quotes
from corefbench.formats.nesting import edges, nesting, unique_labels
from corefbench.formats.xml_write import is_name
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.model.mention import Mention

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


def file_text(corpus: Corpus, task: int, kind: str) -> str:
    """The file, from its declaration to the end of its root."""
    documents = "".join(_Document(document, task).text(kind) for document in corpus)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<are task="{task}">\n{documents}</are>\n'


def _attribute(name: str, value: str) -> str:
    return f' {name}="{inside_quotes(_NOT_XML.sub(chr(0xFFFD), value))}"'


class _Document:
    """One document with its mentions, as one task sees it."""

    def __init__(self, document: Document, task: int) -> None:
        self.document, self.task = document, task
        self.columns = document.corpus.mentions.columns
        self.words = document.words
        mentions = document.mentions
        if task < 3:
            spans = [(m.start, m.end) for m in mentions]
            kept = nesting(spans, [a for a, _ in document.sentences])
            mentions = [mentions[n] for n in kept]
        self.mentions = mentions
        self.ids = self.own([self.value("id", m) for m in mentions])
        column = document.corpus.tokens.columns.get("node")
        first = int(document.corpus.tokens.offsets[document.index])
        given = column.slice(first, first + len(document)) if column is not None else []
        self.nodes = self.own(given or [""] * len(document))

    @staticmethod
    def own(given: list[str]) -> list[str]:
        """The names given, or numbers where some are missing or the same."""
        named = all(given) and len(set(given)) == len(given)
        return given if named else [str(number + 1) for number in range(len(given))]

    def value(self, column: str, mention: Mention) -> str:
        return self.columns[column][mention.index] if column in self.columns else ""

    def chain(self, mention: Mention) -> int:
        return int(self.document.corpus.mentions.chain[mention.index])

    def text(self, kind: str) -> str:
        body = self.paragraphs() if kind != "answers" else ""
        if self.task == 1 and kind != "answers":
            body += self.listed()
        if kind != "input":
            body += "<answers>\n" + (self.links() if self.task % 2 else self.chains())
            body += "</answers>\n"
        return f"<document{self.attributes()}>\n{body}</document>\n"

    def attributes(self) -> str:
        documents = self.document.corpus.documents
        part = int(documents.parts[self.document.index])
        written = _attribute("id", self.document.name)
        written += _attribute("part", str(part)) if part >= 0 else ""
        for name, values in documents.columns.items():
            value = values[self.document.index]
            if value and is_name(name) and name not in ("id", "part", "task"):
                written += _attribute(name, value)
        return written

    def paragraphs(self) -> str:
        """A paragraph a sentence: entities in tags, or every word behind its node."""
        words = [escaped(_written(word)) for word in self.words]
        if self.task < 3:
            spans = [(m.start, m.end) for m in self.mentions]
            tags = [f"<entity{_attribute('id', name)}>" for name in self.ids]
            before, after = edges(spans, range(len(spans)), tags, "</entity>")
            words = [before.get(t, "") + w + after.get(t, "") for t, w in enumerate(words)]
        else:
            nodes = (f"<node{_attribute('id', name)}/>" for name in self.nodes)
            words = [node + word for node, word in zip(nodes, words, strict=True)]
        return "".join(
            f"<p>{' '.join(words[a:b])}</p>\n" for a, b in self.document.sentences if a < b
        )

    def listed(self) -> str:
        """The pronouns to be resolved."""
        lines = "".join(
            f"<pronoun{_attribute('id', self.ids[n])}"
            f"{_attribute('value', _written(' '.join(self.words[m.start : m.end])))}/>\n"
            for n, m in enumerate(self.mentions)
            if self.is_anaphoric(m)
        )
        return f"<anaphoric_pronouns>\n{lines}</anaphoric_pronouns>\n"

    def is_anaphoric(self, mention: Mention) -> bool:
        """Whether the corpus says so; where it says nothing, whether it is such a pronoun."""
        if "anaphoric" in self.columns:
            return bool(self.value("anaphoric", mention))
        return mention.end == mention.start + 1 and self.words[mention.start].lower() in PRONOUNS

    def links(self) -> str:
        """Every pronoun with the antecedent that was chosen, else the mention before it, else,
        for the first of a chain, the one after it."""
        named = {name: number for number, name in enumerate(self.ids)}
        spans = {self.nodes_of(m): number for number, m in reversed(list(enumerate(self.mentions)))}
        members: dict[int, list[int]] = {}
        for number, mention in enumerate(self.mentions):
            members.setdefault(self.chain(mention), []).append(number)
        lines = []
        for number, mention in enumerate(self.mentions):
            if not self.is_anaphoric(mention):
                continue
            answer = self.value("antecedent", mention)
            target = named.get(answer) if self.task == 1 else spans.get(tuple(answer.split("..")))
            if target is None and "antecedent" not in self.columns:
                chain = members[self.chain(mention)]
                at = chain.index(number)
                target = chain[at - 1] if at else chain[1] if len(chain) > 1 else None
            lines.append(self.link(number, target))
        return "".join(lines)

    def link(self, number: int, target: int | None) -> str:
        if self.task == 1:
            answer = _attribute("antecedent", self.ids[target]) if target is not None else ""
            return f"<pronoun{_attribute('id', self.ids[number])}{answer}/>\n"
        mention = self.mentions[number]
        if mention.end > mention.start + 1:
            return ""
        answer = self.entity(self.mentions[target]) if target is not None else ""
        return f"<pronoun{_attribute('node', self.nodes[mention.start])}>{answer}</pronoun>\n"

    def chains(self) -> str:
        """Every chain, singletons too, in the order in which they first appear."""
        members: dict[int, list[str]] = {}
        for name, mention in zip(self.ids, self.mentions, strict=True):
            one = f"<entity{_attribute('id', name)}/>" if self.task == 2 else self.entity(mention)
            members.setdefault(self.chain(mention), []).append(one)
        labels = unique_labels(self.document, members)
        return "".join(
            f"<chain{_attribute('id', labels[chain])}>{''.join(members[chain])}</chain>\n"
            for chain in members
        )

    def nodes_of(self, mention: Mention) -> tuple[str, ...]:
        return (self.nodes[mention.start], self.nodes[mention.end - 1])

    def entity(self, mention: Mention) -> str:
        start, end = self.nodes_of(mention)
        return f"<entity{_attribute('start', start)}{_attribute('end', end)}/>"


def _written(word: str) -> str:
    """A word without white space: the exercise joins multiword tokens by underscores."""
    return _NOT_XML.sub("\ufffd", _BLANKS.sub("_", word.strip(" \t\r\n"))) or "_"
