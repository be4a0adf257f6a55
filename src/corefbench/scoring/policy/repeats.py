"""Repeated mentions: one span marked twice on one side.

* ``drop``: of the response mentions that answer one key mention the one of the first chain stays
  (reference scorer v7 to v9; repeats of spans that the key does not have are not caught there);
* ``keep``: all stay and all count (scorers 1.04 and 1.05);
* ``last``: all stay in their chains, the mention belongs to the last of them to complete a mention
  (coval);
* ``last-opened``: repeats within one chain are dropped on both sides, and a mention belongs to the
  last of its chains to open one (CorefUD, Universal Anaphora);
* ``distinct``: repeats within one chain are dropped, on both sides.
"""

from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import last_same_span, mention_codes
from corefbench.errors import MismatchError
from corefbench.records import Flags, Ints
from corefbench.scoring.matching.alignment import Alignment

Repeats: TypeAlias = Literal["drop", "keep", "last", "last-opened", "distinct"]

RepeatLimit: TypeAlias = Literal["none", "per-run", "perl-global"]
_LIMIT = 10


def distinct_in_chains(corpus: Corpus) -> Corpus:
    """The corpus with each span at most once in each chain."""
    if last_same_span(corpus) is None:
        return corpus
    code = np.stack([mention_codes(corpus), corpus.mentions.chain.astype(np.int64)], axis=1)
    _, first = np.unique(code, axis=0, return_index=True)
    keep = np.zeros(len(corpus.mentions), np.bool_)
    keep[first] = True
    return keep_mentions(corpus, keep)


def drop_repeats(alignment: Alignment) -> Alignment:
    """The alignment without response mentions that answer a key mention a second time."""
    repeated = repeated_answers(alignment)
    if not repeated.any():
        return alignment
    keep = ~repeated
    twins = alignment.twins
    same = twins.response_same
    return replace(
        alignment,
        response=keep_mentions(alignment.response, keep),
        twins=replace(
            twins,
            key=twins.key[keep],
            credit=None if twins.credit is None else twins.credit[keep],
            response_same=None if same is None else _last_same_kept(same[keep]),
        ),
    )


def _last_same_kept(same: Ints) -> Ints:
    """For every mention that is left the last of the same that is left."""
    _, group = np.unique(same, return_inverse=True)
    last = np.zeros(len(same), np.int32)
    last[group] = np.arange(len(same))
    return last[group]


def repeated_answers(alignment: Alignment) -> Flags:
    """Which response mentions answer a key mention that a mention of an earlier chain answers."""
    twin = alignment.twins.key
    repeated = np.zeros(len(twin), np.bool_)
    answers = np.bincount(twin[twin >= 0], minlength=1)
    if answers.max() < 2:
        return repeated
    several = np.flatnonzero((twin >= 0) & (answers[twin] > 1))
    # By twin, then by chain: every answer but the first of its twin is a repeat.
    order = several[np.lexsort((alignment.response.mentions.chain[several], twin[several]))]
    repeated[order[1:]] = twin[order[1:]] == twin[order[:-1]]
    return repeated


def check_repeat_limit(repeated: int, limit: RepeatLimit, measures: int) -> None:
    """Refuse as the reference scorer does: over ten repeats; ``perl-global`` counts them again
    for every measure, as its counter is never reset."""
    counted = repeated * (measures if limit == "perl-global" else 1)
    if limit != "none" and counted > _LIMIT:
        raise MismatchError(
            f"the response repeats {repeated} mentions",
            code="CB212",
            found=f"{counted} repeats by the rule {limit}",
            expected=f"at most {_LIMIT}",
            remedy="score with --repeat-limit none, or remove the repeated mentions",
        )
