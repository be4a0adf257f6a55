"""Cluster up to a million synthetic mentions.

Synthetic mentions (``benchmarks.mentions``) in growing number, each size in a process of its own:
time of every stage, processor time and peak memory of the command and of its largest worker. Where
all pairs can be compared, blocked clusters are held against those of exact linking; so they are on
ECB+ with a trained model. What was measured is kept in ``--book``, so that sizes can be measured
one by one. Writes docs/results/clustering.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchmarks.data import INPUTS
from benchmarks.page import Page, markdown_table
from benchmarks.process import session_processes

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus
    from corefbench.resolvers.cross_document.context import PairContext
    from corefbench.resolvers.cross_document.model import CrossDocumentModel


_CHOICES = ((20, 50, "scored"), (50, 100, "zero"), (50, 100, "scored"))


def compare_on_ecb(folder: Path, part: str = "dev") -> list[dict[str, Any]]:
    """CoNLL F1 with and without singletons of exact and of blocked linking, in two scopes."""
    from corefbench.resolvers.cross_document.mentions import analyse_corpus, gold_mentions
    from corefbench.resolvers.cross_document.model import CrossDocumentModel
    from corefbench.resolvers.cross_document.training import load_data

    model = CrossDocumentModel.load(folder)
    material = load_data(f"ecbplus/{part}")
    words = analyse_corpus(material.corpus, model.config.pipeline)
    table = gold_mentions(material.corpus, words, model.config.kind)
    context = model.context(material.corpus, words, table, material.background)
    rows = []
    for name, some in _ecb_systems(model).items():
        for row in _ecb_comparisons(some, material.corpus, context):
            print(name, row, flush=True)
            rows.append({"system": name, **row})
    return rows


def _ecb_systems(model: "CrossDocumentModel") -> "dict[str, CrossDocumentModel]":
    """The model; and, if it looks twice, one that looks once."""
    first = getattr(model.scorer, "first", None)
    once = {"boosting": replace(model, scorer=first[0])} if first else {}
    return {**once, model.config.scorer: model}


def _ecb_comparisons(model: "CrossDocumentModel", corpus: "Corpus", context: "PairContext") -> Iterator[dict[str, Any]]:
    from corefbench.resolvers.cross_document.config import BlockingConfig
    from corefbench.resolvers.cross_document.training import conll_scores

    table = context.mentions
    for reach in ("topic", "corpus"):
        at = model.threshold("gold", reach)  # type: ignore[arg-type]
        exact = None
        for choice in (None, *_CHOICES):
            linking, some = "exact", model
            if choice is not None:
                neighbours, same_lemma, unscored = choice
                blocking = BlockingConfig(neighbours=neighbours, same_lemma=same_lemma, unscored=unscored)
                some = replace(model, config=replace(model.config, blocking=blocking))
                linking = "blocked"
            forest, stats = some.link(corpus, context, reach, at, linking)  # type: ignore[arg-type]
            clusters = forest.clusters(at)
            exact = clusters if exact is None else exact
            yield {
                "reach": reach,
                "linking": stats.linking,
                "choice": choice,
                "mentions": stats.mentions,
                "pairs": stats.pairs,
                "recall": stats.blocking_recall,
                "component_recall": stats.component_recall,
                "components": stats.components,
                "largest": stats.largest,
                "key": conll_scores(table, table.chain, table, clusters),
                "agreement": conll_scores(table, exact, table, clusters)[0],
            }


_STAGES = ("candidates", "scoring", "components", "linkage")


def render_page(book: Mapping[str, Any], cores: int) -> str:
    """All that was measured, in words and tables."""
    sizes = {int(size): row for size, row in book.get("sizes", {}).items()}
    return _TEXT.format(
        cost=_cost_table(sizes),
        found=_found_table(sizes),
        linking=next((row["stats"]["linking"] for row in sizes.values()), ""),
        exact=_exact_table({int(size): row for size, row in book.get("exact", {}).items()}),
        ecb=_ecb_table(book.get("ecb", [])),
        mentions=next((f"{row['mentions']:,}" for row in book.get("ecb", [])), "no"),
        cores=cores,
        load=", ".join(f"{row['load']:.0f} at {size:,}" for size, row in sorted(sizes.items())),
    )


def _cost_table(sizes: Mapping[int, Any]) -> str:
    head = ["mentions", "workers", *_STAGES, "wall", "processor", "peak, command", "peak, worker"]
    rows = [
        [
            f"{size:,}",
            str(row["jobs"]),
            *(f"{row['stats']['seconds'][stage]:,.0f} s" for stage in _STAGES),
            f"{row['wall']:,.0f} s",
            f"{row['processor']:,.0f} s",
            f"{row['peak'] / 1e6:,.0f} MB",
            f"{row['worker'] / 1e6:,.0f} MB",
        ]
        for size, row in sorted(sizes.items())
    ]
    return markdown_table(head, rows)


def _found_table(sizes: Mapping[int, Any]) -> str:
    head = ["mentions", "chains", "largest lemma", "candidates", "a mention", "are candidates"]
    head += ["in a component", "components", "largest", "cut", "pairs scored in them", "F1 + / −"]
    rows = []
    for size, row in sorted(sizes.items()):
        stats = row["stats"]
        rows.append(
            [
                f"{size:,}",
                f"{row['chains']:,}",
                f"{row['lemma']:,}",
                f"{stats['pairs']:,}",
                f"{stats['pairs'] / size:.1f}",
                f"{100 * stats['blocking_recall']:.1f} %",
                f"{100 * stats['component_recall']:.1f} %",
                f"{stats['components']:,}",
                f"{stats['largest']:,}",
                str(stats["capped"]),
                f"{stats['scored']:,}",
                _both(row["key"]),
            ]
        )
    return markdown_table(head, rows)


def _exact_table(sizes: Mapping[int, Any]) -> str:
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
    return markdown_table(head, rows)


def _ends(row: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    return row["exact"], row["key"]


def _ecb_table(rows: list[dict[str, Any]]) -> str:
    head = ["scorer", "scope", "linking", "unscored", "pairs", "are candidates", "in a component"]
    head += ["components", "largest", "F1 + / −", "held against exact"]
    return markdown_table(head, [_ecb_row(row) for row in rows])


def _ecb_row(row: Mapping[str, Any]) -> list[str]:
    choice = row["choice"]
    shares = [row["recall"], row["component_recall"]]
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

`python -m benchmarks clustering --exact --model EVENT`

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


_EXACT = (5_000, 10_000)
_LOOK_EVERY = 2.0


def run(arguments: argparse.Namespace) -> Page | None:
    """Measure what is asked for."""
    if arguments.child:
        print(json.dumps(_child(arguments.child, arguments.jobs, arguments.exact)))
        return None
    book = json.loads(arguments.book.read_text()) if arguments.book.exists() else {}
    for size in arguments.sizes:
        book.setdefault("sizes", {})[str(size)] = _run_child(size, arguments.jobs)
        _keep(book, arguments.book)
    for size in _EXACT if arguments.exact else ():
        book.setdefault("exact", {})[str(size)] = _run_child(size, 1, "--exact")
        _keep(book, arguments.book)
    if arguments.model:
        book["ecb"] = compare_on_ecb(arguments.model)
        _keep(book, arguments.book)
    text = render_page(book, os.cpu_count() or 1)
    return Page("clustering", text)


def _keep(book: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(book, indent=1), encoding="utf-8")


def _run_child(size: int, jobs: int, *options: str) -> dict[str, Any]:
    """Run a child, and look at the processes of its session while it runs."""
    words = ["-m", "benchmarks", "clustering", "--child", str(size), "--jobs", str(jobs), *options]
    load = os.getloadavg()[0]
    with subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    ) as child:
        workers: dict[int, tuple[float, int]] = {}
        while child.poll() is None:
            workers |= session_processes(child.pid)
            time.sleep(_LOOK_EVERY)
        result: dict[str, Any] = json.loads(child.stdout.read() if child.stdout else "{}")
    workers.pop(child.pid, None)
    return result | {
        "jobs": jobs,
        "load": (load + os.getloadavg()[0]) / 2,
        "worker": max((peak for _, peak in workers.values()), default=0),
        "processor": result["processor"] + sum(seconds for seconds, _ in workers.values()),
    }


def _child(size: int, jobs: int, exact: bool) -> dict[str, Any]:
    """Cluster so many mentions, and say what it took and how good it is."""
    import resource

    import msgspec
    import numpy as np

    from benchmarks.synthetic_mentions import SimilarityScorer, synthetic
    from corefbench.resolvers.cross_document.blocking import mention_vectors
    from corefbench.resolvers.cross_document.config import BlockingConfig
    from corefbench.resolvers.cross_document.linking import BoundScorer, link_blocked
    from corefbench.resolvers.cross_document.training import conll_scores
    from corefbench.resolvers.cross_document.workers import Workers

    context, group = synthetic(size), np.zeros(size, np.int64)
    table, scorer = context.mentions, BoundScorer(scorer=SimilarityScorer(), context=context)
    began, processor = time.perf_counter(), time.process_time()
    forest, stats = link_blocked(
        mention_vectors(context, group),
        scorer,
        BlockingConfig(neighbours=10, same_lemma=10, links=8, effort=40),
        0.5,
        workers=Workers(jobs=jobs, progress=_print_progress),
        chain=table.chain,
    )
    clusters = forest.clusters(0.5)
    scores: dict[str, Any] = {
        "stats": msgspec.to_builtins(stats),
        "wall": time.perf_counter() - began,
        "processor": time.process_time() - processor,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "chains": int(table.chain.max()) + 1,
        "lemma": int(np.bincount(context.lemma).max()),
    }
    scores["key"] = conll_scores(table, table.chain, table, clusters)
    if exact:
        whole = _exact_clusters(scorer, group)
        scores["exact"] = conll_scores(table, table.chain, table, whole)
        scores["agreement"] = conll_scores(table, whole, table, clusters)
    return scores


def _exact_clusters(scorer: Any, group: Any) -> Any:
    from corefbench.resolvers.cross_document.clustering import all_pairs, exact_forest

    left, right = all_pairs(group)
    score = scorer.score(left, right)
    return exact_forest(group, left, right, score).clusters(0.5)


def _print_progress(stage: str, done: int, total: int) -> None:
    print(f"{time.strftime('%H:%M:%S')} {stage} {done}/{total}", file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--exact", action="store_true", help="compare with exact linking too")
    parser.add_argument("--model", type=Path, help="a trained model, to compare on ECB+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--book", type=Path, default=INPUTS / "clustering.json")
    parser.add_argument("--child", type=int, default=0, help=argparse.SUPPRESS)
