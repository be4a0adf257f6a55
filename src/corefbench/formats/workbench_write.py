"""Writes one document as workbench XML, well-formed or as the paper prints it."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from corefbench.formats.links import OWN
from corefbench.formats.markup import escaped, inside_quotes, quoted
from corefbench.formats.nesting import nesting
from corefbench.formats.xml_write import is_name
from corefbench.model.document import Document
from corefbench.model.mention import Mention

Span = tuple[int, int]

KNOWN = {
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

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def document_text(document: Document, *, as_printed: bool = False) -> str:
    """The document with its words, noun phrases and mentions."""
    before, after = _brackets(document)
    words = _words(document, as_printed)
    lines = [
        before.get(token, "") + word + after.get(token, "") for token, word in enumerate(words)
    ]
    close_s, close_p = ("</s>", "</p>") if as_printed else ("</S>", "</P>")
    numbers = _column(document, "par")
    paragraphs: list[list[str]] = []
    last = None
    for a, b in document.sentences:
        if a < b:
            paragraph = numbers[a] or "1"
            if paragraph != last:
                paragraphs.append([])
            last = paragraph
            paragraphs[-1].append("<S>" + "\n".join(lines[a:b]) + close_s + "\n")
    body = "".join(f"<P>{''.join(some).removesuffix(chr(10))}{close_p}\n" for some in paragraphs)
    return body if as_printed else f"<TEXT{_attributes(document)}>\n{body}</TEXT>\n"


def _attributes(document: Document) -> str:
    """The name, the part and the columns of the document."""
    written = _quoted("NAME", document.name)
    part = int(document.corpus.documents.parts[document.index])
    if part >= 0:
        written += quoted("PART", str(part))
    for name, values in document.corpus.documents.columns.items():
        if values[document.index] and is_name(name) and name not in ("NAME", "PART"):
            written += _quoted(name, values[document.index])
    return written


def _quoted(name: str, value: str) -> str:
    return quoted(name, _NOT_XML.sub("\ufffd", value))


def _column(document: Document, name: str) -> Sequence[str]:
    """The values of a token column in the document, empty where there is no such column."""
    column = document.corpus.tokens.columns.get(name)
    first = int(document.corpus.tokens.offsets[document.index])
    return column.slice(first, first + len(document)) if column else [""] * len(document)


def _words(document: Document, as_printed: bool) -> list[str]:
    """The w elements. The paper prints ID, SENT and PAR without quotes."""
    names = [name for name in document.corpus.tokens.columns if name not in (*KNOWN.values(), "np")]
    others = [name for name in names if is_name(name) and name.upper() not in KNOWN]
    columns = {tag: _column(document, name) for tag, name in KNOWN.items() if name}
    columns |= {name: _column(document, name) for name in others}
    paragraphs = columns.pop("PAR")
    words = document.words
    written = []
    sentences = [(a, b) for a, b in document.sentences if a < b]
    for number, (start, end) in enumerate(sentences):
        for token in range(start, end):
            counts = {
                "ID": str(token - start),
                "SENT": str(number),
                "PAR": paragraphs[token] or "1",
            }
            tag = "".join(
                f" {name}={value}" if as_printed and value.isdigit() else _quoted(name, value)
                for name, value in counts.items()
            )
            for name, values in columns.items():
                if values[token]:
                    tag += _quoted(name, values[token])
            word = _NOT_XML.sub("\ufffd", words[token])
            inner = escaped(word) if word.strip() == word else inside_quotes(word)
            written.append(f"<w{tag}>{inner}</w>")
    return written


def _brackets(document: Document) -> tuple[dict[int, str], dict[int, str]]:
    """What opens before and closes after each word. Every mention is a noun phrase, too; where
    both span the same words, the mention is outside."""
    mentions = document.mentions
    spans = [(m.start, m.end) for m in mentions]
    kept = nesting(spans, [a for a, _ in document.sentences])
    spans = [spans[n] for n in kept]
    tags = _tags(document, [mentions[n] for n in kept])
    given = _noun_phrases(_column(document, "np"))
    phrases = given + sorted(set(spans) - set(given))
    items = [(*span, tag, "</COREF>") for span, tag in zip(spans, tags, strict=True)]
    items += [(*span, "<NP>", "</NP>") for span in _not_crossing(phrases, spans, document)]
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for start, end, opening, closing in sorted(items, key=lambda item: (item[0], -item[1])):
        before[start] = before.get(start, "") + opening
        after[end - 1] = closing + after.get(end - 1, "")
    return before, after


def _not_crossing(phrases: list[Span], spans: list[Span], document: Document) -> list[Span]:
    """The phrases that cross neither a mention nor the end of a sentence."""
    starts = [a for a, _ in document.sentences]
    around = _innermost(spans, len(document))
    return [
        (a, b)
        for a, b in phrases
        if bisect_right(starts, a) == bisect_right(starts, b - 1)
        and around[a][1] >= b
        and around[b][0] <= a
    ]


def _innermost(spans: list[Span], tokens: int) -> list[Span]:
    """For each place between tokens the innermost span that begins before it and ends after it,
    given spans that nest, in opening order; one around everything where there is none.

    >>> _innermost([(0, 4), (1, 3)], 5)
    [(-1, 6), (0, 4), (1, 3), (0, 4), (-1, 6), (-1, 6)]
    """
    found: list[Span] = []
    inside = [(-1, tokens + 1)]
    following = iter([*spans, (tokens + 1, tokens + 1)])
    ahead = next(following)
    for place in range(tokens + 1):
        while inside[-1][1] <= place:
            inside.pop()
        found.append(inside[-1])
        while ahead[0] == place:
            inside.append(ahead)
            ahead = next(following)
    return found


def _noun_phrases(brackets: Sequence[str]) -> list[Span]:
    """The phrases that the column ``np`` tells of.

    >>> _noun_phrases(["((*", "*)", "*)"])
    [(0, 2), (0, 3)]
    """
    stack: list[int] = []
    found = []
    for token, text in enumerate(brackets):
        stack.extend([token] * text.count("("))
        for _ in range(min(text.count(")"), len(stack))):
            found.append((stack.pop(), token + 1))
    return found


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """The opening tags: ID, TYPE, REF to the mention before it, then the mention's attributes."""
    columns = document.corpus.mentions.columns
    given = [columns["id"][m.index] if "id" in columns else "" for m in mentions]
    unique = all(given) and len(set(given)) == len(given)
    last: dict[int, str] = {}
    written = []
    for number, mention in enumerate(mentions):
        name = given[number] if unique else f"ref{number + 1}"
        chain = int(document.corpus.mentions.chain[mention.index])
        tag = "<COREF" + _quoted("ID", name)
        if chain in last:
            tag += _quoted("REF", last[chain])
        for column, values in columns.items():
            label = "STATUS" if column == "status" else column
            if label.upper() not in OWN and is_name(label) and values[mention.index]:
                tag += _quoted(label, values[mention.index])
        last[chain] = name
        written.append(tag + ">")
    return written
