"""Registry of file formats."""

from collections.abc import Callable

from corefbench.formats.base import Format, FormatCard, Reading
from corefbench.formats.source import Source
from corefbench.registry import Registry

formats: Registry[Callable[..., Format]] = Registry(
    "format",
    built_in={
        "semeval": "corefbench.formats.conll.format:SemEval",
        "conll": "corefbench.formats.conll.format:CoNLL",
        "corefud": "corefbench.formats.corefud.format:CorefUD",
        "ua": "corefbench.formats.ua.format:UniversalAnaphora",
        "jsonlines": "corefbench.formats.jsonlines:JsonLines",
        "preco": "corefbench.formats.preco:PreCo",
        "ecbplus": "corefbench.formats.ecbplus:EcbPlus",
        "mmax": "corefbench.formats.mmax.format:Mmax",
        "mate": "corefbench.formats.mate:Mate",
        "webanno": "corefbench.formats.webanno:WebAnno",
        "gap": "corefbench.formats.gap:Gap",
        "winogender": "corefbench.formats.winogender:Winogender",
        "brat": "corefbench.formats.brat:Brat",
        "litbank": "corefbench.formats.litbank:LitBank",
        "winobias": "corefbench.formats.winobias:WinoBias",
        "muc": "corefbench.formats.muc:MUC",
        "ontonotes": "corefbench.formats.ontonotes:OntoNotes",
        "workbench": "corefbench.formats.workbench:Workbench",
        "are": "corefbench.formats.are:ARE",
        "are-1": "corefbench.formats.are:ARE1",
        "are-2": "corefbench.formats.are:ARE2",
        "are-3": "corefbench.formats.are:ARE3",
        "are-4": "corefbench.formats.are:ARE4",
        "parquet": "corefbench.formats.parquet.format:Parquet",
        "inline": "corefbench.formats.inline:Inline",
        "text": "corefbench.formats.text:Text",
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
        "ecb": "ecbplus",
        "ecb+": "ecbplus",
        "mmax2": "mmax",
        "muc-6": "muc",
        "muc-7": "muc",
        "sgml": "muc",
        "coref": "ontonotes",
        "barbu-mitkov": "workbench",
        "standoff": "brat",
        "inception": "webanno",
        "plain": "text",
        "txt": "text",
        "brackets": "inline",
    },
    entry_points="corefbench.formats",
)


def make(text: str) -> Format:
    """Return the format of that name, which may have parameters.

    >>> make("ecbplus(mentions=events)").card.name
    'ecbplus'
    """
    chosen: Format = formats.make(text)
    return chosen


__all__ = ["Format", "FormatCard", "Reading", "Source", "formats", "make"]
