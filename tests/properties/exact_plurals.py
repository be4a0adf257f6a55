"""The chain measures with split antecedents, from their definitions, in exact fractions.

A split antecedent is one more member of its chain, a set of entities; where it is paired with one
of the other side it weighs δ, the measure's own R (or P, or in CEAF F1) between the two sets.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import NamedTuple

from tests.properties.documents import Mention, Side
from tests.reference.exact_scorer import Counts, best_assignment, f1, ratio

Members = frozenset[Mention]
Links = tuple[Fraction, ...]
"""Shared, key and response links: coreferent ones, then the others."""
Paired = dict[tuple[int, int], tuple[Fraction, Fraction]]
"""Pairs of split antecedents, by entity, with their R and P."""
Weights = dict[int, tuple[int, Fraction]]
"""Of an entity the entity whose split antecedent is paired with its own, and δ."""


class Entity(NamedTuple):
    mentions: Members
    parts: frozenset[Members] = frozenset()

    @property
    def size(self) -> int:
        return len(self.mentions) + bool(self.parts)


def entities(side: Side) -> list[Entity]:
    """The chains; those with equal split antecedents are one."""
    parts = {n: frozenset(frozenset(side.chains[e]) for e in some) for n, some in side.plurals}
    found: list[Entity] = []
    for number, chain in enumerate(side.chains):
        one = Entity(frozenset(chain), parts.get(number, frozenset()))
        twin = next((e for e in found if one.parts and e.parts == one.parts), None)
        if twin is None:
            found.append(one)
        else:
            found[found.index(twin)] = Entity(twin.mentions | one.mentions, one.parts)
    return found


def counts(metric: str, key: Side, response: Side) -> list[Counts]:
    """What may be counted: more than one answer where several pairings are as good."""
    ours, theirs = entities(key), entities(response)
    return [_count(metric, ours, theirs, pairing, lone=False) for pairing in _best(metric, ours, theirs)]


def links(key: Side, response: Side) -> list[Links]:
    """The links of BLANC; a split antecedent is paired for each kind of links by itself."""
    ours, theirs = entities(key), entities(response)
    halves = [[_links(kind, ours, theirs, p) for p in _best(kind, ours, theirs)] for kind in ("coreferent", "separate")]
    return [(*one, *other) for one, other in product(*halves)]


def _links(kind: str, key: list[Entity], response: list[Entity], paired: Paired) -> tuple[Fraction, ...]:
    """Every pair of key members that the response has, weighed by its ends."""
    home = {mention: n for n, entity in enumerate(response) for mention in entity.mentions}
    places: list[tuple[int, int, Fraction]] = []
    for k, entity in enumerate(key):
        places += [(k, home[m], Fraction(1)) for m in entity.mentions if m in home]
        equal = next((r for r, other in enumerate(response) if entity.parts and other.parts == entity.parts), None)
        match = next(((r, f1(*weights)) for (n, r), weights in paired.items() if n == k), None)
        if match or equal is not None:
            places.append((k, *(match or (equal, Fraction(1)))))  # type: ignore[arg-type]
    together = kind == "coreferent"
    shared = sum(
        (
            v * w
            for (k, r, v), (other, s, w) in combinations(places, 2)
            if (k == other) == together and (r == s) == together
        ),
        Fraction(0),
    )
    totals = []
    for side in (key, response):
        size = sum(e.size for e in side)
        inside = sum(e.size * (e.size - 1) // 2 for e in side)
        totals.append(Fraction(inside if together else size * (size - 1) // 2 - inside))
    return shared, *totals


def _best(metric: str, ours: list[Entity], theirs: list[Entity]) -> list[Paired]:
    """The best pairings of split antecedents."""
    agreements = {
        (k, r): _agreement(metric, one.parts, other.parts)
        for k, one in enumerate(ours)
        for r, other in enumerate(theirs)
        if one.parts and other.parts
    }
    pairings = list(_pairings(agreements))
    worth = [sum((f1(*agreements[p]) for p in pairing), Fraction(0)) for pairing in pairings]
    best = max(worth)
    return [
        {p: agreements[p] for p in pairing} for pairing, value in zip(pairings, worth, strict=True) if value == best
    ]


def _pairings(agreements: dict[tuple[int, int], tuple[Fraction, Fraction]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All one-to-one pairings of split antecedents that agree at all."""
    rows, columns = sorted({k for k, _ in agreements}), sorted({r for _, r in agreements})
    padded = [*columns, *([-1] * len(rows))]
    for order in permutations(padded, len(rows)):
        pairs = zip(rows, order, strict=True)
        yield tuple((k, r) for k, r in pairs if r >= 0 and f1(*agreements[k, r]))


