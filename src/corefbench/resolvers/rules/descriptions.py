"""Phrases that describe what another refers to: appositions and predicates."""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase


def described(discourse: Discourse) -> dict[int, Phrase]:
    """For the appositions and nominal predicates of a text the phrase that they describe.

    In "Ann, a doctor, is the owner" both *a doctor* and *the owner* describe *Ann*. Only phrases
    that come first are described, and only where the two do not clash.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    copulas = {heads[token] for token, relation in enumerate(relations) if relation == "cop"}
    by_head = {phrase.head: phrase for phrase in discourse.phrases if not phrase.coordination}
    by_head |= {phrase.head: phrase for phrase in discourse.phrases if phrase.coordination}
    found: dict[int, Phrase] = {}
    for phrase in discourse.phrases:
        relation = relations[phrase.head]
        if relation == "appos" and heads[phrase.head] in by_head:
            _note(found, phrase, by_head[heads[phrase.head]])
        elif relation.startswith("nsubj") and heads[phrase.head] in copulas:
            predicate = by_head.get(heads[phrase.head])
            if predicate is not None:
                _note(found, predicate, phrase)
    return found


def _note(found: dict[int, Phrase], description: Phrase, phrase: Phrase) -> None:
    first = phrase.index < description.index
    if first and description.pronoun is None and not phrase.agreement.clash(description.agreement):
        found[description.index] = phrase
