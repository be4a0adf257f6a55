"""ECB+: one XML file a document, and a folder of them a corpus.

Tokens carry the number of their sentence; markables list their tokens, and may be discontinuous; a
markable without tokens is the instance that mentions of several documents share.
``CROSS_DOC_COREF`` joins mentions under the identifier of an instance, which labels the chain, so
that scopes above the document join it; ``INTRA_DOC_COREF`` is local to its document; a mention in
neither is a singleton.

Only some sentences are annotated in full. Where their list is found (``ECBplus_coreference_
sentences.csv``, in the file's folder or up to two above it) only they are read: documents without
one are left out, and a mention belongs to the sentence in which it begins.
"""

import csv
import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias
from urllib.parse import quote

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats.base import (
    ANY_MENTIONS,
    ATTRIBUTES,
    DOCUMENTS,
    FormatCard,
    Reading,
    require_words,
    token_column,
    write_documents,
)
from corefbench.formats.common import xml
from corefbench.formats.common.decode import parse_natural
from corefbench.formats.common.spans import merge_spans
from corefbench.formats.common.xml import XML_DECLARATION, escape_text, format_attributes, is_name, is_valid_text
from corefbench.formats.source import Source, unreadable_error
from corefbench.records import Record

Curated: TypeAlias = Mapping[str, frozenset[int]]
"""The numbers of the curated sentences of each document."""
Kind: TypeAlias = Literal["event", "entity"]
Choice: TypeAlias = Literal["events", "entities", "both"]
SENTENCE_LIST = "ECBplus_coreference_sentences.csv"

_LIST_DEPTH = 3
"""Topic folder, the folder of topics, and the folder that the release unpacks to."""
_KINDS: dict[str, tuple[Kind, ...]] = {"events": ("event",), "entities": ("entity",), "both": ("event", "entity")}
_EVENTS = ("ACTION", "NEG")
_NAME = re.compile(r"(?:.*/)?(\d+)_\d+(ecb|ecbplus)")
_FILE = re.compile(r"(\d+)_(\d+)(ecb|ecbplus)\.xml")
_ROOT = re.compile(rb"<Document\s[^>]*\bdoc_name\s*=")
_TAG = re.compile(r"(?:ACTION|NEG|HUMAN|NON_HUMAN|LOC|TIME|UNKNOWN)[A-Z_]*")
_DEFAULT_EVENT_TAG, _DEFAULT_ENTITY_TAG = "ACTION_OCCURRENCE", "UNKNOWN_INSTANCE_TAG"
_RESERVED_ATTRIBUTES = {"m_id", "t_id", "doc_name"}


