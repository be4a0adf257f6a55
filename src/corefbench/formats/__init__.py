"""The file formats, by name, and the one way to open a file: ``load`` and ``stream``."""

from collections.abc import Callable

from corefbench.formats.base import Format, FormatCard, Reading
from corefbench.formats.source import Source
from corefbench.registry import Registry

formats: Registry[Callable[[], Format]] = Registry(
    "format",
    built_in={
        "semeval": "corefbench.formats.semeval:SemEval",
        "conll": "corefbench.formats.conll:CoNLL",
        "corefud": "corefbench.formats.corefud:CorefUD",
        "ua": "corefbench.formats.universal_anaphora:UniversalAnaphora",
        "jsonlines": "corefbench.formats.jsonlines:JsonLines",
    },
    aliases={
        "conll-2012": "conll",
        "conll-2011": "conll",
        "semeval-2010": "semeval",
        "conllu": "corefud",
        "conll-u": "corefud",
        "universal-anaphora": "ua",
        "jsonl": "jsonlines",
        "e2e": "jsonlines",
    },
    entry_points="corefbench.formats",
)

__all__ = ["Format", "FormatCard", "Reading", "Source", "formats"]
