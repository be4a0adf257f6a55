"""The measures, by name; ``parse`` reads what ``str`` prints: ``blanc(edge=both)``."""

from corefbench.registry import Registry
from corefbench.scoring.measures.base import ChainMeasure, Measure, MentionMeasure, with_parameters
from corefbench.scoring.measures.tally import Score, Scores, Tally

measures: Registry[type[Measure]] = Registry(
    "measure",
    built_in={
        "mentions": "corefbench.scoring.measures.mention_detection:MentionDetection",
        "muc": "corefbench.scoring.measures.muc:MUC",
        "b_cubed": "corefbench.scoring.measures.b_cubed:BCubed",
        "ceaf_m": "corefbench.scoring.measures.ceaf:CEAFm",
        "ceaf_e": "corefbench.scoring.measures.ceaf:CEAFe",
        "blanc": "corefbench.scoring.measures.blanc:BLANC",
        "lea": "corefbench.scoring.measures.lea:LEA",
        "mor": "corefbench.scoring.measures.mention_overlap:MentionOverlap",
        "zero": "corefbench.scoring.measures.zero_anaphora:ZeroAnaphora",
        "split_antecedents": "corefbench.scoring.measures.split_antecedents:SplitAntecedents",
        "bridging": "corefbench.scoring.measures.bridging:Bridging",
        "non_referring": "corefbench.scoring.measures.non_referring:NonReferring",
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


__all__ = ["ChainMeasure", "Measure", "MentionMeasure", "Score", "Scores", "Tally", "measures", "parse"]
