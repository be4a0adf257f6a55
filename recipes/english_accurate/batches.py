"""Chunks of similar length, padded, as tensors."""

from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from recipes.english_accurate.chunks import Chunk
from recipes.english_accurate.labels import UNKNOWN

PIECES = 800
"""Pieces of a batch, padding included."""


class Batch(NamedTuple):
    """What a training step takes; ``classes`` is [task, batch, word]."""

    pieces: Tensor
    shapes: Tensor
    mask: Tensor
    edges: Tensor
    sentences: Tensor
    heads: Tensor
    relations: Tensor
    classes: Tensor


def batches(chunks: list[Chunk], random: Random) -> list[Batch]:
    """All chunks, those of about the same length together, in random order."""
    order = sorted(chunks, key=lambda chunk: len(chunk.pieces) + random.random() * 8)
    groups: list[list[Chunk]] = [[]]
    for chunk in order:
        if len(chunk.pieces) * (len(groups[-1]) + 1) > PIECES and groups[-1]:
            groups.append([])
        groups[-1].append(chunk)
    random.shuffle(groups)
    return [batch(group) for group in groups]


def batch(chunks: list[Chunk]) -> Batch:
    """Chunks as one batch; what is filled up trains nothing."""
    edges = [list(zip(c.firsts, c.lasts, strict=True)) for c in chunks]
    words = max(len(chunk.heads) for chunk in chunks)
    return Batch(
        pieces=_padded([c.pieces for c in chunks]),
        shapes=_padded([c.shapes for c in chunks]),
        mask=_padded([[1] * len(c.pieces) for c in chunks]),
        edges=torch.tensor([row + [(0, 0)] * (words - len(row)) for row in edges]),
        sentences=_padded([c.sentences for c in chunks], -1),
        heads=_padded([c.heads for c in chunks], UNKNOWN),
        relations=_padded([c.relations for c in chunks], UNKNOWN),
        classes=torch.stack(
            [
                _padded([c.classes[task] for c in chunks], UNKNOWN)
                for task in range(len(chunks[0].classes))
            ]
        ),
    )


def _padded(rows: list[list[int]], fill: int = 0) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [fill] * (width - len(row)) for row in rows])
