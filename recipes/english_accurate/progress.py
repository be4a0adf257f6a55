"""How the network does on the development texts while it trains: right words, sentences, no trees.

Only for watching; ``evaluate`` measures what is shipped, from raw text.
"""

from random import Random

import torch

from recipes.english_accurate.batches import Batch, batches
from recipes.english_accurate.chunks import Chunk
from recipes.english_accurate.labels import TASKS, UNKNOWN
from recipes.english_accurate.loss import masked, relations, sentence_starts
from recipes.english_accurate.network import Network

CHUNKS = 150


def dev_scores(network: Network, dev: dict[str, list[Chunk]]) -> str:
    """Percentages over the first chunks of every set."""
    network.eval()
    lines = []
    for name, chunks in dev.items():
        sums: dict[str, list[int]] = {}
        with torch.no_grad():
            for batch in batches(chunks[:CHUNKS], Random(0)):
                _count(network, batch, sums)
        scores = " ".join(f"{key} {100 * a / max(b, 1):.1f}" for key, (a, b) in sums.items())
        lines.append(f"{name}: {scores}")
    return "; ".join(lines)


def _count(network: Network, batch: Batch, sums: dict[str, list[int]]) -> None:
    arcs, starts, dependents, heads, *tasks = network(
        batch.pieces, batch.shapes, batch.mask, batch.edges
    )
    real = batch.heads != UNKNOWN
    found = masked(arcs, batch.sentences).argmax(2)
    attached = (found == batch.heads) & real
    labelled = relations(network, dependents, heads, found).argmax(2) == batch.relations
    right_starts = sentence_starts(batch.sentences) > 0
    found_starts = (starts > 0) & real
    both = (right_starts & found_starts & real).sum()
    counts = {
        "UAS": (attached.sum(), real.sum()),
        "LAS": ((attached & labelled).sum(), real.sum()),
        "starts": (2 * both, (right_starts & real).sum() + found_starts.sum()),
    }
    for task, scores, right in zip(TASKS, tasks, batch.classes, strict=True):
        known = (right != UNKNOWN) & ((right != 0) if task == "entity" else real)
        counts[task] = ((scores.argmax(2) == right)[known].sum(), known.sum())
    for name, (a, b) in counts.items():
        row = sums.setdefault(name, [0, 0])
        row[0] += int(a)
        row[1] += int(b)
