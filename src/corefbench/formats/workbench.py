"""The XML of the evaluation workbench: parsed words, noun phrases and coreference in one file.

``<P><S><COREF ID="ref1"><NP><w ID="0" SENT="0" PAR="1" LEMMA="it" DEP="2" GFUN="SUBJ" POS="PRON">
It</w></NP></COREF> …`` as in example 2 of Barbu & Mitkov (2001). DEP counts words from 1, 0 is the
root, while ID counts from 0. The printed example is not well-formed (numbers without quotes, tags
in both cases, no root), so the reader is tolerant; the writer writes well-formed XML.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats.base import (
    ATTRIBUTES,
    DOCUMENTS,
    NESTED_MENTIONS,
    SPEAKERS,
    FormatCard,
    Reading,
    document_attributes,
    document_part,
    mention_attribute,
    token_column,
    unique_or_numbered,
    write_documents,
)
from corefbench.formats.common import sgml
from corefbench.formats.common.decode import parse_natural, read_text
from corefbench.formats.common.sgml import Tag, TextLocator
from corefbench.formats.common.spans import Span, select_nested
from corefbench.formats.common.xml import XML_DECLARATION, is_name
from corefbench.formats.source import Source

WORD_ATTRIBUTES = {
    "ID": "",
    "SENT": "",
    "PAR": "par",
    "LEMMA": "lemma",
    "DEP": "dep",
    "GFUN": "gfun",
    "POS": "pos",
    "NR": "nr",
}
"""The attributes of a word, in the order of the paper, and the column that each is."""

_POS = {
    "NOUN": "N", "PROPN": "N", "PRON": "PRON", "VERB": "V", "AUX": "V", "ADJ": "A", "DET": "DET", "ADP": "PREP",
    "ADV": "ADV", "CCONJ": "CC", "SCONJ": "CS", "NUM": "NUM", "INTJ": "INTERJ", "PUNCT": "PUNCT",
}  # fmt: skip
_VERB_FORMS = {"VBN": "EN", "VBG": "ING", "VB": "INF"}
_FUNCTIONS = {
    "nsubj": "SUBJ", "csubj": "SUBJ", "expl": "F-SUBJ", "obj": "OBJ", "iobj": "I-OBJ", "det": "DN", "nmod:poss": "DN",
    "amod": "A", "compound": "A", "nummod": "A", "flat": "A", "acl": "A", "acl:relcl": "+FMAINV", "cc": "CC",
    "mark": "CS", "aux": "+FAUXV", "appos": "APP", "vocative": "VOC", "xcomp": "-FMAINV", "ccomp": "+FMAINV",
    "root": "+FMAINV", "parataxis": "+FMAINV",
}  # fmt: skip
_NUMBERS = {"Number=Sing": "SG", "Number=Plur": "PL"}
_NOMINAL_DEPENDENTS = frozenset({"det", "amod", "nummod", "nmod", "case", "compound", "flat", "appos", "acl", "fixed"})
"""What stays with a predicate noun when its copula governs the clause."""

_NOT_XML_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WORD = re.compile(rb"(?i)<w\s[^<>]*\b(?:lemma|sent|gfun)\s*=")


class Workbench:
    """Reads and writes the workbench XML, one ``<TEXT>`` per document.

    The attributes of words are token columns: lemma, dep, gfun, pos, nr, and par where there is
    more than one paragraph; the column ``np`` has a bracket for every noun phrase that begins or
    ends at a word. ``strict_sample`` writes one document as the paper prints it.

    >>> sample = b'<S><COREF ID=1><w LEMMA="it"> It </w></COREF> <w LEMMA="be">is</w></s>'
    >>> list(Workbench().read(Source.of(sample), Reading()))
    [<Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="workbench",
        title="Workbench XML",
        description="Words with lemma, dependency and function, noun phrases and COREF tags, as "
        "the evaluation workbench of Barbu and Mitkov kept them.",
        extensions=(".xml",),
        holds=DOCUMENTS | SPEAKERS | NESTED_MENTIONS | ATTRIBUTES | {"token attributes"},
        cites=("barbu2001",),
    )

    def __init__(self, strict_sample: bool = False) -> None:
        self.strict_sample = strict_sample

    def recognises(self, head: bytes) -> float:
        """Sure of words with a lemma, a sentence number or a function."""
        return 0.95 if _WORD.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents, each a ``<TEXT>``; without one the file is one document."""
        raw = read_text(source, reading, fallback="latin-1")
        yield _Reader(raw, source, reading).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write well-formed XML in UTF-8, without mentions that cross another or a sentence."""
        if not self.strict_sample:
            before, after = (b"<TEXTS>\n", b"</TEXTS>\n") if len(corpus) != 1 else (b"", b"")
            write_documents(corpus, stream, _document_text, XML_DECLARATION + before, after)
        elif len(corpus) == 1:
            write_documents(corpus, stream, partial(_document_text, as_printed=True))
        else:
            raise UsageError(
                "the printed form has no room for several documents", remedy="write each document to a file of its own"
            )


