"""Stanza's coreference processor. It is told not to download: a run uses what is on disk."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Relative: run as a package of its own, see serve.py.
from .common import installed_version


class System:
    """A loaded pipeline of tokeniser and coreference."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._words = options["sends"] == "tokens"
        more_options: dict[str, Any] = {"device": options["device"]} if options["device"] else {}
        if options["model"]:
            more_options["package"] = {"coref": options["model"]}
        self._pipeline = import_module("stanza").Pipeline(
            options["language"],
            processors="tokenize,coref",
            tokenize_pretokenized=self._words,
            download_method=None,
            **more_options,
        )
        self.version = installed_version("stanza")

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of the documents."""
        return [self._answer(document) for document in documents]

    def _answer(self, document: dict[str, Any]) -> dict[str, Any]:
        source = document["text"]
        if self._words:
            words = document["words"]
            source = [words[start:end] for start, end in document["sentences"]]
        sentences = self._pipeline(source)
        positions = _tokens(sentences) if self._words else _characters(sentences)
        zeros, chains = 0, []
        for chain in sentences.coref:
            spans = []
            for mention in chain.mentions:
                # A zero stands between words: its place is a pair of numbers.
                if isinstance(mention.start_word, (tuple, list)):
                    zeros += 1
                else:
                    inside = positions[mention.sentence][mention.start_word : mention.end_word]
                    spans.append([inside[0][0], inside[-1][1]])
            chains.append(spans)
        lost = {"zeros": zeros} if zeros else {}
        return {"unit": "tokens" if self._words else "characters", "chains": chains, "lost": lost}


def _tokens(document: Any) -> list[list[tuple[int, int]]]:
    """For the words of every sentence the tokens that were given: a token may be two words."""
    rows, number = [], 0
    for sentence in document.sentences:
        row = []
        for token in sentence.tokens:
            row += [(number, number + 1)] * len(token.words)
            number += 1
        rows.append(row)
    return rows


def _characters(document: Any) -> list[list[tuple[int, int]]]:
    """For the words of every sentence the characters of their tokens."""
    return [[(t.start_char, t.end_char) for t in sentence.tokens for _ in t.words] for sentence in document.sentences]


def load(options: dict[str, Any]) -> System:
    """Load the pipeline of the options."""
    return System(options)
