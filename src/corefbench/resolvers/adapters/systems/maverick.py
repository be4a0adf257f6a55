"""Maverick: always on words and sentences, and on given mentions where there are any.

Its character offsets are not used: they take sentences to be one character apart.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Relative: run as a package of its own, see serve.py.
from .common import installed_version


class System:
    """A loaded model."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._model = import_module("maverick").Maverick(
            hf_name_or_path=options["model"], device=options["device"] or "cpu"
        )
        self._singletons = bool(options["singletons"])
        self.version = installed_version("maverick-coref")

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of the documents, which the package takes singly."""
        return [self._answer(document) for document in documents]

    def _answer(self, document: dict[str, Any]) -> dict[str, Any]:
        words, sentences = document["words"], document["sentences"]
        speakers, mentions = document["speakers"], document["mentions"]
        options: dict[str, Any] = {}
        if speakers is not None:
            options["speakers"] = [[name or "-" for name in speakers[start:end]] for start, end in sentences]
        if mentions is not None:
            options["predefined_mentions"] = [(start, end - 1) for start, end in mentions]
        prediction = self._model.predict(
            [words[start:end] for start, end in sentences], singletons=self._singletons, **options
        )
        clusters = prediction["clusters_token_offsets"]
        return {"unit": "tokens", "chains": [[[int(first), int(last) + 1] for first, last in c] for c in clusters]}


def load(options: dict[str, Any]) -> System:
    """Load the model of the options."""
    return System(options)
