"""OntoNotes ``.coref``: words with COREF tags whose ID is that of the chain.

``<DOC DOCNO="bn/abc_0001@…"><TEXT PARTNO="000">``, one sentence per line, words between blanks,
``<COREF ID="12" TYPE="IDENT">``; appositions are chains of TYPE="APPOS" whose mentions are the
SUBTYPE HEAD or ATTRIB. It looks like MUC, where an ID is that of a mention.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.formats.base import (
    DOCUMENTS,
    NESTED_MENTIONS,
    FormatCard,
    Reading,
    document_attributes,
    document_part,
    mention_attribute,
    write_documents,
)
from corefbench.formats.common import sgml
from corefbench.formats.common.decode import parse_natural, read_text
from corefbench.formats.common.sgml import Tag, TextLocator
from corefbench.formats.common.spans import select_nested, tags_by_token, unique_labels
from corefbench.formats.source import Source

TRACE = re.compile(r"\*(?:-\d+|(?:T|PRO|pro|OP|RNR|U|ICH|EXP|PPA|NOT|\?)\*(?:-\d+)?)")
"""The empty categories of the treebanks, which are read as empty nodes."""

_WRITTEN_ATTRIBUTES = ("ID", "TYPE", "SUBTYPE", "MENTION")
_NAMES = {"subtype": "SUBTYPE", "id": "MENTION"}
_DOCNO = re.compile(r"""(?i)\sdocno\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""")
_READ_ATTRIBUTES = ("ID", "TYPE", "SUBTYPE")
_COREF = re.compile(rb"(?i)<coref\s[^<>]*>")
_ID = re.compile(rb"(?i)\sid\s*=\s*[\"']?\s*([^\"'\s>]+)")


class OntoNotes:
    """Reads and writes ``.coref``; a document is a ``<TEXT>``, named by DOCNO up to its ``@``.

    ``appositions=False`` leaves out the chains of TYPE="APPOS", as the CoNLL shared tasks did;
    else their mentions carry ``type`` and ``subtype``. Traces become empty nodes. A mention's own
    ``id``, from other formats, is the attribute MENTION.

    >>> sample = b'<COREF ID="1">Ann</COREF> saw <COREF ID="1">her</COREF> dog .'
    >>> list(OntoNotes().read(Source.of(sample), Reading()))
    [<Corpus 'memory': 1 documents, 5 tokens, 2 mentions, 1 chains>]
    """

    card = FormatCard(
        name="ontonotes",
        title="OntoNotes coref",
        description="Words with <COREF ID= TYPE=> tags that name the chain, one sentence per line.",
        extensions=(".coref", ".v4_gold_coref", ".onf_coref"),
        holds=DOCUMENTS | NESTED_MENTIONS | {"chain labels", "mentions across sentences", "mention attributes"},
        appends=True,
        cites=("pradhan2012",),
    )

    def __init__(self, appositions: bool = True) -> None:
        self.appositions = appositions

    def recognises(self, head: bytes) -> float:
        """Sure of DOCNO in the document tag, of SUBTYPE, and of IDs that recur without REF."""
        tags = _COREF.findall(head)
        if re.search(rb"(?i)<w\s", head) or any(re.search(rb"(?i)\sref\s*=", t) for t in tags):
            return 0.0
        if re.search(rb"(?i)<doc\s+docno\s*=", head):
            return 0.95
        ids = [match[1] for tag in tags if (match := _ID.search(tag))]
        return 0.95 if len(set(ids)) < len(ids) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        yield _Reader(read_text(source, reading), source, reading, self.appositions).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document in UTF-8; of two mentions that cross the earlier is kept."""
        write_documents(corpus, stream, _document_text)


def _document_text(document: Document) -> str:
    """Return the document with its tags."""
    mentions = document.mentions
    spans = [(m.start, m.end) for m in mentions]
    before, after = tags_by_token(spans, select_nested(spans), _tags(document, mentions), "</COREF>")
    words = _words(document)
    for token, tag in before.items():
        words[token] = tag + words[token]
    for token, tag in after.items():
        words[token] += tag
    part = document_part(document)
    number = sgml.format_attribute("PARTNO", f"{part:03}") if part >= 0 else ""
    lines = "".join(" ".join(words[a:b]) + "\n" for a, b in document.sentences if a < b)
    return f'<DOC DOCNO="{_docno(document)}">\n<TEXT{number}>\n{lines}</TEXT>\n</DOC>\n'


