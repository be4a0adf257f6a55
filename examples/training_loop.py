"""Scoring inside a training loop: run with ``python examples/training_loop.py``.

A resolver is pretended: in every epoch it links one more of each chain's mentions.
"""

import sys
from pathlib import Path

import corefbench as cb
from corefbench.scoring.clusters import Clusters

KEY = cb.load(Path(__file__).with_name("key.conll"))


def predict(key: Clusters, epoch: int) -> Clusters:
    """The first mentions of every chain, as many as there were epochs."""
    return [chain[: epoch + 1] for chain in key]


def validate(epoch: int) -> float:
    """The CoNLL average on all documents."""
    scorer = cb.Scorer("conll-2012", singletons="strip")
    for document in KEY:
        key = document.clusters()
        scorer.update(key=key, response=predict(key, epoch), document=document.name)
    return float(scorer.compute()["conll_f1"])


if __name__ == "__main__":
    for epoch in range(1, 4):
        sys.stdout.write(f"epoch {epoch}: CoNLL F1 {100 * validate(epoch):.2f}\n")
