"""Results as JSON that other programs rely on: keys may be added, none is renamed."""

from collections.abc import Mapping
from typing import Any

import msgspec

from corefbench.measures import Score
from corefbench.scoring.result import Result


def render(results: Mapping[str, Result], *, by_document: bool = False) -> str:
    """One response as an object, several under ``results``; fractions are not rounded."""
    objects = {name: as_object(result, by_document=by_document) for name, result in results.items()}
    whole = next(iter(objects.values())) if len(objects) == 1 else {"results": objects}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


def as_object(result: Result, *, by_document: bool = False) -> dict[str, Any]:
    """The result in plain values."""
    made: dict[str, Any] = {
        "signature": str(result.signature),
        "profile": result.profile.name,
        "documents": len(result.documents),
        "scores": {name: _score(score) for name, score in result.scores.items()},
        "conll": None if result.conll is None else result.conll.f1,
        "findings": [msgspec.to_builtins(finding) for finding in result.findings],
    }
    if by_document:
        made["by_document"] = {
            document: {name: _score(score) for name, score in scores.items()}
            for document, scores in result.by_document().items()
        }
    return made


def _score(score: Score) -> dict[str, float]:
    return {"recall": score.recall, "precision": score.precision, "f1": score.f1}
