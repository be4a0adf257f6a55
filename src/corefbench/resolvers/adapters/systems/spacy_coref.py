"""spaCy pipelines with the coreference components of spacy-experimental."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from .spacy_words import doc, pipeline, span, versions  # run as a package of its own: see serve.py

_CHAIN = re.compile(r"coref_clusters_\d+")


class System:
    """A loaded pipeline."""

    def __init__(self, options: dict[str, Any]) -> None:
        import_module("spacy_experimental")
        self._words = options["sends"] == "tokens"
        self._nlp = pipeline(options)
        self.version = versions("spacy-experimental", self._nlp)

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Answers in step with the documents."""
        docs = (doc(self._nlp, document, self._words) for document in documents)
        return [self._answer(made) for made in self._nlp.pipe(docs)]

    def _answer(self, made: Any) -> dict[str, Any]:
        chains = [
            [span(made, mention.start, mention.end, self._words) for mention in made.spans[key]]
            for key in made.spans
            if _CHAIN.fullmatch(key)
        ]
        return {"unit": "tokens" if self._words else "characters", "chains": chains}


def load(options: dict[str, Any]) -> System:
    """The pipeline of the options."""
    return System(options)
