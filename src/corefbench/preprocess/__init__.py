"""Registry of pre-processors; a pipeline may follow a name: ``spacy:en_core_web_sm``."""

import inspect
from collections.abc import Callable

from corefbench.errors import UsageError
from corefbench.preprocess.base import Input, Preprocessor, PreprocessorCard
from corefbench.registry import Registry

DEFAULT = "en-accurate"
"""The pre-processor of raw text if none is named."""

preprocessors: Registry[Callable[..., Preprocessor]] = Registry(
    "pre-processor",
    built_in={
        "en": "corefbench.preprocess.pipelines.spacy:English",
        "en-accurate": "corefbench.preprocess.pipelines.transformer:Transformer",
        "en-words": "corefbench.preprocess.pipelines.plain:PlainEnglish",
        "spacy": "corefbench.preprocess.pipelines.spacy:Spacy",
        "stanza": "corefbench.preprocess.pipelines.stanza:Stanza",
        "conllu": "corefbench.preprocess.pipelines.annotated:Conllu",
        "workbench": "corefbench.preprocess.pipelines.annotated:Workbench",
        "parse": "corefbench.preprocess.pipelines.conll2012:Conll2012",
    },
    aliases={"english": "en", "corefud": "conllu", "conll-2012": "parse"},
    entry_points="corefbench.preprocessors",
)


def make(text: str) -> Preprocessor:
    """Make the pre-processor of a name, with a pipeline after a colon or parameters in brackets.

    >>> make("conllu").card.title, make("conllu(types=true)").identity
    ('CoNLL-U columns', 'conllu(types)')
    """
    name, colon, pipeline = text.partition(":")
    if not colon or "(" in name:
        preprocessor: Preprocessor = preprocessors.make(text)
        return preprocessor
    entry = preprocessors[name]
    try:
        inspect.signature(entry).bind(pipeline)
    except TypeError as error:
        raise UsageError(f"the pre-processor {name} takes no pipeline", found=pipeline) from error
    return entry(pipeline)


__all__ = ["DEFAULT", "Input", "Preprocessor", "PreprocessorCard", "make", "preprocessors"]