class _DocumentReader:
    """Reads one ``<Document>``."""

    def __init__(self, element: xml.Element, source: Source, reading: Reading) -> None:
        self.element, self.source, self.reading = element, source, reading
        self.name = (element.get("doc_name") or source.stem).removesuffix(".xml")

    def add(self, build: CorpusBuilder, kinds: Collection[Kind], curated: frozenset[int] | None) -> None:
        """Append the document, or its curated sentences, with the mentions of those kinds."""
        more = {key: value for key, value in self.element.items() if key != "doc_name"}
        build.begin_document(self.name, columns=document_topics(self.name) | more)
        positions = self._add_sentences(build, curated)
        markables = self._markables()
        chains = self._chains(markables)
        spans = {m_id: self._spans(markable, positions) for m_id, markable in markables.items()}
        # In order of appearance, by which chains are numbered.
        for m_id in sorted(filter(spans.get, spans), key=lambda m_id: (spans[m_id][0][0], -spans[m_id][-1][1])):
            tag = markables[m_id].tag
            if mention_kind(tag) in kinds:
                columns = {"kind": mention_kind(tag), "type": tag} | dict(markables[m_id].items())
                build.mention(chains.get(m_id) or f"{self.name}:m{m_id}", spans[m_id], columns=columns)

    def _add_sentences(self, build: CorpusBuilder, curated: frozenset[int] | None) -> dict[str, int]:
        """Add the words; where in the document each token stands, -1 where it is left out."""
        positions: dict[str, int] = {}
        words: list[str] = []
        current = -1
        for token in self.element.iterfind("token"):
            t_id, sentence = self._token(token, positions, current)
            if sentence != current:
                _add_sentence(build, words, current)
                words, current = [], sentence
            if curated is None or sentence in curated:
                positions[t_id] = build.position + len(words)
                words.append((token.text or "").strip())
            else:
                positions[t_id] = -1
        _add_sentence(build, words, current)
        return positions

    def _token(self, token: xml.Element, seen: Mapping[str, int], current: int) -> tuple[str, int]:
        t_id, sentence = token.get("t_id", ""), token.get("sentence", "")
        number = parse_natural(sentence)
        if not t_id or number < max(current, 0):
            raise FormatError(
                "a token has no identifier, or its sentence is not the last or a later one",
                code="CB125",
                place=xml.element_place(token, self.source.name, self.name),
                found=f"t_id={t_id!r} sentence={sentence!r}",
                expected='<token t_id="1" sentence="0">',
            )
        if t_id in seen:
            self._fault("CB126", "a token's t_id occurs twice", token, t_id, "the later one counts")
        return t_id, number

    def _markables(self) -> dict[str, xml.Element]:
        """All markables under their identifiers, instances among them."""
        markables: dict[str, xml.Element] = {}
        for markable in self.element.iterfind("Markables/*"):
            m_id = markable.get("m_id", "")
            if not m_id:
                self._fault("CB125", "a markable has no m_id", markable, markable.tag, "left out")
            elif m_id in markables:
                self._fault("CB126", "an m_id occurs twice", markable, m_id, "left out")
            else:
                markables[m_id] = markable
        return markables

    def _spans(self, markable: xml.Element, positions: Mapping[str, int]) -> list[Span]:
        """Return the spans of a markable; none if it is an instance, or begins in a sentence
        that is left out."""
        tokens: list[int] = []
        for anchor in markable.iterfind("token_anchor"):
            t_id = anchor.get("t_id", "")
            if t_id not in positions:
                self._fault("CB115", "an anchor names no token", anchor, t_id, "anchor left out")
            else:
                tokens.append(positions[t_id])
        # A mention belongs to the sentence in which it begins.
        if tokens and tokens[0] < 0:
            return []
        return merge_spans((token, token + 1) for token in tokens if token >= 0)

    def _chains(self, markables: Mapping[str, xml.Element]) -> dict[str, str]:
        """The label of the chain of each mention that is in a relation."""
        labels: dict[str, str] = {}
        used: set[str] = set()
        for relation in self.element.iterfind("Relations/*"):
            if relation.tag not in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
                continue
            label = self._label(relation, markables)
            # A label across documents may recur: both relations are then the same instance.
            if label in used and label.startswith(f"{self.name}:r"):
                self._fault("CB126", "an r_id occurs twice", relation, label, "relations joined")
            for member in relation.iterfind("source"):
                m_id = member.get("m_id", "")
                if m_id not in markables:
                    self._fault("CB115", "a source names no markable", member, m_id, "left out")
                elif m_id in labels:
                    self._fault("CB113", "a mention is in two relations", member, m_id, "the first counts")
                else:
                    labels[m_id] = label
                    used.add(label)
        return labels

    def _label(self, relation: xml.Element, markables: Mapping[str, xml.Element]) -> str:
        """The instance of a relation across documents; else document and r_id."""
        r_id = relation.get("r_id", "")
        if relation.tag == "CROSS_DOC_COREF":
            if note := relation.get("note"):
                return str(note)
            target = relation.find("target")
            instance = None if target is None else markables.get(target.get("m_id", ""))
            if instance is not None and instance.get("instance_id"):
                return str(instance.get("instance_id"))
            self._fault("CB125", "a relation names no instance", relation, r_id, "taken as within document")
        return f"{self.name}:r{r_id}"

    def _fault(self, code: str, message: str, element: xml.Element, found: str, repair: str) -> None:
        self.reading.fault(code, message, xml.element_place(element, self.source.name, self.name), found, repair)


