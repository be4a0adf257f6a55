"""Writes one document as OntoNotes ``.coref`` has it."""

import re

from corefbench.formats.markup import blanks_as_references, escaped, inside_quotes, is_name, quoted
from corefbench.formats.nesting import edges, nesting, unique_labels
from corefbench.model.document import Document
from corefbench.model.mention import Mention

TRACE = re.compile(r"\*(?:-\d+|(?:T|PRO|pro|OP|RNR|U|ICH|EXP|PPA|NOT|\?)\*(?:-\d+)?)")
"""The empty categories of the treebanks, which are read as empty nodes."""

_OWN = ("ID", "TYPE", "SUBTYPE", "MENTION")
_NAMES = {"subtype": "SUBTYPE", "id": "MENTION"}


def document_text(document: Document) -> str:
    """The document with its tags."""
    mentions = document.mentions
    spans = [(m.start, m.end) for m in mentions]
    before, after = edges(spans, nesting(spans), _tags(document, mentions), "</COREF>")
    words = _words(document)
    for token, tag in before.items():
        words[token] = tag + words[token]
    for token, tag in after.items():
        words[token] += tag
    part = int(document.corpus.documents.parts[document.index])
    number = quoted("PARTNO", f"{part:03}") if part >= 0 else ""
    lines = "".join(" ".join(words[a:b]) + "\n" for a, b in document.sentences if a < b)
    return f'<DOC DOCNO="{_docno(document)}">\n<TEXT{number}>\n{lines}</TEXT>\n</DOC>\n'


def _docno(document: Document) -> str:
    """The name and what stood behind its @; an @ of the name itself is written as a reference."""
    name = inside_quotes(document.name).replace("@", "&#64;")
    column = document.corpus.documents.columns.get("DOCNO")
    full = column[document.index] if column is not None else ""
    if full.startswith(document.name + "@"):
        name += inside_quotes(full[len(document.name) :])
    return name


def _words(document: Document) -> list[str]:
    """The words; one that only looks like a trace is written with a reference for its star."""
    empty = document.corpus.tokens.empty
    first = int(document.corpus.tokens.offsets[document.index])
    words = []
    for token, word in enumerate(document.words):
        text = blanks_as_references(escaped(word)) or "_"
        if word[:1] == "*" and (empty is None or not empty[first + token]):
            text = "&#42;" + text[1:]
        words.append(text)
    return words


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """The opening tags: ID, TYPE, SUBTYPE, then whatever else the mention carries."""
    chains = document.corpus.mentions.chain[[m.index for m in mentions]].tolist()
    columns = document.corpus.mentions.columns
    kinds = [columns["type"][m.index] if "type" in columns else "" for m in mentions]
    # Only a chain whose mentions are all appositive may say so: the reader keeps such chains apart.
    mixed = {chain for chain, kind in zip(chains, kinds, strict=True) if kind.upper() != "APPOS"}
    labels = unique_labels(document, chains)
    written = []
    for mention, chain, kind in zip(mentions, chains, kinds, strict=True):
        if chain in mixed and kind.upper() == "APPOS":
            kind = ""
        tag = "<COREF" + quoted("ID", labels[chain]) + quoted("TYPE", kind or "IDENT")
        for name, values in columns.items():
            label = _NAMES.get(name, name)
            if name in _NAMES or (label.upper() not in _OWN and is_name(label)):
                tag += quoted(label, values[mention.index]) if values[mention.index] else ""
        written.append(tag + ">")
    return written
