"""Scores by stratum: right antecedent decisions among those to be made, and among those made."""

import numpy as np

from corefbench.analysis.errors.decisions import Decisions
from corefbench.analysis.errors.pair import Pair
from corefbench.analysis.strata import in_order, stratum_named
from corefbench.record import Flags, Record


class StratumScore(Record, frozen=True):
    """Links of one stratum.

    recall = found ÷ anaphoric,  precision = right ÷ linked;  0 ÷ 0 is 0.

    Key mentions count in the stratum they have in the key, response mentions in the one they have
    in the response: recall by the distance that there is, precision by the one that was bridged.

    >>> StratumScore(anaphoric=4, found=2, linked=2, right=2).f1
    0.6666666666666666
    """

    anaphoric: int = 0
    """Key mentions with an antecedent …"""
    found: int = 0
    """… and those linked rightly."""
    linked: int = 0
    """Response mentions with an antecedent …"""
    right: int = 0
    """… and those linked rightly."""

    @property
    def recall(self) -> float:
        return self.found / self.anaphoric if self.anaphoric else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.linked if self.linked else 0.0

    @property
    def f1(self) -> float:
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


def stratum_scores(pair: Pair, decisions: Decisions, by: str) -> dict[str, StratumScore]:
    """The score of every stratum that has links."""
    name = stratum_named(by)
    key, response = pair.key.strata[name], pair.response.strata[name]
    counts = {
        "anaphoric": _counted(key, decisions.anaphoric),
        "found": _counted(key, decisions.found),
        "linked": _counted(response, decisions.linked),
        "right": _counted(response, decisions.right),
    }
    values = in_order(name, (value for some in counts.values() for value in some))
    return {
        value: StratumScore(**{kind: some.get(value, 0) for kind, some in counts.items()})
        for value in values
    }


def score_all(decisions: Decisions) -> StratumScore:
    """The score of all links."""
    return StratumScore(
        anaphoric=int(decisions.anaphoric.sum()),
        found=int(decisions.found.sum()),
        linked=int(decisions.linked.sum()),
        right=int(decisions.right.sum()),
    )


def bias_of(scores: dict[str, StratumScore]) -> float | None:
    """F1 on feminine ÷ F1 on masculine pronouns (Webster et al. 2018); None without either."""
    masculine, feminine = (scores.get(g) for g in ("masculine", "feminine"))
    if masculine is None or feminine is None or not masculine.f1:
        return None
    return feminine.f1 / masculine.f1


def _counted(values: list[str], which: Flags) -> dict[str, int]:
    counts: dict[str, int] = {}
    for mention in np.flatnonzero(which).tolist():
        counts[values[mention]] = counts.get(values[mention], 0) + 1
    return counts
