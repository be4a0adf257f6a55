"""Training of the neural resolver.

One document per step, evaluated on development data after every epoch. The state is saved every few
documents, so that an interrupted training resumes as if nothing had happened.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec.structs import replace
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from corefbench.preprocess.documents import TokenColumns, word_chains
from corefbench.progress import ProgressLog
from corefbench.records import Record
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.decoding import EncodedDocument, decode, spans_of_mentions
from corefbench.resolvers.neural.example import Example, Span, has_singletons, normalize_chains
from corefbench.resolvers.neural.model import (
    CandidateSpans,
    CoreferenceModel,
    ModelConfig,
    load_cached,
    load_checkpoint,
    save_checkpoint,
)
from corefbench.resolvers.neural.precision import half_precision_type, select_device
from corefbench.resolvers.neural.resolver import DecodingConfig, keeps_singletons
from corefbench.resolvers.training.config import (
    CorpusSource,
    Report,
    TrainingConfig,
    hash_sources,
    load_corpus,
    load_source,
    parse_section,
)
from corefbench.resolvers.training.fine_tuning import build_optimizer, deterministic_training, set_learning_rates
from corefbench.scoring.api import score_clusters

Weights = dict[str, Tensor]

_BEST_WEIGHTS, _STATE_FILE = "best.safetensors", "state.safetensors"
_MIN_RATE = 0.01
"""Minimum learning rate, as a share of the full rate."""
_SPAN_THRESHOLD = 0.15
"""Spans above this probability are trained to find their antecedents."""
_MIN_SPANS = 100
"""Spans beside those of the key that are ranked, if the key has fewer."""


class TrainingSchedule(Record, frozen=True):
    """Section [training] of a configuration."""

    epochs: int = 10
    patience: int = 4
    """Training stops after more than this many epochs without improvement."""
    encoder_rate: float = 1e-4
    rate: float = 5e-4
    warm_up: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    frozen_layers: int = 0
    """Lowest layers of the encoder that are not trained."""
    mixed: bool = False
    """Train the encoder in mixed precision, if the device supports it."""
    seed: int = 0
    threads: int = 2
    average: int = 1
    """Average the weights of so many last epochs, as one more candidate: weights that circle a
    minimum have their mean nearer to it (Izmailov et al. 2018)."""
    save_every: int = 40
    """Documents between two saves."""
    device: str = "auto"
    """``auto``: a GPU if there is one, else the CPU; or the name of a device."""


class TrainedModel(Record, frozen=True):
    """Model of the best epoch, its score, and losses and scores of all epochs."""

    model: Any
    best: float
    history: tuple[dict[str, float], ...]


def train_neural(config: TrainingConfig, folder: Path, report: Report) -> ModelCard:
    """Train on all sources, choose the epoch on the development corpora, save and calibrate."""
    schemes = dict.fromkeys(scheme for source in config.train for scheme in (source.scheme, *source.also))
    shape = parse_section({"schemes": tuple(schemes), **config.model}, ModelConfig, "model", config.source)
    schedule = parse_section({"seed": config.seed, **config.training}, TrainingSchedule, "training", config.source)
    examples = [example for source in config.train for example in load_examples(source, config.share, config.seed)]
    dev = load_by_scheme(config.dev)
    start = load_checkpoint(Path(config.start))[1].state_dict() if config.start else None
    trained = train_model(shape, schedule, examples, dev, folder / "training", report, start)
    with_singletons = [
        scheme for scheme in schemes if has_singletons(chain for e in examples for chain in e.chains.get(scheme, ()))
    ]
    card = ModelCard(
        kind="neural",
        config={"shape": msgspec.to_builtins(shape), "singletons": with_singletons},
        data=hash_sources((*config.train, *config.dev, *config.calibrate)),
        scores=_best_scores(trained.history, [scheme for scheme, _ in dev]),
        seed=config.seed,
        licence=config.licence,
        notes=config.notes,
    )
    save_checkpoint(trained.model, folder, card)
    return calibrate_checkpoint(folder, [*dev, *load_by_scheme(config.calibrate)], report)


def load_by_scheme(sources: Iterable[CorpusSource]) -> list[tuple[str, list[Example]]]:
    """Return the scheme and the documents of each source."""
    return [(source.scheme, load_examples(source)) for source in sources]


def load_examples(source: CorpusSource, share: float = 1.0, seed: int = 0) -> list[Example]:
    """Load the documents of a source with the chains of all its schemes.

    If ``also`` has the scheme of the source itself, it replaces the chains of the corpus, which
    then gives only words and sentences; documents that it does not have are left out.
    """
    further = {
        scheme: {document.name: document for document in load_corpus(name, lenient=source.lenient)}
        for scheme, name in source.also.items()
    }
    examples = []
    for document in load_source(source, share, seed):
        columns = TokenColumns(document)
        chains = {} if source.scheme in further else {source.scheme: word_chains(document)}
        for scheme, documents in further.items():
            other = documents.get(document.name)
            if other is not None and len(TokenColumns(other).words) == len(columns.words):
                chains[scheme] = word_chains(other)
        if source.scheme in chains:
            examples.append(
                Example(
                    name=document.name,
                    words=columns.words,
                    sentences=tuple(start for start, _ in columns.sentences()),
                    chains={name: normalize_chains(clusters) for name, clusters in chains.items()},
                )
            )
    return examples


def _best_scores(history: Sequence[Mapping[str, float]], schemes: Sequence[str]) -> dict[str, float]:
    """Return the scores of the epoch that was kept: the first with the best mean.

    >>> _best_scores([{"a": 0.5, "b": 0.1}, {"a": 0.7, "b": 0.0}, {"a": 0.6, "b": 0.0}], ["a"])
    {'a': 0.7}
    """
    rows = [{scheme: epoch[scheme] for scheme in schemes} for epoch in history]
    return max(rows, key=lambda row: sum(row.values()), default={})


# State of an interrupted training


class TrainingState(Record, frozen=True):
    """Progress of a training; stored in the header of the state file."""

    epoch: int = 0
    step: int = 0
    """Finished documents of the epoch."""
    best: float = -1.0
    """Best score on development data …"""
    best_epoch: int = 0
    """… and its epoch; 0: none yet."""
    history: tuple[dict[str, float], ...] = ()
    config: str = ""
    """Hash of the configuration: only the same training is resumed."""


def save_state(folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer, at: TrainingState) -> None:
    """Write weights, optimizer state and random state to one file, atomically."""
    arrays: dict[str, Tensor] = {"random": torch.get_rng_state()}
    arrays |= {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, parameter in enumerate(_parameters(optimizer)):
        for name, value in optimizer.state.get(parameter, {}).items():
            arrays[f"optimiser.{number}.{name}"] = torch.as_tensor(value)
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / (_STATE_FILE + ".partial")
    header = {"progress": msgspec.json.encode(at).decode()}
    save_file({k: v.detach().contiguous().clone() for k, v in arrays.items()}, partial, header)
    os.replace(partial, folder / _STATE_FILE)


def load_state(folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer, config: str) -> TrainingState:
    """Restore a saved state, or return the initial one if there is none of this training."""
    path = folder / _STATE_FILE
    if not path.exists():
        return TrainingState(config=config)
    with safe_open(path, framework="pt") as stored:
        at = msgspec.json.decode(stored.metadata()["progress"], type=TrainingState)
        if at.config != config:
            return TrainingState(config=config)
        arrays = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    model.load_state_dict({name.removeprefix("model."): v for name, v in arrays.items() if name.startswith("model.")})
    for number, parameter in enumerate(_parameters(optimizer)):
        prefix = f"optimiser.{number}."
        optimizer.state[parameter] = {
            # The optimizer counts its steps on the CPU, wherever the weights are.
            name.removeprefix(prefix): v if name.endswith(".step") else v.to(parameter.device)
            for name, v in arrays.items()
            if name.startswith(prefix)
        }
    torch.set_rng_state(arrays["random"])
    return at


def _parameters(optimizer: torch.optim.Optimizer) -> list[Any]:
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


# Training loop


@deterministic_training()
def train_model(
    shape: ModelConfig,
    schedule: TrainingSchedule,
    examples: Sequence[Example],
    dev: Sequence[tuple[str, Sequence[Example]]],
    folder: Path,
    report: Report = lambda line: None,
    start: Weights | None = None,
) -> TrainedModel:
    """Train, or resume an interrupted training.

    The best epoch has the highest mean CoNLL score on ``dev``, documents by scheme. ``start`` has
    initial weights; default: those of the installed encoder.
    """
    torch.set_num_threads(schedule.threads)
    torch.manual_seed(schedule.seed)
    model = CoreferenceModel(shape).to(select_device(schedule.device))
    if start is not None:
        model.load_state_dict(start)
    model.encoder.mixed = schedule.mixed
    model.encoder.freeze(schedule.frozen_layers)
    optimizer = build_optimizer(
        model,
        encoder_rate=schedule.encoder_rate,
        rate=schedule.rate,
        decay=schedule.decay,
        frozen_layers=schedule.frozen_layers,
    )
    at = load_state(folder, model, optimizer, _fingerprint(shape, schedule, examples, start))
    total = schedule.epochs * len(examples)
    while at.epoch < schedule.epochs and at.epoch - at.best_epoch <= schedule.patience:
        at = _train_epoch(model, optimizer, schedule, examples, at, total, folder, report)
        at = _evaluate_epoch(model, dev, at, folder, report)
        if schedule.average > 1:
            save_file(model.state_dict(), _weights_of(folder, at.epoch))
        save_state(folder, model, optimizer, at)
    if schedule.average > 1:
        model.load_state_dict(_average_weights(folder, at.epoch, schedule.average))
        # The averaged weights get an entry of their own, with the loss of the last epoch.
        at = replace(at, history=(*at.history, {**at.history[-1], "average": 1.0}))
        at = _evaluate_epoch(model, dev, at, folder, report)
    model.load_state_dict(load_file(folder / _BEST_WEIGHTS))
    return TrainedModel(model=model.eval(), best=at.best, history=at.history)


def _weights_of(folder: Path, epoch: int) -> Path:
    return folder / f"epoch-{epoch}.safetensors"


def _average_weights(folder: Path, last: int, count: int) -> Weights:
    """Return the mean of the weights of the last epochs."""
    mean: Weights = {}
    paths = [_weights_of(folder, epoch) for epoch in range(max(last - count, 0) + 1, last + 1)]
    for path in paths:
        for name, value in load_file(path).items():
            share = value / len(paths) if value.is_floating_point() else value
            mean[name] = mean[name] + share if name in mean and value.is_floating_point() else share
    return mean


def _train_epoch(
    model: CoreferenceModel,
    optimizer: torch.optim.Optimizer,
    schedule: TrainingSchedule,
    examples: Sequence[Example],
    at: TrainingState,
    total: int,
    folder: Path,
    report: Report,
) -> TrainingState:
    model.train()
    device = model.scheme.weight.device
    # float16 has few exponent bits: small gradients underflow unless the loss is scaled.
    scaled = model.encoder.mixed and half_precision_type(device) is torch.float16
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    order = np.random.default_rng([schedule.seed, at.epoch]).permutation(len(examples))
    first, total_loss = at.step, 0.0
    progress = ProgressLog("document", schedule.epochs * len(examples), report, done=at.epoch * len(examples) + at.step)
    for step in range(at.step, len(examples)):
        set_learning_rates(optimizer, (at.epoch * len(examples) + step) / total, schedule.warm_up, minimum=_MIN_RATE)
        loss = training_loss(model, examples[int(order[step])])
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        total_loss += float(loss.detach())
        progress.step(f"epoch {at.epoch + 1} loss {total_loss / (step + 1 - first):.3f}")
        if (step + 1) % schedule.save_every == 0:
            at = replace(at, step=step + 1)
            save_state(folder, model, optimizer, at)
    entry = {"epoch": at.epoch + 1.0, "loss": total_loss / max(len(examples) - first, 1)}
    return replace(at, epoch=at.epoch + 1, step=0, history=(*at.history, entry))


def _evaluate_epoch(
    model: CoreferenceModel,
    dev: Sequence[tuple[str, Sequence[Example]]],
    at: TrainingState,
    folder: Path,
    report: Report,
) -> TrainingState:
    model.eval()
    scores = {scheme: evaluate_model(model, scheme, examples) for scheme, examples in dev}
    mean = sum(scores.values()) / max(len(scores), 1)
    formatted = ", ".join(f"{scheme} {100 * score:.2f}" for scheme, score in scores.items())
    name = "average" if "average" in at.history[-1] else f"epoch {at.epoch}"
    report(f"{name} development CoNLL F1: {formatted}")
    history = (*at.history[:-1], {**at.history[-1], **scores})
    if mean > at.best:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(model.state_dict(), folder / _BEST_WEIGHTS)
        return replace(at, best=mean, best_epoch=at.epoch, history=history)
    return replace(at, history=history)


def evaluate_model(
    model: CoreferenceModel, scheme: str, examples: Sequence[Example], *, threshold: float = 0.5
) -> float:
    """Return the CoNLL F1 of the model on annotated documents."""
    keep = has_singletons(chain for example in examples for chain in example.chains[scheme])
    response = {}
    for example in examples:
        chains = decode(model, example, scheme, threshold=threshold).chains()
        response[example.name] = [chain for chain in chains if keep or len(chain) > 1]
    return _conll_f1(examples, scheme, response)


def _fingerprint(
    shape: ModelConfig, schedule: TrainingSchedule, examples: Sequence[Example], start: Weights | None
) -> str:
    digest = hashlib.sha256(msgspec.json.encode([shape, schedule]))
    for value in (start or {}).values():
        digest.update(value.cpu().numpy().tobytes())
    for example in examples:
        digest.update(msgspec.json.encode(example))
    return digest.hexdigest()[:16]


# Loss


def training_loss(model: CoreferenceModel, example: Example, *, link: float = 1.0) -> Tensor:
    """Return the mean loss over the schemes of the example; the words are encoded once."""
    words = model.encode(example)
    total = words.new_zeros(())
    for name, chains in example.chains.items():
        scheme = model.shape.schemes.index(name)
        logits = model.score_mentions(words, example, scheme)
        gold = {span: number for number, chain in enumerate(chains) for span in chain}
        total = total + _mention_loss(logits, list(gold))
        if link:
            spans = model.prune(logits, _SPAN_THRESHOLD, also=list(gold), most=max(len(gold), _MIN_SPANS))
            total = total + link * _link_loss(model, words, example, spans, gold, scheme)
    return total / max(len(example.chains), 1)


def _mention_loss(logits: Tensor, gold: list[Span]) -> Tensor:
    target = torch.zeros_like(logits)
    longest = logits.shape[1]
    inside = [(s, e - s - 1) for s, e in gold if e - s <= longest]
    if inside:
        rows, lengths = torch.tensor(inside, device=logits.device).T
        target[rows, lengths] = 1.0
    # Mentions that cross a sentence boundary cannot be found.
    target = target * (logits > -1e3)
    summed = functional.binary_cross_entropy_with_logits(logits, target, reduction="sum")
    return summed / max(len(gold), 1)


def _link_loss(
    model: CoreferenceModel, words: Tensor, example: Example, spans: CandidateSpans, gold: dict[Span, int], scheme: int
) -> Tensor:
    """Return the mean of −log P(correct antecedents), *none* being correct if there are none."""
    if len(spans.start) < 2:
        return words.new_zeros(())
    candidates, scores = model.rank(words, example, spans, scheme)
    chain = torch.tensor([gold.get(span, -1) for span in spans.list()], device=words.device)
    correct = (chain[candidates] == chain[:, None]) & (chain >= 0)[:, None]
    correct &= scores[:, 1:] > -1e3
    none = ~correct.any(1, keepdim=True)
    correct = torch.cat([none, correct], dim=1)
    losses = scores.logsumexp(1) - scores.masked_fill(~correct, -1e4).logsumexp(1)
    return losses.mean()


# Calibration: three numbers per scheme are chosen on development data: the probability above which a
# span is a mention, and the bias of having no antecedent, for detected and for given mentions. A
# document is encoded once for all combinations, and ranked once per threshold.

Choice = tuple[float | None, float]
"""A threshold, None for given mentions, and a bias."""

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
BIASES = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)


def calibrate_checkpoint(
    folder: Path, dev: Iterable[tuple[str, Sequence[Example]]], report: Report = lambda line: None
) -> ModelCard:
    """Calibrate a saved model for every scheme of ``dev`` and store the result."""
    card, model = load_cached(folder)
    decoding, scores = dict(card.config.get("decoding", {})), dict(card.scores)
    for scheme, examples in dev:
        chosen, score = calibrate_scheme(model, scheme, examples, keep_singletons=keeps_singletons(card, scheme))
        decoding[scheme], scores[scheme] = msgspec.to_builtins(chosen), score
        report(
            f"{scheme}: threshold {chosen.threshold}, bias {chosen.bias}, with given mentions "
            f"{chosen.given}; CoNLL F1 {100 * score:.2f}"
        )
    card = replace(card, config={**card.config, "decoding": decoding}, scores=scores)
    save_model(folder, card, load_model(folder)[1])
    return card


def calibrate_scheme(
    model: CoreferenceModel,
    scheme: str,
    examples: Sequence[Example],
    *,
    keep_singletons: bool,
    thresholds: Sequence[float] = THRESHOLDS,
    biases: Sequence[float] = BIASES,
) -> tuple[DecodingConfig, float]:
    """Return the parameters with the best CoNLL F1, and that F1 for detected mentions.

    Ties go to the parameters nearest to the defaults.
    """
    responses: dict[Choice, dict[str, list[list[Span]]]] = {}
    for example in examples:
        document = EncodedDocument(model, example, scheme)
        gold = [span for chain in example.chains[scheme] for span in chain]
        for threshold in (None, *thresholds):
            spans = spans_of_mentions(gold) if threshold is None else document.detect(threshold)
            ranked = document.rank(spans)
            for bias in biases:
                chains = ranked.decode(bias).chains()
                responses.setdefault((threshold, bias), {})[example.name] = [
                    chain for chain in chains if keep_singletons or len(chain) > 1
                ]
    scores = {choice: _conll_f1(examples, scheme, response) for choice, response in responses.items()}
    for_given = _best_choice({choice: score for choice, score in scores.items() if choice[0] is None})
    detected = _best_choice({choice: score for choice, score in scores.items() if choice[0] is not None})
    chosen = DecodingConfig(threshold=detected[0] or 0.0, bias=detected[1], given=for_given[1])
    return chosen, scores[detected]


def _conll_f1(examples: Sequence[Example], scheme: str, response: Mapping[str, list[list[Span]]]) -> float:
    key = {example.name: [list(chain) for chain in example.chains[scheme]] for example in examples}
    result = score_clusters(key, response)
    return result.conll.f1 if result.conll else 0.0


def _best_choice(scores: Mapping[Choice, float]) -> Choice:
    """Return the best choice.

    >>> _best_choice({(0.3, 0.0): 0.5, (0.5, 0.25): 0.5, (0.5, 0.0): 0.5, (0.6, 0.0): 0.4})
    (0.5, 0.0)
    """
    usual = DecodingConfig()
    return max(scores, key=lambda choice: (scores[choice], -abs(choice[1]), -abs((choice[0] or 0.0) - usual.threshold)))
