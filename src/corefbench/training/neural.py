"""Trains the end-to-end resolver: a document a step, scored on development data every epoch."""

import hashlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from safetensors.torch import load_file, save_file

from corefbench.engine.memory import keep_memory
from corefbench.record import Record
from corefbench.resolvers.neural.decode import decode
from corefbench.resolvers.neural.device import device_of, half
from corefbench.resolvers.neural.example import Example, has_singletons
from corefbench.resolvers.neural.fine_tuning import optimiser_of, repeatable, set_rates
from corefbench.resolvers.neural.loss import loss
from corefbench.resolvers.neural.model import Model, Shape
from corefbench.training.state import Progress, load_state, save_state

Report = Callable[[str], None]
Weights = dict[str, torch.Tensor]


class Schedule(Record, frozen=True):
    """How the model is trained."""

    epochs: int = 10
    patience: int = 4
    """Epochs in a row that may be no better than the best one; training stops after the next."""
    encoder_rate: float = 1e-4
    rate: float = 5e-4
    warm_up: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    frozen_layers: int = 0
    """How many layers of the encoder, from the lowest, do not change."""
    mixed: bool = False
    """Whether the encoder is trained in mixed precision, where the device has that."""
    seed: int = 0
    threads: int = 2
    average: int = 1
    """How many of the last epochs' weights are averaged at the end, which is a candidate like any
    epoch: weights that circle a minimum have their mean nearer to it (Izmailov et al. 2018)."""
    save_every: int = 40
    """Documents between two saves."""
    device: str = "auto"
    """A graphics processor where there is one, else the CPU; or the name of a device."""


class Trained(Record, frozen=True):
    """The model of the best epoch, and how training went."""

    model: Any
    best: float
    history: tuple[dict[str, float], ...]


@repeatable()
def train(
    shape: Shape,
    schedule: Schedule,
    examples: Sequence[Example],
    dev: Sequence[tuple[str, Sequence[Example]]],
    folder: Path,
    report: Report = lambda line: None,
    start: Weights | None = None,
) -> Trained:
    """Train, or go on where a killed run stopped.

    ``dev`` has, by scheme, the documents that the best epoch is chosen by: the mean of their CoNLL
    scores. ``start`` has the weights to begin with, else those of the encoder as it is installed.
    """
    keep_memory()
    torch.set_num_threads(schedule.threads)
    torch.manual_seed(schedule.seed)
    model = Model(shape).to(device_of(schedule.device))
    if start is not None:
        model.load_state_dict(start)
    model.encoder.mixed = schedule.mixed
    model.encoder.keep_frozen(schedule.frozen_layers)
    optimiser = optimiser_of(
        model,
        encoder_rate=schedule.encoder_rate,
        rate=schedule.rate,
        decay=schedule.decay,
        frozen_layers=schedule.frozen_layers,
    )
    at = load_state(folder, model, optimiser, _fingerprint(shape, schedule, examples, start))
    total = schedule.epochs * len(examples)
    while at.epoch < schedule.epochs and at.epoch - at.best_epoch <= schedule.patience:
        at = _epoch(model, optimiser, schedule, examples, at, total, folder, report)
        at = _evaluate(model, dev, at, folder, report)
        if schedule.average > 1:
            save_file(model.state_dict(), _weights_of(folder, at.epoch))
        save_state(folder, model, optimiser, at)
    if schedule.average > 1:
        model.load_state_dict(_averaged(folder, at.epoch, schedule.average))
        at = _evaluate(model, dev, _once_more(at), folder, report)
    model.load_state_dict(load_file(folder / _BEST))
    return Trained(model=model.eval(), best=at.best, history=at.history)


def _weights_of(folder: Path, epoch: int) -> Path:
    return folder / f"epoch-{epoch}.safetensors"


def _averaged(folder: Path, last: int, count: int) -> Weights:
    """The mean of the weights of the last epochs."""
    mean: Weights = {}
    paths = [_weights_of(folder, epoch) for epoch in range(max(last - count, 0) + 1, last + 1)]
    for path in paths:
        for name, value in load_file(path).items():
            share = value / len(paths) if value.is_floating_point() else value
            mean[name] = mean[name] + share if name in mean and value.is_floating_point() else share
    return mean


