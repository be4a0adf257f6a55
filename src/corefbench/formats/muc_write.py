"""Writes one document with COREF tags: its original text where our tokeniser finds the corpus's
tokens in it again, with or without ``<s>`` tags; else its words between blanks."""

from bisect import bisect_left

from corefbench.findings import Strictness
from corefbench.formats.links import OWN
from corefbench.formats.markup import Places, blanks_as_references, escaped, is_name, quoted
from corefbench.formats.minimum import locate, nested
from corefbench.formats.muc_text import BLANKS, NAMES, ZONES, Scanner
from corefbench.formats.muc_tokens import Span
from corefbench.formats.nesting import edges, nesting
from corefbench.model.document import Document
from corefbench.model.mention import Mention

Zone = tuple[int, int, str]
"""The first token of a zone, the one past its last, and its name."""


def document_text(document: Document) -> str:
    """The document with all that its tags can say."""
    zones = _zones(document)
    mentions = document.mentions
    kept = nesting([(m.start, m.end) for m in mentions], [start for start, _, _ in zones[1:]])
    mentions = [mentions[n] for n in kept]
    spans = [(m.start, m.end) for m in mentions]
    before, after = edges(spans, range(len(spans)), _tags(document, mentions), "</COREF>")
    for sentence_tags in (False, True) if document.text is not None else ():
        written = _head(document) + _original(document, zones, before, after, sentence_tags)
        if _reads_back(written, document):
            return written
    return _head(document) + BLANKS + "\n" + _words(document, zones, before, after)


def _head(document: Document) -> str:
    """The tag that opens the document, and its names."""
    columns = {
        name: values[document.index]
        for name, values in document.corpus.documents.columns.items()
        if values[document.index]
    }
    attributes = "".join(
        quoted(name, value)
        for name, value in columns.items()
        if is_name(name) and name.upper() not in NAMES
    )
    part = int(document.corpus.documents.parts[document.index])
    number = quoted("PART", str(part)) if part >= 0 else ""
    names = [f"<DOCID{number}> {_trimmed(document.name)} </DOCID>\n"]
    for name in NAMES[1:]:
        if name in columns:
            names.append(f"<{name}> {_trimmed(columns[name])} </{name}>\n")
    return f"<DOC{attributes}>\n" + "".join(names)


def _trimmed(name: str) -> str:
    """A name whose own outer blanks are not taken for layout."""
    inner = name.strip()
    if inner == name:
        return escaped(name)
    return "".join(f"&#{ord(c)};" if c.isspace() else escaped(c) for c in name)


def _zones(document: Document) -> list[Zone]:
    """The runs of sentences in one zone: TXT, unless the column ``zone`` says otherwise."""
    column = document.corpus.tokens.columns.get("zone")
    first = int(document.corpus.tokens.offsets[document.index])
    runs: list[Zone] = []
    for start, end in document.sentences:
        name = column[first + start] if column is not None and start < end else "TXT"
        name = name if name in ZONES else "TXT"
        if runs and runs[-1][2] == name:
            runs[-1] = (runs[-1][0], end, name)
        elif start < end:
            runs.append((start, end, name))
    return runs


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """The opening tags: ID, TYPE, REF, MIN, STATUS, then whatever else the mention carries."""
    columns = dict(
        sorted(document.corpus.mentions.columns.items(), key=lambda item: item[0] != "status")
    )
    given = [columns["id"][m.index] if "id" in columns else "" for m in mentions]
    ids = given if all(given) and len(set(given)) == len(given) else None
    minima = _minima(document, mentions)
    last: dict[int, str] = {}
    written = []
    for number, mention in enumerate(mentions):
        name = ids[number] if ids else str(number + 1)
        chain = int(document.corpus.mentions.chain[mention.index])
        tag = "<COREF" + quoted("ID", name)
        if chain in last:
            tag += quoted("TYPE", "IDENT") + quoted("REF", last[chain])
        tag += minima[number]
        for column, values in columns.items():
            label = "STATUS" if column == "status" else column
            value = values[mention.index] if label.upper() not in OWN and is_name(label) else ""
            if value:
                tag += quoted(label, value)
        last[chain] = name
        written.append(tag + ">")
    return written


def _minima(document: Document, mentions: list[Mention]) -> list[str]:
    """MIN of every mention; MINSPAN beside it where the string alone would be found elsewhere."""
    minimum = document.corpus.mentions.minimum
    if minimum is None:
        return [""] * len(mentions)
    words = document.words
    inside = nested([(m.start, m.end) for m in mentions])
    found = []
    for mention, some in zip(mentions, inside, strict=True):
        parts = minimum.of(mention.index)
        text = ""
        if len(parts) == 1:
            (a, b), start = parts[0], mention.start
            string = " ".join(words[a:b])
            text = quoted("MIN", string)
            if locate(words[start : mention.end], some, string) != (a - start, b - start):
                text += quoted("MINSPAN", f"{a - start}-{b - start}")
        found.append(text)
    return found


def _original(
    document: Document,
    zones: list[Zone],
    before: dict[int, str],
    after: dict[int, str],
    sentence_tags: bool,
) -> str:
    """The original text with the tags put in; blanks between zones stay with the former."""
    text, offsets = document.text or "", document.offsets or []
    starts = {a for a, _ in document.sentences} if sentence_tags else set()
    pieces = []
    position = 0
    for start, end, name in zones or [(0, 0, "TXT")]:
        pieces.append(f"<{name}>")
        for token in range(start, end):
            begin, finish = offsets[token]
            pieces.append(escaped(text[position:begin]) + ("<s>" if token in starts else ""))
            pieces.append(before.get(token, "") + escaped(text[begin:finish]))
            pieces.append(after.get(token, ""))
            position = finish
        until = offsets[end][0] if end < len(offsets) else len(text)
        pieces.append(f"{escaped(text[position:until])}</{name}>\n")
        position = until
    return "".join(pieces) + "</DOC>\n"


def _words(
    document: Document, zones: list[Zone], before: dict[int, str], after: dict[int, str]
) -> str:
    """A sentence a line, words between blanks."""
    words = [blanks_as_references(escaped(word)) or "_" for word in document.words]
    for token, tag in before.items():
        words[token] = tag + words[token]
    for token, tag in after.items():
        words[token] += tag
    sentences = [" ".join(words[a:b]) + "\n" for a, b in document.sentences if a < b]
    starts = [a for a, b in document.sentences if a < b]
    pieces = []
    for start, end, name in zones:
        some = sentences[bisect_left(starts, start) : bisect_left(starts, end)]
        pieces.append(f"<{name}>\n{''.join(some)}</{name}>\n")
    return "".join(pieces) + "</DOC>\n"


def _reads_back(written: str, document: Document) -> bool:
    """Whether text, words and sentences would be read as they are."""
    extent: Span = (written.index(">") + 1, len(written) - len("</DOC>\n"))
    marked = Scanner(Places(written, ""), extent, Strictness(lenient=True)).marked()
    if marked.text != document.text:
        return False
    words = document.words
    return (
        marked.words == [words[a:b] for a, b in document.sentences if a < b]
        and [span for sentence in marked.offsets for span in sentence] == document.offsets
    )
