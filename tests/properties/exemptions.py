"""Which measure is exempt from which property, and why; by card or by printed name."""

_FIRST = "a mention that the key lacks counts as one of the key's first chain"
_HALF = "pairs of mentions: with a mention the number of pairs that are not linked grows, too"
_CREDIT = "a mention without a twin earns something"
_ENTITY = "the entity is asked of the key only"
_EDGE = "leaves out the half that the key lacks, not the one that the response lacks"
_RESPONSE = "looks at pairs of response mentions only"
_PARTS = "the split antecedent agrees less or more when a part of it is cut"
_OTHER_HALF = "the mean of the F1 of two halves"

EXEMPT: dict[str, dict[str, str]] = {
    "exchanging key and response exchanges recall and precision": {
        "blanc": _EDGE,
        "blanc(links=response)": _RESPONSE,
        "blanc(edge=both, links=response)": _RESPONSE,
        "b_cubed(twinless=skip)": "deletes the response's mentions without a twin, not the key's",
        "bridging": _ENTITY,
    },
    "labels and order of chains and mentions do not matter": {
        "blanc(links=response)": _FIRST,
        "blanc(edge=both, links=response)": _FIRST,
    },
    "f1 is the harmonic mean of recall and precision": {
        "blanc*": _OTHER_HALF,
        "split_antecedents(metric=blanc)": _OTHER_HALF,
    },
    "no response scores zero": {"b_cubed(twinless=credit)": _CREDIT},
    "mentions that have nothing in common score zero": {
        "b_cubed(twinless=credit)": _CREDIT,
        "blanc(links=response)": _FIRST,
        "blanc(edge=both, links=response)": _FIRST,
    },
    "a singleton that both sides have lowers nothing": {
        "blanc*": _HALF,
        "split_antecedents(metric=blanc)": _HALF,
    },
    "a spurious singleton leaves recall and does not raise precision": {
        "blanc(edge=both)": "may gain a half that scores 0",
        "split_antecedents(metric=blanc)": "may gain a half that scores 0",
        "blanc(links=response)": _RESPONSE,
        "blanc(edge=both, links=response)": _RESPONSE,
        "b_cubed(twinless=credit)": _CREDIT,
    },
    "a missed singleton leaves precision and does not raise recall": {
        "blanc*": _HALF,
        "split_antecedents(metric=blanc)": _HALF,
        "b_cubed(twinless=credit)": _CREDIT,
    },
    "splitting a response chain does not raise recall": {
        "ceaf_m": "the best pairing may gain a chain",
        "ceaf_e": "the best pairing may gain a chain",
        "blanc*": "a pair that is rightly not linked is worth as much as one that is",
        "lea": "a singleton that both sides have is resolved, in one chain with others it is not",
        "split_antecedents*": "for CEAF and LEA as without split antecedents",
    },
}
"""By property, then by measure: a printed name, or all that begin so, with a star."""


def reason(rule: str, measure: str) -> str:
    """Why the measure is exempt from the property; empty where it is not.

    >>> reason("no response scores zero", "b_cubed(twinless=credit)")
    'a mention without a twin earns something'
    """
    for name, why in EXEMPT.get(rule, {}).items():
        if matches(name, measure):
            return why
    return ""


def matches(name: str, measure: str) -> bool:
    """Whether an exemption under this name is one of the measure."""
    return measure == name or (name.endswith("*") and measure.startswith(name[:-1]))
