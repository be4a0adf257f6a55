"""How a trained model is best decoded, chosen on development data without touching its weights.

Three numbers a scheme: the probability from which a span is a mention, and what is added to the
score of having no antecedent, for mentions that are detected and for mentions that are given. A
document is encoded once for all of them, and ranked once for every threshold.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from corefbench.resolvers.learned.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.choices import Decoding, keeps_singletons
from corefbench.resolvers.neural.decode import Decoded, Reading, given_spans
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.model import Model
from corefbench.resolvers.neural.storage import loaded

Report = Callable[[str], None]
Choice = tuple[float | None, float]
"""A threshold, None where mentions are given, and a bias."""

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
BIASES = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)


def calibrated(
    folder: Path,
    dev: Iterable[tuple[str, Sequence[Example]]],
    report: Report = lambda line: None,
) -> ModelCard:
    """Choose for every scheme that ``dev`` has, on the weights as they were saved, and keep it."""
    card, model = loaded(folder)
    decoding, scores = dict(card.config.get("decoding", {})), dict(card.scores)
    for scheme, examples in dev:
        chosen, score = calibrate(model, scheme, examples, keeps=keeps_singletons(card, scheme))
        decoding[scheme], scores[scheme] = msgspec.to_builtins(chosen), score
        report(
            f"{scheme}: threshold {chosen.threshold}, bias {chosen.bias}, with given mentions "
            f"{chosen.given}; CoNLL F1 {100 * score:.2f}"
        )
    made = msgspec.structs.replace(
        card, config={**card.config, "decoding": decoding}, scores=scores
    )
    save_model(folder, made, load_model(folder)[1])
    return made


def calibrate(
    model: Model,
    scheme: str,
    examples: Sequence[Example],
    *,
    keeps: bool,
    thresholds: Sequence[float] = THRESHOLDS,
    biases: Sequence[float] = BIASES,
) -> tuple[Decoding, float]:
    """The numbers with the best CoNLL F1, and that score with detected mentions.

    ``keeps`` says whether singletons are part of the answer. Of equal scores, those count that are
    nearest to no change.
    """
    answers: dict[Choice, dict[str, list[list[Span]]]] = {}
    for example in examples:
        reading = Reading(model, example, scheme)
        gold = [span for chain in example.chains[scheme] for span in chain]
        for threshold in (None, *thresholds):
            spans = given_spans(gold) if threshold is None else reading.detected(threshold)
            ranked = reading.ranked(spans)
            for bias in biases:
                chains = _chains(ranked.decoded(bias), keeps)
                answers.setdefault((threshold, bias), {})[example.name] = chains
    key = {e.name: [list(chain) for chain in e.chains[scheme]] for e in examples}
    scores = {choice: _conll(key, answer) for choice, answer in answers.items()}
    given = _best({choice: score for choice, score in scores.items() if choice[0] is None})
    found = _best({choice: score for choice, score in scores.items() if choice[0] is not None})
    chosen = Decoding(threshold=found[0] or 0.0, bias=found[1], given=given[1])
    return chosen, scores[found]


def _chains(decoded: Decoded, keeps: bool) -> list[list[Span]]:
    return [chain for chain in decoded.chains() if keeps or len(chain) > 1]


def _conll(key: Mapping[str, list[list[Span]]], response: Mapping[str, list[list[Span]]]) -> float:
    from corefbench.scoring.api import score_clusters

    result = score_clusters(key, response)
    return result.conll.f1 if result.conll else 0.0


def _best(scores: Mapping[Choice, float]) -> Choice:
    """
    >>> _best({(0.3, 0.0): 0.5, (0.5, 0.25): 0.5, (0.5, 0.0): 0.5, (0.6, 0.0): 0.4})
    (0.5, 0.0)
    """
    usual = Decoding()
    return max(
        scores,
        key=lambda choice: (
            scores[choice],
            -abs(choice[1]),
            -abs((choice[0] or 0.0) - usual.threshold),
        ),
    )
