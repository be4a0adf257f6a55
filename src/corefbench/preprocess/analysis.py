"""What every pipeline makes of a document: words, sentences, tags and a dependency tree.

The tree follows Universal Dependencies, whatever the pipeline's own scheme was. Tokens are numbered
over the document, spans are half-open, and every word stands in the text at its offsets.
"""

from corefbench.record import Record


class Entity(Record, frozen=True):
    """A named or typed entity: person, organization, place, object …"""

    start: int
    end: int
    type: str


class Constituent(Record, frozen=True):
    """A node of a phrase-structure tree; a word is a node without children."""

    label: str
    start: int
    end: int
    children: tuple["Constituent", ...] = ()


class Analysis(Record, frozen=True):
    """One document as pre-processing leaves it: everything the resolvers share.

    ``heads`` has the token number of every word's governor, -1 at a root.
    """

    name: str
    text: str
    words: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    """Where each word begins and ends in the text, in characters."""
    sentences: tuple[tuple[int, int], ...]
    """The half-open token spans of the sentences, which cover all tokens in order."""
    paragraphs: tuple[int, ...]
    """For every sentence the number of its paragraph."""
    headings: tuple[bool, ...]
    """Which sentences are headings."""
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    """Penn tags."""
    features: tuple[str, ...]
    """Morphological features as in CoNLL-U: ``Number=Sing|Person=3``, or empty."""
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    """Universal Dependencies with subtypes: ``nsubj:pass``, ``nmod:poss``, ``acl:relcl`` …"""
    entities: tuple[Entity, ...] = ()
    speakers: tuple[str, ...] | None = None
    """Who utters each token, where that is known."""
    trees: tuple[Constituent | None, ...] | None = None
    """For every sentence its phrase structure, where the source has it."""
    pipeline: str = ""
    """Name, version and weights of what made this: part of every signature."""
