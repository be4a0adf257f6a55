"""Noun phrases from dependencies: which words head one.

Heads are nouns, names and pronouns, and numbers, adjectives and the like where they fill an
argument. The rules were tuned on the development part of GUM; what belongs to a phrase is told by
``spans``.
"""

from collections.abc import Iterator

from corefbench.preprocess.person_names import is_name
from corefbench.preprocess.spans import (
    NOMINAL,
    OUTSIDE,
    SUBSTANTIVE,
    coordination_span,
    core_span,
    phrase_span,
)
from corefbench.preprocess.tree import Tree
from corefbench.record import Record

ARGUMENTS = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "appos"})

_INSIDE = frozenset(
    {
        "flat", "fixed", "goeswith", "expl", "reparandum", "punct", "case", "mark", "compound",
        "advmod", "det", "cc",
    }
)  # fmt: skip
"""Relations of words that are part of something larger."""
_WH = frozenset({"WDT", "WP", "WP$"})


class Found(Record, frozen=True, gc=False):
    """A noun phrase by its place alone."""

    start: int
    end: int
    core: tuple[int, int]
    head: int
    coordination: bool = False


def noun_phrases(
    tree: Tree,
    *,
    appositions: bool = True,
    coordinations: bool = True,
    possessors: bool = True,
) -> list[Found]:
    """The phrases of a document, in the order in which they begin, the longer first.

    ``appositions``: an apposition is a phrase of its own, else part of what it renames;
    ``coordinations``: the whole of several conjuncts is a phrase too; ``possessors``: possessive
    pronouns and nouns are phrases inside the phrase they belong to.
    """
    outside = OUTSIDE if appositions else OUTSIDE - {"appos"}
    found: list[Found] = []
    for head in heads(tree):
        relation = tree.relations[head]
        if (
            relation == "nmod:desc"
            or (relation == "nmod:poss" and not possessors)
            or (relation == "appos" and not appositions)
        ):
            continue
        start, end = phrase_span(tree, head, outside)
        found.append(Found(start=start, end=end, core=core_span(tree, head), head=head))
        if coordinations and (whole := coordination_span(tree, head, outside)):
            found.append(
                Found(start=whole[0], end=whole[1], core=whole, head=head, coordination=True)
            )
    found.sort(key=lambda phrase: (phrase.start, -phrase.end, -phrase.coordination))
    return found


def heads(tree: Tree) -> Iterator[int]:
    """The words that head a noun phrase, in text order."""
    upos, base = tree.analysis.upos, tree.base
    for token, tag in enumerate(upos):
        if tag in NOMINAL:
            wanted = base[token] not in _INSIDE or _is_outer(tree, token)
        else:
            wanted = (tag in SUBSTANTIVE and _fills_argument(tree, token)) or (
                base[token] in ARGUMENTS and is_name(tree.analysis, token)
            )
        if wanted and not _is_relative(tree, token):
            yield token


def _is_relative(tree: Tree, token: int) -> bool:
    """Whether a word is a relative pronoun: by its features or, without these, where it stands."""
    features = tree.analysis.features[token]
    if "PronType" in features:
        return "PronType=Rel" in features
    if tree.analysis.xpos[token] not in _WH:
        return False
    return any(tree.relations[place] == "acl:relcl" for place in tree.above(token)[:3])


def _is_outer(tree: Tree, token: int) -> bool:
    """Whether a word that would be inside another phrase heads one: the name in *London buses*,
    and *it* without meaning, which is a phrase that refers to nothing."""
    tags, relation = tree.analysis.upos, tree.base[token]
    if relation == "compound":
        return tags[token] == "PROPN" and tags[tree.heads[token]] == "NOUN"
    return relation == "expl" and tree.analysis.words[token].lower() == "it"


def _fills_argument(tree: Tree, token: int) -> bool:
    """Whether a word other than a noun stands for one: *three came*, *the rich*, *take this*."""
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
    """The first of the words that a word is coordinated with; itself where it is with none."""
    while tree.base[token] == "conj" and tree.heads[token] >= 0:
        token = tree.heads[token]
    return token
