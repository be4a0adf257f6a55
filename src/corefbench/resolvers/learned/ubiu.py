"""UBIU (Zhekova & Kübler 2010, 2011): mention pairs, memory-based learning, best-first links."""

from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.record import Floats, Ints
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.learned.best_first import Judgement, best_first
from corefbench.resolvers.learned.learned import Learned
from corefbench.resolvers.learned.mentions import MentionTable, mention_table
from corefbench.resolvers.learned.pairs import AGREEMENT, Pairs, pairs_of
from corefbench.resolvers.resolution import Candidate, Decision, Resolution

Singletons: TypeAlias = Literal["none", "all", "pronouns"]
Fallback: TypeAlias = Literal["none", "closest", "closest-subject"]


class Ubiu:
    """The resolver, with what it remembers of its training."""

    card = ResolverCard(
        name="ubiu",
        title="UBIU",
        description="Mention pairs within three sentences, fourteen features, memory-based "
        "learning, the most confident antecedent. Needs a model: train one with "
        "`corefbench train`.",
        resolves="chains",
        needs="a trained model, by model=FOLDER",
        parameters=(
            Parameter(name="model", default="", meaning="the folder of a trained model"),
            Parameter(
                name="singletons",
                default="none",
                meaning="mentions without antecedent that stay: all (AllS), none (NoS) or "
                "pronouns (PronS)",
            ),
            Parameter(
                name="pronoun_fallback",
                default="none",
                meaning="what a pronoun without a positive pair gets: none, closest (AttP) or "
                "closest-subject",
            ),
            Parameter(
                name="number_filter",
                default=False,
                meaning="drop positive pairs that disagree in number",
            ),
        ),
        cites=("daelemans2010", "kuebler2011", "zhekova2010", "zhekova2011"),
    )

    def __init__(
        self,
        *,
        model: str = "",
        singletons: Singletons = "none",
        pronoun_fallback: Fallback = "none",
        number_filter: bool = False,
    ) -> None:
        _check("singletons", singletons, ("none", "all", "pronouns"))
        _check("pronoun_fallback", pronoun_fallback, ("none", "closest", "closest-subject"))
        self.model = model
        self.singletons = singletons
        self.pronoun_fallback = pronoun_fallback
        self.number_filter = number_filter
        self._learned: Learned | None = None

    @property
    def learned(self) -> Learned:
        """What was learned, read when it is first needed."""
        if self._learned is None:
            if not self.model:
                raise UsageError(
                    "UBIU has to be trained first",
                    expected="ubiu(model=FOLDER)",
                    remedy="corefbench train CONFIG writes such a folder",
                )
            self._learned = Learned.load(Path(self.model))
        return self._learned

    def using(self, learned: Learned) -> "Ubiu":
        """The same resolver with what was just learned."""
        self._learned = learned
        return self

    def resolve(self, discourse: Discourse) -> Resolution:
        """Pair, classify, link, and deal with what has no antecedent."""
        learned = self.learned
        table = mention_table(discourse, verbs=learned.how.verbs)
        pairs = pairs_of(table, learned.words, window=learned.how.window)
        judgement = learned.judge(pairs)
        if self.number_filter:
            judgement = _without_disagreeing(pairs, judgement)
        chosen = best_first(pairs, judgement, len(table.heads))
        decisions = self._decisions(table, pairs, judgement, chosen)
        return Resolution(
            resolver=signature(self),
            discourse=table.discourse,
            decisions=tuple(decisions),
            mentions=self._mentions(table, decisions),
        )

    def _decisions(
        self, table: MentionTable, pairs: Pairs, judgement: Judgement, chosen: np.ndarray
    ) -> list[Decision]:
        """One for every mention that has an antecedent, and for every pronoun."""
        edges = np.searchsorted(pairs.mention, np.arange(len(table.heads) + 1)).tolist()
        made = []
        for mention, antecedent in enumerate(chosen.tolist()):
            some = slice(edges[mention], edges[mention + 1])
            rule = "most confident pair"
            if antecedent < 0 and table.pronoun[mention]:
                antecedent, rule = self._fallback(
                    table, mention, pairs.antecedent[some], judgement.distance[some]
                )
            if antecedent >= 0 or table.pronoun[mention]:
                scores = dict(
                    zip(
                        pairs.antecedent[some].tolist(),
                        judgement.confidence[some].tolist(),
                        strict=True,
                    )
                )
                made.append(_decision(mention, antecedent, scores, rule))
        return made

    def _fallback(
        self, table: MentionTable, mention: int, before: Ints, distance: Floats
    ) -> tuple[int, str]:
        """What a pronoun without a positive pair is linked to; never to what it lies in."""
        phrases = table.discourse.phrases
        start = phrases[mention].start
        apart = [place for place, n in enumerate(before.tolist()) if phrases[n].end <= start]
        if self.pronoun_fallback == "none" or not apart:
            return -1, ""
        if self.pronoun_fallback == "closest":
            # The one that ends last; of several that end there, the shortest.
            near = max(apart, key=lambda place: (phrases[before[place]].end, place))
            return int(before[near]), "closest mention"
        for place in reversed(apart):
            if phrases[before[place]].function == "subject":
                return int(before[place]), "closest subject"
        least = max(apart, key=lambda place: (distance[place], place))
        return int(before[least]), "least confident refusal"

    def _mentions(self, table: MentionTable, decisions: list[Decision]) -> tuple[int, ...] | None:
        if self.singletons == "none":
            return None
        if self.singletons == "all":
            return tuple(range(len(table.heads)))
        linked = {d.anaphor for d in decisions if d.antecedent is not None}
        linked |= {d.antecedent for d in decisions if d.antecedent is not None}
        return tuple(sorted(linked | set(np.flatnonzero(table.pronoun).tolist())))


def chains_of(resolution: Resolution) -> list[list[tuple[int, int]]]:
    """The chains of a resolution as spans of words."""
    phrases = resolution.discourse.phrases
    return [
        [(phrases[number].start, phrases[number].end) for number in chain]
        for chain in resolution.chains()
    ]


def _decision(mention: int, antecedent: int, scores: dict[int, float], rule: str) -> Decision:
    linked = antecedent >= 0
    return Decision(
        anaphor=mention,
        antecedent=antecedent if linked else None,
        candidates=tuple(Candidate(phrase=phrase, score=s) for phrase, s in scores.items()),
        rule=rule if linked else "no positive pair",
        confidence=scores.get(antecedent),
    )


def _without_disagreeing(pairs: Pairs, judgement: Judgement) -> Judgement:
    disagree = pairs.codes[:, AGREEMENT] == 0
    return Judgement(
        positive=judgement.positive & ~disagree,
        confidence=judgement.confidence,
        distance=judgement.distance,
    )


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} cannot be {value!r}", expected=", ".join(allowed))
