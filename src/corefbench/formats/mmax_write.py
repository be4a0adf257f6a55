"""Writes MMAX2 projects: words, two levels with their schemes, and a style to show them by."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from corefbench.errors import DataError, Place, UsageError
from corefbench.formats.layout import require_words
from corefbench.formats.mmax_pointers import Pointers
from corefbench.formats.mmax_scheme import is_plain
from corefbench.formats.xml_write import DECLARATION, attributes, content, is_name
from corefbench.model.builder import Span
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.model.mention import Mention

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


def write_project(corpus: Corpus, folder: Path) -> None:
    """A project for each document, in one folder with one set of common files."""
    require_words(corpus)
    bases = [_base(document.label) for document in corpus]
    if len({base.casefold() for base in bases}) < len(bases):
        raise UsageError("two documents have one name", remedy="give them names that differ")
    kept = sorted(name for name, c in corpus.mentions.columns.items() if c.blob and _writable(name))
    try:
        for path, text in _common(kept):
            _put(folder / path, text)
        pointers = Pointers(corpus)
        for base, document in zip(bases, corpus, strict=True):
            for path, text in _files(base, document, kept, pointers):
                _put(folder / path, text)
    except OSError as error:
        raise DataError(
            "the project cannot be written",
            place=Place(source=str(folder)),
            found=error.strerror or str(error),
        ) from error


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(DECLARATION + text.encode())


def _base(label: str) -> str:
    """A name that files can have everywhere; ``_`` for a document without one."""
    return quote(label, safe=" +,()").replace("$", "%24") or "_"


def _writable(name: str) -> bool:
    return is_name(name) and is_plain(name) and name.lower() not in _COREF


def _common(kept: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield "common_paths.xml", _COMMON_PATHS
    yield "Styles/default_style.xsl", _STYLE
    yield "Schemes/coref_scheme.xml", _scheme(_COREF | dict.fromkeys(kept, "freetext"))
    yield "Schemes/sentence_scheme.xml", _scheme({})
    for level in ("coref", "sentence"):
        yield f"Customizations/{level}_customization.xml", "<customization/>\n"


def _scheme(kinds: Mapping[str, str]) -> str:
    lines = [
        f'<attribute id="level_{n}"{attributes({"name": name, "type": kind})}>'
        f'<value id="value_{n}"{attributes({"name": name})}/></attribute>\n'
        for n, (name, kind) in enumerate(kinds.items(), 1)
    ]
    return f"<annotationscheme>\n{''.join(lines)}</annotationscheme>\n"


def _files(
    base: str, document: Document, kept: Iterable[str], pointers: Pointers
) -> Iterator[tuple[str, str]]:
    name = {} if base == document.label else {"name": document.label}
    words = content(f"{base}_words.xml")
    yield (
        f"{base}.mmax",
        f"<mmax_project{attributes(name)}>\n<words>{words}</words>\n</mmax_project>\n",
    )
    lines = (
        f'<word id="word_{n}">{content(word)}</word>\n' for n, word in enumerate(document.words, 1)
    )
    yield f"Basedata/{base}_words.xml", f"<words>\n{''.join(lines)}</words>\n"
    sentences = ({"span": span_text([span])} for span in document.sentences)
    yield f"Markables/{base}_sentence_level.xml", _level("sentence", sentences)
    yield f"Markables/{base}_coref_level.xml", _level("coref", _mentions(document, kept, pointers))


def _level(name: str, markables: Iterable[Mapping[str, str]]) -> str:
    lines = [
        f"<markable{attributes({'id': f'markable_{n}'} | dict(values) | {'mmax_level': name})}/>\n"
        for n, values in enumerate(markables, 1)
    ]
    namespace = f"www.eml.org/NameSpaces/{name}"
    return f'<markables xmlns="{namespace}">\n{"".join(lines)}</markables>\n'


def span_text(parts: Iterable[Span]) -> str:
    """Half-open spans in the notation of MMAX2.

    >>> span_text([(0, 1), (3, 5)])
    'word_1,word_4..word_5'
    """
    return ",".join(
        f"word_{start + 1}" if end == start + 1 else f"word_{start + 1}..word_{end}"
        for start, end in parts
    )


def _mentions(
    document: Document, kept: Iterable[str], pointers: Pointers
) -> Iterator[dict[str, str]]:
    corpus, mentions = document.corpus, document.mentions
    numbers = {mention.index: n for n, mention in enumerate(mentions, 1)}
    sets, pointing = _sets(document, mentions), pointers.of(document.index, numbers)
    minimum = corpus.mentions.minimum
    for mention in mentions:
        values = {"span": span_text(mention.parts)}
        values["coref_class"] = sets.get(int(corpus.mentions.chain[mention.index]), "empty")
        if minimum is not None and (spans := minimum.of(mention.index)):
            values["min_ids"] = span_text(spans)
        own = {name: corpus.mentions.columns[name][mention.index] for name in kept}
        yield values | pointing.get(mention.index, {}) | {k: v for k, v in own.items() if v}


def _sets(document: Document, mentions: Iterable[Mention]) -> dict[int, str]:
    """A set for each chain of several mentions, numbered in order of appearance."""
    size: dict[int, int] = {}
    for mention in mentions:
        chain = int(document.corpus.mentions.chain[mention.index])
        size[chain] = size.get(chain, 0) + 1
    several = [chain for chain, count in size.items() if count > 1]
    return {chain: f"set_{n}" for n, chain in enumerate(several, 1)}