def _docno(document: Document) -> str:
    """Return the name and what followed its @; an @ of the name itself is escaped."""
    name = sgml.escape_attribute(document.name).replace("@", "&#64;")
    full = document_attributes(document).get("DOCNO", "")
    if full.startswith(document.name + "@"):
        name += sgml.escape_attribute(full[len(document.name) :])
    return name


def _words(document: Document) -> list[str]:
    """Return the words; the star of a word that only looks like a trace is escaped."""
    empty = document.corpus.tokens.empty
    first = int(document.corpus.tokens.offsets[document.index])
    words = []
    for token, word in enumerate(document.words):
        text = sgml.escape_blanks(sgml.escape(word)) or "_"
        if word[:1] == "*" and (empty is None or not empty[first + token]):
            text = "&#42;" + text[1:]
        words.append(text)
    return words


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """Return the opening tags: ID, TYPE, SUBTYPE, then other attributes."""
    chains = document.corpus.mentions.chain[[m.index for m in mentions]].tolist()
    columns = document.corpus.mentions.columns
    kinds = [mention_attribute(mention, "type") for mention in mentions]
    # Only a chain whose mentions are all appositive may say so: the reader keeps such chains apart.
    mixed = {chain for chain, kind in zip(chains, kinds, strict=True) if kind.upper() != "APPOS"}
    labels = unique_labels(document, chains)
    tags = []
    for mention, chain, kind in zip(mentions, chains, kinds, strict=True):
        if chain in mixed and kind.upper() == "APPOS":
            kind = ""
        tag = "<COREF" + sgml.format_attribute("ID", labels[chain]) + sgml.format_attribute("TYPE", kind or "IDENT")
        for name, values in columns.items():
            label = _NAMES.get(name, name)
            if name in _NAMES or (label.upper() not in _WRITTEN_ATTRIBUTES and sgml.is_attribute_name(label)):
                tag += sgml.format_attribute(label, values[mention.index]) if values[mention.index] else ""
        tags.append(tag + ">")
    return tags


