"""fastcoref: F-coref and LingMess."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

# Relative: run as a package of its own, see serve.py.
from .common import installed_version


class System:
    """A loaded model, on words or on text."""

    def __init__(self, options: dict[str, Any]) -> None:
        package = import_module("fastcoref")
        lingmess = "lingmess" in options["model"].lower()
        self._words = options["sends"] == "tokens"
        self._model = (package.LingMessCoref if lingmess else package.FCoref)(
            model_name_or_path=options["model"],
            device=options["device"] or None,
            nlp=None if self._words else "en_core_web_sm",
            enable_progress_bar=False,
        )
        self.version = installed_version("fastcoref")

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of the documents.

        A document that is longer than the model takes is left out of the package's results, whose
        ``text_idx`` tells to which the others belong.
        """
        texts = [document["words" if self._words else "text"] for document in documents]
        results = self._model.predict(texts=texts, is_split_into_words=self._words)
        by_index = {int(result.text_idx): result for result in results}
        return [self._answer(by_index[index]) if index in by_index else _skipped() for index in range(len(documents))]

    def _answer(self, result: Any) -> dict[str, Any]:
        chains, links, lost = [], [], 0
        for cluster in result.get_clusters(as_strings=False):
            # A span on a special token has no place in the text.
            spans = sorted((int(s[0]), int(s[1])) for s in cluster if s is not None)
            lost += len(cluster) - len(spans)
            chains.append(spans)
            # Spans of word pieces may be the same words.
            distinct = sorted(set(spans))
            links += [_link(result, distinct, n) for n in range(1, len(distinct))]
        return {
            "unit": "tokens" if self._words else "characters",
            "chains": chains,
            "links": links,
            "lost": {"spans on special tokens": lost} if lost else {},
        }


def _link(result: Any, spans: list[tuple[int, int]], number: int) -> tuple[Any, Any, float]:
    """Return the best antecedent and its probability against that of no antecedent.

    The score of no antecedent is 0, so the probability is the logistic function of the pair's.
    """
    scored = [(float(result.get_logit(spans[n], spans[number])), n) for n in range(number)]
    score, best = max(scored)
    probability = 1 / (1 + math.exp(-score)) if score > -700 else 0.0
    return spans[number], spans[best], probability


def _skipped() -> dict[str, Any]:
    lost = {"documents longer than the model takes, which it skipped": 1}
    return {"unit": "tokens", "chains": [], "lost": lost}


def load(options: dict[str, Any]) -> System:
    """Load the model of the options."""
    return System(options)
