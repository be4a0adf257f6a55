"""Clusters of very many mentions: candidates, their chances, components, average linkage.

No step compares all mentions with all. Candidates are scored in pieces; pairs that reach the floor
join mentions into components; within a component average linkage sees every pair.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from corefbench.record import Longs
from corefbench.resolvers.across.account import Account, Clock
from corefbench.resolvers.across.blocking import Blocking, blocking_recall, coreferent
from corefbench.resolvers.across.bundles import Merges, linked
from corefbench.resolvers.across.candidates import Points, candidates
from corefbench.resolvers.across.judging import Judge, scored
from corefbench.resolvers.across.linking import Forest
from corefbench.resolvers.across.neighbours import chosen_index
from corefbench.resolvers.across.parts import Components, components
from corefbench.resolvers.across.workers import Workers

SURROUNDINGS = 0.02
"""The floor for scorers that look at the pairs around a pair: components must hold these too."""
_BELOW = 1e-6
"""The mean of equal chances may come out a little higher than each."""


def link(
    points: Points,
    judge: Judge,
    blocking: Blocking,
    floor: float,
    *,
    workers: Workers | None = None,
    chain: Longs | None = None,
) -> tuple[Forest, Account]:
    """Trees of merges that serve all thresholds from the ``floor`` on, and the account.

    With ``chain``, the key, the recall of blocking is told too. What comes out depends neither on
    the order of the mentions nor on how many workers there are.
    """
    helpers, clock, chosen = workers or Workers(), Clock(), chosen_index(blocking)
    least = (min(floor, SURROUNDINGS) if judge.sees_all else floor) - _BELOW
    order = points.order()
    with clock.stage("candidates"):
        one, other = candidates(points.taken(order), chosen, helpers)
    with helpers.holding(judge) as held:
        with clock.stage("scoring"):
            score = scored(held, order[one], order[other], helpers)
        with clock.stage("components"):
            parts = components(len(points), one, other, score, least, chosen.largest)
        members = [order[part] for part in parts.members]
        with clock.stage("linkage"):
            known = (order[one], order[other], score) if chosen.unscored == "zero" else None
            trees = linked(held, members, known, len(points), helpers)
    account = _account(chosen, len(one), len(points), parts, clock)
    if chain is not None:
        recall = blocking_recall(chain, order[one], order[other], points.group)
        account = replace(account, recall=recall, together=_together(chain, members, points.group))
    return _forest(members, trees, len(points)), account


def _forest(members: Sequence[Longs], trees: Sequence[Merges], count: int) -> Forest:
    """Parts in the order of their first mention."""
    by_first = sorted(range(len(members)), key=lambda number: int(members[number].min()))
    return Forest(
        members=tuple(members[number] for number in by_first),
        trees=tuple(trees[number] for number in by_first),
        count=count,
    )


def _together(chain: Longs, members: Sequence[Longs], group: Longs) -> float:
    """Of the coreferent pairs within groups, the share that lies in one component."""
    total = coreferent(chain, group)
    flat = np.concatenate([np.zeros(0, np.int64), *members])
    part = np.repeat(np.arange(len(members)), [len(some) for some in members])
    return coreferent(chain[flat], part) / total if total else 1.0


def _account(
    blocking: Blocking, pairs: int, mentions: int, parts: Components, clock: Clock
) -> Account:
    sizes = np.array([len(part) for part in parts.members], np.int64)
    within = int((sizes * (sizes - 1) // 2).sum()) if blocking.unscored == "scored" else 0
    return Account(
        linking=blocking.signature(),
        mentions=mentions,
        pairs=pairs,
        components=parts.count,
        largest=parts.largest,
        capped=parts.capped,
        scored=within,
        seconds=clock.seconds,
    )
