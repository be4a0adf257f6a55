"""Coreferee: its mentions are the heads of noun phrases, several for a coordination."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Relative: run as a package of its own, see serve.py.
from .common import describe_version, load_pipeline, make_doc, to_span


class System:
    """A loaded spaCy pipeline, with Coreferee after it."""

    def __init__(self, options: dict[str, Any]) -> None:
        import_module("coreferee")
        broken = import_module("coreferee.errors").CorefereeError
        self._words = options["sends"] == "tokens"
        self._nlp = load_pipeline(options)
        try:
            component = self._nlp.create_pipe("coreferee")
        except broken as error:
            raise FileNotFoundError(str(error)) from error
        # The component prints what goes wrong and goes on; its annotator raises it.
        annotator = getattr(component, "annotator", None)
        self._annotate = component if annotator is None else annotator.annotate
        self.version = describe_version("coreferee", self._nlp)

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of the documents."""
        docs = (make_doc(self._nlp, document, self._words) for document in documents)
        return [self._answer(doc) for doc in self._nlp.pipe(docs)]

    def _answer(self, doc: Any) -> dict[str, Any]:
        self._annotate(doc)
        chains = []
        for chain in doc._.coref_chains or ():
            heads = [sorted(mention.token_indexes) for mention in chain]
            chains.append([to_span(doc, h[0], h[-1] + 1, self._words) for h in heads])
        return {"unit": "tokens" if self._words else "characters", "chains": chains, "heads": True}


def load(options: dict[str, Any]) -> System:
    """Load the pipeline of the options."""
    return System(options)