class _Reader:
    """Reads the tags of a file and the words between them; a line end closes a sentence."""

    def __init__(self, raw: str, source: Source, reading: Reading, appositions: bool) -> None:
        self.raw, self.source = raw, source
        self.appositions = appositions
        self.locator = TextLocator(raw, source.name, reading.strictness)
        self.build = CorpusBuilder(source.stem, words=reading.words)
        self.is_open = False
        self.docno = ""
        self.seen: set[tuple[str, int]] = set()
        self.words: list[str] = []
        self.token_count = 0
        """Number of words in the document before the open sentence."""
        self.stack: list[tuple[Tag, int, int]] = []
        self.mentions: list[tuple[int, Tag, int, int]] = []
        self.tag_count = 0

    def corpus(self) -> Corpus:
        """Read all tags and return the corpus."""
        position = 0
        for tag in sgml.scan_tags(self.raw):
            self._add_words(position, tag.begin)
            position = tag.end
            if tag.name == "COREF":
                self._read_coref(tag)
            elif tag.name in ("DOC", "TEXT"):
                self._end_document()
                if tag.name == "DOC":
                    self.docno = "" if tag.closing else self._docno(tag)
                elif not tag.closing:
                    self._begin_document(tag)
        self._add_words(position, len(self.raw))
        self._end_document()
        return self.build.finish()

    def _docno(self, tag: Tag) -> str:
        """Return the value as it is in the file: an escaped @ is part of the name."""
        match = _DOCNO.search(self.raw, tag.begin, tag.end)
        return match[1].strip("\"' \t\n") if match else ""

    def _begin_document(self, tag: Tag | None) -> None:
        name = sgml.unescape(self.docno.partition("@")[0]) or self.source.stem
        number = tag.get("PARTNO") if tag else ""
        part = parse_natural(number)
        if tag and number and part < 0:
            self.locator.fault("CB125", "PARTNO is not a number", tag, "read as no part")
        if (name, part) in self.seen:
            tag_or_start = tag or Tag("", False, False, {}, 0, 0)
            self.locator.fault("CB109", "a document occurs twice", tag_or_start, "a number added to the name")
            name = f"{name}-{len(self.seen) + 1}"
        self.seen.add((name, part))
        self.build.begin_document(name, part, {"DOCNO": sgml.unescape(self.docno)} if "@" in self.docno else None)
        self.is_open = True
        self.token_count = 0

    def _add_words(self, begin: int, end: int) -> None:
        """Add the words between two tags; each line end closes a sentence."""
        if begin == end:
            return
        text = self.raw[begin:end].replace("\t", " ")
        if "\n" not in text:
            self.words.extend(filter(None, text.split(" ")))
            return
        first, *lines = text.split("\n")
        self.words.extend(filter(None, first.split(" ")))
        for line in lines:
            self._close_sentence()
            self.words.extend(filter(None, line.split(" ")))

    def _close_sentence(self) -> None:
        if self.words:
            if not self.is_open:
                self._begin_document(None)
            words, text = self.words, " ".join(self.words)
            empty = [TRACE.fullmatch(w) is not None for w in words] if "*" in text else []
            if "&" in text:
                words = list(map(sgml.unescape, words))
            self.build.sentence(words, empty=empty if any(empty) else None)
            self.words, self.token_count = [], self.build.position

    def _read_coref(self, tag: Tag) -> None:
        if not tag.closing:
            self.tag_count += 1
            self.stack.append((tag, self.token_count + len(self.words), self.tag_count))
            if not tag.empty:
                return
        if not self.stack:
            self.locator.fault("CB123", "a COREF is closed that was never opened", tag, "tag ignored")
            return
        opened, start, order = self.stack.pop()
        end = self.token_count + len(self.words)
        if start == end:
            self.locator.fault("CB129", "a mention has no words", opened, "mention left out")
        elif not opened.get("ID"):
            self.locator.fault("CB125", "a COREF has no ID", opened, "mention left out")
        else:
            self.mentions.append((order, opened, start, end))

    def _end_document(self) -> None:
        """Close the document and add its mentions in the order in which they opened."""
        self._close_sentence()
        for tag, _, _ in self.stack:
            self.locator.fault("CB124", "a COREF is opened and never closed", tag, "mention left out")
        labels: dict[tuple[str, bool], str] = {}
        used: set[str] = set()
        # Mentions are collected as they close; chains are numbered as they open.
        for _, tag, start, end in sorted(self.mentions, key=lambda item: item[0]):
            apposition = tag.get("TYPE").upper() == "APPOS"
            if apposition and not self.appositions:
                continue
            # An ID that serves an apposition and another chain makes two chains.
            key = (tag.get("ID"), apposition)
            label = labels.get(key)
            if not label:
                label = labels[key] = self._unused_label(tag, used)
                used.add(label)
            self.build.mention(label, [(start, end)], columns=_columns(tag))
        self.stack, self.mentions, self.is_open, self.token_count = [], [], False, 0

    @staticmethod
    def _unused_label(tag: Tag, used: set[str]) -> str:
        """Return the ID or, if another chain has it, the ID and its type."""
        label = tag.get("ID")
        while label in used:
            label += f"-{tag.get('TYPE') or 'IDENT'}"
        return label


def _columns(tag: Tag) -> dict[str, str]:
    """Return the attributes to keep; those that the format defines get lower-case names."""
    columns = {}
    for name, value in tag.attributes.items():
        upper = name.upper()
        if upper in ("SUBTYPE", "MENTION"):
            columns["subtype" if upper == "SUBTYPE" else "id"] = value
        elif upper == "TYPE" and value.upper() != "IDENT":
            columns["type"] = value
        elif upper not in _READ_ATTRIBUTES:
            columns[name] = value
    return columns
