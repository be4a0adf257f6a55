"""The rates of the classic literature, each a share of verdicts.

    precision                  C / A      attempted (Aone & Bennett 1995)
    recall                     C / G      gold anaphors, in the sense of Baldwin, Byron and MUC
    recall, identified         C / I      anaphors that the system identified (Aone & Bennett 1995)
    success rate               C / G      (Barbu & Mitkov 2001)
    critical success rate      C∩K / K    K: gold anaphors with several candidates after agreement
    non-trivial success rate   C∩N / N    N: gold anaphors with several candidates before agreement

A gold anaphor that was not attempted counts as wrong. Critical and non-trivial anaphors are those
of the resolver's own window; with ``shared`` those of one window for all resolvers. A rate with
nothing to divide by is None.
"""

from collections.abc import Iterable

from corefbench.judging.verdict import Verdict
from corefbench.record import Record


class Rate(Record, frozen=True):
    """A share, kept as its two counts so that rates of documents add up."""

    hits: int = 0
    total: int = 0

    @property
    def value(self) -> float | None:
        """The share; None where there is nothing to divide by."""
        return self.hits / self.total if self.total else None

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(hits=self.hits + other.hits, total=self.total + other.total)


class Rates(Record, frozen=True):
    """All rates of one resolver on some pronouns.

    Mitkov's measures, with the counts of eight gold anaphors and two spurious ones:

    >>> Rate(hits=5, total=8).value
    0.625
    """

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

    def __add__(self, other: "Rates") -> "Rates":
        pairs = ((n, getattr(self, n) + getattr(other, n)) for n in self.__struct_fields__)
        return Rates(**dict(pairs))


def rates(verdicts: Iterable[Verdict]) -> Rates:
    """Every rate over some verdicts."""
    seen = list(verdicts)
    gold = [v for v in seen if v.anaphoric]
    correct = sum(v.correct for v in gold)
    return Rates(
        precision=Rate(hits=correct, total=sum(v.attempted for v in seen)),
        recall=Rate(hits=correct, total=len(gold)),
        recall_identified=Rate(hits=correct, total=sum(v.identified for v in seen)),
        success_rate=Rate(hits=correct, total=len(gold)),
        critical_success_rate=_among(v for v in gold if v.agreeing > 1),
        non_trivial_success_rate=_among(v for v in gold if v.candidates > 1),
        critical_success_rate_shared=_among(v for v in gold if v.shared_agreeing > 1),
        non_trivial_success_rate_shared=_among(v for v in gold if v.shared_candidates > 1),
        etiquette=_etiquette(seen),
        anchor_precision=_anchor(v for v in gold if v.anchor != "none"),
        anchor_recall=_anchor(gold),
        resolution_rate=Rate(hits=correct, total=sum(v.mention for v in seen)),
    )


def _among(verdicts: Iterable[Verdict]) -> Rate:
    chosen = list(verdicts)
    return Rate(hits=sum(v.correct for v in chosen), total=len(chosen))


def _etiquette(verdicts: list[Verdict]) -> Rate:
    """Resolution etiquette (Mitkov et al. 2002): all pronouns that were treated as they should be.

    (anaphoric ones linked rightly + others left alone) ÷ all pronouns
    """
    good = sum(v.correct if v.anaphoric else not v.attempted for v in verdicts)
    return Rate(hits=good, total=len(verdicts))


def _anchor(verdicts: Iterable[Verdict]) -> Rate:
    """Non-pronominal anchors (Stuckardt 2001): whether following the links ends in the chain."""
    chosen = list(verdicts)
    return Rate(hits=sum(v.anchor == "right" for v in chosen), total=len(chosen))
