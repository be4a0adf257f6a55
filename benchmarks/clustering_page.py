"""The page on clustering at scale: docs/results/clustering.md."""

from collections.abc import Mapping
from typing import Any

from benchmarks.pages import table

_STAGES = ("candidates", "scoring", "components", "linkage")


def page(book: Mapping[str, Any], cores: int) -> str:
    """All that was measured, in words and tables."""
    sizes = {int(size): row for size, row in book.get("sizes", {}).items()}
    return _TEXT.format(
        cost=_cost(sizes),
        found=_found(sizes),
        linking=next((row["account"]["linking"] for row in sizes.values()), ""),
        exact=_exact({int(size): row for size, row in book.get("exact", {}).items()}),
        ecb=_ecb(book.get("ecb", [])),
        mentions=next((f"{row['mentions']:,}" for row in book.get("ecb", [])), "no"),
        cores=cores,
        load=", ".join(f"{row['load']:.0f} at {size:,}" for size, row in sorted(sizes.items())),
    )


def _cost(sizes: Mapping[int, Any]) -> str:
    head = ["mentions", "workers", *_STAGES, "wall", "processor", "peak, command", "peak, worker"]
    rows = [
        [
            f"{size:,}",
            str(row["jobs"]),
            *(f"{row['account']['seconds'][stage]:,.0f} s" for stage in _STAGES),
            f"{row['wall']:,.0f} s",
            f"{row['processor']:,.0f} s",
            f"{row['peak'] / 1e6:,.0f} MB",
            f"{row['worker'] / 1e6:,.0f} MB",
        ]
        for size, row in sorted(sizes.items())
    ]
    return table(head, rows)


def _found(sizes: Mapping[int, Any]) -> str:
    head = ["mentions", "chains", "largest lemma", "candidates", "a mention", "are candidates"]
    head += ["in a component", "components", "largest", "cut", "pairs scored in them", "F1 + / −"]
    rows = []
    for size, row in sorted(sizes.items()):
        account = row["account"]
        rows.append(
            [
                f"{size:,}",
                f"{row['chains']:,}",
                f"{row['lemma']:,}",
                f"{account['pairs']:,}",
                f"{account['pairs'] / size:.1f}",
                f"{100 * account['recall']:.1f} %",
                f"{100 * account['together']:.1f} %",
                f"{account['components']:,}",
                f"{account['largest']:,}",
                str(account["capped"]),
                f"{account['scored']:,}",
                _both(row["key"]),
            ]
        )
    return table(head, rows)


def _exact(sizes: Mapping[int, Any]) -> str:
    head = ["mentions", "exact", "blocked", "difference", "blocked held against exact"]
    rows = [
        [
            f"{size:,}",
            _both(row["exact"]),
            _both(row["key"]),
            " / ".join(f"{100 * (b - a):+.2f}" for a, b in zip(*_ends(row), strict=True)),
            f"{100 * row['agreement'][0]:.2f}",
        ]
        for size, row in sorted(sizes.items())
    ]
    return table(head, rows)


def _ends(row: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    return row["exact"], row["key"]


def _ecb(rows: list[dict[str, Any]]) -> str:
    head = ["scorer", "scope", "linking", "unscored", "pairs", "are candidates", "in a component"]
    head += ["components", "largest", "F1 + / −", "held against exact"]
    return table(head, [_ecb_row(row) for row in rows])


def _ecb_row(row: Mapping[str, Any]) -> list[str]:
    choice = row["choice"]
    shares = [row["recall"], row["together"]]
    return [
        row["system"],
        row["reach"],
        f"{choice[0]} + {choice[1]}" if choice else "exact",
        choice[2] if choice else "",
        f"{row['pairs']:,}",
        *("" if share is None else f"{100 * share:.1f} %" for share in shares),
        f"{row['components']:,}",
        f"{row['largest']:,}",
        _both(row["key"]),
        f"{100 * row['agreement']:.2f}" if choice else "",
    ]


def _both(scores: list[float]) -> str:
    return " / ".join(f"{100 * score:.2f}" for score in scores)


_TEXT = """# Clusters of very many mentions

`python -m benchmarks.clustering --exact --model EVENT`

How it is done: [cross-document](../cross-document.md). F1 is CoNLL F1 with (+) and without (−)
singletons.

## Cost

Synthetic mentions (`benchmarks/mentions.py`): vectors of 64 numbers, chains of Zipfian sizes up to
500, Zipfian lemmas, a fifth of the mentions less like their chain, a tenth with another lemma; the
scorer is a logistic function of the cosine and of the same lemma. All are in one group. Stages and
`wall` are by the clock; `processor` is the time of all processes, looked at every two seconds, so
that a little is missing; peaks are of resident memory.
{cores} cores that were shared with other work: the load was {load}. So the clock says little;
processor time says more.

{cost}

`{linking}`

## What was looked at

{found}

*Are candidates* and *in a component* are shares of the coreferent pairs. A chain of 500 mentions
has 125,000 pairs, of which few are candidates; its mentions come together all the same, and within
the component all pairs are scored. F1 is that of the clusters against the chains.

## Against exact linking

The same kind of mentions, with all pairs compared:

{exact}

ECB+, development topics, {mentions} event mentions, given, with a trained model and its threshold.
`boosting` is the first look of `stacked` alone. Linking is `neighbours + same lemma`. `unscored`
says what becomes of pairs in a component that are no candidates.

{ecb}
"""