def _document_text(document: Document, *, as_printed: bool = False) -> str:
    """Return the document with its words, noun phrases and mentions."""
    before, after = _brackets(document)
    words = _words(document, as_printed)
    lines = [before.get(token, "") + word + after.get(token, "") for token, word in enumerate(words)]
    close_s, close_p = ("</s>", "</p>") if as_printed else ("</S>", "</P>")
    numbers = token_column(document, "par")
    paragraphs: list[list[str]] = []
    last = None
    for a, b in document.sentences:
        if a < b:
            paragraph = numbers[a] or "1"
            if paragraph != last:
                paragraphs.append([])
            last = paragraph
            paragraphs[-1].append("<S>" + "\n".join(lines[a:b]) + close_s + "\n")
    body = "".join(f"<P>{''.join(lines).removesuffix(chr(10))}{close_p}\n" for lines in paragraphs)
    return body if as_printed else f"<TEXT{_attributes(document)}>\n{body}</TEXT>\n"


def _attributes(document: Document) -> str:
    """Return the name, the part and the columns of the document."""
    part = document_part(document)
    attributes = sgml.format_attribute("NAME", _NOT_XML_CHARACTERS.sub("\ufffd", document.name))
    attributes += sgml.format_attribute("PART", str(part)) if part >= 0 else ""
    columns = document_attributes(document)
    return attributes + "".join(_format_attribute(n, columns[n]) for n in columns if n not in ("NAME", "PART"))


def _format_attribute(name: str, value: str) -> str:
    """Return an attribute, or nothing if it has no value or XML cannot hold its name."""
    return sgml.format_attribute(name, _NOT_XML_CHARACTERS.sub("\ufffd", value)) if value and is_name(name) else ""


def _words(document: Document, as_printed: bool) -> list[str]:
    """Return the w elements. The paper prints ID, SENT and PAR without quotes."""
    names = [name for name in document.corpus.tokens.columns if name not in (*WORD_ATTRIBUTES.values(), "np")]
    other_names = [name for name in names if is_name(name) and name.upper() not in WORD_ATTRIBUTES]
    columns = {tag: token_column(document, name) for tag, name in WORD_ATTRIBUTES.items() if name}
    columns |= _convert_universal(document)
    columns |= {name: token_column(document, name) for name in other_names}
    paragraphs = columns.pop("PAR")
    words = document.words
    elements = []
    sentences = [(a, b) for a, b in document.sentences if a < b]
    for number, (start, end) in enumerate(sentences):
        for token in range(start, end):
            counts = {"ID": str(token - start), "SENT": str(number), "PAR": paragraphs[token] or "1"}
            tag = "".join(
                f" {name}={value}" if as_printed and value.isdigit() else _format_attribute(name, value)
                for name, value in counts.items()
            )
            tag += "".join(_format_attribute(name, values[token]) for name, values in columns.items())
            word = _NOT_XML_CHARACTERS.sub("\ufffd", words[token])
            inner = sgml.escape(word) if word.strip() == word else sgml.escape_attribute(word)
            elements.append(f"<w{tag}>{inner}</w>")
    return elements


def _convert_universal(document: Document) -> dict[str, list[str]]:
    """Return POS, GFUN, DEP and NR by the Universal Dependencies of a document that lacks them."""
    known = document.corpus.tokens.columns
    if "dep" in known or "gfun" in known or not {"upos", "head", "deprel"} <= known.keys():
        return {}
    upos, tags, features = (token_column(document, name) for name in ("upos", "xpos", "feats"))
    tree = _FunctionalTree(document)
    return {
        "DEP": tree.dependencies(),
        "GFUN": tree.functions,
        "POS": [_workbench_tag(*row) for row in zip(upos, tags, document.words, strict=True)],
        "NR": [_workbench_number(*row) for row in zip(upos, features, strict=True)],
    }


