"""The measures once more, from their definitions, over sets and exact fractions.

Slow on purpose and written without a look at the package: chains are frozensets, a document is a
list of them, links are listed one by one, the assignment of CEAF tries every subset. What it
returns is (R, P, F1) as ``Fraction``; counts are summed over documents before they are divided.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

Chain = frozenset[Hashable]
Document = Sequence[Chain]
Counts = tuple[Fraction, Fraction, Fraction, Fraction]
Triple = tuple[Fraction, Fraction, Fraction]
ZERO = Fraction(0)


def ratio(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else ZERO


def f1(recall: Fraction, precision: Fraction) -> Fraction:
    return ratio(2 * recall * precision, recall + precision)


def mentions_of(document: Document) -> set[Hashable]:
    return {mention for chain in document for mention in chain}


def muc(key: Document, response: Document) -> Counts:
    return (*_links_kept(key, response), *_links_kept(response, key))


def _links_kept(one: Document, other: Document) -> tuple[Fraction, Fraction]:
    """Σ (|c| − parts(c)): the parts are the other side's chains, and mentions it does not have."""
    known = mentions_of(other)
    kept = needed = 0
    for chain in one:
        parts = sum(1 for rival in other if chain & rival) + len(chain - known)
        kept += len(chain) - parts
        needed += len(chain) - 1
    return Fraction(kept), Fraction(needed)


def b_cubed(key: Document, response: Document) -> Counts:
    return (*_mean_overlap(key, response), *_mean_overlap(response, key))


def _mean_overlap(one: Document, other: Document) -> tuple[Fraction, Fraction]:
    """Mention by mention: which share of its chain shares its chain on the other side too."""
    total = ZERO
    for chain in one:
        for mention in chain:
            for rival in other:
                if mention in rival:
                    total += Fraction(len(chain & rival), len(chain))
    return total, Fraction(sum(map(len, one)))


def ceaf_m(key: Document, response: Document) -> Counts:
    best = best_assignment(key, response, lambda k, r: Fraction(len(k & r)))
    return best, Fraction(sum(map(len, key))), best, Fraction(sum(map(len, response)))


def ceaf_e(key: Document, response: Document) -> Counts:
    best = best_assignment(key, response, lambda k, r: Fraction(2 * len(k & r), len(k) + len(r)))
    return best, Fraction(len(key)), best, Fraction(len(response))


def best_assignment(key: Document, response: Document, similarity: Callable[[Chain, Chain], Fraction]) -> Fraction:
    """The best one-to-one assignment, by dynamic programming over the response chains taken."""
    best = {0: ZERO}
    for chain in key:
        after = dict(best)
        for index, rival in enumerate(response):
            value = similarity(chain, rival)
            if not value:
                continue
            for taken, total in best.items():
                if not taken >> index & 1:
                    state = taken | 1 << index
                    after[state] = max(after.get(state, ZERO), total + value)
        best = after
    return max(best.values())


def lea(key: Document, response: Document) -> Counts:
    return (*_resolved(key, response), *_resolved(response, key))


def _resolved(one: Document, other: Document) -> tuple[Fraction, Fraction]:
    """Σ |c| · (shared links ÷ links of c), a singleton having one link, to itself."""
    total = ZERO
    for chain in one:
        if len(chain) == 1:
            total += 1 if chain in other else 0
            continue
        links = set(combinations(sorted(chain), 2))
        shared = sum(1 for link in links if any(set(link) <= rival for rival in other))
        total += len(chain) * Fraction(shared, len(links))
    return total, Fraction(sum(map(len, one)))


def mentions(key: Document, response: Document) -> Counts:
    ours, theirs = mentions_of(key), mentions_of(response)
    hit = Fraction(len(ours & theirs))
    return hit, Fraction(len(ours)), hit, Fraction(len(theirs))


RATIOS: dict[str, Callable[[Document, Document], Counts]] = {
    "mentions": mentions,
    "muc": muc,
    "b_cubed": b_cubed,
    "ceaf_m": ceaf_m,
    "ceaf_e": ceaf_e,
    "lea": lea,
}
BLANCS = {"blanc": "key", "blanc(edge=both)": "both"}
MEASURES = (*RATIOS, *BLANCS)


def link_sets(document: Document) -> tuple[set[frozenset[Hashable]], set[frozenset[Hashable]]]:
    """The coreference links and the non-coreference links."""
    everything = {frozenset(link) for link in combinations(mentions_of(document), 2)}
    inside = {frozenset(link) for chain in document for link in combinations(chain, 2)}
    return inside, everything - inside


def blanc(pairs: Sequence[tuple[Document, Document]], edge: str) -> Triple:
    """The mean of the two halves; a half that the key (or both sides) lack is left out."""
    counted = [[0, 0, 0], [0, 0, 0]]
    for key, response in pairs:
        for half, ours, theirs in zip(counted, link_sets(key), link_sets(response), strict=True):
            for place, links in enumerate((ours & theirs, ours, theirs)):
                half[place] += len(links)
    return mean_of_halves(counted, edge)


def mean_of_halves(counted: Sequence[Sequence[int | Fraction]], edge: str) -> Triple:
    """BLANC of the links shared, of the key and of the response: coreferent ones and the others."""
    halves: list[Triple] = []
    for shared, ours, theirs in counted:
        if ours or (edge == "both" and theirs):
            recall = ratio(Fraction(shared), Fraction(ours))
            precision = ratio(Fraction(shared), Fraction(theirs))
            halves.append((recall, precision, f1(recall, precision)))
    if not halves:
        return ZERO, ZERO, ZERO
    r, p, f = (sum(column, ZERO) / len(halves) for column in zip(*halves, strict=True))
    return r, p, f


def score(measure: str, pairs: Sequence[tuple[Document, Document]]) -> Triple:
    """(R, P, F1) of (key, response) documents."""
    if measure in BLANCS:
        return blanc(pairs, BLANCS[measure])
    counts = [RATIOS[measure](key, response) for key, response in pairs]
    rn, rd, pn, pd = (sum(column, ZERO) for column in zip(*counts, strict=True))
    recall, precision = ratio(rn, rd), ratio(pn, pd)
    return recall, precision, f1(recall, precision)


_BRACKET = re.compile(r"\((\d+)\)|\((\d+)|(\d+)\)")


def read_chains(text: str) -> list[list[tuple[int, int]]]:
    """The chains of a one-document file with tabs, in the order in which they first appear."""
    chains: dict[str, list[tuple[int, int]]] = {}
    open_at: dict[str, list[int]] = {}
    position = 0
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        for single, opened, closed in _BRACKET.findall(line.rstrip("\t").split("\t")[-1]):
            if single:
                chains.setdefault(single, []).append((position, position))
            elif opened:
                chains.setdefault(opened, [])
                open_at.setdefault(opened, []).append(position)
            else:
                chains[closed].append((open_at[closed].pop(), position))
        position += 1
    return list(chains.values())


def without_repeats(response: list[list[tuple[int, int]]], key: list[list[tuple[int, int]]]) -> list[Chain]:
    """Of response mentions that repeat a key span the first, by chain, stays (scorer v7 to v9)."""
    known = {span for chain in key for span in chain}
    seen: set[tuple[int, int]] = set()
    kept = []
    for chain in response:
        stay = [span for span in dict.fromkeys(chain) if span not in seen]
        seen.update(span for span in stay if span in known)
        if stay:
            kept.append(frozenset(stay))
    return kept
