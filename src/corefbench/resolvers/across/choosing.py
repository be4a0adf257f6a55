"""Whether all mentions of a group are compared, or only candidates; and what comes of it."""

import numpy as np

from corefbench.errors import UsageError
from corefbench.record import Longs
from corefbench.resolvers.across.account import Account, Clock
from corefbench.resolvers.across.blocked import link
from corefbench.resolvers.across.candidates import points_of
from corefbench.resolvers.across.config import LINKINGS, AcrossConfig, Linking
from corefbench.resolvers.across.judging import Judge
from corefbench.resolvers.across.linking import Forest, forest
from corefbench.resolvers.across.pairs import all_pairs, pair_count
from corefbench.resolvers.across.workers import Workers

MOST = 100_000_000
"""Pairs that are held at once, at most, where all are compared."""


def is_blocked(config: AcrossConfig, group: Longs, linking: Linking = "auto") -> bool:
    """What was asked for; else whether a group, or all together, has too many pairs."""
    if linking not in LINKINGS:
        raise UsageError(f"there is no linking {linking!r}", remedy=f"say {', '.join(LINKINGS)}")
    if linking != "auto":
        return linking == "blocked"
    large = int(np.bincount(group).max(initial=0)) > config.block_above
    return large or pair_count(group) > MOST


def trees(
    config: AcrossConfig,
    judge: Judge,
    group: Longs,
    floor: float,
    linking: Linking = "auto",
    workers: Workers | None = None,
) -> tuple[Forest, Account]:
    """Trees of merges, which serve all thresholds from the floor on, and how they were come by."""
    if not is_blocked(config, group, linking):
        return _exact(judge, group)
    chain = judge.context.table.chain
    return link(
        points_of(judge.context, group),
        judge,
        config.blocking,
        floor,
        workers=workers,
        chain=chain if (chain >= 0).any() else None,
    )


def _exact(judge: Judge, group: Longs) -> tuple[Forest, Account]:
    clock = Clock()
    with clock.stage("candidates"):
        one, other = all_pairs(group)
    with clock.stage("scoring"):
        score = judge.score(one, other)
    with clock.stage("linkage"):
        made = forest(group, one, other, score)
    sizes = np.bincount(group)
    account = Account(
        linking="exact",
        mentions=len(group),
        pairs=len(one),
        components=int((sizes > 0).sum()),
        largest=int(sizes.max(initial=0)),
        seconds=clock.seconds,
    )
    return made, account