def _workbench_tag(upos: str, tag: str, word: str) -> str:
    """Return the tag of the Functional Dependency Grammar.

    >>> _workbench_tag("VERB", "VBN", "used"), _workbench_tag("PART", "TO", "to"), _workbench_tag("NOUN", "", "cat")
    ('EN', 'INFMARK', 'N')
    """
    if upos == "VERB":
        return _VERB_FORMS.get(tag, "V")
    if upos == "PART":
        return "INFMARK" if word.lower() == "to" else "NEG" if tag == "RB" else ""
    return _POS.get(upos, "")


def _workbench_number(upos: str, features: str) -> str:
    """Return the number of a word that is no verb.

    >>> _workbench_number("NOUN", "Gender=Neut|Number=Plur"), _workbench_number("VERB", "Number=Sing")
    ('PL', '')
    """
    if upos in ("VERB", "AUX"):
        return ""
    return next((_NUMBERS[feature] for feature in features.split("|") if feature in _NUMBERS), "")


class _FunctionalTree:
    """Universal Dependencies on their way to functional ones, where prepositions and copulas govern.

    Governors are positions in the document, -1 at a root.
    """

    def __init__(self, document: Document) -> None:
        self.sentences = [(start, end) for start, end in document.sentences if start < end]
        self.upos, self.tags = token_column(document, "upos"), token_column(document, "xpos")
        self.relations = token_column(document, "deprel")
        self.heads = [-1] * len(self.upos)
        ids, governors = token_column(document, "id"), token_column(document, "head")
        for start, end in self.sentences:
            numbered = {ids[t] or str(t - start + 1): t for t in range(start, end)}
            self.heads[start:end] = [numbered.get(governors[t], -1) for t in range(start, end)]
        base = [relation.partition(":")[0] for relation in self.relations]
        self.functions = [self._function(token) for token in range(len(base))]
        children: dict[int, list[int]] = {}
        for token, head in enumerate(self.heads):
            children.setdefault(head, []).append(token)
        for token in range(len(base)):
            dependents = children.get(token, [])
            copulas = [child for child in dependents if base[child] == "cop"]
            prepositions = [c for c in dependents if base[c] == "case" and self.upos[c] == "ADP" and c < token]
            if copulas:
                moved = [c for c in dependents if base[c] not in _NOMINAL_DEPENDENTS and self.heads[c] == token]
                self._raise(copulas[0], token, "PCOMPL")
                for child in moved:
                    if child != copulas[0]:
                        self.heads[child] = copulas[0]
            elif prepositions:
                self._raise(prepositions[0], token, "PCOMP")
                for outer, inner in pairwise(prepositions):
                    self.heads[inner], self.heads[token] = outer, inner

    def _raise(self, function_word: int, content: int, function: str) -> None:
        """Make a function word the governor of its content word."""
        self.heads[function_word], self.heads[content] = self.heads[content], function_word
        self.functions[content] = function

    def _function(self, token: int) -> str:
        relation = self.relations[token]
        if relation == "conj" and self.heads[token] >= 0:
            # A conjunct has the function of the first, to which UD attaches it.
            relation = self.relations[self.heads[token]]
        base = relation.partition(":")[0]
        if base == "punct":
            return ""
        if base == "cop":
            return "+FMAINV"
        if base == "mark" and self.upos[token] == "PART":
            return "INFMARK"
        function = _FUNCTIONS.get(relation) or _FUNCTIONS.get(base, "ADVL")
        if function == "+FMAINV" and self.tags[token] in _VERB_FORMS:
            return "-FMAINV"  # a participle or an infinitive: its auxiliary is finite
        is_verbal = self.upos[token] in ("VERB", "AUX")
        return "" if base == "root" and not is_verbal else function

    def dependencies(self) -> list[str]:
        """Return the governors, as words of a sentence counted from 1; 0 is the root."""
        cells = []
        for start, end in self.sentences:
            cells += [str(head - start + 1) if head >= 0 else "0" for head in self.heads[start:end]]
        return cells


