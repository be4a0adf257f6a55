"""A MUC document given as words, read at once where all its tags are as we write them."""

import re
from typing import NamedTuple

import numpy as np

from corefbench.formats.components import components
from corefbench.formats.coref_spans import Spanned, spanned
from corefbench.formats.markup import Tag, decoded, tags
from corefbench.formats.muc_text import BLANKS, Marked
from corefbench.formats.muc_tokens import Span
from corefbench.model.builder import CorpusBuilder

_COREF = r'<(?:/COREF|COREF ID="([^"<>&\s]++)"(?: TYPE="IDENT" REF="([^"<>&\s]++)")?+)>'
_TAG = re.compile(_COREF)
# Every < opens a tag that is named here, so that these are the tags which the scanner would find.
_DOCUMENT = re.compile(
    rf'\s*+(<DOCID(?: PART="\d++")?+>)([^<]*+)</DOCID>\s*+{re.escape(BLANKS)}\s*+'
    rf"<TXT>([^<]*+(?:{_COREF}[^<]*+)*+)</TXT>\s*+"
)


class Plain(NamedTuple):
    """A document as read; its mentions as they open."""

    name: tuple[Tag, str]
    spanned: Spanned
    ids: list[str]
    links: list[Span]
    """The numbers of mentions and of those that they refer to."""

    def marked(self) -> Marked:
        """The words, and the mentions left out."""
        words = [
            list(map(decoded, some)) if "&" in "".join(some) else some
            for some in self.spanned.sentences
        ]
        names = {"DOCID": self.name}
        return Marked(names=names, text=None, words=words, offsets=[], zones=[], opened=[])

    def add_mentions(self, build: CorpusBuilder) -> None:
        """Add the mentions and their chains, labelled by their first IDs."""
        chain = np.array(components(len(self.ids), self.links), np.int32)
        labels = [self.ids[number] for number in np.unique(chain, return_index=True)[1]]
        first = build.add_chains(labels)
        start, finish = np.array(self.spanned[1:], np.int32)
        full = {"id": self.ids} if self.ids else None
        build.add_mentions(start, finish, chain + first, full=full)


def plain(raw: str, extent: Span) -> Plain | None:
    """The document that stands there; None where it takes the scanner to read it or to find fault.

    >>> text = f'<DOCID> d </DOCID>{BLANKS}<TXT><COREF ID="1">Ann</COREF> left</TXT>'
    >>> plain(text, (0, len(text))).ids
    ['1']
    """
    match = _DOCUMENT.fullmatch(raw, *extent)
    if not match:
        return None
    pieces = _TAG.split(match[3])
    found = spanned(pieces[::3], pieces[1::3])
    ids = list(filter(None, pieces[1::3]))
    numbers = {name: number for number, name in enumerate(ids)}
    named = zip(pieces[1::3], pieces[2::3], strict=True)
    targets = [(name, target) for name, target in named if target is not None]
    if found is None or len(numbers) < len(ids) or any(t not in numbers for _, t in targets):
        return None
    links = [(numbers[name], numbers[target]) for name, target in targets]
    return Plain((next(tags(raw, *match.span(1))), match[2]), found, ids, links)
