"""Twinless mentions: what published scorers did to them before they counted.

Every step is a function from one contingency table to the next: a twinless mention is in no cell,
so moving it is a matter of chain sizes and of new chains with one cell.
"""

from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.records import Flags, Longs
from corefbench.scoring.measures.contingency import Contingency, Tables

Twinless: TypeAlias = Literal["none", "conll-2011", "cai-strube", "drop-singletons"]


def apply_twinless(table: Contingency, twinless: Twinless) -> Tables:
    """The tables for recall and for precision after the choice.

    * ``none``: as matched (SemEval-2010; the reference scorer since v6);
    * ``conll-2011``: missing key mentions become response singletons, twinless response
      singletons go, other twinless response mentions become key singletons (scorer v4);
    * ``cai-strube``: the same for precision; for recall twinless response mentions are deleted
      (Cai & Strube 2010, scorer v5);
    * ``drop-singletons``: twinless response singletons go (Rahman & Ng 2009).
    """
    if twinless == "none":
        return Tables(recall=table, precision=table)
    if twinless == "drop-singletons":
        table = without_twinless_singletons(table)
        return Tables(recall=table, precision=table)
    table = without_twinless_singletons(with_missing_as_response(table))
    precision = with_spurious_as_key(table)
    recall = precision if twinless == "conll-2011" else without_twinless_response(table)
    return Tables(recall=recall, precision=precision)


def with_missing_as_response(table: Contingency) -> Contingency:
    """Every key mention without a twin becomes a response singleton."""
    chains = np.repeat(np.arange(len(table.key_size)), table.key_twinless)
    new = len(table.response_size) + np.arange(len(chains))
    return replace(
        table,
        key_twinless=np.zeros_like(table.key_twinless),
        response_size=_with_ones(table.response_size, len(new)),
        response_document=np.append(table.response_document, table.key_document[chains]),
        response_twinless=np.append(table.response_twinless, np.zeros(len(new), np.int64)),
        key=np.append(table.key, chains),
        response=np.append(table.response, new),
        count=_with_ones(table.count, len(new)),
        indexed=_with_ones(table.indexed, len(new)),
        key_count=_with_ones(table.key_count, len(new)),
        key_indexed=_with_ones(table.key_indexed, len(new)),
        links=None,
    )


def with_spurious_as_key(table: Contingency) -> Contingency:
    """Every response mention without a twin becomes a key singleton."""
    chains = np.repeat(np.arange(len(table.response_size)), table.response_twinless)
    new = len(table.key_size) + np.arange(len(chains))
    return replace(
        table,
        key_size=_with_ones(table.key_size, len(new)),
        key_document=np.append(table.key_document, table.response_document[chains]),
        key_twinless=np.append(table.key_twinless, np.zeros(len(new), np.int64)),
        response_twinless=np.zeros_like(table.response_twinless),
        key=np.append(table.key, new),
        response=np.append(table.response, chains),
        count=_with_ones(table.count, len(new)),
        indexed=_with_ones(table.indexed, len(new)),
        key_count=_with_ones(table.key_count, len(new)),
        key_indexed=_with_ones(table.key_indexed, len(new)),
        links=None,
    )


def without_twinless_singletons(table: Contingency) -> Contingency:
    """Response chains of one mention, which has no twin, are deleted."""
    return _keep_response_chains(table, ~((table.response_size == 1) & (table.response_twinless == 1)))


def without_twinless_response(table: Contingency) -> Contingency:
    """Every response mention without a twin is deleted."""
    size = table.response_size - table.response_twinless
    lowered = replace(table, response_size=size, response_twinless=np.zeros_like(table.response_twinless))
    return _keep_response_chains(lowered, size > 0)


def _keep_response_chains(table: Contingency, keep: Flags) -> Contingency:
    """The table with only the marked response chains, none of which has cells to lose."""
    number = np.cumsum(keep) - 1
    return replace(
        table,
        response_size=table.response_size[keep],
        response_document=table.response_document[keep],
        response_twinless=table.response_twinless[keep],
        response=number[table.response],
        links=None,
    )


def _with_ones(column: Longs, how_many: int) -> Longs:
    return np.append(column, np.ones(how_many, np.int64))