class EcbPlus:
    """Reads and writes ECB+; ``mentions`` chooses actions, participants, times and places, or all.

    >>> text = b'<Document doc_name="1_1ecb"><token t_id="1" sentence="0">Go</token></Document>'
    >>> list(EcbPlus(curated=False).read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 0 mentions, 0 chains>]
    """

    card = FormatCard(
        name="ecbplus",
        title="ECB+",
        description="Events and entities across documents; a file of XML for each document.",
        extensions=(".xml",),
        holds=DOCUMENTS | ANY_MENTIONS | ATTRIBUTES | {"chain labels", "discontinuous mentions"},
        cites=("cybulska2014",),
    )

    def __init__(self, mentions: Choice = "both", curated: bool = True, sentences: str | Path | None = None) -> None:
        """``sentences`` is the list of the curated sentences where it is not near the files."""
        if mentions not in _KINDS:
            raise UsageError(f"there are no mentions {mentions!r}", remedy="events, entities or both")
        self.kinds = _KINDS[mentions]
        self.curated = curated
        self.sentences = sentences

    def recognises(self, head: bytes) -> float:
        """Sure of a document that names itself and numbers its tokens."""
        if not _ROOT.search(head):
            return 0.0
        return 0.95 if b"<token " in head and b" t_id=" in head else 0.5

    def documents_in(self, folder: Path) -> list[Path]:
        """The XML files named like ``36_1ecbplus.xml``, by topic and number."""
        files = ((_FILE.fullmatch(path.name), path) for path in folder.rglob("*.xml"))
        by_topic = [(int(m[1]), m[3], int(m[2]), path) for m, path in files if m]
        return [path for *_, path in sorted(by_topic)]

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The document of a file, or the documents of a folder, one at a time."""
        if source.path is not None and source.path.is_dir():
            for path in self.documents_in(source.path):
                yield from self.read(Source.of(path), reading)
            return
        curated = find_curated_sentences(source, self.sentences) if self.curated else None
        if self.curated and curated is None:
            # Counts and scores depend on it.
            message = "no list of curated sentences was found: all sentences are read"
            remedy = f"put {SENTENCE_LIST} beside or above the files, or read with curated=False"
            reading.warn("CB134", message, Place(source=source.name), remedy=remedy)
        root = xml.read(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        for element in _documents(root, source):
            document = _DocumentReader(element, source, reading)
            if curated is None or document.name in curated:
                document.add(build, self.kinds, curated[document.name] if curated else None)
        if build.document_count:
            yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One document as a file of ECB+ has it; several within ``<Corpus>``."""
        before, after = (b"<Corpus>\n", b"</Corpus>\n") if len(corpus) != 1 else (b"", b"")
        write_documents(corpus, stream, _document_text, XML_DECLARATION + before, after)

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """``topic/name.xml`` for each document; what a file cannot be named by is escaped."""
        require_words(corpus)
        topics = corpus.documents.columns.get("topic", ())
        for document in corpus:
            topic = topics[document.index] if topics else document_topics(document.label)["topic"]
            subfolder = folder / (quote(topic, safe="+").replace(".", "%2E") or "_")
            subfolder.mkdir(parents=True, exist_ok=True)
            content = XML_DECLARATION + _document_text(document).encode()
            (subfolder / f"{quote(document.label, safe='+')}.xml").write_bytes(content)


