"""Which phrases rename another: *her sister, Julia*."""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase


def appositions_of(discourse: Discourse) -> dict[int, Phrase]:
    """For every apposition the phrase that it renames, by the number of its own phrase.

    An indefinite (*Julia, a lawyer*) says what somebody is and names nobody anew; what disagrees in
    number or gender is no apposition but a parser's mistake.
    """
    heads, relations = discourse.analysis.heads, discourse.analysis.relations
    by_head = {p.head: p for p in discourse.phrases if not p.coordination and p.pronoun is None}
    renamed: dict[int, Phrase] = {}
    for phrase in by_head.values():
        if relations[phrase.head] == "appos" and phrase.definiteness != "indefinite":
            other = by_head.get(heads[phrase.head])
            if other is not None and not phrase.agreement.clash(other.agreement):
                renamed[phrase.index] = other
    return renamed
