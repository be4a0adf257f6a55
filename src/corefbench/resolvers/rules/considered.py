"""The candidates of one anaphor as salience judges them, and the decision among them."""

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.resolution import Candidate, Decision, Dropped
from corefbench.resolvers.rules.salience import Coref, Shown


class Considered:
    """The candidates of one anaphor as they are judged, and the decision among them."""

    def __init__(self, anaphor: Phrase, *, preceding_first: bool) -> None:
        self.anaphor = anaphor
        self._preceding_first = preceding_first
        self._candidates: list[Candidate] = []
        self._kept: list[tuple[float, Phrase, Coref]] = []
        self._best: tuple[float, Phrase, Coref] | None = None
        self._best_rank = (0.0, False, 0, 0)

    def drop(self, phrase: Phrase, reason: Dropped) -> None:
        """Note why a phrase cannot be the antecedent."""
        self._candidates.append(Candidate(phrase=phrase.index, dropped=reason))

    def keep(self, phrase: Phrase, coref: Coref, score: float, local: Shown = ()) -> None:
        """Note a phrase that can be the antecedent; ``local`` are adjustments of its salience."""
        self._candidates.append(
            Candidate(phrase=phrase.index, score=score, factors=coref.shown() + local)
        )
        entry = score, phrase, coref
        rank = self._rank(score, phrase)
        if self._best is None or rank > self._best_rank:
            self._best, self._best_rank = entry, rank
        self._kept.append(entry)

    def best(self) -> Phrase | None:
        """The most salient candidate; of several, the closest."""
        return None if self._best is None else self._best[1]

    def nearest(self) -> Phrase | None:
        """The closest candidate of the class that the most salient one is of."""
        if self._best is None:
            return None
        members = (phrase for _, phrase, coref in self._kept if coref is self._best[2])
        return max(members, key=lambda phrase: self._rank(0.0, phrase))

    def _rank(self, score: float, phrase: Phrase) -> tuple[float, bool, int, int]:
        """A coordination stands where it ends: it is as close as its last conjunct."""
        here = self.anaphor.start
        place = phrase.end - 1 if phrase.coordination else phrase.start
        precedes = self._preceding_first and phrase.start < here
        return score, precedes, -abs(here - place), -phrase.index

    def decision(self, antecedent: Phrase | None = None) -> Decision:
        """What was decided, and why; ``antecedent`` is the member of the class to be named."""
        candidates = tuple(self._candidates)
        if self._best is None:
            return Decision(
                anaphor=self.anaphor.index,
                antecedent=None,
                candidates=candidates,
                rule="no candidate",
            )
        score, phrase, chosen = self._best
        rivals = (entry[0] for entry in self._kept if entry[2] is not chosen)
        rival = max(0.0, max(rivals, default=0.0))
        return Decision(
            anaphor=self.anaphor.index,
            antecedent=(antecedent or phrase).index,
            candidates=candidates,
            rule=self._rule(score, rival),
            confidence=score / (score + rival) if score > 0 else None,
        )

    def _rule(self, score: float, rival: float) -> str:
        if len(self._kept) == 1:
            return "only candidate"
        return "tie: closest candidate" if score == rival else "highest salience"
