"""The mentions that stand beside a mention: in its sentence, in its document."""

from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.words import Words


def sentence_company(words: Words, table: Table) -> list[list[str]]:
    """The head lemmas of the other mentions in the sentence of each mention."""
    places = list(zip(table.head.tolist(), table.sentence.tolist(), strict=True))
    heads: dict[int, list[int]] = {}
    for head, sentence in places:
        heads.setdefault(sentence, []).append(head)
    return [
        [words.lemmas[other] for other in heads[sentence] if other != head]
        for head, sentence in places
    ]


def document_company(words: Words, table: Table, documents: int) -> list[list[str]]:
    """The head lemmas of all mentions of each document."""
    made: list[list[str]] = [[] for _ in range(documents)]
    for head, document in zip(table.head.tolist(), table.document.tolist(), strict=True):
        made[document].append(words.lemmas[head])
    return made
