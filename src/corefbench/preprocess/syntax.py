"""Clauses, grammatical functions and noun phrases from Universal Dependencies.

A noun phrase is the subtree of its head without what only links it to the sentence (prepositions,
conjuncts, copula …), cut to the unbroken run of words around the head. Heads are nouns, names and
pronouns, and numbers, adjectives and the like in argument position. The rules were tuned on the
development part of GUM.

EMBED (Kennedy & Boguraev 1996) is true of a head below a nominal of its sentence, through a
prepositional modifier or a clause; a possessor is not embedded. ADJUNCT is true inside an adverbial
phrase, or an adverbial clause without a finite verb, that opens its clause or is set off by a
comma. What follows the verb without a comma is not an adjunct, nor is a *while* clause: this
reproduces the figures that the paper prints for its examples.
"""

from collections.abc import Iterator

from corefbench.preprocess.agreement import is_name
from corefbench.preprocess.analysis import Tree
from corefbench.preprocess.discourse import Clause, Function
from corefbench.preprocess.english.word_lists import word_set
from corefbench.records import Record

_CLAUSAL_RELATIONS = frozenset({"root", "ccomp", "advcl", "acl", "parataxis", "csubj"})
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = frozenset({"VERB", "AUX"})
_FUNCTION_BY_RELATION: dict[str, Function] = {"nsubj": "subject", "obj": "object", "iobj": "indirect"}
_OPENERS = frozenset({"punct", "cc", "mark", "discourse"})
_COMMAS = frozenset({",", ";", "–", "—", "--", "-", "(", ":"})
NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
"""Words that head a phrase in any position."""
SUBSTANTIVE = frozenset({"NUM", "ADJ", "DET", "SYM", "X"})
"""Words that head a phrase in argument position."""
OUTER_RELATIONS = frozenset(
    {
        "case", "cc", "conj", "appos", "cop", "mark", "punct", "parataxis", "dep", "csubj", "nsubj",
        "aux", "expl", "discourse", "vocative", "list", "orphan", "reparandum", "advcl", "obl",
        "ccomp", "dislocated",
    }
)  # fmt: skip
"""Relations of dependents that are not part of the phrase of their head."""
_INTERRUPTING = frozenset({"punct", "appos", "parataxis", "dep", "discourse"})
"""Relations of what may occur inside a phrase, but not begin or end it."""
_APPROXIMATE = word_set("about almost nearly approximately roughly around over some")
"""Adverbs before a phrase that belong to it; others (*only*, *not*) belong to the clause."""
_TRAILING = frozenset({",", ";", ":", ".", "–", "—", "-"})
_CORE_LEFT = frozenset({"det", "amod", "nummod", "compound", "flat", "fixed", "goeswith"})
_CORE_RIGHT = frozenset({"flat", "fixed", "goeswith"})
ARGUMENTS = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "appos"})
_INNER_RELATIONS = frozenset(
    {
        "flat", "fixed", "goeswith", "expl", "reparandum", "punct", "case", "mark", "compound",
        "advmod", "det", "cc",
    }
)  # fmt: skip
"""Relations of words that are part of something larger."""
_WH = frozenset({"WDT", "WP", "WP$"})


def find_clauses(tree: Tree) -> tuple[tuple[Clause, ...], list[int]]:
    """Return the clauses in the order of their heads, and the innermost clause of every token.

    A clause is headed by a root, a complement, adverbial, adnominal or parenthetical clause, an
    open complement with its own subject, or a verb or predicate coordinated with one of these.
    """
    heads = sorted(token for token in tree.order if _heads_clause(tree, token))
    number = {head: index for index, head in enumerate(heads)}
    clause_of = [-1] * len(tree.heads)
    parent = [-1] * len(heads)
    for token in tree.order:
        above = clause_of[tree.heads[token]] if tree.heads[token] >= 0 else -1
        own_clause = number.get(token)
        if own_clause is not None:
            parent[own_clause], clause_of[token] = above, own_clause
        else:
            clause_of[token] = above
    clauses = tuple(
        Clause(
            head=head,
            sentence=tree.sentence[head],
            parent=parent[index],
            finite=is_finite(tree, head),
            relation=tree.relations[head],
        )
        for index, head in enumerate(heads)
    )
    return clauses, clause_of


def _heads_clause(tree: Tree, token: int) -> bool:
    relation = tree.base[token]
    if tree.heads[token] < 0 or relation in _CLAUSAL_RELATIONS:
        return True
    if relation == "xcomp":
        return _has_dependent(tree, token, _SUBJECTS)
    return relation == "conj" and (
        tree.analysis.upos[token] in _VERBAL or _has_dependent(tree, token, _SUBJECTS | {"cop"})
    )


