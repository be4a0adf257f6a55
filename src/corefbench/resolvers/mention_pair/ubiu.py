"""UBIU (Zhekova & Kübler 2010, 2011): mention pairs, memory-based learning, best-first links."""

from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Floats, Ints
from corefbench.resolvers.base import Candidate, Decision, Resolution, ResolverCard, RuleResolver, choice, parameter
from corefbench.resolvers.mention_pair.model import PairModel, PairPredictions
from corefbench.resolvers.mention_pair.pairs import NUMBER_AGREEMENT, MentionTable, Pairs, collect_mentions, make_pairs

Singletons: TypeAlias = Literal["none", "all", "pronouns"]
PronounFallback: TypeAlias = Literal["none", "closest", "closest-subject"]


class Ubiu(RuleResolver):
    """The mention-pair resolver of SemEval-2010 and CoNLL-2011."""

    card = ResolverCard(
        name="ubiu",
        title="UBIU",
        description="Mention pairs within three sentences, fourteen features, memory-based "
        "learning, the most confident antecedent. Needs a model: train one with "
        "`corefbench train`.",
        resolves="chains",
        needs="a trained model, by model=FOLDER",
        cites=("daelemans2010", "kuebler2011", "zhekova2010", "zhekova2011"),
    )

    model = parameter("", "", "the folder of a trained model")
    singletons = choice(
        "",
        ("none", "all", "pronouns"),
        "mentions without antecedent that stay: all (AllS), none (NoS) or pronouns (PronS)",
    )
    pronoun_fallback = choice(
        "",
        ("none", "closest", "closest-subject"),
        "what a pronoun without a positive pair gets: none, closest (AttP) or closest-subject",
    )
    number_filter = parameter("", False, "drop positive pairs that disagree in number")
    _model: PairModel | None = None

    @property
    def trained_model(self) -> PairModel:
        """The trained model, loaded when it is first needed."""
        if self._model is None:
            if not self.model:
                raise UsageError(
                    "UBIU needs a trained model",
                    expected="ubiu(model=FOLDER)",
                    remedy="corefbench train CONFIG writes such a folder",
                )
            self._model = PairModel.load(Path(self.model))
        return self._model

    def with_model(self, model: PairModel) -> "Ubiu":
        """Return the resolver with a model that was just trained."""
        self._model = model
        return self

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        model = self.trained_model
        table = collect_mentions(discourse, verbs=model.settings.verbs)
        pairs = make_pairs(table, model.words, window=model.settings.window)
        predictions = model.predict(pairs)
        if self.number_filter:
            predictions = _drop_number_disagreement(pairs, predictions)
        chosen = link_best_first(pairs, predictions, len(table.heads))
        decisions = self._decisions(table, pairs, predictions, chosen)
        return self.resolution(table.discourse, decisions, mentions=self._mentions(table, decisions))

    def _decisions(
        self, table: MentionTable, pairs: Pairs, predictions: PairPredictions, chosen: np.ndarray
    ) -> list[Decision]:
        """Return a decision for every mention with an antecedent and for every pronoun."""
        edges = np.searchsorted(pairs.mention, np.arange(len(table.heads) + 1)).tolist()
        decisions = []
        for mention, antecedent in enumerate(chosen.tolist()):
            own_pairs = slice(edges[mention], edges[mention + 1])
            rule = "most confident pair"
            if antecedent < 0 and table.pronoun[mention]:
                antecedent, rule = self._fallback(
                    table, mention, pairs.antecedent[own_pairs], predictions.distance[own_pairs]
                )
            if antecedent >= 0 or table.pronoun[mention]:
                scores = dict(
                    zip(pairs.antecedent[own_pairs].tolist(), predictions.confidence[own_pairs].tolist(), strict=True)
                )
                decisions.append(_decision(mention, antecedent, scores, rule))
        return decisions

    def _fallback(self, table: MentionTable, mention: int, before: Ints, distance: Floats) -> tuple[int, str]:
        """Link a pronoun without a positive pair, but never to a phrase that it lies in."""
        phrases = table.discourse.phrases
        start = phrases[mention].start
        apart = [index for index, number in enumerate(before.tolist()) if phrases[number].end <= start]
        if self.pronoun_fallback == "none" or not apart:
            return -1, ""
        if self.pronoun_fallback == "closest":
            # The one that ends last; of several that end there, the shortest.
            nearest = max(apart, key=lambda index: (phrases[before[index]].end, index))
            return int(before[nearest]), "closest mention"
        for index in reversed(apart):
            if phrases[before[index]].function == "subject":
                return int(before[index]), "closest subject"
        least = max(apart, key=lambda index: (distance[index], index))
        return int(before[least]), "least confident refusal"

    def _mentions(self, table: MentionTable, decisions: list[Decision]) -> tuple[int, ...] | None:
        if self.singletons == "none":
            return None
        if self.singletons == "all":
            return tuple(range(len(table.heads)))
        linked = {d.anaphor for d in decisions if d.antecedent is not None}
        linked |= {d.antecedent for d in decisions if d.antecedent is not None}
        return tuple(sorted(linked | set(np.flatnonzero(table.pronoun).tolist())))


def link_best_first(pairs: Pairs, predictions: PairPredictions, mentions: int) -> np.ndarray:
    """Return the antecedent of every mention, or -1.

    The highest confidence wins, then the smaller distance, then the nearer mention.
    """
    chosen = np.full(mentions, -1, np.int64)
    positive = np.flatnonzero(predictions.positive)
    # Written in ascending order of preference, the last of each mention stays.
    order = np.lexsort((pairs.antecedent[positive], -predictions.distance[positive], predictions.confidence[positive]))
    chosen[pairs.mention[positive][order]] = pairs.antecedent[positive][order]
    return chosen


def chain_spans(resolution: Resolution) -> list[list[tuple[int, int]]]:
    """Return the chains of a resolution as spans of words."""
    phrases = resolution.discourse.phrases
    return [[(phrases[number].start, phrases[number].end) for number in chain] for chain in resolution.chains()]


def _decision(mention: int, antecedent: int, scores: dict[int, float], rule: str) -> Decision:
    linked = antecedent >= 0
    return Decision(
        anaphor=mention,
        antecedent=antecedent if linked else None,
        candidates=tuple(Candidate(phrase=phrase, score=s) for phrase, s in scores.items()),
        rule=rule if linked else "no positive pair",
        confidence=scores.get(antecedent),
    )


def _drop_number_disagreement(pairs: Pairs, predictions: PairPredictions) -> PairPredictions:
    disagree = pairs.codes[:, NUMBER_AGREEMENT] == 0
    return PairPredictions(
        positive=predictions.positive & ~disagree, confidence=predictions.confidence, distance=predictions.distance
    )
