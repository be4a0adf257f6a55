"""Maverick: always on words and sentences, and on given mentions where there are any.

Its character offsets are not used: they take sentences to be one character apart.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .versions import installed  # run as a package of its own: see serve.py


class System:
    """A loaded model."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._model = import_module("maverick").Maverick(
            hf_name_or_path=options["model"], device=options["device"] or "cpu"
        )
        self._singletons = bool(options["singletons"])
        self.version = installed("maverick-coref")

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Answers in step with the documents; the package takes them one at a time."""
        return [self._answer(document) for document in documents]

    def _answer(self, document: dict[str, Any]) -> dict[str, Any]:
        words, sentences = document["words"], document["sentences"]
        speakers, mentions = document["speakers"], document["mentions"]
        more: dict[str, Any] = {}
        if speakers is not None:
            more["speakers"] = [
                [name or "-" for name in speakers[start:end]] for start, end in sentences
            ]
        if mentions is not None:
            more["predefined_mentions"] = [(start, end - 1) for start, end in mentions]
        found = self._model.predict(
            [words[start:end] for start, end in sentences], singletons=self._singletons, **more
        )
        clusters = found["clusters_token_offsets"]
        return {
            "unit": "tokens",
            "chains": [[[int(first), int(last) + 1] for first, last in c] for c in clusters],
        }


def load(options: dict[str, Any]) -> System:
    """The model of the options."""
    return System(options)
