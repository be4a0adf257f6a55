"""Every measure in exact fractions, by its printed name."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

from corefbench.scoring.measures import parse
from tests.properties import exact_mentions, exact_plurals
from tests.properties.documents import Mention, Pair, Side
from tests.reference import exact_scorer
from tests.reference.exact_scorer import Counts, Document, Triple, f1, ratio

ZERO = Fraction(0)


def scores(name: str, documents: Sequence[Pair]) -> list[Triple]:
    """(R, P, F1); several where the definition leaves a choice between equally good pairings."""
    measure = parse(name)
    kind = measure.card.name
    parameters = {field: getattr(measure, field) for field in measure.__struct_fields__}
    if kind == "split_antecedents":
        if parameters["metric"] == "blanc":
            choices = [exact_plurals.links(d.key, d.response) for d in documents]
            return [_blanc_of(list(some)) for some in product(*choices)]
        each = [exact_plurals.counts(parameters["metric"], d.key, d.response) for d in documents]
        return [_of(list(some)) for some in product(*each)]
    if kind == "blanc":
        return [_blanc(documents, parameters["edge"], parameters["links"])]
    return [_of([COUNTED[kind](pair, **parameters) for pair in documents])]


def _of(counts: Sequence[Counts]) -> Triple:
    rn, rd, pn, pd = (sum(column, ZERO) for column in zip(*counts, strict=True))
    recall, precision = ratio(rn, rd), ratio(pn, pd)
    return recall, precision, f1(recall, precision)


def _sets(side: Side) -> list[frozenset[Mention]]:
    return [frozenset(chain) for chain in side.chains]


def _plain(count: Callable[[Document, Document], Counts]) -> Callable[..., Counts]:
    return lambda pair: count(_sets(pair.key), _sets(pair.response))


def _b_cubed(pair: Pair, twinless: str) -> Counts:
    """B³, with what a mention without a twin earns."""
    key, response = _sets(pair.key), _sets(pair.response)
    known = {mention for chain in key for mention in chain}
    if twinless == "skip":
        kept = [chain & known for chain in response]
        response = [chain for chain in kept if chain]
    rn, rd, pn, pd = exact_scorer.b_cubed(key, response)
    if twinless == "credit":
        rn, pn = rn + _credit(key, response), pn + _credit(response, key)
    return rn, rd, pn, pd


def _credit(some: list[frozenset[Mention]], others: list[frozenset[Mention]]) -> Fraction:
    known = {mention for chain in others for mention in chain}
    return sum((Fraction(len(chain - known), len(chain)) for chain in some), ZERO)


def _blanc(documents: Sequence[Pair], edge: str, links: str) -> Triple:
    if links == "sets":
        return exact_scorer.blanc([(_sets(d.key), _sets(d.response)) for d in documents], edge)
    counted = [[0, 0, 0], [0, 0, 0]]
    for pair in documents:
        for half, some in zip(counted, _response_pairs(pair), strict=True):
            for place, count in enumerate(some):
                half[place] += count
    return exact_scorer.mean_of_halves(counted, edge)


def _blanc_of(counts: Sequence[exact_plurals.Links]) -> Triple:
    columns = [sum(column, ZERO) for column in zip(*counts, strict=True)]
    return exact_scorer.mean_of_halves((columns[:3], columns[3:]), "both")


def _response_pairs(pair: Pair) -> tuple[list[int], list[int]]:
    """Pairs of response mentions: linked and not linked by both, by the key, by the response.

    A mention that the key lacks counts as one of the key's first chain.
    """
    home = {mention: n for n, chain in enumerate(pair.key.chains) for mention in chain}
    told = {mention: n for n, chain in enumerate(pair.response.chains) for mention in chain}
    linked, apart = [0, 0, 0], [0, 0, 0]
    for one, other in combinations(told, 2):
        ours, theirs = home.get(one, 0) == home.get(other, 0), told[one] == told[other]
        for counts, key, response in ((linked, ours, theirs), (apart, not ours, not theirs)):
            for place, yes in enumerate((key and response, key, response)):
                counts[place] += yes
    return linked, apart


COUNTED: dict[str, Callable[..., Counts]] = {
    **{name: _plain(exact_scorer.RATIOS[name]) for name in ("mentions", "muc", "ceaf_m", "ceaf_e", "lea")},
    "b_cubed": _b_cubed,
    "mor": exact_mentions.mor,
    "zero": lambda pair, counterpart: exact_mentions.zero(pair),
    "bridging": exact_mentions.bridging,
    "non_referring": exact_mentions.non_referring,
}
"""How a document is counted; BLANC and split antecedents need more than four counts."""
ALL = frozenset((*COUNTED, "blanc", "split_antecedents"))
