"""Choose decoding parameters on development data.

Three numbers per scheme: the probability above which a span is a mention, and the bias of having
no antecedent, for detected and for given mentions. A document is encoded once for all
combinations, and ranked once per threshold.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.checkpoint import load_cached
from corefbench.resolvers.neural.decoding import EncodedDocument, spans_of_mentions
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.model import CoreferenceModel
from corefbench.resolvers.neural.resolver import DecodingConfig, keeps_singletons
from corefbench.resolvers.training.config import Report
from corefbench.scoring.api import score_clusters

Choice = tuple[float | None, float]
"""A threshold, None for given mentions, and a bias."""

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
BIASES = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)


def calibrate_checkpoint(
    folder: Path, dev: Iterable[tuple[str, Sequence[Example]]], report: Report = lambda line: None
) -> ModelCard:
    """Calibrate a saved model for every scheme of ``dev`` and store the result."""
    card, model = load_cached(folder)
    decoding, scores = dict(card.config.get("decoding", {})), dict(card.scores)
    for scheme, examples in dev:
        chosen, score = calibrate_scheme(model, scheme, examples, keep_singletons=keeps_singletons(card, scheme))
        decoding[scheme], scores[scheme] = msgspec.to_builtins(chosen), score
        report(
            f"{scheme}: threshold {chosen.threshold}, bias {chosen.bias}, with given mentions "
            f"{chosen.given}; CoNLL F1 {100 * score:.2f}"
        )
    card = replace(card, config={**card.config, "decoding": decoding}, scores=scores)
    save_model(folder, card, load_model(folder)[1])
    return card


def calibrate_scheme(
    model: CoreferenceModel,
    scheme: str,
    examples: Sequence[Example],
    *,
    keep_singletons: bool,
    thresholds: Sequence[float] = THRESHOLDS,
    biases: Sequence[float] = BIASES,
) -> tuple[DecodingConfig, float]:
    """Return the parameters with the best CoNLL F1, and that F1 for detected mentions.

    Ties go to the parameters nearest to the defaults.
    """
    responses: dict[Choice, dict[str, list[list[Span]]]] = {}
    for example in examples:
        document = EncodedDocument(model, example, scheme)
        gold = [span for chain in example.chains[scheme] for span in chain]
        for threshold in (None, *thresholds):
            spans = spans_of_mentions(gold) if threshold is None else document.detect(threshold)
            ranked = document.rank(spans)
            for bias in biases:
                chains = ranked.decode(bias).chains()
                responses.setdefault((threshold, bias), {})[example.name] = [
                    chain for chain in chains if keep_singletons or len(chain) > 1
                ]
    key = {e.name: [list(chain) for chain in e.chains[scheme]] for e in examples}
    scores = {choice: _conll_f1(key, response) for choice, response in responses.items()}
    given = _best_choice({choice: score for choice, score in scores.items() if choice[0] is None})
    detected = _best_choice({choice: score for choice, score in scores.items() if choice[0] is not None})
    chosen = DecodingConfig(threshold=detected[0] or 0.0, bias=detected[1], given=given[1])
    return chosen, scores[detected]


def _conll_f1(key: Mapping[str, list[list[Span]]], response: Mapping[str, list[list[Span]]]) -> float:
    result = score_clusters(key, response)
    return result.conll.f1 if result.conll else 0.0


def _best_choice(scores: Mapping[Choice, float]) -> Choice:
    """Return the best choice.

    >>> _best_choice({(0.3, 0.0): 0.5, (0.5, 0.25): 0.5, (0.5, 0.0): 0.5, (0.6, 0.0): 0.4})
    (0.5, 0.0)
    """
    usual = DecodingConfig()
    return max(scores, key=lambda choice: (scores[choice], -abs(choice[1]), -abs((choice[0] or 0.0) - usual.threshold)))
