"""The span-ranking network and its checkpoints."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.encoder import DEFAULT_ENCODER, Encoder
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.pair_features import FEATURE_SIZES, MAX_DISTANCE, NEARNESS, MentionFeatures
from corefbench.resolvers.neural.precision import (
    Dropout,
    half_precision_type,
    has_int8_kernels,
    quantize_linear_layers,
    select_device,
)


class MentionScorer(nn.Module):
    """Logits of all spans of up to ``longest`` words, scored by their ends (Kirstain et al. 2021).

        s(i, j) = a·sᵢ + b·eⱼ + sᵢᵀ B eⱼ + w(j − i)

    with one representation of a word as first word of a span, and one as last word. All spans that
    start at a word are scored together, as a band beside the diagonal.
    """

    def __init__(self, width: int, hidden: int, longest: int, schemes: int, dropout: float) -> None:
        super().__init__()
        self.longest = longest
        self.begin = nn.Linear(width, hidden)
        self.finish = nn.Linear(width, hidden)
        self.scheme = nn.Embedding(schemes, 2 * hidden)
        self.one = nn.Linear(hidden, 1)
        self.other = nn.Linear(hidden, 1, bias=False)
        self.both = nn.Linear(hidden, hidden, bias=False)
        self.length = nn.Embedding(longest, 1)
        self.dropout = Dropout(dropout)
        nn.init.zeros_(self.scheme.weight)
        nn.init.zeros_(self.length.weight)

    def forward(self, words: Tensor, scheme: int) -> Tensor:
        """Return logits, words × lengths."""
        of_begin, of_finish = self.scheme.weight[scheme].chunk(2)
        begin = self.dropout(functional.gelu(self.begin(words) + of_begin))
        finish = self.dropout(functional.gelu(self.finish(words) + of_finish))
        padded = functional.pad(finish, (0, 0, 0, self.longest - 1))
        band = padded.unfold(0, self.longest, 1)
        # In batches, as the product copies the band: for a book that is gigabytes.
        rows = zip(self.both(begin).split(_WORDS_PER_BATCH), band.split(_WORDS_PER_BATCH), strict=True)
        scores = torch.cat([torch.einsum("nh,nhl->nl", *some) for some in rows])
        last = functional.pad(self.other(finish), (0, 0, 0, self.longest - 1)).squeeze(1)
        scores = scores + self.one(begin) + last.unfold(0, self.longest, 1)
        logits: Tensor = scores + self.length.weight.T
        return logits


_WORDS_PER_BATCH = 512
"""Words whose spans are scored together."""


def spans_within_sentences(sentence: Tensor, longest: int) -> Tensor:
    """Return flags, words × lengths: whether a span is inside one sentence."""
    padded = functional.pad(sentence, (0, longest - 1), value=-1)
    return padded.unfold(0, longest, 1) == sentence[:, None]


_IMPOSSIBLE = -1e4


class SpanEncoder(nn.Module):
    """Represents a span by the words at its ends, attention over its words, and its length."""

    def __init__(self, width: int, size: int, longest: int, dropout: float) -> None:
        super().__init__()
        self.longest = longest
        self.attention = nn.Linear(width, 1)
        self.length = nn.Embedding(longest, 32)
        self.project = nn.Linear(3 * width + 32, size)
        self.dropout = Dropout(dropout)

    def forward(self, words: Tensor, start: Tensor, last: Tensor) -> Tensor:
        """Return the vectors of spans, given by first and last word."""
        weight = self.attention(words).squeeze(1)
        # Sorted by length: most spans are short and need no padding to the longest.
        order = (last - start).argsort(stable=True)
        batches = zip(start[order].split(_SPANS_PER_BATCH), last[order].split(_SPANS_PER_BATCH), strict=True)
        content = torch.cat([self._content(words, weight, *ends) for ends in batches])
        content = content[order.argsort()]
        length = self.length((last - start).clamp(max=self.longest - 1))
        joined = torch.cat([words[start], words[last], content, length], dim=1)
        vectors: Tensor = self.dropout(functional.gelu(self.project(joined)))
        return vectors

    def _content(self, words: Tensor, weight: Tensor, start: Tensor, last: Tensor) -> Tensor:
        """Return the attention-weighted mean of the words of each span."""
        width = min(max((last - start).tolist(), default=0) + 1, self.longest)
        inside = start[:, None] + torch.arange(width, device=words.device)
        outside = inside > last[:, None]
        inside = inside.clamp(max=len(words) - 1)
        share = weight[inside].masked_fill(outside, _IMPOSSIBLE).softmax(1)
        return (share[:, None] @ words[inside]).squeeze(1)


class AntecedentRanker(nn.Module):
    """Scores the most promising antecedents of every mention, coarse to fine (Lee et al. 2018).

        a(i, j) = gᵢᵀ C gⱼ + nᵢⱼ + f(gᵢ, gⱼ, gᵢ∘gⱼ, φᵢⱼ),    a(i, none) = 0

    The bilinear score and a weight n for distance and shared words choose the candidates of each
    mention; a small network f then scores the pair: both vectors, their product, and features φ.
    """

    def __init__(self, size: int, hidden: int, most: int, dropout: float) -> None:
        super().__init__()
        self.most = most
        self.coarse = nn.Linear(size, size)
        self.nearness = nn.Parameter(torch.tensor(NEARNESS))
        self.left = nn.Linear(size, hidden)
        self.right = nn.Linear(size, hidden, bias=False)
        self.product = nn.Linear(size, hidden, bias=False)
        self.features = nn.EmbeddingBag(sum(FEATURE_SIZES), hidden, mode="sum")
        self.score = nn.Sequential(
            nn.GELU(), Dropout(dropout), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1)
        )
        nn.init.normal_(self.features.weight, std=0.02)

    @torch.no_grad()
    def candidates(self, spans: Tensor, mentions: MentionFeatures) -> Tensor:
        """Return the candidates of every mention, the best first.

        The first mentions have too few: they are padded with later mentions, which are masked.
        """
        count = len(spans)
        numbers = torch.arange(count, device=spans.device)
        candidates = []
        for rows in numbers.split(max(1, min(_MENTIONS_PER_BATCH, _MAX_COARSE_PAIRS // max(count, 1)))):
            first, end = int(rows[0]), int(rows[-1]) + 1
            scores = self.coarse(spans[rows]) @ spans[:end].T / spans.shape[1] ** 0.5
            scores = scores + self._nearness(mentions, first, end)
            scores = scores.masked_fill(numbers[:end] >= rows[:, None], _IMPOSSIBLE)
            best = scores.topk(min(self.most, end), dim=1).indices
            missing = min(self.most, count) - best.shape[1]
            candidates.append(functional.pad(best, (0, missing), value=count - 1))
        return torch.cat(candidates)

    def _nearness(self, mentions: MentionFeatures, first: int, end: int) -> Tensor:
        """Return the weights of mentions from ``first`` on with all before ``end``.

        Beyond ``MAX_DISTANCE``, which is nearly all of a book, they depend only on whether head and
        words are equal, so they are computed without the distance.
        """
        device = self.nearness.device
        rows, far = np.arange(first, end)[:, None], max(0, first - MAX_DISTANCE)
        near = mentions.nearness(rows, np.arange(far, end))
        close = self.nearness[torch.from_numpy(near).to(device)]
        if not far:
            return close
        different, one_equal, both_equal = self.nearness[torch.from_numpy(mentions.far(rows)).to(device)].unbind(-1)
        head, form = (torch.from_numpy(n).to(device) for n in (mentions.head, mentions.form))
        same_head, same_form = (n[first:end, None] == n[:far] for n in (head, form))
        distant = torch.where(same_head | same_form, one_equal, different)
        distant = torch.where(same_head & same_form, both_equal, distant)
        return torch.cat([distant, close], dim=1)

    def forward(self, spans: Tensor, candidates: Tensor, mentions: MentionFeatures) -> Tensor:
        """Return scores, mentions × (1 + candidates): first that of no antecedent, which is 0."""
        numbers = torch.arange(len(spans), device=spans.device)
        right = self.right(spans)
        blocks = [
            self._scores(spans, right, rows, candidates[rows], mentions) for rows in numbers.split(_MENTIONS_PER_BATCH)
        ]
        scores = torch.cat(blocks)
        after = candidates >= numbers[:, None]
        return functional.pad(scores.masked_fill(after, _IMPOSSIBLE), (1, 0))

    def _scores(
        self, spans: Tensor, right: Tensor, rows: Tensor, candidates: Tensor, mentions: MentionFeatures
    ) -> Tensor:
        later, earlier = rows[:, None].cpu().numpy(), candidates.cpu().numpy()
        own, other = spans[rows][:, None], spans[candidates]
        near = torch.from_numpy(mentions.nearness(later, earlier)).to(spans.device)
        coarse = (self.coarse(own) * other).sum(-1) / spans.shape[1] ** 0.5 + self.nearness[near]
        known = torch.from_numpy(mentions.features(later, earlier)).flatten(0, 1).to(spans.device)
        hidden = self.left(own) + right[candidates] + self.product(own * other)
        hidden = hidden + self.features(known).view_as(hidden)
        scores: Tensor = coarse + self.score(hidden).squeeze(-1)
        return scores


_MENTIONS_PER_BATCH = 256
"""Mentions ranked together; bounds the memory for a book."""
_MAX_COARSE_PAIRS = 1 << 25
"""Pairs that get a coarse score together."""
_SPANS_PER_BATCH = 256
"""Spans whose words are gathered together."""


class ModelConfig(Record, frozen=True):
    """Shape of the network; stored in checkpoints as ``shape``."""

    encoder: str = DEFAULT_ENCODER
    layers: int = 0
    """Number of lowest layers of the encoder that are used; 0: all."""
    window: int = 384
    """Pieces per window of the encoder in training …"""
    window_in_use: int = 0
    """… and in use, where fewer are faster; 0: the same."""
    schemes: tuple[str, ...] = ("litbank", "gum", "ontogum")
    """Annotation schemes it was trained on; each has mentions of its own."""
    longest: int = 24
    """Maximum number of words of a span."""
    hidden: int = 192
    span: int = 256
    pair: int = 160
    most: int = 40
    """Candidates per mention that get a fine score."""
    share: float = 0.45
    """Maximum number of mentions per word."""
    dropout: float = 0.3


class CandidateSpans(Record, frozen=True):
    """Spans that may be mentions, in text order."""

    start: np.ndarray
    last: np.ndarray
    """Last word of each span."""
    probability: np.ndarray

    def list(self) -> list[Span]:
        """Return half-open spans."""
        return list(zip(self.start.tolist(), (self.last + 1).tolist(), strict=True))


class CoreferenceModel(nn.Module):
    """Encoder, mention scorer, span encoder and antecedent ranker."""

    def __init__(self, shape: ModelConfig = ModelConfig(), described: Path | None = None) -> None:
        """``described``: folder of the encoder's configuration, if its weights are loaded later."""
        super().__init__()
        self.shape = shape
        self.encoder = Encoder(
            shape.encoder if described is None else str(described),
            window=shape.window,
            layers=shape.layers,
            blank=described is not None,
        )
        width = self.encoder.width
        schemes = len(shape.schemes)
        self.dropout = Dropout(shape.dropout)
        self.mentions = MentionScorer(width, shape.hidden, shape.longest, schemes, shape.dropout)
        self.spans = SpanEncoder(width, shape.span, shape.longest, shape.dropout)
        self.scheme = nn.Embedding(schemes, shape.span)
        self.ranker = AntecedentRanker(shape.span, shape.pair, shape.most, shape.dropout)
        nn.init.zeros_(self.scheme.weight)

    def encode(self, example: Example) -> Tensor:
        """Return the vectors of the words."""
        windows = self.encoder.windows(example.words, example.sentences)
        vectors: Tensor = self.dropout(self.encoder(windows))
        return vectors

    def score_mentions(self, words: Tensor, example: Example, scheme: int) -> Tensor:
        """Return logits of all spans, words × lengths."""
        sentence = torch.tensor(example.sentence_of_words(), device=words.device)
        inside = spans_within_sentences(sentence, self.shape.longest)
        logits: Tensor = self.mentions(words, scheme).masked_fill(~inside, -1e4)
        return logits

    def prune(
        self, logits: Tensor, threshold: float, *, also: Sequence[Span] = (), most: int | None = None
    ) -> CandidateSpans:
        """Return the spans above a probability, at most ``most`` of them.

        ``also``: spans that are kept in any case.
        """
        flat = logits.detach().sigmoid().flatten()
        most = max(1, int(self.shape.share * len(logits))) if most is None else most
        chosen = torch.nonzero(flat > threshold).flatten()
        if len(chosen) > most:
            chosen = chosen[flat[chosen].topk(most).indices]
        longest = self.shape.longest
        extra = [s * longest + e - s - 1 for s, e in also if e - s <= longest and e <= len(logits)]
        kept = torch.tensor(extra, dtype=torch.long, device=logits.device)
        places = torch.cat([chosen, kept]).unique()
        start, length = places // longest, places % longest
        # In text order, the longer of two that start together first.
        order = torch.argsort(start * longest + (longest - 1 - length))
        places = places[order]
        return CandidateSpans(
            start=(places // longest).cpu().numpy(),
            last=(places // longest + places % longest).cpu().numpy(),
            probability=flat[places].float().cpu().numpy(),
        )

    def rank(self, words: Tensor, example: Example, spans: CandidateSpans, scheme: int) -> tuple[Tensor, Tensor]:
        """Return the candidates of every span, and their scores, that of *none* first."""
        start, last = (torch.from_numpy(n).to(words.device) for n in (spans.start, spans.last))
        vectors = self.spans(words, start, last) + self.scheme.weight[scheme]
        mentions = MentionFeatures(example, spans.list())
        candidates = self.ranker.candidates(vectors, mentions)
        return candidates, self.ranker(vectors, candidates, mentions)


# Checkpoints: matrices of the encoder are stored as six-bit integers with one scale per block of 64
# weights, so that an outlier affects only its block; everything else in half precision:
#
#     w ≈ s · q,    q ∈ {−31 … 31},   s = max |w| ÷ 31
#
# Configuration and tokenizer of the encoder are in a subfolder.

ENCODER = "encoder"
"""Subfolder of the encoder's description, and prefix of its weights."""
_CODES, _SCALE = ".codes", ".scale"
_BLOCK_SIZE = 64
_MAX_CODE = 31
"""Six bits, stored as bytes, which archives compress. Full precision does not score higher."""


def save_checkpoint(model: CoreferenceModel, folder: Path, card: ModelCard) -> None:
    """Write a checkpoint."""
    model.encoder.describe(folder / ENCODER)
    arrays: dict[str, np.ndarray] = {}
    for name, value in model.state_dict().items():
        if name.startswith(f"{ENCODER}.") and value.ndim > 1:
            arrays |= _quantize(name, value.float().cpu().numpy())
        else:
            arrays[name] = value.half().cpu().numpy()
    save_model(folder, card, arrays)


def load_cached(folder: Path, device: str = "auto") -> tuple[ModelCard, CoreferenceModel]:
    """Load a model for inference, once per process as long as its files do not change."""
    changed = tuple(path.stat().st_mtime_ns for path in sorted(folder.glob("*.*")))
    return _load_for_inference(folder.resolve(), changed, select_device(device))


@lru_cache(maxsize=4)
def _load_for_inference(
    folder: Path, changed: tuple[int, ...], device: torch.device
) -> tuple[ModelCard, CoreferenceModel]:
    card, model = load_checkpoint(folder)
    if has_int8_kernels(device):
        quantize_linear_layers(model.encoder.model)
        model.encoder.batch = 1
    else:
        model.encoder.model.to(half_precision_type(device))
    return card, model.to(device)


def load_checkpoint(folder: Path) -> tuple[ModelCard, CoreferenceModel]:
    """Load a model in full precision."""
    card, arrays = load_model(folder)
    if card.kind != "neural":
        raise UsageError("this model is of another kind", found=card.kind, expected="neural")
    shape = msgspec.convert(card.config["shape"], ModelConfig)
    model = CoreferenceModel(shape, folder / ENCODER)
    model.encoder.window = shape.window_in_use or shape.window
    model.load_state_dict({name: _dequantize(arrays, name) for name in model.state_dict()}, assign=True)
    return card, model.eval()


def _quantize(name: str, weight: np.ndarray) -> dict[str, np.ndarray]:
    blocks = weight.reshape(len(weight), -1, gcd(weight.shape[1], _BLOCK_SIZE))
    scale = (np.abs(blocks).max(axis=2, keepdims=True) / _MAX_CODE).astype(np.float16)
    scale = np.maximum(scale, np.finfo(np.float16).tiny)
    codes = np.rint(blocks / scale.astype(np.float32)).clip(-_MAX_CODE, _MAX_CODE)
    return {name + _CODES: codes.astype(np.int8), name + _SCALE: scale}


def _dequantize(arrays: Mapping[str, np.ndarray], name: str) -> torch.Tensor:
    if name in arrays:
        return torch.from_numpy(arrays[name].astype(np.float32))
    codes, scale = (torch.from_numpy(arrays[name + kind]) for kind in (_CODES, _SCALE))
    return codes.float().mul_(scale.float()).flatten(1)
