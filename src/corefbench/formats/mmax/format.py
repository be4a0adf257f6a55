"""MMAX2: a project of several files for each document.

``x.mmax`` names the words; levels of markables stand off from them. A span names words,
``word_3..word_5,word_9``; its ranges follow the order of the words file, not the numbers. Markables
of one set are one chain; a pointer to the antecedent joins a markable that is in no set; the rest
are singletons. A pointer to several antecedents is a split antecedent.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import numpy as np

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import DataError, FormatError, Place, UsageError
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading, mention_attribute, require_words
from corefbench.formats.common.xml import XML_DECLARATION, escape_text, format_attributes, is_name
from corefbench.formats.mmax.reader import (
    Level,
    Project,
    add_document,
    has_coreference,
    is_plain_attribute,
    open_project,
)
from corefbench.formats.source import Source
from corefbench.records import Ints

_ROOT = re.compile(rb"<mmax_project[\s/>]")
_POINTERS = {"bridging_antecedent": "markable_pointer", "split_antecedent": "markable_pointer"}
_COREF = {"coref_class": "markable_set", **_POINTERS, "min_ids": "freetext"}
_COMMON_PATHS = """<common_paths>
<basedata_path>Basedata/</basedata_path>
<scheme_path>Schemes/</scheme_path>
<style_path>Styles/</style_path>
<customization_path>Customizations/</customization_path>
<markable_path>Markables/</markable_path>
<views><stylesheet>default_style.xsl</stylesheet></views>
<annotations>
<level name="coref" schemefile="coref_scheme.xml" \
customization_file="coref_customization.xml">$_coref_level.xml</level>
<level name="sentence" schemefile="sentence_scheme.xml" \
customization_file="sentence_customization.xml">$_sentence_level.xml</level>
</annotations>
</common_paths>
"""
_STYLE = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" \
xmlns:mmax="org.eml.MMAX2.discourse.MMAX2DiscourseLoader" \
xmlns:sentence="www.eml.org/NameSpaces/sentence">
<xsl:output method="text"/>
<xsl:strip-space elements="*"/>
<xsl:template match="words"><xsl:apply-templates/></xsl:template>
<xsl:template match="word">
<xsl:value-of select="mmax:registerDiscourseElement(@id)"/>
<xsl:apply-templates select="mmax:getStartedMarkables(@id)" mode="opening"/>
<xsl:value-of select="mmax:setDiscourseElementStart()"/>
<xsl:apply-templates/>
<xsl:value-of select="mmax:setDiscourseElementEnd()"/>
<xsl:apply-templates select="mmax:getEndedMarkables(@id)" mode="closing"/>
<xsl:text> </xsl:text>
</xsl:template>
<xsl:template match="sentence:markable" mode="closing"><xsl:text>
</xsl:text></xsl:template>
</xsl:stylesheet>
"""


