"""The errors of a response in plain values, for JSON."""

from collections.abc import Collection
from typing import Any

import msgspec

from corefbench.analysis.errors import ErrorAnalysis, Example, StratumScore, Taxonomy
from corefbench.analysis.strata import stratum_named
from corefbench.report.errors import ErrorReport, is_trained, low_frequency_share
from corefbench.scoring.choosing import described


def as_object(analysis: ErrorAnalysis, shown: ErrorReport) -> dict[str, Any]:
    """The analysis in plain values; programs may rely on the keys."""
    score = analysis.overall
    made: dict[str, Any] = {
        "response": shown.name,
        "profile": analysis.profile.name,
        "choices": described(analysis.profile),
        "documents": len(analysis.pair.key.corpus),
        "errors": {taxonomy: analysis.counts[taxonomy] for taxonomy in shown.taxonomies},
        "decisions": _score_object(score),
    }
    if "operations" in shown.taxonomies:
        made["if_fixed"] = [msgspec.to_builtins(row) for row in analysis.if_fixed()]
    if is_trained(analysis):
        made["low_frequency"] = {
            kind: low_frequency_share(some) for kind, some in analysis.categorize("kind").items()
        }
    if shown.by:
        made |= _strata_object(analysis, shown.taxonomies, stratum_named(shown.by))
    if shown.examples:
        examples = analysis.examples(shown.examples, width=shown.width)
        made["examples"] = [_example_object(example) for example in examples]
    return made


def _strata_object(
    analysis: ErrorAnalysis, taxonomies: Collection[Taxonomy], by: str
) -> dict[str, Any]:
    made: dict[str, Any] = {
        "by": by,
        "strata": {value: _score_object(score) for value, score in analysis.scores(by).items()},
        "errors_by_stratum": {
            value: {taxonomy: some.counts[taxonomy] for taxonomy in taxonomies}
            for value, some in analysis.categorize(by).items()
        },
    }
    return {**made, "bias": analysis.bias} if by == "gender" else made


def _score_object(score: StratumScore) -> dict[str, float]:
    rates = {"recall": score.recall, "precision": score.precision, "f1": score.f1}
    return {**msgspec.to_builtins(score), **rates}


def _example_object(example: Example) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(example)
    return {"class": made.pop("kind"), **made}
