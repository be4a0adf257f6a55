"""Writes ECB+: tokens, markables with their anchors, instances, and relations between them."""

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from corefbench.formats.ecbplus_document import groups_of, kind_of
from corefbench.formats.layout import require_words
from corefbench.formats.xml_write import DECLARATION, attributes, content, is_clean, is_name
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.model.mention import Mention
from corefbench.record import Record

_TAG = re.compile(r"(?:ACTION|NEG|HUMAN|NON_HUMAN|LOC|TIME|UNKNOWN)[A-Z_]*")
_EVENT, _ENTITY = "ACTION_OCCURRENCE", "UNKNOWN_INSTANCE_TAG"
_OWN = {"m_id", "t_id", "doc_name"}


class _Markable(Record, frozen=True):
    """A mention with the identifier, the tag and the attributes it is written with."""

    m_id: str
    tag: str
    more: Mapping[str, str]
    chain: int
    parts: list[tuple[int, int]]


def write_corpus(corpus: Corpus, stream: BinaryIO) -> None:
    """One document by itself, several within ``<Corpus>``."""
    require_words(corpus)
    stream.write(DECLARATION)
    if len(corpus) != 1:
        stream.write(b"<Corpus>\n")
    for document in corpus:
        stream.write(_document(document).encode())
    if len(corpus) != 1:
        stream.write(b"</Corpus>\n")


def write_folder(corpus: Corpus, folder: Path) -> None:
    """``topic/name.xml`` for each document; what a file cannot be named by is escaped."""
    require_words(corpus)
    for document in corpus:
        topic = corpus.documents.columns.get("topic", ())
        name = topic[document.index] if topic else groups_of(document.label)["topic"]
        place = folder / (quote(name, safe="+").replace(".", "%2E") or "_")
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{quote(document.label, safe='+')}.xml").write_bytes(
            DECLARATION + _document(document).encode()
        )


def _document(document: Document) -> str:
    name = document.label
    derived = groups_of(name)
    more = {
        key: values[document.index]
        for key, values in sorted(document.corpus.documents.columns.items())
        if _writable(key, values[document.index], derived)
    }
    markables = list(_markables(document))
    instances, relations = _relations(document, markables)
    pieces = [
        f"<Document{attributes({'doc_name': f'{name}.xml'} | more)}>\n",
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
                f"{content(words[place])}</token>\n"
            )


def _sentence_numbers(document: Document) -> list[int]:
    """The numbers the sentences had when they were read, if they can be trusted, else 0, 1, …"""
    column, spans = document.corpus.tokens.columns.get("sentence"), document.sentences
    plain = list(range(len(spans)))
    if column is None:
        return plain
    first = int(document.corpus.tokens.offsets[document.index])
    values = column.slice(first, first + len(document))
    if not all(value.isascii() and value.isdigit() and len(value) < 10 for value in values):
        return plain
    numbers = [int(values[start]) for start, _ in spans]
    rising = all(a < b for a, b in itertools.pairwise(numbers))
    constant = all(len(set(values[start:end])) == 1 for start, end in spans)
    return numbers if rising and constant else plain


def _markables(document: Document) -> Iterator[_Markable]:
    columns = document.corpus.mentions.columns
    mentions = document.mentions
    known = [columns["m_id"][m.index] for m in mentions] if "m_id" in columns else []
    trusted = len(set(known)) == len(mentions) and all(k.isascii() and k.isdigit() for k in known)
    for number, mention in enumerate(mentions):
        own = {key: columns[key][mention.index] for key in sorted(columns)}
        tag = own.get("type", "")
        if not _TAG.fullmatch(tag):
            tag = _EVENT if own.get("kind") == "event" else _ENTITY
        derived = {"kind": kind_of(tag), "type": tag}
        yield _Markable(
            m_id=known[number] if trusted else str(number + 1),
            tag=tag,
            more={key: value for key, value in own.items() if _writable(key, value, derived)},
            chain=_chain(mention),
            parts=mention.parts,
        )


def _chain(mention: Mention) -> int:
    return int(mention.corpus.mentions.chain[mention.index])


def _writable(key: str, value: str, derived: Mapping[str, str]) -> bool:
    """Whether an attribute must and can be written: it says more than the reader finds itself."""
    return value != derived.get(key, "") and key not in _OWN and is_name(key)


def _markable(markable: _Markable) -> str:
    anchors = "".join(
        f'<token_anchor t_id="{place + 1}"/>'
        for start, end in markable.parts
        for place in range(start, end)
    )
    opening = attributes({"m_id": markable.m_id} | dict(markable.more))
    return f"<{markable.tag}{opening}>{anchors}</{markable.tag}>\n"


def _relations(document: Document, markables: list[_Markable]) -> tuple[list[str], list[str]]:
    """The instances, and the relations that name them; none for a mention that is its own chain."""
    members: dict[int, list[_Markable]] = {}
    for markable in markables:
        members.setdefault(markable.chain, []).append(markable)
    local = f"{document.label}:"
    numbers = itertools.count(_highest(document, local) + 1)
    next_id = itertools.count(max((int(m.m_id) for m in markables), default=0) + 1)
    instances: list[str] = []
    relations: list[str] = []
    for chain, mentions in members.items():
        label = document.corpus.chains.label(chain)
        sources = "".join(f'<source m_id="{m.m_id}"/>' for m in mentions)
        if len(mentions) == 1 and label == f"{local}m{mentions[0].m_id}":
            continue
        if label.startswith(f"{local}r") or not label or not is_clean(label):
            # Within the document: the label is made of the r_id, or cannot be written.
            r_id = label.removeprefix(f"{local}r") if label.startswith(local) else ""
            number = attributes({"r_id": r_id or str(next(numbers))})
            relations.append(f"<INTRA_DOC_COREF{number}>{sources}</INTRA_DOC_COREF>\n")
            continue
        target, tag = next(next_id), mentions[0].tag
        more = {"m_id": str(target), "RELATED_TO": "", "TAG_DESCRIPTOR": "", "instance_id": label}
        instances.append(f"<{tag}{attributes(more)}/>\n")
        relations.append(
            f"<CROSS_DOC_COREF{attributes({'r_id': str(next(numbers)), 'note': label})}>"
            f'{sources}<target m_id="{target}"/></CROSS_DOC_COREF>\n'
        )
    return instances, relations


def _highest(document: Document, local: str) -> int:
    """The highest r_id in use."""
    used = (chain.label.removeprefix(f"{local}r") for chain in document.chains)
    return max((int(u) for u in used if u.isascii() and u.isdigit() and len(u) < 19), default=0)
