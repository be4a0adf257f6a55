"""Errors as antecedent decisions: false-new, false-link, wrong-link (Chen et al. 2018).

A mention is *anaphoric* in the key if its chain has an earlier mention. The response *links* a
mention to the closest earlier mention of its chain, and begins a new entity where there is none.

    false-new    anaphoric in the key; the response does not have it or begins an entity with it
    false-link   not anaphoric in the key, or not in the key; the response links it
    wrong-link   anaphoric in the key; the response links it to a mention of another entity

A link is right where its two mentions are of one key chain. So, with the links that are right,

    recall    = right ÷ (right + false-new + wrong-link)
    precision = right ÷ (right + false-link + wrong-link)

A first mention that is missing, and an extra one that nothing precedes, are no wrong decisions.
The classes are also those of Durrett & Klein 2013, who say *false anaphor* for *false-link*.
"""

import numpy as np

from corefbench.analysis.errors.error import Error
from corefbench.analysis.errors.pair import Pair
from corefbench.record import Columns, Flags


class Decisions(Columns, frozen=True, eq=False):
    """Which links there are and which are right, mention by mention."""

    anaphoric: Flags
    """Of the key's mentions …"""
    found: Flags
    """… and those that the response links to a mention of their entity."""
    linked: Flags
    """Of the response's mentions …"""
    right: Flags
    """… and those linked to a mention of their entity."""


def decide(pair: Pair) -> tuple[Decisions, list[Error]]:
    """The decisions of the response, and those that are wrong, in the order of the text."""
    key, response = pair.key, pair.response
    anaphoric = np.array(key.antecedent, np.int64) >= 0
    linked = np.array(response.antecedent, np.int64) >= 0
    found, right = np.zeros(len(key), np.bool_), np.zeros(len(response), np.bool_)
    errors = []
    for mention in np.flatnonzero(linked).tolist():
        twin, given = pair.twin_of_response[mention], response.antecedent[mention]
        other = pair.twin_of_response[given]
        if twin >= 0 and other >= 0 and key.chain[twin] == key.chain[other]:
            right[mention] = True
            found[twin] = anaphoric[twin]
        elif twin >= 0 and anaphoric[twin]:
            errors.append(_wrong_link(pair, twin, given))
        else:
            errors.append(_false_link(pair, mention, given))
    for mention in np.flatnonzero(anaphoric).tolist():
        twin = pair.twin_of_key[mention]
        if twin < 0 or not linked[twin]:
            errors.append(_false_new(pair, mention))
    decisions = Decisions(anaphoric=anaphoric, found=found, linked=linked, right=right)
    return decisions, errors


def _wrong_link(pair: Pair, mention: int, given: int) -> Error:
    return Error(
        pair=pair,
        taxonomy="decisions",
        kind="wrong-link",
        side="key",
        mention=mention,
        key=pair.key.antecedent[mention],
        response=given,
    )


def _false_link(pair: Pair, mention: int, given: int) -> Error:
    return Error(
        pair=pair,
        taxonomy="decisions",
        kind="false-link",
        side="response",
        mention=mention,
        response=given,
    )


def _false_new(pair: Pair, mention: int) -> Error:
    return Error(
        pair=pair,
        taxonomy="decisions",
        kind="false-new",
        side="key",
        mention=mention,
        key=pair.key.antecedent[mention],
    )
