"""spaCy pipelines with the coreference components of spacy-experimental."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

# Relative: run as a package of its own, see serve.py.
from .common import describe_version, load_pipeline, make_doc, to_span

_CHAIN = re.compile(r"coref_clusters_\d+")


class System:
    """A loaded pipeline."""

    def __init__(self, options: dict[str, Any]) -> None:
        import_module("spacy_experimental")
        self._words = options["sends"] == "tokens"
        self._nlp = load_pipeline(options)
        self.version = describe_version("spacy-experimental", self._nlp)

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of the documents."""
        docs = (make_doc(self._nlp, document, self._words) for document in documents)
        return [self._answer(doc) for doc in self._nlp.pipe(docs)]

    def _answer(self, doc: Any) -> dict[str, Any]:
        chains = [
            [to_span(doc, mention.start, mention.end, self._words) for mention in doc.spans[key]]
            for key in doc.spans
            if _CHAIN.fullmatch(key)
        ]
        return {"unit": "tokens" if self._words else "characters", "chains": chains}


def load(options: dict[str, Any]) -> System:
    """Load the pipeline of the options."""
    return System(options)
