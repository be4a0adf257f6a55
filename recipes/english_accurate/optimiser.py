"""How fast what learns."""

import math

import torch

from recipes.english_accurate.network import Network

ENCODER_RATE, HEAD_RATE = 2e-4, 1.5e-3
WARM_UP = 0.06
DECAY = 0.01


def optimiser_for(network: Network) -> torch.optim.Optimizer:
    """Slow for the encoder, fast for what is new; the piece embeddings stay as they are."""
    network.encoder.pieces.weight.requires_grad_(False)
    network.encoder.positions.weight.requires_grad_(False)
    inner = [p for p in network.encoder.parameters() if p.requires_grad]
    known = set(map(id, network.encoder.parameters()))
    outer = [p for p in network.parameters() if id(p) not in known]
    groups = [{"params": inner, "lr": ENCODER_RATE}, {"params": outer, "lr": HEAD_RATE}]
    return torch.optim.AdamW(groups, weight_decay=DECAY, betas=(0.9, 0.98))


def rate(progress: float) -> float:
    """The share of the full learning rate: up quickly, then down along a cosine."""
    if progress < WARM_UP:
        return progress / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * (progress - WARM_UP) / (1 - WARM_UP)))