def _brackets(document: Document) -> tuple[dict[int, str], dict[int, str]]:
    """Return what opens before and closes after each word.

    Every mention is a noun phrase, too; where both span the same words, the mention is outside.
    """
    mentions = document.mentions
    spans = [(m.start, m.end) for m in mentions]
    kept = select_nested(spans, [a for a, _ in document.sentences])
    spans = [spans[n] for n in kept]
    mentions = [mentions[n] for n in kept]
    ids = unique_or_numbered([mention_attribute(m, "id") for m in mentions], "ref")
    tags = sgml.linked_tags(mentions, ids, document.corpus.mentions.columns, _format_attribute)
    phrases = noun_phrases(token_column(document, "np"))
    phrases += sorted(set(spans) - set(phrases))
    items = [(*span, tag, "</COREF>") for span, tag in zip(spans, tags, strict=True)]
    items += [(*span, "<NP>", "</NP>") for span in _not_crossing(phrases, spans, document)]
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for start, end, opening, closing in sorted(items, key=lambda item: (item[0], -item[1])):
        before[start] = before.get(start, "") + opening
        after[end - 1] = closing + after.get(end - 1, "")
    return before, after


def _not_crossing(phrases: list[Span], spans: list[Span], document: Document) -> list[Span]:
    """Return the phrases that cross neither a mention nor the end of a sentence."""
    starts = [a for a, _ in document.sentences]
    around = _innermost(spans, len(document))
    return [
        (a, b)
        for a, b in phrases
        if bisect_right(starts, a) == bisect_right(starts, b - 1) and around[a][1] >= b and around[b][0] <= a
    ]


def _innermost(spans: list[Span], tokens: int) -> list[Span]:
    """Return for each boundary between tokens the innermost span around it.

    Spans nest and are in opening order; without one, a span around everything is returned.

    >>> _innermost([(0, 4), (1, 3)], 5)
    [(-1, 6), (0, 4), (1, 3), (0, 4), (-1, 6), (-1, 6)]
    """
    innermost: list[Span] = []
    inside = [(-1, tokens + 1)]
    following = iter([*spans, (tokens + 1, tokens + 1)])
    ahead = next(following)
    for boundary in range(tokens + 1):
        while inside[-1][1] <= boundary:
            inside.pop()
        innermost.append(inside[-1])
        while ahead[0] == boundary:
            inside.append(ahead)
            ahead = next(following)
    return innermost


def noun_phrases(brackets: Iterable[str]) -> list[Span]:
    """Return the phrases of the column ``np``.

    >>> noun_phrases(["((*", "*)", "*)"])
    [(0, 2), (0, 3)]
    """
    stack: list[int] = []
    phrases = []
    for token, text in enumerate(brackets):
        stack.extend([token] * text.count("("))
        for _ in range(min(text.count(")"), len(stack))):
            phrases.append((stack.pop(), token + 1))
    return phrases