def _has_dependent(tree: Tree, token: int, relations: frozenset[str]) -> bool:
    return any(tree.base[child] in relations for child in tree.children[token])


def is_finite(tree: Tree, head: int) -> bool:
    """Return whether a clause has a finite verb: its head, an auxiliary or a copula."""
    verbs = [child for child in tree.children[head] if tree.base[child] in ("aux", "cop")]
    features, tags = tree.analysis.features, tree.analysis.xpos
    return any("VerbForm=Fin" in features[verb] or tags[verb] in _FINITE_TAGS for verb in (head, *verbs))


class GrammaticalFunctions:
    """Functions and flags of all words, computed from the roots down."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        count = len(tree.heads)
        self.prepositions = _find_prepositions(tree)
        """For every token the preposition that introduces it, else -1."""
        self.embedded = [False] * count
        self.adjunct = [False] * count
        heads, base = tree.heads, tree.base
        for token in tree.order:
            head = heads[token]
            if head < 0:
                continue
            relation = base[token]
            self.embedded[token] = (
                self.embedded[head]
                or relation == "acl"
                or (relation == "nmod" and self.prepositions[token] >= 0 and tree.relations[token] != "nmod:poss")
            )
            self.adjunct[token] = self.adjunct[head] or (relation in ("obl", "advcl") and self._set_off(token))

    def _set_off(self, token: int) -> bool:
        """Return whether an adverbial opens its clause or is next to a comma."""
        tree = self.tree
        if tree.relations[token] == "obl:agent":
            return False
        if tree.base[token] == "advcl" and is_finite(tree, token):
            return False
        head, words = tree.heads[token], tree.analysis.words
        start, end = tree.begin[token], tree.finish[token]
        if words[start] in _COMMAS or (start > 0 and words[start - 1] in _COMMAS):
            return True
        # After the verb only a comma makes an adjunct, which was checked above.
        if token > head:
            return False
        siblings = (child for child in tree.children[head] if tree.base[child] not in _OPENERS)
        return next(siblings) == token or (end < len(words) and words[end] in _COMMAS)

    def function(self, token: int) -> Function:
        """Return the grammatical function of the phrase that a word heads."""
        tree = self.tree
        token = first_conjunct(tree, token)
        relation = tree.base[token]
        if relation == "nsubj" and self._existential(token):
            return "existential"
        if relation in _FUNCTION_BY_RELATION:
            return _FUNCTION_BY_RELATION[relation]
        if tree.relations[token] == "nmod:poss":
            return "possessive"
        return "oblique" if self.prepositions[token] >= 0 else "other"

    def is_prepositional(self, token: int) -> bool:
        """Return whether a preposition introduces the phrase of a word, or its first conjunct."""
        tree = self.tree
        while self.prepositions[token] < 0 and tree.base[token] == "conj" and tree.heads[token] >= 0:
            token = tree.heads[token]
        return self.prepositions[token] >= 0

    def _existential(self, token: int) -> bool:
        tree = self.tree
        head = tree.heads[token]
        return head >= 0 and any(
            tree.base[child] == "expl" and tree.analysis.words[child].lower() == "there"
            for child in tree.children[head]
        )


def _find_prepositions(tree: Tree) -> list[int]:
    """Return the first preposition of every token, else -1; genitive markers do not count."""
    prepositions = [-1] * len(tree.heads)
    for token, relation in enumerate(tree.base):
        if relation == "case":
            head = tree.heads[token]
            if head > token and prepositions[head] < 0 and tree.analysis.upos[token] != "PART":
                prepositions[head] = token
    return prepositions


class PhraseSpan(Record, frozen=True, gc=False):
    """The span, base phrase and head of a noun phrase."""

    start: int
    end: int
    core: tuple[int, int]
    head: int
    coordination: bool = False


def find_noun_phrases(tree: Tree, *, coordinations: bool = True) -> list[PhraseSpan]:
    """Return the phrases of a document in the order in which they begin, the longer first.

    Appositions, possessive pronouns and nouns are phrases of their own. With ``coordinations``, a
    whole coordination is a phrase, too.
    """
    phrases: list[PhraseSpan] = []
    for head in iter_heads(tree):
        if tree.relations[head] == "nmod:desc":
            continue
        start, end = phrase_span(tree, head)
        phrases.append(PhraseSpan(start=start, end=end, core=core_span(tree, head), head=head))
        if coordinations and (whole := coordination_span(tree, head)):
            phrases.append(PhraseSpan(start=whole[0], end=whole[1], core=whole, head=head, coordination=True))
    phrases.sort(key=lambda phrase: (phrase.start, -phrase.end, -phrase.coordination))
    return phrases


def iter_heads(tree: Tree) -> Iterator[int]:
    """Yield the words that head a noun phrase, in text order."""
    upos, base = tree.analysis.upos, tree.base
    for token, tag in enumerate(upos):
        if tag in NOMINAL:
            wanted = base[token] not in _INNER_RELATIONS or _is_outer(tree, token)
        else:
            wanted = (tag in SUBSTANTIVE and _fills_argument(tree, token)) or (
                base[token] in ARGUMENTS and is_name(tree.analysis, token)
            )
        if wanted and not _is_relative(tree, token):
            yield token


def _is_relative(tree: Tree, token: int) -> bool:
    """Return whether a word is a relative pronoun, by its features or else its position."""
    features = tree.analysis.features[token]
    if "PronType" in features:
        return "PronType=Rel" in features
    if tree.analysis.xpos[token] not in _WH:
        return False
    return any(tree.relations[governor] == "acl:relcl" for governor in tree.above(token)[:3])


def _is_outer(tree: Tree, token: int) -> bool:
    """Return whether a word inside a larger unit still heads a phrase.

    These are the name in *London buses*, and pleonastic *it*.
    """
    tags, relation = tree.analysis.upos, tree.base[token]
    if relation == "compound":
        return tags[token] == "PROPN" and tags[tree.heads[token]] == "NOUN"
    return relation == "expl" and tree.analysis.words[token].lower() == "it"


def _fills_argument(tree: Tree, token: int) -> bool:
    """Return whether a word other than a noun is used as one: *three came*, *the rich*."""
    relation = tree.base[first_conjunct(tree, token)]
    if relation not in ARGUMENTS:
        return False
    match tree.analysis.upos[token]:
        case "ADJ":
            return _has_dependent(tree, token, frozenset({"det"}))
        case "DET":
            return relation not in ("obl", "nmod")
        case _:
            return True


def first_conjunct(tree: Tree, token: int) -> int:
    """Return the first conjunct of a word's coordination; the word itself if there is none."""
    while tree.base[token] == "conj" and tree.heads[token] >= 0:
        token = tree.heads[token]
    return token


