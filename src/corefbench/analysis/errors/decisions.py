"""Errors as antecedent decisions: false-new, false-link, wrong-link (Chen et al. 2018).

A mention is *anaphoric* in the key if its chain has an earlier mention. The response *links* a
mention to the closest earlier mention of its chain, and begins a new entity where there is none.

    false-new    anaphoric in the key; the response does not have it or begins an entity with it
    false-link   not anaphoric in the key, or not in the key; the response links it
    wrong-link   anaphoric in the key; the response links it to a mention of another entity

A link is right if its two mentions are of one key chain. So

    recall    = right ÷ (right + false-new + wrong-link)
    precision = right ÷ (right + false-link + wrong-link)

A missing first mention and an extra mention that is not linked are not decision errors.
The classes are also those of Durrett & Klein 2013, who say *false anaphor* for *false-link*.
"""

from collections import Counter
from functools import partial

import numpy as np

from corefbench.analysis.errors.pair import Pair
from corefbench.analysis.errors.strata import parse_stratum, sort_strata
from corefbench.analysis.errors.taxonomy import Error
from corefbench.records import Columns, Flags, Record


class Decisions(Columns, frozen=True, eq=False):
    """Flags of the mentions that are linked, and of those linked correctly."""

    anaphoric: Flags
    """Key mentions with an antecedent …"""
    found: Flags
    """… and those that the response links to a mention of their entity."""
    linked: Flags
    """Response mentions with an antecedent …"""
    right: Flags
    """… and those linked to a mention of their entity."""


def classify_decisions(pair: Pair) -> tuple[Decisions, list[Error]]:
    """Return the decisions of the response, and the errors among them in text order."""
    key, response = pair.key, pair.response
    anaphoric = np.array(key.antecedent, np.int64) >= 0
    linked = np.array(response.antecedent, np.int64) >= 0
    found, right = np.zeros(len(key), np.bool_), np.zeros(len(response), np.bool_)
    error, errors = partial(Error, pair=pair, taxonomy="decisions"), list[Error]()
    for mention in np.flatnonzero(linked).tolist():
        twin, antecedent = pair.twin_of_response[mention], response.antecedent[mention]
        other = pair.twin_of_response[antecedent]
        if twin >= 0 and other >= 0 and key.chain[twin] == key.chain[other]:
            right[mention] = True
            found[twin] = anaphoric[twin]
        elif twin >= 0 and anaphoric[twin]:
            missed = key.antecedent[twin]
            errors.append(error(kind="wrong-link", side="key", mention=twin, key=missed, response=antecedent))
        else:
            errors.append(error(kind="false-link", side="response", mention=mention, response=antecedent))
    for mention in np.flatnonzero(anaphoric).tolist():
        twin = pair.twin_of_key[mention]
        if twin < 0 or not linked[twin]:
            missed = key.antecedent[mention]
            errors.append(error(kind="false-new", side="key", mention=mention, key=missed))
    decisions = Decisions(anaphoric=anaphoric, found=found, linked=linked, right=right)
    return decisions, errors


class StratumScore(Record, frozen=True):
    """The links of one stratum.

    recall = found ÷ anaphoric,  precision = right ÷ linked;  0 ÷ 0 is 0.

    Key mentions count in their stratum of the key, response mentions in that of the response:
    recall goes by the distance to the key's antecedent, precision by that to the response's.

    >>> StratumScore(anaphoric=4, found=2, linked=2, right=2).f1
    0.6666666666666666
    """

    anaphoric: int = 0
    """Key mentions with an antecedent …"""
    found: int = 0
    """… and those linked correctly."""
    linked: int = 0
    """Response mentions with an antecedent …"""
    right: int = 0
    """… and those linked correctly."""

    @property
    def recall(self) -> float:
        return self.found / self.anaphoric if self.anaphoric else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.linked if self.linked else 0.0

    @property
    def f1(self) -> float:
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


def score_strata(pair: Pair, decisions: Decisions, by: str) -> dict[str, StratumScore]:
    """Return the score of every stratum that has links."""
    name = parse_stratum(by)
    key, response = pair.key.strata[name], pair.response.strata[name]
    counts = {
        "anaphoric": _count_by_stratum(key, decisions.anaphoric),
        "found": _count_by_stratum(key, decisions.found),
        "linked": _count_by_stratum(response, decisions.linked),
        "right": _count_by_stratum(response, decisions.right),
    }
    values = sort_strata(name, (value for by_stratum in counts.values() for value in by_stratum))
    return {value: StratumScore(**{kind: by_stratum[value] for kind, by_stratum in counts.items()}) for value in values}


def overall_score(decisions: Decisions) -> StratumScore:
    """Return the score of all links."""
    names = StratumScore.__struct_fields__
    return StratumScore(**{name: int(getattr(decisions, name).sum()) for name in names})


def gender_bias(scores: dict[str, StratumScore]) -> float | None:
    """Return F1 on feminine ÷ F1 on masculine pronouns (Webster et al. 2018), if there are both."""
    masculine, feminine = (scores.get(g) for g in ("masculine", "feminine"))
    if masculine is None or feminine is None or not masculine.f1:
        return None
    return feminine.f1 / masculine.f1


def _count_by_stratum(values: list[str], counted: Flags) -> Counter[str]:
    return Counter(values[mention] for mention in np.flatnonzero(counted).tolist())