def find_curated_sentences(source: Source, sentence_list: str | Path | None) -> Curated | None:
    """Return the given list, or the one beside or above the file; None if there is none."""
    paths = [Path(sentence_list)] if sentence_list is not None else []
    if sentence_list is None and source.path is not None:
        above = list(source.path.absolute().parents)[:_LIST_DEPTH]
        paths = [path for folder in above if (path := folder / SENTENCE_LIST).is_file()]
    try:
        return _read_sentence_list(paths[0], paths[0].stat().st_mtime_ns) if paths else None
    except OSError as error:
        raise unreadable_error(str(paths[0]), error) from error


@lru_cache(maxsize=4)
def _read_sentence_list(path: Path, changed: int) -> Curated:
    """The list, read once for all the files of a corpus, unless it changed."""
    sentences: dict[str, set[int]] = {}
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        for row in rows:
            cells = [cell.strip() for cell in row]  # the release has "14 "
            if not any(cells):
                continue
            if len(cells) < 3 or not (cells[2].isascii() and cells[2].isdigit()):
                raise _sentence_list_error(path, rows.line_num, row)
            sentences.setdefault(f"{cells[0]}_{cells[1]}", set()).add(int(cells[2]))
    if not sentences:
        raise _sentence_list_error(path, 1, [])
    return {name: frozenset(numbers) for name, numbers in sentences.items()}


def _sentence_list_error(path: Path, line: int, row: list[str]) -> FormatError:
    return FormatError(
        "the list of curated sentences is broken",
        code="CB134",
        place=Place(source=str(path), line=line),
        found=",".join(row)[:60] or "no sentences",
        expected="Topic,File,Sentence Number",
        remedy="restore the file of the release, or read with curated=False",
    )


def mention_kind(tag: str) -> Kind:
    """Actions, negated too, are events; people, things, places and times are entities."""
    return "event" if tag.startswith(_EVENTS) else "entity"