class _Reader:
    """Reads the tags of a file; nesting tells what is a sentence, not the numbers."""

    def __init__(self, raw: str, source: Source, reading: Reading) -> None:
        self.raw, self.source, self.reading = raw, source, reading
        self.locator = TextLocator(raw, source.name, reading.strictness)
        self.build = CorpusBuilder(source.stem, words=reading.words)
        self.has_sentence_tags = re.search(r"(?i)<s[\s>]", raw) is not None
        self.open_word: Tag | None = None
        self.word_pieces: list[str] = []
        self.is_open = False
        self._clear()

    def _clear(self) -> None:
        """Forget the last document."""
        self.words: list[str] = []
        self.word_tags: list[Tag] = []
        self.sentences: list[tuple[int, int]] = []
        self.sentence_start = self.bracket_count = 0
        self.stacks: dict[str, list[tuple[Tag, int, int]]] = {"COREF": [], "NP": []}
        self.mentions: list[tuple[int, Tag, int, int]] = []
        self.phrases: list[tuple[int, int]] = []

    def corpus(self) -> Corpus:
        position = 0
        for tag in sgml.scan_tags(self.raw):
            self._add_text(position, tag.begin)
            position = tag.end
            self._read_tag(tag)
        self._add_text(position, len(self.raw))
        self._end_document()
        if not self.build.position and not self.build.document_count:
            raise FormatError(
                "the file has no words",
                code="CB101",
                place=Place(source=self.source.name),
                expected="<w …>word</w>",
                remedy="name another format with --input-format",
            )
        return self.build.finish()

    def _add_text(self, begin: int, end: int) -> None:
        if self.open_word is not None:
            self.word_pieces.append(self.raw[begin:end])
        elif begin < end and not self.raw[begin:end].isspace():
            stray = Tag("", False, False, {}, begin, end)
            self.locator.fault("CB108", "text stands outside every word", stray, "text left out")

    def _read_tag(self, tag: Tag) -> None:
        if tag.name == "W":
            self._read_word(tag)
        elif tag.name in self.stacks:
            self._read_bracket(tag)
        elif tag.name in ("S", "P"):
            self._close_sentence()
        elif tag.name == "TEXT":
            self._end_document()
            if not tag.closing:
                self._begin_document(tag)

    def _read_word(self, tag: Tag) -> None:
        if self.open_word is not None:
            if not tag.closing:
                message = "a word is opened and never closed"
                self.locator.fault("CB124", message, self.open_word, "closed where the next begins")
            self.words.append(sgml.unescape("".join(self.word_pieces).strip()))
            self.word_tags.append(self.open_word)
            self.open_word = None
        elif tag.closing:
            self.locator.fault("CB123", "a word is closed that was never opened", tag, "tag ignored")
        if not tag.closing:
            # The printed example has <S>, but files without it still number the sentences of their words.
            if not self.has_sentence_tags and self.word_tags:
                before = self.word_tags[-1]
                if (before.get("SENT"), before.get("PAR")) != (tag.get("SENT"), tag.get("PAR")):
                    self._close_sentence()
            self.open_word, self.word_pieces = tag, []
            if tag.empty:
                self._read_word(tag._replace(closing=True))

    def _read_bracket(self, tag: Tag) -> None:
        stack = self.stacks[tag.name]
        if not tag.closing:
            self.bracket_count += 1
            stack.append((tag, len(self.words), self.bracket_count))
            if not tag.empty:
                return
        if not stack:
            message = f"a {tag.name} is closed that was never opened"
            self.locator.fault("CB123", message, tag, "tag ignored")
            return
        opened, start, order = stack.pop()
        if start == len(self.words):
            self.locator.fault("CB129", f"a {tag.name} has no words", opened, "left out")
        elif tag.name == "COREF":
            self.mentions.append((order, opened, start, len(self.words)))
        else:
            self.phrases.append((start, len(self.words)))

    def _close_sentence(self) -> None:
        if len(self.words) > self.sentence_start:
            self.sentences.append((self.sentence_start, len(self.words)))
            self.sentence_start = len(self.words)

    def _begin_document(self, tag: Tag | None) -> None:
        columns = dict(tag.attributes) if tag else {}
        name, part = columns.pop("NAME", ""), columns.pop("PART", "")
        number = parse_natural(part)
        if part and number < 0 and tag:
            self.locator.fault("CB125", "PART is not a number", tag, "read as no part")
        self.build.begin_document(name or self.source.stem, number, columns)
        self.is_open = True

    def _end_document(self) -> None:
        """Close what is open, and add the document."""
        if self.open_word is not None:
            message = "a word is opened and never closed"
            self.locator.fault("CB124", message, self.open_word, "word left out")
            self.open_word = None
        self._close_sentence()
        for name, stack in self.stacks.items():
            for tag, _, _ in stack:
                message = f"a {name} is opened and never closed"
                self.locator.fault("CB124", message, tag, "left out")
        if self.words and not self.is_open:
            self._begin_document(None)
        self._add_document()

    def _add_document(self) -> None:
        """Add the collected words and mentions to the open document."""
        columns = self._columns() if self.reading.words else {}
        first = np.array([start for start, _ in self.sentences], np.int64)
        self.build.sentences(self.words, first, columns=columns)
        mentions = sorted(self.mentions, key=lambda m: (m[2], -m[3], m[0]))
        spans = [(start, end) for *_, start, end in mentions]
        sgml.add_linked_mentions(self.build, [tag for _, tag, *_ in mentions], spans, self.locator)
        self._clear()
        self.is_open = False

    def _columns(self) -> dict[str, list[str]]:
        """Return the attributes of the words, and the brackets of the noun phrases."""
        columns: dict[str, list[str]] = {}
        for token, tag in enumerate(self.word_tags):
            for name, value in tag.attributes.items():
                column = WORD_ATTRIBUTES.get(name.upper(), name)
                if column not in columns:
                    columns[column] = [""] * len(self.words)
                columns[column][token] = value
        columns.pop("", None)
        # Every word carries PAR; where all are in one paragraph it tells nothing.
        if set(columns.get("par", ())) <= {"", "1"}:
            columns.pop("par", None)
        if self.phrases:
            opened, closed = [0] * len(self.words), [0] * len(self.words)
            for start, end in self.phrases:
                opened[start] += 1
                closed[end - 1] += 1
            columns["np"] = ["(" * a + "*" + ")" * b for a, b in zip(opened, closed, strict=True)]
        return columns