class Mmax:
    """Reads and writes MMAX2 projects; ``level`` names the level that holds the coreference.

    >>> Mmax().recognises(b"<?xml version='1.0'?><mmax_project><words>a_words.xml</words>")
    0.95
    """

    card = FormatCard(
        name="mmax",
        title="MMAX2",
        description="A project of several files for each document; written as a folder only.",
        extensions=(".mmax",),
        writes=False,
        holds=DOCUMENTS | ANY_MENTIONS | {"discontinuous mentions", "minimal spans", "mention attributes"},
        cites=("mueller2006",),
    )

    def __init__(self, level: str = "") -> None:
        self.level = level

    def recognises(self, head: bytes) -> float:
        """Sure of a project file."""
        return 0.95 if _ROOT.search(head) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The project files, sorted by name."""
        paths = (path for path in folder.rglob("*.mmax") if not path.name.startswith("._"))
        return sorted(path for path in paths if path.is_file())

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The document of a project file, or the documents of a folder, one at a time."""
        if source.path is not None and source.path.is_dir():
            for path in self.documents_in(source.path):
                yield from self.read(Source.of(path), reading)
            return
        project = open_project(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        add_document(build, project, self._level(project, source, reading), reading)
        yield build.finish()

    def _level(self, project: Project, source: Source, reading: Reading) -> Level | None:
        """The level asked for; else the one named after coreference; else any that says it."""
        levels = {level.name: level for level in project.levels}
        if self.level:
            if self.level not in levels:
                message, expected = f"the project has no level {self.level!r}", "one of: " + ", ".join(levels)
                raise FormatError(message, code="CB133", place=Place(source=source.name), expected=expected)
            return levels[self.level]
        for name in ("coref", "coreference", *(n for n in levels if "coref" in n.lower())):
            if name in levels:
                return levels[name]
        for level in project.levels:
            if has_coreference(level, reading):
                return level
        reading.warn(
            "CB133",
            "no level of the project holds coreference: only the words are read",
            Place(source=source.name),
            ", ".join(levels) or "no levels",
            "name the level",
        )
        return None

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Refused: a project does not fit into one stream."""
        raise UsageError(
            "an MMAX2 project is several files and cannot be written to one", remedy="write it into a folder"
        )

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """A project for each document, the common files once."""
        write_project(corpus, folder)


class PointerAttributes:
    """The relations of a corpus, sorted by document once, not looked through for each."""

    def __init__(self, corpus: Corpus) -> None:
        relations, count = corpus.relations, len(corpus)
        self._relations = relations
        self._chain = corpus.mentions.chain
        anaphors = corpus.mentions.document[relations.bridging_anaphor]
        self._bridging = _by_document(anaphors, count)
        self._split = _by_document(corpus.chains.document[relations.plural], count)

    def of(self, document: int, numbers: Mapping[int, int]) -> dict[int, dict[str, str]]:
        """The attributes of the mentions of a document that have any; ``numbers`` are those of
        its markables."""
        relations, attributes = self._relations, dict[int, dict[str, str]]()
        first: dict[int, int] = {}
        for mention in numbers:
            first.setdefault(int(self._chain[mention]), mention)

        def point(name: str, anaphor: int, target: int) -> None:
            values = attributes.setdefault(anaphor, {})
            values[name] = f"{values[name]};" if name in values else ""
            values[name] += f"markable_{numbers[target]}"

        for row in self._bridging[document]:
            anaphor, target = (int(relations.bridging_anaphor[row]), int(relations.bridging_mention[row]))
            if target in numbers:
                point("bridging_antecedent", anaphor, target)
                if label := relations.bridging_label[row]:
                    attributes[anaphor]["bridging_relation"] = label
        for row in self._split[document]:
            plural, element = int(relations.plural[row]), int(relations.element[row])
            if plural in first and element in first:
                point("split_antecedent", first[plural], first[element])
        return attributes


def _by_document(owner: Ints, documents: int) -> list[list[int]]:
    """The rows of each document, in their order.

    >>> _by_document(np.array([1, 0, 1], np.int32), 3)
    [[1], [0, 2], []]
    """
    order = np.argsort(owner, kind="stable")
    edges = np.searchsorted(owner[order], np.arange(documents + 1))
    return [rows.tolist() for rows in np.split(order, edges[1:-1])] if documents else []


def write_project(corpus: Corpus, folder: Path) -> None:
    """A project for each document, in one folder with one set of common files."""
    require_words(corpus)
    bases = [_file_stem(document.label) for document in corpus]
    if len({base.casefold() for base in bases}) < len(bases):
        raise UsageError("two documents have one name", remedy="give them names that differ")
    kept = sorted(name for name, c in corpus.mentions.columns.items() if c.blob and _writable(name))
    try:
        for path, text in _common_files(kept):
            _write_file(folder / path, text)
        pointers = PointerAttributes(corpus)
        for base, document in zip(bases, corpus, strict=True):
            for path, text in _document_files(base, document, kept, pointers):
                _write_file(folder / path, text)
    except OSError as error:
        raise DataError(
            "the project cannot be written", place=Place(source=str(folder)), found=error.strerror or str(error)
        ) from error


def _write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(XML_DECLARATION + text.encode())


def _file_stem(label: str) -> str:
    """A name that files can have everywhere; ``_`` for a document without one."""
    # Readers of XML strip blanks at the edges of the name that the project file gives.
    blank = " " if label == label.strip() else ""
    return quote(label, safe=f"{blank}+,()").replace("$", "%24") or "_"


def _writable(name: str) -> bool:
    return is_name(name) and is_plain_attribute(name) and name.lower() not in _COREF


def _common_files(kept: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield "common_paths.xml", _COMMON_PATHS
    yield "Styles/default_style.xsl", _STYLE
    yield "Schemes/coref_scheme.xml", _scheme(_COREF | dict.fromkeys(kept, "freetext"))
    yield "Schemes/sentence_scheme.xml", _scheme({})
    for level in ("coref", "sentence"):
        yield f"Customizations/{level}_customization.xml", "<customization/>\n"


def _scheme(kinds: Mapping[str, str]) -> str:
    lines = [
        f'<attribute id="level_{n}"{format_attributes({"name": name, "type": kind})}>'
        f'<value id="value_{n}"{format_attributes({"name": name})}/></attribute>\n'
        for n, (name, kind) in enumerate(kinds.items(), 1)
    ]
    return f"<annotationscheme>\n{''.join(lines)}</annotationscheme>\n"


def _document_files(
    base: str, document: Document, kept: Iterable[str], pointers: PointerAttributes
) -> Iterator[tuple[str, str]]:
    name = {} if base == document.label else {"name": document.label}
    words = escape_text(f"{base}_words.xml")
    yield (f"{base}.mmax", f"<mmax_project{format_attributes(name)}>\n<words>{words}</words>\n</mmax_project>\n")
    lines = (f'<word id="word_{n}">{escape_text(word)}</word>\n' for n, word in enumerate(document.words, 1))
    yield f"Basedata/{base}_words.xml", f"<words>\n{''.join(lines)}</words>\n"
    sentences = ({"span": format_span([span])} for span in document.sentences)
    yield f"Markables/{base}_sentence_level.xml", _level("sentence", sentences)
    yield f"Markables/{base}_coref_level.xml", _level("coref", _mentions(document, kept, pointers))


def _level(name: str, markables: Iterable[Mapping[str, str]]) -> str:
    lines = []
    for number, values in enumerate(markables, 1):
        attributes = {"id": f"markable_{number}"} | dict(values) | {"mmax_level": name}
        lines.append(f"<markable{format_attributes(attributes)}/>\n")
    namespace = f"www.eml.org/NameSpaces/{name}"
    return f'<markables xmlns="{namespace}">\n{"".join(lines)}</markables>\n'


def format_span(parts: Iterable[Span]) -> str:
    """Half-open spans in the notation of MMAX2.

    >>> format_span([(0, 1), (3, 5)])
    'word_1,word_4..word_5'
    """
    return ",".join(
        f"word_{start + 1}" if end == start + 1 else f"word_{start + 1}..word_{end}" for start, end in parts
    )


def _mentions(document: Document, kept: Iterable[str], pointers: PointerAttributes) -> Iterator[dict[str, str]]:
    mentions, minimum = document.mentions, document.corpus.mentions.minimum
    numbers = {mention.index: n for n, mention in enumerate(mentions, 1)}
    attributes = pointers.of(document.index, numbers)
    # A set for each chain of several mentions, numbered in order of appearance.
    sizes = Counter(mention.chain.index for mention in mentions)
    several = [chain for chain, count in sizes.items() if count > 1]
    sets = {chain: f"set_{n}" for n, chain in enumerate(several, 1)}
    for mention in mentions:
        values = {"span": format_span(mention.parts), "coref_class": sets.get(mention.chain.index, "empty")}
        if minimum is not None and (spans := minimum.of(mention.index)):
            values["min_ids"] = format_span(spans)
        own = {name: value for name in kept if (value := mention_attribute(mention, name))}
        yield values | attributes.get(mention.index, {}) | own