def document_topics(name: str) -> dict[str, str]:
    """Topic and subtopic, read off the name; a document named otherwise is a topic of its own.

    >>> document_topics("36_1ecbplus")
    {'topic': '36', 'subtopic': '36ecbplus'}
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return {"topic": name, "subtopic": name}
    return {"topic": match[1], "subtopic": match[1] + match[2]}


def _add_sentence(build: CorpusBuilder, words: list[str], sentence: int) -> None:
    if words:
        build.sentence(words, columns={"sentence": [str(sentence)] * len(words)})


class _Markable(Record, frozen=True):
    """A mention with the identifier, the tag and the attributes it is written with."""

    m_id: str
    tag: str
    more: Mapping[str, str]
    chain: int
    parts: list[tuple[int, int]]


def _document_text(document: Document) -> str:
    name = document.label
    derived = document_topics(name)
    more = {
        key: values[document.index]
        for key, values in sorted(document.corpus.documents.columns.items())
        if _writable(key, values[document.index], derived)
    }
    markables = list(_markables(document))
    instances, relations = _relations(document, markables)
    pieces = [
        f"<Document{format_attributes({'doc_name': f'{name}.xml'} | more)}>\n",
        *_tokens(document),
        "<Markables>\n",
        *map(_markable, markables),
        *instances,
        "</Markables>\n<Relations>\n",
        *relations,
        "</Relations>\n</Document>\n",
    ]
    return "".join(pieces)


def _tokens(document: Document) -> Iterator[str]:
    words = document.words
    for number, (start, end) in zip(_sentence_numbers(document), document.sentences, strict=True):
        for place in range(start, end):
            yield (
                f'<token t_id="{place + 1}" sentence="{number}" number="{place - start}">'
                f"{escape_text(words[place])}</token>\n"
            )


def _sentence_numbers(document: Document) -> list[int]:
    """The numbers the sentences had when they were read, if they can be trusted, else 0, 1, …"""
    values = list(map(parse_natural, token_column(document, "sentence")))
    numbers = [values[start] if start < end else -1 for start, end in document.sentences]
    rising = all(a < b for a, b in itertools.pairwise([-1, *numbers]))
    constant = all(len(set(values[start:end])) == 1 for start, end in document.sentences)
    return numbers if rising and constant else list(range(len(numbers)))


def _markables(document: Document) -> Iterator[_Markable]:
    columns = document.corpus.mentions.columns
    mentions = document.mentions
    known = [columns["m_id"][m.index] for m in mentions] if "m_id" in columns else []
    trusted = len(set(known)) == len(mentions) and all(k.isascii() and k.isdigit() for k in known)
    for number, mention in enumerate(mentions):
        own = {key: columns[key][mention.index] for key in sorted(columns)}
        tag = own.get("type", "")
        if not _TAG.fullmatch(tag):
            tag = _DEFAULT_EVENT_TAG if own.get("kind") == "event" else _DEFAULT_ENTITY_TAG
        derived = {"kind": mention_kind(tag), "type": tag}
        yield _Markable(
            m_id=known[number] if trusted else str(number + 1),
            tag=tag,
            more={key: value for key, value in own.items() if _writable(key, value, derived)},
            chain=mention.chain.index,
            parts=mention.parts,
        )


def _writable(key: str, value: str, derived: Mapping[str, str]) -> bool:
    """Whether an attribute must and can be written: it says more than the reader finds itself."""
    return value != derived.get(key, "") and key not in _RESERVED_ATTRIBUTES and is_name(key)


def _markable(markable: _Markable) -> str:
    anchors = "".join(
        f'<token_anchor t_id="{place + 1}"/>' for start, end in markable.parts for place in range(start, end)
    )
    opening = format_attributes({"m_id": markable.m_id} | dict(markable.more))
    return f"<{markable.tag}{opening}>{anchors}</{markable.tag}>\n"


def _relations(document: Document, markables: list[_Markable]) -> tuple[list[str], list[str]]:
    """The instances, and the relations that name them; none for a mention that is its own chain."""
    members: dict[int, list[_Markable]] = {}
    for markable in markables:
        members.setdefault(markable.chain, []).append(markable)
    local = f"{document.label}:"
    # Numbers after the highest r_id in use.
    used = (parse_natural(chain.label.removeprefix(f"{local}r"), 0) for chain in document.chains)
    numbers = itertools.count(max(used, default=0) + 1)
    next_id = itertools.count(max((int(m.m_id) for m in markables), default=0) + 1)
    instances: list[str] = []
    relations: list[str] = []
    for chain, mentions in members.items():
        label = document.corpus.chains.label(chain)
        sources = "".join(f'<source m_id="{m.m_id}"/>' for m in mentions)
        if len(mentions) == 1 and label == f"{local}m{mentions[0].m_id}":
            continue
        if label.startswith(f"{local}r") or not label or not is_valid_text(label):
            # Within the document: the label is made of the r_id, or cannot be written.
            r_id = label.removeprefix(f"{local}r") if label.startswith(local) else ""
            number = format_attributes({"r_id": r_id or str(next(numbers))})
            relations.append(f"<INTRA_DOC_COREF{number}>{sources}</INTRA_DOC_COREF>\n")
            continue
        target, tag = next(next_id), mentions[0].tag
        more = {"m_id": str(target), "RELATED_TO": "", "TAG_DESCRIPTOR": "", "instance_id": label}
        instances.append(f"<{tag}{format_attributes(more)}/>\n")
        relations.append(
            f"<CROSS_DOC_COREF{format_attributes({'r_id': str(next(numbers)), 'note': label})}>"
            f'{sources}<target m_id="{target}"/></CROSS_DOC_COREF>\n'
        )
    return instances, relations


def _documents(root: xml.Element, source: Source) -> list[xml.Element]:
    if root.tag == "Document":
        return [root]
    if root.tag == "Corpus":
        return [element for element in root if element.tag == "Document"]
    raise FormatError(
        "the file is not a document of ECB+",
        code="CB132",
        place=Place(source=source.name, line=root.sourceline or 0),
        found=f"<{root.tag}>",
        expected="<Document doc_name=…>",
    )
