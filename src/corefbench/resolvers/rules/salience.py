"""Salience: classes of coreferent phrases whose weight halves with every sentence.

Lappin & Leass (1994) and Kennedy & Boguraev (1996) share this bookkeeping and differ in one thing.
A factor that a class has from earlier sentences, when a phrase of the current one satisfies it too,

    is added to      wₜ(f) = wₜ₋₁(f)/2 + W(f), once per sentence    (Lappin & Leass)
    starts anew      wₜ(f) = W(f)                                   (Kennedy & Boguraev)

and the salience of a class is Σ wₜ(f) over its factors.
"""

from typing import TypeAlias

from corefbench.language.agreement import ANY_GENDER
from corefbench.preprocess.phrase import Phrase

Weights: TypeAlias = dict[str, float]
"""The factors of a method, by name, with their initial weights."""
Factors: TypeAlias = tuple[str, ...]
"""The factors that one phrase satisfies."""
Shown: TypeAlias = tuple[tuple[str, float], ...]


class Coref:
    """A class of coreferent phrases and its current factors."""

    __slots__ = ("_fresh", "_shown", "_values", "gender", "members", "salience")

    def __init__(self) -> None:
        self.members: list[Phrase] = []
        self.salience = 0.0
        self.gender = ANY_GENDER
        """What all members may be: a name that *he* took up is masculine."""
        self._values: Weights = {}
        self._fresh: set[str] = set()
        self._shown: Shown | None = None

    def join(self, phrase: Phrase) -> None:
        """Take in a member; one that clashes with the others says nothing of gender."""
        self.members.append(phrase)
        self.gender = self.gender & phrase.agreement.gender or self.gender

    def satisfy(self, factors: Factors, weights: Weights, additive: bool) -> None:
        """Note what a phrase of the current sentence satisfies."""
        for factor in factors:
            if additive and factor not in self._fresh:
                self._values[factor] = self._values.get(factor, 0.0) + weights[factor]
            elif not additive:
                self._values[factor] = weights[factor]
        self._fresh.update(factors)
        self._changed()

    def halve(self) -> None:
        """Enter the next sentence."""
        self._values = {factor: value / 2 for factor, value in self._values.items()}
        self._fresh.clear()
        self._changed()

    def forget(self, factor: str) -> None:
        """Lose one factor."""
        self._values.pop(factor, None)
        self._changed()

    def shown(self) -> Shown:
        """The factors with their current weights."""
        if self._shown is None:
            self._shown = tuple(self._values.items())
        return self._shown

    def _changed(self) -> None:
        self.salience = sum(self._values.values())
        self._shown = None


class Classes:
    """The classes of one document, and which of them are still in mind.

    ``size`` is the number of phrases. Classes whose salience falls below ``threshold`` fade; a
    phrase that joins a faded class brings it back.
    """

    def __init__(self, size: int, weights: Weights, *, additive: bool, threshold: float) -> None:
        self.of: list[Coref | None] = [None] * size
        """The class of every phrase, None while it is not interpreted."""
        self._weights = weights
        self._additive = additive
        self._threshold = threshold
        self._live: dict[int, Coref] = {}

    def next_sentence(self) -> None:
        """Halve all factors and let go of what is not salient any more."""
        for key, coref in list(self._live.items()):
            coref.halve()
            if coref.salience < self._threshold:
                del self._live[key]

    def forget(self, factor: str) -> None:
        """Take one factor from all classes."""
        for coref in self._live.values():
            coref.forget(factor)

    def add(self, phrase: Phrase, factors: Factors, coref: Coref | None = None) -> Coref:
        """Put a phrase of the current sentence into a class, or into a new one."""
        coref = coref or Coref()
        coref.join(phrase)
        coref.satisfy(factors, self._weights, self._additive)
        self.of[phrase.index] = coref
        self._live[id(coref)] = coref
        return coref

    def salient(self, phrase: Phrase) -> Coref | None:
        """The class of a phrase if it is in mind."""
        coref = self.of[phrase.index]
        return coref if coref is not None and id(coref) in self._live else None
