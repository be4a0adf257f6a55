"""Who does what to whom, when and where, as the dependency tree has it."""

from collections.abc import Sequence

from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.words import Words

_SUBJECTS = ("nsubj", "csubj", "nmod:poss")
_OBJECTS = ("obj", "iobj", "nmod", "obl:agent")
_LEFT_OUT = frozenset({"DET", "ADP", "PUNCT", "AUX", "PRON", "CCONJ", "SCONJ", "PART"})


def children(words: Words) -> list[list[int]]:
    """The dependents of every word."""
    made: list[list[int]] = [[] for _ in range(len(words))]
    for token, governor in enumerate(words.governors.tolist()):
        if governor >= 0:
            made[governor].append(token)
    return made


def argument_bags(words: Words, table: Table) -> list[list[str]]:
    """The lemmas that depend on each mention's head, however far, without the mention itself."""
    below = children(words)
    bags = []
    for a, b, head in _places(table):
        open_words, bag = list(below[head]), []
        while open_words:
            token = open_words.pop()
            if not a <= token < b and words.tags[token] not in _LEFT_OUT:
                bag.append(words.lemmas[token])
            open_words += below[token]
        bags.append(bag)
    return bags


def frame_bags(words: Words, table: Table) -> list[list[str]]:
    """The lemmas around each mention's head in the tree: its governor, and the dependents of both.

    The arguments of a noun ("after the attack on the mosque, police said …") often stand there.
    """
    below = children(words)
    bags = []
    for a, b, head in _places(table):
        governor = int(words.governors[head])
        siblings = [] if governor < 0 else below[governor]
        near = [governor, *siblings, *(t for s in siblings for t in below[s]), *below[head]]
        bags.append(
            [
                words.lemmas[t]
                for t in near
                if t >= 0 and not a <= t < b and words.tags[t] not in _LEFT_OUT
            ]
        )
    return bags


def dependents(words: Words, table: Table) -> dict[str, list[int]]:
    """Of each mention the head of its subject, of its object, and its governor; -1 for none."""
    below = children(words)
    made: dict[str, list[int]] = {"subject": [], "object": [], "governor": []}
    for a, b, head in _places(table):
        outside = [t for t in below[head] if not a <= t < b]
        made["subject"].append(_first(words, outside, _SUBJECTS))
        made["object"].append(_first(words, outside, _OBJECTS))
        made["governor"].append(int(words.governors[head]))
    return made


def _places(table: Table) -> list[tuple[int, int, int]]:
    return list(zip(table.start.tolist(), table.end.tolist(), table.head.tolist(), strict=True))


def _first(words: Words, tokens: Sequence[int], relations: tuple[str, ...]) -> int:
    return next((t for t in tokens if words.relations[t].startswith(relations)), -1)
