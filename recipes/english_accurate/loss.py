"""What training makes small: the sum of the cross entropies of all tasks."""

import torch
from torch import Tensor
from torch.nn import functional

from recipes.english_accurate.batches import Batch
from recipes.english_accurate.labels import TASKS, UNKNOWN
from recipes.english_accurate.network import Network

WEIGHTS = {"upos": 0.5, "xpos": 0.5, "features": 0.3, "lemma": 0.3, "entity": 0.5}


def loss(network: Network, batch: Batch) -> dict[str, Tensor]:
    """The weighted losses by task; heads compete with the words of their own sentence only."""
    arcs, starts, dependents, heads, *tasks = network(
        batch.pieces, batch.shapes, batch.mask, batch.edges
    )
    real = batch.heads != UNKNOWN
    found = {
        "arcs": functional.cross_entropy(masked(arcs, batch.sentences)[real], batch.heads[real]),
        "relations": functional.cross_entropy(
            relations(network, dependents, heads, batch.heads)[real],
            batch.relations[real],
            ignore_index=UNKNOWN,
        ),
        "starts": functional.binary_cross_entropy_with_logits(
            starts[real], sentence_starts(batch.sentences)[real]
        ),
    }
    for name, scores, right in zip(TASKS, tasks, batch.classes, strict=True):
        known = right != UNKNOWN
        if known.any():
            found[name] = WEIGHTS[name] * functional.cross_entropy(scores[known], right[known])
    return found


def masked(arcs: Tensor, sentences: Tensor) -> Tensor:
    """The scores without arcs between sentences."""
    same = sentences[:, :, None] == sentences[:, None, :]
    root = torch.ones_like(same[:, :, :1])
    return arcs.masked_fill(~torch.cat([root, same], dim=2), -1e9)


def relations(network: Network, dependents: Tensor, heads: Tensor, places: Tensor) -> Tensor:
    """Scores of the relations to given heads (counted from 1; the root has no vector)."""
    index = (places - 1).clamp(min=0)[..., None].expand(-1, -1, heads.shape[2])
    governors = torch.gather(heads, 1, index) * (places > 0)[..., None]
    hidden = functional.relu(dependents + governors)
    scores: Tensor = network.label(network.dropout(hidden))
    return scores


def sentence_starts(sentences: Tensor) -> Tensor:
    """1 at the first word of every sentence, also of the first."""
    before = functional.pad(sentences[:, :-1], (1, 0), value=-2)
    return (sentences != before).float()