def phrase_span(tree: Tree, head: int, outside: frozenset[str] = OUTER_RELATIONS) -> tuple[int, int]:
    """Return the span of the phrase that a word heads."""
    start = _phrase_edge(tree, head, outside, left=True)
    end = _phrase_edge(tree, head, outside, left=False)
    while end > head + 1 and tree.analysis.words[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _phrase_edge(tree: Tree, head: int, outside: frozenset[str], *, left: bool) -> int:
    """Return where the phrase of a head begins or ends, going outwards from the head."""
    children = [child for child in tree.children[head] if (child < head) == left]
    near, far = (tree.finish, tree.begin) if left else (tree.begin, tree.finish)
    limit = edge = head if left else head + 1
    for child in reversed(children) if left else children:
        # A gap: what lies further out is not adjacent to the phrase.
        if near[child] != edge:
            break
        edge = far[child]
        relation = tree.base[child]
        is_genitive = relation == "case" and not left and tree.analysis.upos[child] == "PART"
        if relation in outside and not is_genitive:
            if relation not in _INTERRUPTING:
                break
        elif relation == "advmod" and left and tree.analysis.lemmas[child].lower() not in _APPROXIMATE:
            break
        else:
            limit = edge
    return limit


def core_span(tree: Tree, head: int) -> tuple[int, int]:
    """Return the base noun phrase: determiner, modifiers, possessor and head."""
    begin, finish, base = tree.begin, tree.finish, tree.base
    start, end = head, head + 1
    for child in reversed(tree.children[head]):
        if child < head:
            if finish[child] != start or not (
                base[child] in _CORE_LEFT or tree.relations[child] in ("nmod:poss", "nmod:desc")
            ):
                break
            start = begin[child]
    for child in tree.children[head]:
        if child > head:
            if begin[child] != end or base[child] not in _CORE_RIGHT:
                break
            end = finish[child]
    return start, end


def coordination_span(tree: Tree, head: int) -> tuple[int, int] | None:
    """Return the span of all conjuncts if a word is the first of several nominals."""
    has_conjuncts = any(
        tree.base[child] == "conj" and child > head and tree.analysis.upos[child] in NOMINAL | SUBSTANTIVE
        for child in tree.children[head]
    )
    return phrase_span(tree, head, OUTER_RELATIONS - {"conj", "cc"}) if has_conjuncts else None
