"""The weights of Kennedy & Boguraev (1996), and the decisions that the paper leaves open."""

from typing import Literal

from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record
from corefbench.resolvers.base import Parameter
from corefbench.resolvers.rules.checks import check_parameters
from corefbench.resolvers.rules.salience import Factors, Weights

WEIGHTS: Weights = {
    "SENT-S": 100.0, "CNTX-S": 50.0, "SUBJ-S": 80.0, "EXST-S": 70.0, "POSS-S": 65.0, "ACC-S": 50.0,
    "DAT-S": 40.0, "OBLQ-S": 30.0, "HEAD-S": 80.0, "ARG-S": 50.0,
}  # fmt: skip
"""The initial weights (§2.2.2); the paper takes most of them from Lappin & Leass."""

_FUNCTIONS = {
    "subject": "SUBJ-S",
    "existential": "EXST-S",
    "object": "ACC-S",
    "indirect": "DAT-S",
    "oblique": "OBLQ-S",
}

_TABLE = (
    ("D1", "min_salience", 10.0, "classes below this are forgotten: a subject lasts 5 sentences"),
    ("D2", "parallelism", 35.0, "reward for the functions of an earlier antecedent and anaphor"),
    ("D2", "memory", "sentence", "how long such pairs are remembered: sentence or document"),
    ("D3", "co_arguments", "pairs", "disjoint if before or after (pairs), or only after (literal)"),
    ("D4", "segment", "paragraph", "the context of CNTX-S: paragraph or document"),
    ("D5", "unbound", "pronoun", "a reflexive that nothing binds: resolved as pronoun, or none"),
    ("D6", "existential", "only", "the subject of 'there is': EXST-S only, or as subject too"),
    ("D7", "link_names", True, "whether a proper name joins the class of the same name"),
    ("D8", "context", "flags", "the same subordinate context: by flags, or by the tree"),
    ("D9", "empty", "none", "without candidates: none, or the most recent phrase that agrees"),
    ("", "cataphora", 3.0, "the salience of a candidate that follows is divided by this"),
    ("", "propagate", True, "whether what is coreferent with a disjoint argument is disjoint too"),
    ("", "genitive", "pronouns", "POSS-S for possessive pronouns only, or for all genitives"),
    ("", "modifiers", False, "whether a noun that modifies a noun is a referent"),
    (
        "",
        "member",
        "nearest",
        "the antecedent in the chosen class: the nearest, or the most salient",
    ),
    ("", "appositions", True, "whether an apposition joins the class of what it renames"),
    ("", "class_gender", True, "whether the gender of one member holds for its whole class"),
)

PARAMETERS = tuple(
    Parameter(decision=decision, name=name, default=default, meaning=meaning)
    for decision, name, default, meaning in _TABLE
)


class Settings(Record, frozen=True, kw_only=True):
    """One way to decide what the paper does not."""

    min_salience: float = 10.0
    parallelism: float = 35.0
    memory: Literal["sentence", "document"] = "sentence"
    co_arguments: Literal["pairs", "literal"] = "pairs"
    segment: Literal["paragraph", "document"] = "paragraph"
    unbound: Literal["pronoun", "none"] = "pronoun"
    existential: Literal["only", "subject"] = "only"
    link_names: bool = True
    context: Literal["flags", "tree"] = "flags"
    empty: Literal["none", "recent"] = "none"
    cataphora: float = 3.0
    propagate: bool = True
    genitive: Literal["pronouns", "all"] = "pronouns"
    modifiers: bool = False
    member: Literal["nearest", "salient"] = "nearest"
    appositions: bool = True
    class_gender: bool = True

    def __post_init__(self) -> None:
        check_parameters(self, cataphora=1)

    def factors(self, phrase: Phrase) -> Factors:
        """The factors that a phrase of the current sentence satisfies."""
        found = ["SENT-S", "CNTX-S"]
        if phrase.function in _FUNCTIONS:
            found.append(_FUNCTIONS[phrase.function])
        if phrase.function == "existential" and self.existential == "subject":
            found.append("SUBJ-S")
        if phrase.function == "possessive" and (phrase.pronoun or self.genitive == "all"):
            found.append("POSS-S")
        if not phrase.embedded:
            found.append("HEAD-S")
        if not phrase.adjunct:
            found.append("ARG-S")
        return tuple(found)
