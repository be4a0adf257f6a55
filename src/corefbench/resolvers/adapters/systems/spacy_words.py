"""What the systems on spaCy share: a pipeline, and documents of given words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .versions import installed  # run as a package of its own: see serve.py


def pipeline(options: dict[str, Any]) -> Any:
    """The pipeline of a name or path, on the device that is asked for."""
    spacy = import_module("spacy")
    if options["device"] and options["device"] != "cpu":
        _, _, number = options["device"].partition(":")
        spacy.require_gpu(int(number or 0))
    return spacy.load(options["model"])


def versions(package: str, nlp: Any) -> str:
    """The version of a package, and name and version of the pipeline."""
    meta = nlp.meta
    return f"{installed(package)}+{meta['lang']}_{meta['name']}-{meta['version']}"


def doc(nlp: Any, document: dict[str, Any], words: bool) -> Any:
    """The document as spaCy's own: of its words and sentences, or as the pipeline cuts the text."""
    if not words:
        return nlp.make_doc(document["text"])
    offsets, text = document["offsets"], document["text"]
    begins = [begin for begin, _ in offsets[1:]] + [len(text)]
    starts = {start for start, _ in document["sentences"]}
    return import_module("spacy.tokens").Doc(
        nlp.vocab,
        words=[word or "_" for word in document["words"]],
        spaces=[finish < begins[n] for n, (_, finish) in enumerate(offsets)],
        sent_starts=[n in starts for n in range(len(offsets))],
    )


def span(made: Any, start: int, end: int, words: bool) -> list[int]:
    """Tokens of spaCy's document as tokens that were given, or as characters of the text."""
    if words:
        return [start, end]
    return [made[start].idx, made[end - 1].idx + len(made[end - 1])]
