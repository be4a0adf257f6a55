"""WinoBias: numbered sentences with a bracketed occupation and its pronouns (Zhao et al. 2018).

``1 [The developer] argued with the designer because [he] did not like the design.`` Every sentence
is a document; what is bracketed is one chain: an occupation and one pronoun, in some sentences two
or three. The name of the file says whether the sentences follow the stereotype (pro) or
contradict it (anti), their type, 1 or 2, and their part, dev or test.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.layout import lay_out, require_words
from corefbench.formats.nesting import nesting
from corefbench.formats.source import Source
from corefbench.formats.tokenise import tokenise
from corefbench.formats.winobias_read import read
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

_LINE = re.compile(rb"\d+ [^][\n]*(?:\[[^][\n]+\](?![\w{(])[^][\n]*){2,}")


class WinoBias:
    """Reads and writes WinoBias sentences.

    >>> text = b"1 [The cook] thanked the guard because [she] was kind.\\n"
    >>> next(WinoBias().read(Source.of(text), Reading()))[0].clusters()
    [[(0, 2), (6, 7)]]
    """

    card = FormatCard(
        name="winobias",
        title="WinoBias",
        description="Numbered sentences in which an occupation and its pronouns are bracketed.",
        extensions=(".dev", ".test"),
        holds=frozenset(),
        selects=True,
        cites=("zhao2018",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of numbered lines that all have two brackets or more, without labels."""
        lines = [line.rstrip() for line in head.split(b"\n")[:50] if line.strip()]
        whole = lines[:-1] if len(lines) > 1 and not head.endswith(b"\n") else lines
        return 0.9 if whole and all(_LINE.fullmatch(line) for line in whole) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a sentence, named by the file and the number."""
        yield read(source, reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """For every document a numbered sentence, its largest chain bracketed."""
        require_words(corpus)
        for number, document in enumerate(corpus, 1):
            line = _line(document)
            if line:
                stream.write(f"{number} {line}\n".encode())


def _line(document: Document) -> str:
    """The sentence with its largest chain in brackets; nothing where no chain has two mentions."""
    chains = [chain.mentions for chain in document.chains]
    mentions = max(chains, key=len, default=[])
    spans = [(mention.start, mention.end) for mention in mentions]
    kept = [spans[i] for i in nesting(spans)]
    apart = [b for i, b in enumerate(kept) if not any(a[1] > b[0] for a in kept[:i])]
    if len(apart) < 2:
        return ""
    text, offsets = lay_out(document, tokenise, spans=apart)
    opening = {offsets[start][0] for start, _ in apart}
    closing = {offsets[end - 1][1] for _, end in apart}
    marked = (
        ("]" if i in closing else "") + ("[" if i in opening else "") + _plain(text[i : i + 1])
        for i in range(len(text) + 1)
    )
    return "".join(marked).strip()


def _plain(character: str) -> str:
    return {"[": "(", "]": ")", "\n": " ", "\r": " "}.get(character, character)
