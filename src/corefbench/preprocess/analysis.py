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
    predicates: tuple[bool, ...] | None = None
    """Which words have a predicate lemma, if the source marks predicates, as CoNLL-2012 does."""
    pipeline: str = ""
    """Name, version and weights of the pipeline: part of every signature."""


_ENTITY_TYPES = {
    "per": "person", "gpe": "place", "loc": "place", "location": "place", "fac": "place",
    "org": "organization", "norp": "group", "date": "time", "product": "object", "misc": "",
    "work_of_art": "abstract", "law": "abstract", "language": "abstract", "money": "quantity",
    "percent": "quantity", "cardinal": "quantity", "ordinal": "quantity",
}  # fmt: skip


def normalize_entity_type(label: str) -> str:
    """Return the name of an entity type as in GUM, in lower case; unknown ones are kept.

    >>> [normalize_entity_type(label) for label in ("PERSON", "GPE", "animal")]
    ['person', 'place', 'animal']
    """
    label = label.lower()
    return _ENTITY_TYPES.get(label, label)


_UPOS_BY_PENN_TAG = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WP$": "PRON", "EX": "PRON", "DT": "DET", "WDT": "PRON", "PDT": "DET",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "AFX": "ADJ", "CD": "NUM", "VB": "VERB", "VBD": "VERB",
    "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX", "RB": "ADV",
    "RBR": "ADV", "RBS": "ADV", "WRB": "ADV", "IN": "ADP", "TO": "PART", "RP": "ADP", "CC": "CCONJ",
    "POS": "PART", "UH": "INTJ", "FW": "X", "LS": "X", "ADD": "X", "XX": "X", "GW": "X",
    "SYM": "SYM", "$": "SYM", "#": "SYM",
}  # fmt: skip


def penn_to_upos(tag: str, word: str) -> str:
    """Return the universal tag of a word with a Penn tag; unknown tags are punctuation or X.

    >>> penn_to_upos("NNS", "cats"), penn_to_upos(",", ","), penn_to_upos("", "cats")
    ('NOUN', 'PUNCT', 'X')
    """
    if tag in _UPOS_BY_PENN_TAG:
        return _UPOS_BY_PENN_TAG[tag]
    return "PUNCT" if word and not any(map(str.isalnum, word)) else "X"


class Tree:
    """The dependencies of a document, over its token numbers.

    >>> words = dict.fromkeys(("words", "lemmas", "upos", "xpos", "features"), ("",) * 3)
    >>> tree = Tree(Analysis(name="", text="", offsets=(), sentences=((0, 3),), paragraphs=(0,),
    ...     headings=(False,), heads=(1, -1, 1), relations=("det", "root", "acl:relcl"), **words))
    >>> tree.children[1], tree.order, tree.base[2], tree.span(1)
    ([0, 2], [1, 0, 2], 'acl', (0, 3))
    """

    __slots__ = (
        "analysis", "base", "begin", "children", "finish", "heads", "order", "relations",
        "sentence",
    )  # fmt: skip

    def __init__(self, analysis: Analysis) -> None:
        count = len(analysis.words)
        self.analysis = analysis
        self.relations = analysis.relations
        """Relations with subtypes."""
        base_relations = {relation: relation.partition(":")[0] for relation in set(analysis.relations)}
        self.base = [base_relations[relation] for relation in analysis.relations]
        """Relations without subtypes."""
        self.sentence = [0] * count
        """The sentence of every token."""
        self.heads = list(analysis.heads)
        """The governor of every token, -1 at a root; without cycles."""
        self.children: list[list[int]] = [[] for _ in range(count)]
        """The dependents of every token, in text order."""
        self.order: list[int] = []
        """All tokens, sentence after sentence, governors before their dependents."""
        for number, (start, end) in enumerate(analysis.sentences):
            self._sentence(number, start, end)
        self.begin = list(range(count))
        """Where the unbroken part of each token's subtree around the token begins …"""
        self.finish = list(range(1, count + 1))
        """… and ends."""
        # Dependents before governors: the span of a subtree is made of the spans of its children.
        for token in reversed(self.order):
            self._spread(token)

    def _sentence(self, number: int, start: int, end: int) -> None:
        heads, children = self.heads, self.children
        size = end - start
        self.sentence[start:end] = [number] * size
        queue: list[int] = []
        for token in range(start, end):
            head = heads[token]
            if start <= head < end and head != token:
                children[head].append(token)
            else:
                heads[token] = -1
                queue.append(token)
        for token in queue:
            queue.extend(children[token])
        # Words that no root reaches are in cycles.
        while len(queue) < size:
            self._break_cycle(queue, start, end)
        self.order += queue

    def _break_cycle(self, queue: list[int], start: int, end: int) -> None:
        """Make a root of a word in a cycle and continue from there."""
        reached = set(queue)
        token = next(token for token in range(start, end) if token not in reached)
        seen: set[int] = set()
        while token not in seen:
            seen.add(token)
            token = self.heads[token]
        self.children[self.heads[token]].remove(token)
        self.heads[token] = -1
        fresh = [token]
        for token in fresh:
            fresh.extend(self.children[token])
        queue += fresh

    def _spread(self, token: int) -> None:
        begin, finish, children = self.begin, self.finish, self.children[token]
        if not children:
            return
        left, right = token, token + 1
        for child in reversed(children):
            if child < token and finish[child] == left:
                left = begin[child]
        for child in children:
            if child > token and begin[child] == right:
                right = finish[child]
        begin[token], finish[token] = left, right

    def span(self, token: int) -> tuple[int, int]:
        """Return the unbroken part of a subtree around its root."""
        return self.begin[token], self.finish[token]

    def above(self, token: int) -> list[int]:
        """Return the governors, from the nearest to the root."""
        path = []
        while (token := self.heads[token]) >= 0:
            path.append(token)
        return path
