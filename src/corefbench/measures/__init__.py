"""The measures, by name; ``parse`` reads what ``str`` prints: ``blanc(edge=both)``."""

from corefbench.measures.base import ChainMeasure, Measure, MentionMeasure, with_parameters
from corefbench.measures.tally import Score, Scores, Tally
from corefbench.registry import Registry

measures: Registry[type[Measure]] = Registry(
    "measure",
    built_in={
        "mentions": "corefbench.measures.mentions:MentionDetection",
        "muc": "corefbench.measures.muc:MUC",
        "b_cubed": "corefbench.measures.b_cubed:BCubed",
        "ceaf_m": "corefbench.measures.ceaf:CEAFm",
        "ceaf_e": "corefbench.measures.ceaf:CEAFe",
        "blanc": "corefbench.measures.blanc:BLANC",
        "lea": "corefbench.measures.lea:LEA",
        "mor": "corefbench.measures.mention_overlap:MentionOverlap",
        "zero": "corefbench.measures.zero_anaphora:ZeroAnaphora",
        "split_antecedents": "corefbench.measures.split_antecedents:SplitAntecedents",
        "bridging": "corefbench.measures.bridging:Bridging",
        "non_referring": "corefbench.measures.non_referring:NonReferring",
    },
    aliases={
        "mention": "mentions",
        "md": "mentions",
        "b3": "b_cubed",
        "bcub": "b_cubed",
        "b³": "b_cubed",
        "ceafm": "ceaf_m",
        "ceafe": "ceaf_e",
    },
    entry_points="corefbench.measures",
)


def parse(text: str) -> Measure:
    """The measure of a printed name.

    >>> str(parse("blanc(edge=both)")), str(parse("B3"))
    ('blanc(edge=both)', 'b_cubed')
    """
    name, _, rest = text.partition("(")
    return with_parameters(measures[name], rest.rstrip(") "))


__all__ = [
    "ChainMeasure",
    "Measure",
    "MentionMeasure",
    "Score",
    "Scores",
    "Tally",
    "measures",
    "parse",
]
