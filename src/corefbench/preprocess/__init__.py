"""The pre-processors, by name; a name may say more after a colon: ``spacy:en_core_web_sm``."""

import inspect
from collections.abc import Callable

from corefbench.errors import UsageError
from corefbench.preprocess.base import Input, Preprocessor, PreprocessorCard
from corefbench.registry import Registry

DEFAULT = "en-accurate"
"""What analyses raw English text where no pre-processor is named."""

preprocessors: Registry[Callable[..., Preprocessor]] = Registry(
    "pre-processor",
    built_in={
        "en": "corefbench.preprocess.en:English",
        "en-accurate": "corefbench.preprocess.accurate:Accurate",
        "en-words": "corefbench.preprocess.english_plain:EnglishPlain",
        "spacy": "corefbench.preprocess.spacy:Spacy",
        "stanza": "corefbench.preprocess.stanza:Stanza",
        "conllu": "corefbench.preprocess.conllu:Conllu",
        "workbench": "corefbench.preprocess.workbench:Workbench",
        "parse": "corefbench.preprocess.parse:Parse",
    },
    aliases={"english": "en", "corefud": "conllu", "conll-2012": "parse"},
    entry_points="corefbench.preprocessors",
)


def make(text: str) -> Preprocessor:
    """The pre-processor of a name, with the pipeline after a colon or parameters in brackets.

    >>> make("conllu").card.title, make("conllu(types=true)").identity
    ('CoNLL-U columns', 'conllu(types)')
    """
    name, colon, pipeline = text.partition(":")
    if not colon or "(" in name:
        made: Preprocessor = preprocessors.make(text)
        return made
    entry = preprocessors[name]
    try:
        inspect.signature(entry).bind(pipeline)
    except TypeError as error:
        raise UsageError(f"the pre-processor {name} takes no pipeline", found=pipeline) from error
    return entry(pipeline)


__all__ = ["DEFAULT", "Input", "Preprocessor", "PreprocessorCard", "make", "preprocessors"]