def _agreement(metric: str, key: frozenset[Members], response: frozenset[Members]) -> tuple[Fraction, Fraction]:
    ours, theirs = ([Entity(part) for part in side] for side in (key, response))
    if metric in ("coreferent", "separate"):
        shared, known, told = _links(metric, ours, theirs, {})
        return ratio(shared, known), ratio(shared, told)
    rn, rd, pn, pd = _count(metric, ours, theirs, {}, lone=True)
    return ratio(rn, rd), ratio(pn, pd)


def _count(
    metric: str,
    key: list[Entity],
    response: list[Entity],
    paired: Paired,
    *,
    lone: bool,
) -> Counts:
    if metric.startswith("ceaf"):
        return _ceaf(metric, key, response, paired)
    recall: Weights = {k: (r, weight) for (k, r), (weight, _) in paired.items()}
    precision: Weights = {r: (k, weight) for (k, r), (_, weight) in paired.items()}
    half = {"muc": _muc, "b_cubed": _b_cubed, "lea": _lea}[metric]
    return (*half(key, response, recall, lone), *half(response, key, precision, lone))


def _met(entity: Entity, others: list[Entity]) -> dict[int, int]:
    shared = {n: len(entity.mentions & other.mentions) for n, other in enumerate(others)}
    return {n: count for n, count in shared.items() if count}


def _muc(some: list[Entity], others: list[Entity], weights: Weights, lone: bool) -> tuple[Fraction, Fraction]:
    """Links kept; δ of the link to the split antecedent if the chain meets its pair otherwise.

    Among the parts of a split antecedent, a lone mention counts as a link.
    """
    hits = total = Fraction(0)
    for n, entity in enumerate(some):
        if lone and entity.size == 1:
            total += 1
            hits += _is_alone(entity, others)
            continue
        met = _met(entity, others)
        total += entity.size - 1
        hits += sum(count - 1 for count in met.values())
        if n in weights and weights[n][0] in met:
            hits += weights[n][1]
    return hits, total


def _b_cubed(some: list[Entity], others: list[Entity], weights: Weights, lone: bool) -> tuple[Fraction, Fraction]:
    hits = total = Fraction(0)
    for n, entity in enumerate(some):
        total += entity.size
        met: dict[int, Fraction] = {r: Fraction(c) for r, c in _met(entity, others).items()}
        if n in weights:
            other, weight = weights[n]
            met[other] = met.get(other, Fraction(0)) + weight
        hits += sum((c * c for c in met.values()), Fraction(0)) / entity.size
    return hits, total


def _lea(some: list[Entity], others: list[Entity], weights: Weights, lone: bool) -> tuple[Fraction, Fraction]:
    hits = total = Fraction(0)
    for n, entity in enumerate(some):
        size = entity.size
        total += size
        if size == 1:
            hits += _is_alone(entity, others)
            continue
        met = _met(entity, others)
        links = Fraction(sum(c * (c - 1) // 2 for c in met.values()))
        if n in weights:
            links += weights[n][1] * met.get(weights[n][0], 0)
        hits += size * links / (size * (size - 1) // 2)
    return hits, total


def _is_alone(entity: Entity, others: list[Entity]) -> bool:
    return any(other.mentions == entity.mentions and other.size == 1 for other in others)


def _ceaf(metric: str, key: list[Entity], response: list[Entity], paired: Paired) -> Counts:
    def likeness(one: tuple[int, Entity], other: tuple[int, Entity]) -> Fraction:
        (k, ours), (r, theirs) = one, other
        shared = Fraction(len(ours.mentions & theirs.mentions))
        if (k, r) in paired:
            shared += f1(*paired[k, r])
        return shared if metric == "ceaf_m" else 2 * shared / (ours.size + theirs.size)

    best = best_assignment(list(enumerate(key)), list(enumerate(response)), likeness)  # type: ignore[arg-type]
    if metric == "ceaf_e":
        return best, Fraction(len(key)), best, Fraction(len(response))
    sizes = [Fraction(sum(e.size for e in side)) for side in (key, response)]
    return best, sizes[0], best, sizes[1]
