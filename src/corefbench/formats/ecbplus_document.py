"""One document of ECB+: from elements to words, mentions and chains."""

import re
from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias

from corefbench.errors import FormatError
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.layout import merged
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, Span

Kind: TypeAlias = Literal["event", "entity"]

_EVENTS = ("ACTION", "NEG")
_NAME = re.compile(r"(?:.*/)?(\d+)_\d+(ecb|ecbplus)")


def kind_of(tag: str) -> Kind:
    """Actions, negated too, are events; people, things, places and times are entities."""
    return "event" if tag.startswith(_EVENTS) else "entity"


def groups_of(name: str) -> dict[str, str]:
    """Topic and subtopic, read off the name; a document named otherwise is a topic of its own.

    >>> groups_of("36_1ecbplus")
    {'topic': '36', 'subtopic': '36ecbplus'}
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return {"topic": name, "subtopic": name}
    return {"topic": match[1], "subtopic": match[1] + match[2]}


class Annotation:
    """A ``<Document>`` on its way into a corpus."""

    def __init__(self, element: xml.Element, source: Source, reading: Reading) -> None:
        self.element = element
        self.source = source
        self.reading = reading
        self.name = (element.get("doc_name") or source.stem).removesuffix(".xml")

    def add(
        self, build: CorpusBuilder, kinds: Collection[Kind], curated: frozenset[int] | None
    ) -> None:
        """Append the document, or its curated sentences, with the mentions of those kinds."""
        more = {key: value for key, value in self.element.items() if key != "doc_name"}
        build.begin_document(self.name, columns=groups_of(self.name) | more)
        positions = self._add_sentences(build, curated)
        markables = self._markables()
        chains = self._chains(markables)
        found = [(self._spans(markable, positions), m_id) for m_id, markable in markables.items()]
        found = [(spans, m_id) for spans, m_id in found if spans]
        # In order of appearance, by which chains are numbered.
        for spans, m_id in sorted(found, key=lambda pair: (pair[0][0][0], -pair[0][-1][1])):
            tag, more = markables[m_id].tag, dict(markables[m_id].items())
            if kind_of(tag) in kinds:
                columns = {"kind": kind_of(tag), "type": tag} | more
                build.mention(chains.get(m_id) or f"{self.name}:m{m_id}", spans, columns=columns)

    def _add_sentences(
        self, build: CorpusBuilder, curated: frozenset[int] | None
    ) -> dict[str, int]:
        """Add the words; where in the document each token stands, -1 where it is left out."""
        positions: dict[str, int] = {}
        words: list[str] = []
        current = -1
        for token in self.element.iterfind("token"):
            t_id, sentence = self._token(token, positions, current)
            if sentence != current:
                _flush(build, words, current)
                words, current = [], sentence
            if curated is None or sentence in curated:
                positions[t_id] = build.position + len(words)
                words.append((token.text or "").strip())
            else:
                positions[t_id] = -1
        _flush(build, words, current)
        return positions

    def _token(self, token: xml.Element, seen: Mapping[str, int], current: int) -> tuple[str, int]:
        t_id, sentence = token.get("t_id", ""), token.get("sentence", "")
        number = int(sentence) if sentence.isascii() and sentence.isdigit() else -1
        if not t_id or number < max(current, 0):
            raise FormatError(
                "a token has no identifier, or its sentence is not the last or a later one",
                code="CB125",
                place=xml.place(token, self.source.name, self.name),
                found=f"t_id={t_id!r} sentence={sentence!r}",
                expected='<token t_id="1" sentence="0">',
            )
        if t_id in seen:
            self._fault("CB126", "a token's t_id occurs twice", token, t_id, "the later one counts")
        return t_id, number

    def _markables(self) -> dict[str, xml.Element]:
        """All markables under their identifiers, instances among them."""
        found: dict[str, xml.Element] = {}
        for markable in self.element.iterfind("Markables/*"):
            m_id = markable.get("m_id", "")
            if not m_id:
                self._fault("CB125", "a markable has no m_id", markable, markable.tag, "left out")
            elif m_id in found:
                self._fault("CB126", "an m_id occurs twice", markable, m_id, "left out")
            else:
                found[m_id] = markable
        return found

    def _spans(self, markable: xml.Element, positions: Mapping[str, int]) -> list[Span]:
        """Where the markable stands; nowhere for an instance, or if it begins in a sentence that
        is left out."""
        found: list[int] = []
        for anchor in markable.iterfind("token_anchor"):
            t_id = anchor.get("t_id", "")
            if t_id not in positions:
                self._fault("CB115", "an anchor names no token", anchor, t_id, "anchor left out")
            else:
                found.append(positions[t_id])
        if found and found[0] < 0:
            return []
        return merged((position, position + 1) for position in found if position >= 0)

    def _chains(self, markables: Mapping[str, xml.Element]) -> dict[str, str]:
        """The label of the chain of each mention that is in a relation."""
        labels: dict[str, str] = {}
        used: set[str] = set()
        for relation in self.element.iterfind("Relations/*"):
            if relation.tag not in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
                continue
            label = self._label(relation, markables)
            if label in used and label.startswith(f"{self.name}:r"):
                self._fault("CB126", "an r_id occurs twice", relation, label, "relations joined")
            for member in relation.iterfind("source"):
                m_id = member.get("m_id", "")
                if m_id not in markables:
                    self._fault("CB115", "a source names no markable", member, m_id, "left out")
                elif m_id in labels:
                    self._fault(
                        "CB113", "a mention is in two relations", member, m_id, "the first counts"
                    )
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
            self._fault(
                "CB125", "a relation names no instance", relation, r_id, "taken as within document"
            )
        return f"{self.name}:r{r_id}"

    def _fault(
        self, code: str, message: str, element: xml.Element, found: str, repair: str
    ) -> None:
        self.reading.strictness.fault(
            code,
            message,
            place=xml.place(element, self.source.name, self.name),
            found=found,
            repair=repair,
        )


def _flush(build: CorpusBuilder, words: list[str], sentence: int) -> None:
    if words:
        build.sentence(words, columns={"sentence": [str(sentence)] * len(words)})
