"""Helpers that the systems share: versions, spaCy pipelines and documents of given words."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any


def installed_version(package: str) -> str:
    """Return the version of a package; ``unknown`` for one that is used without installing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def load_pipeline(options: dict[str, Any]) -> Any:
    """Load a spaCy pipeline by name or path on the requested device."""
    spacy = import_module("spacy")
    if options["device"] and options["device"] != "cpu":
        _, _, number = options["device"].partition(":")
        spacy.require_gpu(int(number or 0))
    return spacy.load(options["model"])


def describe_version(package: str, nlp: Any) -> str:
    """Return the version of a package with name and version of the pipeline."""
    meta = nlp.meta
    return f"{installed_version(package)}+{meta['lang']}_{meta['name']}-{meta['version']}"


def make_doc(nlp: Any, document: dict[str, Any], words: bool) -> Any:
    """Make a spaCy document of given words and sentences, or by tokenizing the text."""
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


def to_span(doc: Any, start: int, end: int, words: bool) -> list[int]:
    """Convert spaCy tokens to given tokens, or to characters of the text."""
    if words:
        return [start, end]
    return [doc[start].idx, doc[end - 1].idx + len(doc[end - 1])]
