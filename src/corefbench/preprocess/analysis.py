"""Records of a pipeline's analysis: words, sentences, tags and dependency trees.

The trees follow Universal Dependencies, whatever scheme the pipeline uses. Tokens are numbered over
the document, spans are half-open, and every word is found in the text at its offsets.
"""

from corefbench.records import Record


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
    """The analysis of one document, shared by all resolvers.

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
    """The speaker of each token, if known."""
    trees: tuple[Constituent | None, ...] | None = None
    """The phrase structure of every sentence, if the source has it."""
    pipeline: str = ""
    """Name, version and weights of the pipeline: part of every signature."""
