"""Success rate, precision, recall and their relatives, and Byron's standard disclosure.

    precision                  C / A      attempted (Aone & Bennett 1995)
    recall                     C / G      gold anaphors, in the sense of Baldwin, Byron and MUC
    recall, identified         C / I      anaphors that the system identified (Aone & Bennett 1995)
    success rate               C / G      (Barbu & Mitkov 2001)
    critical success rate      C∩K / K    K: gold anaphors with several candidates after agreement
    non-trivial success rate   C∩N / N    N: gold anaphors with several candidates before agreement

A gold anaphor that was not attempted counts as wrong. Critical and non-trivial anaphors are those
of the resolver's own window; with ``shared``, those of one window for all resolvers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from corefbench.analysis.statistics.counts import Rate
from corefbench.bench.judge import Verdict
from corefbench.records import Additive, Record


class Rates(Additive, frozen=True):
    """All rates of one resolver on some pronouns."""

    precision: Rate = Rate()
    recall: Rate = Rate()
    recall_identified: Rate = Rate()
    success_rate: Rate = Rate()
    critical_success_rate: Rate = Rate()
    non_trivial_success_rate: Rate = Rate()
    critical_success_rate_shared: Rate = Rate()
    non_trivial_success_rate_shared: Rate = Rate()
    etiquette: Rate = Rate()
    anchor_precision: Rate = Rate()
    anchor_recall: Rate = Rate()
    resolution_rate: Rate = Rate()


def compute_rates(verdicts: Iterable[Verdict]) -> Rates:
    """Compute all rates over some verdicts."""
    all_verdicts = list(verdicts)
    gold = [v for v in all_verdicts if v.anaphoric]
    correct = sum(v.correct for v in gold)
    anchored = sum(v.anchor == "right" for v in gold)
    return Rates(
        precision=Rate(hits=correct, total=sum(v.attempted for v in all_verdicts)),
        recall=Rate(hits=correct, total=len(gold)),
        recall_identified=Rate(hits=correct, total=sum(v.identified for v in all_verdicts)),
        success_rate=Rate(hits=correct, total=len(gold)),
        critical_success_rate=_correct_rate(v for v in gold if v.agreeing > 1),
        non_trivial_success_rate=_correct_rate(v for v in gold if v.candidates > 1),
        critical_success_rate_shared=_correct_rate(v for v in gold if v.shared_agreeing > 1),
        non_trivial_success_rate_shared=_correct_rate(v for v in gold if v.shared_candidates > 1),
        # Resolution etiquette (Mitkov et al. 2002): anaphoric pronouns linked correctly and others
        # not linked, of all pronouns.
        etiquette=Rate(
            hits=sum(v.correct if v.anaphoric else not v.attempted for v in all_verdicts), total=len(all_verdicts)
        ),
        # Non-pronominal anchors (Stuckardt 2001): links that end at a name or noun of the chain.
        anchor_precision=Rate(hits=anchored, total=sum(v.anchor != "none" for v in gold)),
        anchor_recall=Rate(hits=anchored, total=len(gold)),
        resolution_rate=Rate(hits=correct, total=sum(v.mention for v in all_verdicts)),
    )


def _correct_rate(verdicts: Iterable[Verdict]) -> Rate:
    chosen = list(verdicts)
    return Rate(hits=sum(v.correct for v in chosen), total=len(chosen))


class Disclosure(Record, frozen=True):
    """Byron's standard disclosure for one resolver.

    A  third-person pronouns of the text
    B  non-referential: not a mention of the key, or annotated as pleonastic
    C  referential, A − B
    D  referential but excluded: alone in their chain, or first in it
    E  evaluation set, C − D

    resolution rate = correct ÷ C, so that excluding hard pronouns has a cost (Byron 2001)

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


def compute_disclosure(verdicts: Iterable[Verdict]) -> Disclosure:
    """Compute the disclosure of the verdicts of one resolver."""
    all_verdicts = list(verdicts)
    gold = [v for v in all_verdicts if v.anaphoric]
    return Disclosure(
        raw=len(all_verdicts),
        non_referential=sum(not v.mention for v in all_verdicts),
        excluded=sum(v.mention and not v.anaphoric for v in all_verdicts),
        correct=sum(v.correct for v in gold),
        intrasentential=_correct_rate(v for v in gold if v.distance == 0),
        intersentential=_correct_rate(v for v in gold if v.distance != 0),
        forms={
            form: _correct_rate(v for v in gold if v.form == form)
            for form, _ in Counter(v.form for v in gold).most_common()
        },
    )
