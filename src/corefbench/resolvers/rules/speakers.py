"""Who *I* and *you* are: the speakers of turns, and those whom quotations are attributed to."""

from collections.abc import Iterator

from corefbench.language.agreement import FIRST, SINGULAR
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.quotations import Quotations


def speaker_links(discourse: Discourse) -> Iterator[tuple[Phrase, Phrase]]:
    """Pairs of a first- or second-person pronoun and an earlier or quoting phrase it means.

    *I* and *me* of one speaker are one; where nobody is named, all of a stretch outside quotations
    are the narrator. Inside a quotation *I* is who says it. *you* and *we* are linked to the last
    of their kind in the same turn or stretch.
    """
    speakers = discourse.analysis.speakers
    quotations = Quotations(discourse)
    last: dict[tuple[object, ...], Phrase] = {}
    for phrase in discourse.phrases:
        row = phrase.pronoun
        if row is None or row.kind not in ("personal", "possessive", "reflexive"):
            continue
        if row.is_anaphor:
            continue
        said = quotations.speakers(phrase)
        singular = row.agreement.person == FIRST and row.agreement.number == SINGULAR
        if singular and said and said[0].index != phrase.index:
            yield phrase, said[0]
            continue
        turn = speakers[phrase.head] if speakers is not None else ""
        quoted = (phrase.sentence,) if quotations.quotes(phrase) else ()
        key = (turn, row.agreement.person, row.agreement.number, *quoted)
        if key in last:
            yield phrase, last[key]
        last[key] = phrase
