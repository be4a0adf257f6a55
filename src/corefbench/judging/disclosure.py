"""Byron's standard disclosure: which pronouns were counted, and which were left out and why.

A  third-person pronouns of the text
B  non-referential: no mention of the key, or marked as pleonastic
C  referential, A − B
D  referential but excluded: alone in their chain, or first in it
E  evaluation set, C − D

resolution rate = correct ÷ C, so that excluding hard pronouns costs something (Byron 2001)
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from corefbench.judging.success import Rate
from corefbench.judging.verdict import Verdict
from corefbench.record import Record


class Disclosure(Record, frozen=True):
    """The rows for one resolver.

    >>> beta = Disclosure(raw=497, non_referential=12, excluded=198, correct=248)
    >>> beta.referential, beta.evaluated, round(beta.recall.value, 3), round(beta.rate.value, 3)
    (485, 287, 0.864, 0.511)
    """

    raw: int
    non_referential: int
    excluded: int
    correct: int
    intrasentential: Rate = Rate()
    intersentential: Rate = Rate()
    forms: Mapping[str, Rate] = {}
    """By lexical form, the most frequent first."""

    @property
    def referential(self) -> int:
        return self.raw - self.non_referential

    @property
    def evaluated(self) -> int:
        return self.referential - self.excluded

    @property
    def recall(self) -> Rate:
        return Rate(hits=self.correct, total=self.evaluated)

    @property
    def rate(self) -> Rate:
        """The resolution rate."""
        return Rate(hits=self.correct, total=self.referential)


def disclose(verdicts: Iterable[Verdict]) -> Disclosure:
    """The rows of some verdicts of one resolver."""
    seen = list(verdicts)
    gold = [v for v in seen if v.anaphoric]
    return Disclosure(
        raw=len(seen),
        non_referential=sum(not v.mention for v in seen),
        excluded=sum(v.mention and not v.anaphoric for v in seen),
        correct=sum(v.correct for v in gold),
        intrasentential=_rate(v for v in gold if v.distance == 0),
        intersentential=_rate(v for v in gold if v.distance != 0),
        forms={
            form: _rate(v for v in gold if v.form == form)
            for form, _ in Counter(v.form for v in gold).most_common()
        },
    )


def _rate(verdicts: Iterable[Verdict]) -> Rate:
    chosen = list(verdicts)
    return Rate(hits=sum(v.correct for v in chosen), total=len(chosen))
