"""Errors as links: antecedent decisions, and links of spanning trees.

**Decisions**: false-new, false-link, wrong-link (Chen et al. 2018).

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

**Links of spanning trees**: recall and precision errors (Martschat & Strube 2014). The chains of
the response divide a key chain into pieces; a mention that the response lacks is a
piece of its own. A spanning tree of the chain gives every mention but the first an antecedent: the
closest one in its own piece, if any. The first mention of every further piece has its antecedent in
another piece, and that link is a *recall error*. With key and response exchanged, such links are
*precision errors*. So

    recall errors = Σₖ (pieces of k − 1),   MUC recall = 1 − recall errors ÷ Σₖ (|k| − 1)

The ``antecedent`` of an error is chosen by a strategy:

    closest   the closest earlier mention of the chain
    type      for names, nominals and events the closest name, else the closest nominal, else the
              closest; for pronouns the closest (their *accessibility*, after Ariel 1988)
"""

from collections import Counter
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.errors.pair import Pair, Side, SideName
from corefbench.analysis.errors.strata import parse_stratum, sort_strata
from corefbench.analysis.errors.taxonomy import Error
from corefbench.records import Columns, Flags, Record

Antecedents: TypeAlias = Literal["closest", "type"]
ANTECEDENTS: tuple[Antecedents, ...] = ("closest", "type")
"""How the antecedent of a link error is chosen."""


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


def find_link_errors(pair: Pair, antecedents: Antecedents = "closest") -> list[Error]:
    """Return the recall errors of the key's chains, then the precision errors of the response's."""
    key = _broken_links(pair, "key", antecedents)
    return [*key, *_broken_links(pair, "response", antecedents)]


def _broken_links(pair: Pair, name: SideName, antecedents: Antecedents) -> list[Error]:
    side = pair.side(name)
    other = pair.response if name == "key" else pair.key
    twins = pair.twin_of_key if name == "key" else pair.twin_of_response
    errors = []
    for members in side.members:
        pieces: set[int] = set()
        latest: dict[str, int] = {}
        for position, mention in enumerate(members):
            twin = twins[mention]
            piece = other.chain[twin] if twin >= 0 else -1
            if position and (piece < 0 or piece not in pieces):
                antecedent = _choose_antecedent(side, mention, members[position - 1], latest, antecedents)
                errors.append(
                    Error(
                        pair=pair,
                        taxonomy="links",
                        kind="recall-error" if name == "key" else "precision-error",
                        side=name,
                        mention=mention,
                        key=antecedent if name == "key" else -1,
                        response=antecedent if name == "response" else -1,
                    )
                )
            pieces.add(piece)
            latest[side.kinds.type[mention]] = mention
    return errors


def _choose_antecedent(side: Side, mention: int, closest: int, latest: dict[str, int], antecedents: Antecedents) -> int:
    """Choose an antecedent by the strategy; ``latest`` has the latest earlier mention of each type."""
    if antecedents == "closest" or side.is_pronoun(mention):
        return closest
    return latest.get("name", latest.get("nominal", closest))
