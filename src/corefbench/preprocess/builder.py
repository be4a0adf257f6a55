"""Build the discourse that resolvers share from an analysis.

Automatic mode takes the noun phrases of the trees, annotated mode the mentions of a key; everything
else about a phrase is computed the same way in both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corefbench.preprocess.agreement import infer_agreement, is_name
from corefbench.preprocess.analysis import Analysis, Tree, normalize_entity_type
from corefbench.preprocess.discourse import Definiteness, Discourse, Kind, Phrase
from corefbench.preprocess.english.pronouns import Pronoun, lookup_pronoun
from corefbench.preprocess.pleonastic import pleonastic_pattern
from corefbench.preprocess.syntax import (
    NOMINAL,
    GrammaticalFunctions,
    PhraseSpan,
    core_span,
    find_clauses,
    find_noun_phrases,
)

_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_RECIPROCAL = frozenset({"each other", "one another"})


def build_discourse(analysis: Analysis, mentions: Iterable[tuple[int, int, int | None]] | None = None) -> Discourse:
    """Build the discourse of an analysis.

    ``mentions`` are those of a key: start, end and, if known, head.
    """
    tree = Tree(analysis)
    spans = find_noun_phrases(tree) if mentions is None else locate_mentions(tree, mentions)
    clauses, clause_of = find_clauses(tree)
    builder = PhraseBuilder(tree, clause_of)
    phrases = tuple(
        builder.phrase(index, span, parent)
        for index, (span, parent) in enumerate(zip(spans, find_parents(spans), strict=True))
    )
    return Discourse(
        analysis=analysis, phrases=phrases, clauses=clauses, mentions="predicted" if mentions is None else "gold"
    )


def find_parents(spans: Sequence[PhraseSpan]) -> list[int]:
    """Return for every phrase the smallest that properly contains it, -1 for none.

    The phrases are in the order in which they begin, the longer first; spans may cross.

    >>> spans = [(0, 5), (0, 2), (1, 3), (2, 3)]
    >>> find_parents([PhraseSpan(start=a, end=b, core=(a, b), head=a) for a, b in spans])
    [-1, 0, 0, 2]
    """
    result = []
    around: list[int] = []
    crossing = False
    for index, phrase in enumerate(spans):
        start, end = phrase.start, phrase.end
        # ``around`` is a stack of open spans; crossing spans of a key break the nesting.
        while around and spans[around[-1]].end <= start:
            around.pop()
        crossing = bool(around) and (crossing or end > spans[around[-1]].end)
        best, size = -1, 0
        for candidate in reversed(around):
            other = spans[candidate]
            length = other.end - other.start
            if other.end >= end and length > end - start and (best < 0 or length < size):
                best, size = candidate, length
                if not crossing:  # then spans are nested, and none further out is smaller
                    break
        result.append(best)
        around.append(index)
    return result


class PhraseBuilder:
    """Makes the phrases of one document."""

    def __init__(self, tree: Tree, clause_of: list[int]) -> None:
        self.tree = tree
        self.analysis = tree.analysis
        self.clause_of = clause_of
        self.functions = GrammaticalFunctions(tree)
        self.entity_of = unify_name_types(self.analysis, _entity_types(tree))

    def phrase(self, index: int, span: PhraseSpan, parent: int) -> Phrase:
        """Make the phrase of a span."""
        head = span.head
        pronoun = self.pronoun(span)
        entity = self.entity_of.get(head, "")
        kind: Kind = "nominal"
        if pronoun is not None:
            kind, agreement = "pronoun", pronoun.agreement
        else:
            if not span.coordination and is_name(self.analysis, head):
                kind = "name"
            agreement = infer_agreement(self.analysis, head, span.start, span.end, entity, span.coordination)
        return Phrase(
            index=index,
            start=span.start,
            end=span.end,
            core=span.core,
            head=head,
            sentence=self.tree.sentence[head],
            kind=kind,
            pronoun=pronoun,
            agreement=agreement,
            function=self.functions.function(head),
            embedded=self.functions.embedded[head],
            adjunct=self.functions.adjunct[head],
            prepositional=self.functions.is_prepositional(head),
            definiteness=self.definiteness(head) if kind == "nominal" else "neither",
            clause=self.clause_of[head],
            parent=parent,
            coordination=span.coordination,
            pleonastic=pronoun is not None and pronoun.form == "it" and pleonastic_pattern(self.analysis, head) != "",
            entity=entity,
        )

    def pronoun(self, span: PhraseSpan) -> Pronoun | None:
        """Return the row of the pronoun table if the phrase is a pronoun."""
        if span.coordination or self.analysis.upos[span.head] not in ("PRON", "DET", "ADJ"):
            return None
        words, head = self.analysis.words, span.head
        after = words[head + 1] if head + 1 < len(words) else None
        word = words[head].lower()
        # Parsers disagree on the head of *each other*: look both ways.
        if after is not None and (pair := f"{word} {after.lower()}") in _RECIPROCAL:
            return lookup_pronoun(pair)
        if head and (pair := f"{words[head - 1].lower()} {word}") in _RECIPROCAL:
            return lookup_pronoun(pair)
        return lookup_pronoun(word, self.analysis.xpos[head], after)

    def definiteness(self, head: int) -> Definiteness:
        """Definite by article, demonstrative or possessive (Mitkov 1998), else indefinite."""
        tree, words = self.tree, self.analysis.words
        is_definite = any(
            tree.relations[child] == "nmod:poss" or (tree.base[child] == "det" and words[child].lower() in _DEFINITE)
            for child in tree.children[head]
        )
        return "definite" if is_definite else "indefinite"


def locate_mentions(tree: Tree, mentions: Iterable[tuple[int, int, int | None]]) -> list[PhraseSpan]:
    """Return the spans of mentions in the order in which they begin, the longer first."""
    spans: dict[tuple[int, int], PhraseSpan] = {}
    count = len(tree.heads)
    for start, end, head in mentions:
        start, end = max(start, 0), min(end, count)
        if start < end and (start, end) not in spans:
            spans[start, end] = _locate_mention(tree, start, end, head)
    return sorted(spans.values(), key=lambda phrase: (phrase.start, -phrase.end))


def _locate_mention(tree: Tree, start: int, end: int, head: int | None) -> PhraseSpan:
    if head is None or not start <= head < end:
        head = find_head(tree, start, end)
    first, last = core_span(tree, head)
    return PhraseSpan(
        start=start,
        end=end,
        core=(max(start, first), min(end, last)),
        head=head,
        coordination=any(tree.base[child] == "conj" and start <= child < end for child in tree.children[head]),
    )


def find_head(tree: Tree, start: int, end: int) -> int:
    """Return the head of a span.

    Of the words governed from outside, it is the first that is nominal, else the first that is not
    punctuation, else the first.
    """
    upos, heads = tree.analysis.upos, tree.heads
    tops = [token for token in range(start, end) if not start <= heads[token] < end]
    for wanted in (lambda tag: tag in NOMINAL, lambda tag: tag != "PUNCT"):
        for token in tops:
            if wanted(upos[token]):
                return token
    return tops[0] if tops else start


def _entity_types(tree: Tree) -> dict[int, str]:
    """Return the type of the smallest entity around each token."""
    types: dict[int, str] = {}
    for entity in sorted(tree.analysis.entities, key=lambda e: e.start - e.end):
        types.update(dict.fromkeys(range(entity.start, entity.end), entity.type))
    return types


def unify_name_types(analysis: Analysis, types: dict[int, str]) -> dict[int, str]:
    """Return entity types by token, the same for all uses of a name.

    Pipelines take *Turner* for a person here and for a company there. The uses of a name, by its
    last word, vote; in a tie, a use keeps its own type, or is a person.
    """
    runs = list(_iter_names(analysis))
    votes: dict[str, Counter[str]] = {}
    for start, end in runs:
        label = _name_type(types, start, end)
        if label:
            votes.setdefault(_name_key(analysis, end), Counter())[label] += 1
    unified = dict(types)
    for start, end in runs:
        counts = votes.get(_name_key(analysis, end))
        if counts:
            unified.update(dict.fromkeys(range(start, end), _majority_type(counts, types, start, end)))
    return unified


def _majority_type(counts: Counter[str], types: dict[int, str], start: int, end: int) -> str:
    most = max(counts.values())
    tied = [label for label, count in counts.items() if count == most]
    own_type = _name_type(types, start, end)
    for preferred in (own_type, "person"):
        if preferred in tied:
            return preferred
    return tied[0]


def _name_type(types: dict[int, str], start: int, end: int) -> str:
    """Return the type of a name: of its last word, else of its first."""
    return normalize_entity_type(types.get(end - 1, "") or types.get(start, ""))


def _name_key(analysis: Analysis, end: int) -> str:
    return analysis.words[end - 1].lower()


def _iter_names(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """Yield the unbroken runs of proper nouns."""
    for first, past in analysis.sentences:
        start = -1
        for token in range(first, past + 1):
            is_name = token < past and analysis.upos[token] == "PROPN"
            if is_name and start < 0:
                start = token
            elif not is_name and start >= 0:
                yield start, token
                start = -1
