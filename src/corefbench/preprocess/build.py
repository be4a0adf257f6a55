"""From an analysis to the discourse that the resolvers share.

Automatic mode takes the noun phrases of the trees, annotated mode the mentions of a key; whatever
else is known of a phrase is computed the same way in both.
"""

from collections.abc import Iterable, Sequence

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.clauses import clauses
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.given import given_phrases
from corefbench.preprocess.noun_phrases import Found, noun_phrases
from corefbench.preprocess.phrases import Phrases
from corefbench.preprocess.tree import Tree


def discourse_of(
    analysis: Analysis,
    mentions: Iterable[tuple[int, int, int | None]] | None = None,
    *,
    appositions: bool = True,
    coordinations: bool = True,
    possessors: bool = True,
) -> Discourse:
    """The document ready to be resolved.

    ``mentions`` are the key's: start, end and, where it is known, head. The switches are those of
    ``noun_phrases`` and say nothing of given mentions.
    """
    tree = Tree(analysis)
    found = (
        noun_phrases(
            tree, appositions=appositions, coordinations=coordinations, possessors=possessors
        )
        if mentions is None
        else given_phrases(tree, mentions)
    )
    inside, clause_of = clauses(tree)
    describe = Phrases(tree, clause_of)
    phrases = tuple(
        describe.phrase(index, place, parent)
        for index, (place, parent) in enumerate(zip(found, parents(found), strict=True))
    )
    return Discourse(
        analysis=analysis,
        phrases=phrases,
        clauses=inside,
        mentions="predicted" if mentions is None else "gold",
    )


def parents(found: Sequence[Found]) -> list[int]:
    """For every phrase the smallest that properly contains it, -1 for none.

    The phrases are in the order in which they begin, the longer first; spans may cross.

    >>> spans = [(0, 5), (0, 2), (1, 3), (2, 3)]
    >>> parents([Found(start=a, end=b, core=(a, b), head=a) for a, b in spans])
    [-1, 0, 0, 2]
    """
    result = []
    around: list[int] = []
    crossing = False
    for index, phrase in enumerate(found):
        start, end = phrase.start, phrase.end
        while around and found[around[-1]].end <= start:
            around.pop()
        crossing = bool(around) and (crossing or end > found[around[-1]].end)
        best, size = -1, 0
        for place in reversed(around):
            other = found[place]
            length = other.end - other.start
            if other.end >= end and length > end - start and (best < 0 or length < size):
                best, size = place, length
                if not crossing:  # each lies in the one before: none is smaller
                    break
        result.append(best)
        around.append(index)
    return result
