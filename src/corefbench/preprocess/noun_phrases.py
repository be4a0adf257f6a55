"""Find noun phrases in dependency trees.

Heads are nouns, names and pronouns, and numbers, adjectives and the like in argument position. A
phrase is the subtree of its head without what only links it to the sentence (prepositions,
conjuncts, copula …), cut to the unbroken run of words around the head. The rules were tuned on the
development part of GUM.
"""

from collections.abc import Iterator

from corefbench.preprocess.agreement import is_name
from corefbench.preprocess.english.word_lists import word_set
from corefbench.preprocess.tree import Tree
from corefbench.records import Record

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


class PhraseSpan(Record, frozen=True, gc=False):
    """The span, base phrase and head of a noun phrase."""

    start: int
    end: int
    core: tuple[int, int]
    head: int
    coordination: bool = False


def find_noun_phrases(
    tree: Tree, *, appositions: bool = True, coordinations: bool = True, possessors: bool = True
) -> list[PhraseSpan]:
    """Return the phrases of a document in the order in which they begin, the longer first.

    ``appositions``: an apposition is a phrase of its own, else part of what it renames;
    ``coordinations``: a whole coordination is a phrase too; ``possessors``: possessive pronouns and
    nouns are phrases inside the phrase they belong to.
    """
    outside = OUTER_RELATIONS if appositions else OUTER_RELATIONS - {"appos"}
    phrases: list[PhraseSpan] = []
    for head in iter_heads(tree):
        relation = tree.relations[head]
        if (
            relation == "nmod:desc"
            or (relation == "nmod:poss" and not possessors)
            or (relation == "appos" and not appositions)
        ):
            continue
        start, end = phrase_span(tree, head, outside)
        phrases.append(PhraseSpan(start=start, end=end, core=core_span(tree, head), head=head))
        if coordinations and (whole := coordination_span(tree, head, outside)):
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
    match tree.analysis.upos[token]:
        case "ADJ":
            return relation in ARGUMENTS and _has_determiner(tree, token)
        case "DET":
            return relation in ARGUMENTS and relation not in ("obl", "nmod")
        case _:
            return relation in ARGUMENTS


def _has_determiner(tree: Tree, token: int) -> bool:
    return any(tree.base[child] == "det" for child in tree.children[token])


def first_conjunct(tree: Tree, token: int) -> int:
    """Return the first conjunct of a word's coordination; the word itself if there is none."""
    while tree.base[token] == "conj" and tree.heads[token] >= 0:
        token = tree.heads[token]
    return token


def phrase_span(tree: Tree, head: int, outside: frozenset[str] = OUTER_RELATIONS) -> tuple[int, int]:
    """Return the span of the phrase that a word heads."""
    children = tree.children[head]
    if not children:
        return head, head + 1
    start, end = _phrase_start(tree, head, outside), _phrase_end(tree, head, outside)
    words = tree.analysis.words
    while end > head + 1 and words[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _phrase_start(tree: Tree, head: int, outside: frozenset[str]) -> int:
    """Return where the phrase begins."""
    start = edge = head
    for child in reversed(tree.children[head]):
        if child > head:
            continue
        # A gap: what lies further left is not adjacent to the phrase.
        if tree.finish[child] != edge:
            break
        edge = tree.begin[child]
        relation = tree.base[child]
        if relation in outside:
            if relation not in _INTERRUPTING:
                break
        elif relation == "advmod" and tree.analysis.lemmas[child].lower() not in _APPROXIMATE:
            break
        else:
            start = edge
    return start


def _phrase_end(tree: Tree, head: int, outside: frozenset[str]) -> int:
    """Return where the phrase ends; the genitive marker belongs to it."""
    end = edge = head + 1
    for child in tree.children[head]:
        if child < head:
            continue
        if tree.begin[child] != edge:
            break
        edge = tree.finish[child]
        relation = tree.base[child]
        if relation in outside:
            if relation == "case" and tree.analysis.upos[child] == "PART":
                end = edge
            elif relation not in _INTERRUPTING:
                break
        else:
            end = edge
    return end


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


def coordination_span(tree: Tree, head: int, outside: frozenset[str] = OUTER_RELATIONS) -> tuple[int, int] | None:
    """Return the span of all conjuncts if a word is the first of several nominals."""
    upos = tree.analysis.upos
    conjuncts = [
        child
        for child in tree.children[head]
        if tree.base[child] == "conj" and child > head and (upos[child] in NOMINAL or upos[child] in SUBSTANTIVE)
    ]
    if not conjuncts:
        return None
    return phrase_span(tree, head, outside - {"conj", "cc"})