def _once_more(at: Progress) -> Progress:
    """The average stands in the history behind the last epoch, and has its loss."""
    return msgspec.structs.replace(at, history=(*at.history, {**at.history[-1], "average": 1.0}))


def _epoch(
    model: Model,
    optimiser: torch.optim.Optimizer,
    schedule: Schedule,
    examples: Sequence[Example],
    at: Progress,
    total: int,
    folder: Path,
    report: Report,
) -> Progress:
    model.train()
    device = model.scheme.weight.device
    # In numbers with few bits for the exponent, small gradients are lost unless they are scaled.
    scaled = model.encoder.mixed and half(device) is torch.float16
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    order = np.random.default_rng([schedule.seed, at.epoch]).permutation(len(examples))
    began, first, lost = time.monotonic(), at.step, 0.0
    for step in range(at.step, len(examples)):
        set_rates(
            optimiser,
            (at.epoch * len(examples) + step) / total,
            schedule.warm_up,
            least=_LEAST_RATE,
        )
        value = loss(model, examples[int(order[step])])
        scaler.scale(value).backward()
        scaler.unscale_(optimiser)
        torch.nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
        scaler.step(optimiser)
        scaler.update()
        optimiser.zero_grad(set_to_none=True)
        lost += float(value.detach())
        done = step + 1 - first
        if done % 10 == 0:
            pace = (time.monotonic() - began) / done
            left = (schedule.epochs - at.epoch) * len(examples) - step - 1
            report(
                f"epoch {at.epoch + 1} document {step + 1}/{len(examples)} loss "
                f"{lost / done:.3f}, {left * pace / 60:.0f} min left"
            )
        if (step + 1) % schedule.save_every == 0:
            at = msgspec.structs.replace(at, step=step + 1)
            save_state(folder, model, optimiser, at)
    loss_now = {"epoch": at.epoch + 1.0, "loss": lost / max(len(examples) - first, 1)}
    return msgspec.structs.replace(at, epoch=at.epoch + 1, step=0, history=(*at.history, loss_now))


def _evaluate(
    model: Model,
    dev: Sequence[tuple[str, Sequence[Example]]],
    at: Progress,
    folder: Path,
    report: Report,
) -> Progress:
    model.eval()
    scores = {scheme: evaluate(model, scheme, examples) for scheme, examples in dev}
    mean = sum(scores.values()) / max(len(scores), 1)
    said = ", ".join(f"{scheme} {100 * score:.2f}" for scheme, score in scores.items())
    which = "average" if "average" in at.history[-1] else f"epoch {at.epoch}"
    report(f"{which} development CoNLL F1: {said}")
    history = (*at.history[:-1], {**at.history[-1], **scores})
    if mean > at.best:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(model.state_dict(), folder / _BEST)
        return msgspec.structs.replace(at, best=mean, best_epoch=at.epoch, history=history)
    return msgspec.structs.replace(at, history=history)


def evaluate(
    model: Model, scheme: str, examples: Sequence[Example], *, threshold: float = 0.5
) -> float:
    """The CoNLL score of the model on documents with a key."""
    from corefbench.scoring.api import score_clusters

    key = {e.name: [list(chain) for chain in e.chains[scheme]] for e in examples}
    response = {}
    keeps = has_singletons(chain for chains in key.values() for chain in chains)
    for example in examples:
        chains = decode(model, example, scheme, threshold=threshold).chains()
        response[example.name] = [chain for chain in chains if keeps or len(chain) > 1]
    result = score_clusters(key, response)
    return result.conll.f1 if result.conll else 0.0


_BEST = "best.safetensors"
_LEAST_RATE = 0.01
"""Of the full rate: so much is left at either end."""


def _fingerprint(
    shape: Shape, schedule: Schedule, examples: Sequence[Example], start: Weights | None
) -> str:
    digest = hashlib.sha256(msgspec.json.encode([shape, schedule]))
    for value in (start or {}).values():
        digest.update(value.cpu().numpy().tobytes())
    for example in examples:
        digest.update(msgspec.json.encode(example))
    return digest.hexdigest()[:16]
