"""Appositions and predicate nominals."""

from corefbench.preprocess.discourse import Discourse, Phrase


def find_appositions(discourse: Discourse) -> dict[int, Phrase]:
    """Return for every apposition, by the index of its phrase, the phrase that it renames.

    An indefinite (*Julia, a lawyer*) says what somebody is and names nobody anew; what disagrees in
    number or gender is no apposition but a parser's mistake.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    by_head = {p.head: p for p in discourse.phrases if not p.coordination and p.pronoun is None}
    renamed: dict[int, Phrase] = {}
    for phrase in by_head.values():
        if relations[phrase.head] == "appos" and phrase.definiteness != "indefinite":
            head_phrase = by_head.get(heads[phrase.head])
            if head_phrase is not None and not phrase.agreement.clash(head_phrase.agreement):
                renamed[phrase.index] = head_phrase
    return renamed


def find_descriptions(discourse: Discourse) -> dict[int, Phrase]:
    """Return the phrases that appositions and nominal predicates describe.

    In "Ann, a doctor, is the owner" both *a doctor* and *the owner* describe *Ann*. Only phrases
    that come first are described, and only where the two do not clash.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    copulas = {heads[token] for token, relation in enumerate(relations) if relation == "cop"}
    by_head = {phrase.head: phrase for phrase in discourse.phrases if not phrase.coordination}
    by_head |= {phrase.head: phrase for phrase in discourse.phrases if phrase.coordination}
    described: dict[int, Phrase] = {}
    for phrase in discourse.phrases:
        relation = relations[phrase.head]
        if relation == "appos" and heads[phrase.head] in by_head:
            _add_description(described, phrase, by_head[heads[phrase.head]])
        elif relation.startswith("nsubj") and heads[phrase.head] in copulas:
            predicate = by_head.get(heads[phrase.head])
            if predicate is not None:
                _add_description(described, predicate, phrase)
    return described


def _add_description(described: dict[int, Phrase], description: Phrase, phrase: Phrase) -> None:
    first = phrase.index < description.index
    if first and description.pronoun is None and not phrase.agreement.clash(description.agreement):
        described[description.index] = phrase
