"""GUM's typed mentions as flat entities on the heads of noun phrases.

GUM nests its mentions; a spaCy entity may not overlap another. The type of a noun phrase belongs
to its head, so an entity is the head alone ("the [president] of [France]") or, for a name, the
whole name ("[Donald Trump]"). Every mention keeps its type that way, which the outermost spans
would lose. Pronouns are left out: their type comes from their antecedent.
"""

import re
from collections.abc import Iterator

from recipes.english.conllu import Word

BRACKET = re.compile(r"\((?P<open>[^()]+)(?P<single>\))?|(?P<close>[^()]+)\)")
NAME_RELATIONS = {"flat", "compound", "goeswith"}


def tags(sentence: list[Word]) -> list[str]:
    """IOB tags of a sentence, one per word."""
    found = ["O"] * len(sentence)
    spans = {_name(sentence, *mention): kind for *mention, kind in _mentions(sentence)}
    for begin, end in sorted(spans, key=lambda span: (span[0] - span[1], span)):
        kind = spans[begin, end]
        if sentence[end - 1].upos == "PRON" or any(tag != "O" for tag in found[begin:end]):
            continue
        found[begin:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - begin - 1)
    return found


def _mentions(sentence: list[Word]) -> Iterator[tuple[int, int, str]]:
    opened: dict[str, list[tuple[int, str]]] = {}
    for position, word in enumerate(sentence):
        cell = next((m[7:] for m in word.misc.split("|") if m.startswith("Entity=")), "")
        for bracket in BRACKET.finditer(cell):
            if bracket["close"]:
                waiting = opened.get(bracket["close"].split("-")[0])
                if waiting:
                    begin, kind = waiting.pop()
                    yield begin, position + 1, kind
                continue
            identity, kind = bracket["open"].split("-")[:2]
            if bracket["single"]:
                yield position, position + 1, kind
            else:
                opened.setdefault(identity, []).append((position, kind))


def _name(sentence: list[Word], begin: int, end: int) -> tuple[int, int]:
    """The head of a mention, widened to the neighbours that make up its name."""
    inside = range(begin, end)
    head = next((i for i in inside if sentence[i].head - 1 not in inside), end - 1)
    if sentence[head].upos != "PROPN":
        return head, head + 1
    first, last = head, head
    while first > begin and _joins(sentence, first - 1, head):
        first -= 1
    while last + 1 < end and _joins(sentence, last + 1, head):
        last += 1
    while sentence[last].upos == "PUNCT":
        last -= 1
    while sentence[first].upos == "PUNCT":
        first += 1
    return first, last + 1


def _joins(sentence: list[Word], position: int, head: int) -> bool:
    """Whether a word hangs on the head by naming relations only (hyphens included)."""
    if sentence[position].xpos == "HYPH":
        return True
    for _ in sentence:
        if position == head:
            return True
        if sentence[position].relation.split(":")[0] not in NAME_RELATIONS:
            return False
        position = sentence[position].head - 1
    return False
