"""Trains the detector of mentions; the epoch with the best F1 on development data is kept."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from corefbench.record import Longs, Record
from corefbench.resolvers.across.detection import best_threshold
from corefbench.resolvers.across.detector import (
    Detector,
    DetectorShape,
    Sentence,
    sentences_of,
    span_chances,
)
from corefbench.resolvers.across.words import Words
from corefbench.resolvers.neural.fine_tuning import course, optimiser_of

Report = Callable[[str], None]
Spans = Mapping[str, set[tuple[int, int]]]
"""Of each kind, the spans of its mentions, over the corpus."""


class DetectorSchedule(Record, frozen=True):
    """How the detector is trained."""

    epochs: int = 8
    batch: int = 16
    encoder_rate: float = 1e-4
    rate: float = 1e-3
    warm_up: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    frozen_layers: int = 0
    """Layers of the encoder, from below, that do not learn; its embeddings never do."""
    seed: int = 0


class FoundDetector(Record, frozen=True):
    """The detector of the best epoch, its thresholds, and its F1 by kind."""

    detector: Detector
    thresholds: dict[str, float]
    scores: dict[str, float]


def train_detector(
    words: Words,
    mentions: Spans,
    dev_words: Words,
    dev_mentions: Spans,
    shape: DetectorShape = DetectorShape(),
    schedule: DetectorSchedule = DetectorSchedule(),
    report: Report = lambda line: None,
) -> FoundDetector:
    """Train on one corpus, choose epoch and thresholds by another."""
    torch.manual_seed(schedule.seed)
    shape = DetectorShape(
        encoder=shape.encoder,
        tags=tuple(sorted(set(words.tags))),
        relations=tuple(sorted(set(words.relations))),
        kinds=shape.kinds,
        hidden=shape.hidden,
        longest=shape.longest,
        dropout=shape.dropout,
    )
    detector = Detector(shape)
    sentences = sentences_of(detector, words)
    optimiser = optimiser_of(
        detector,
        encoder_rate=schedule.encoder_rate,
        rate=schedule.rate,
        decay=schedule.decay,
        frozen_layers=schedule.frozen_layers,
    )
    steps = schedule.epochs * -(-len(sentences) // schedule.batch)
    schedule_rate = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: course(step / max(steps, 1), schedule.warm_up)
    )
    best, kept_state = (-1.0, {}, {}), {}  # type: tuple[float, dict[str, float], dict[str, float]], dict[str, Tensor]
    for epoch in range(schedule.epochs):
        began = time.monotonic()
        lost = _epoch(detector, optimiser, schedule_rate, sentences, mentions, schedule, epoch)
        scores, thresholds = evaluate_detector(detector, dev_words, dev_mentions)
        said = ", ".join(f"{kind} {100 * f1:.1f}" for kind, f1 in scores.items())
        left = (time.monotonic() - began) * (schedule.epochs - epoch - 1) / 60
        report(f"detector epoch {epoch + 1} loss {lost:.3f} dev F1 {said}, {left:.0f} min left")
        mean = sum(scores.values()) / len(scores)
        if mean > best[0]:
            best = (mean, scores, thresholds)
            kept_state = {name: value.clone() for name, value in detector.state_dict().items()}
    detector.load_state_dict(kept_state)
    return FoundDetector(detector=detector.eval(), thresholds=best[2], scores=best[1])


def evaluate_detector(
    detector: Detector, words: Words, mentions: Spans
) -> tuple[dict[str, float], dict[str, float]]:
    """By kind the best F1 and its threshold."""
    chances, start, end = span_chances(detector, words)
    scores, thresholds = {}, {}
    for number, kind in enumerate(detector.shape.kinds):
        found = best_threshold(
            chances[:, number], start, end, mentions[kind], nested=kind != "event"
        )
        scores[kind], thresholds[kind] = found
    return scores, thresholds


def _epoch(
    detector: Detector,
    optimiser: torch.optim.Optimizer,
    rate: torch.optim.lr_scheduler.LambdaLR,
    sentences: Sequence[Sentence],
    mentions: Spans,
    schedule: DetectorSchedule,
    epoch: int,
) -> float:
    detector.train()
    batches = _batches(sentences, schedule.batch, np.random.default_rng([schedule.seed, epoch]))
    lost = 0.0
    for batch in batches:
        scores, start, end = detector(batch)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            scores, _labels(mentions, detector.shape.kinds, start, end), reduction="sum"
        ) / len(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(detector.parameters(), schedule.clip)
        optimiser.step()
        rate.step()
        optimiser.zero_grad(set_to_none=True)
        lost += float(loss.detach())
    return lost / max(len(batches), 1)


def _labels(mentions: Spans, kinds: Sequence[str], start: Longs, end: Longs) -> Tensor:
    rows = list(zip(start.tolist(), end.tolist(), strict=True))
    return torch.tensor([[float(span in mentions[kind]) for kind in kinds] for span in rows])


def _batches(
    sentences: Sequence[Sentence], size: int, random: np.random.Generator
) -> list[list[Sentence]]:
    """Sentences of like length together, so that little is filled up, in an order of chance."""
    shaken = np.array([len(s) for s in sentences]) + random.uniform(-3, 3, len(sentences))
    order = np.argsort(shaken)
    cut = [order[a : a + size] for a in range(0, len(order), size)]
    return [[sentences[i] for i in cut[b]] for b in random.permutation(len(cut))]
