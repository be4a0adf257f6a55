"""MPNet as a network of its own, its weights named as transformers names them.

It is loaded in a fraction of the time, attends in one fused step, and its linear maps can be
exchanged. What is added to the scores for the distance of two pieces is the same in all layers, so
it is made once; it is not trained.
"""

from pathlib import Path
from typing import NamedTuple

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.record import Record
from corefbench.resolvers.neural.dropout import Dropout
from corefbench.resolvers.neural.kept import Kept

_FIRST = 2
"""The place of the first piece: two places are kept for what is filled up."""
_FARTHEST = 128
"""Pieces from which on distance makes no difference."""


class MpnetConfig(Record, frozen=True):
    """What ``config.json`` says of such a network, as far as it matters."""

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
        """Write it so that it can be read back, here and by transformers."""
        folder.mkdir(parents=True, exist_ok=True)
        text = msgspec.json.format(msgspec.json.encode(self))
        (folder / "config.json").write_bytes(text)


def mpnet_config(folder: str, layers: int = 0) -> MpnetConfig | None:
    """The configuration in a folder, with so many layers; None if it is of another network."""
    path = Path(folder) / "config.json"
    if not path.exists() or msgspec.json.decode(path.read_bytes()).get("model_type") != "mpnet":
        return None
    config = msgspec.json.decode(path.read_bytes(), type=MpnetConfig)
    used = min(layers, config.num_hidden_layers) if layers else config.num_hidden_layers
    return msgspec.structs.replace(config, num_hidden_layers=used)


class Output(NamedTuple):
    """What transformers calls the answer of an encoder."""

    last_hidden_state: Tensor


class Mpnet(nn.Module):
    """Embeddings and layers, whose weights are yet to be given."""

    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = _Embeddings(config)
        self.encoder = _Layers(config)
        self._frozen: int | None = None
        self._kept = Kept()

    def read(self, folder: str) -> "Mpnet":
        """Take the weights that lie in a folder; those of layers that are not used stay there."""
        from safetensors import safe_open

        with safe_open(Path(folder) / "model.safetensors", framework="pt") as weights:
            self.load_state_dict({name: weights.get_tensor(name) for name in self.state_dict()})
        return self

    def keep_frozen(self, layers: int) -> None:
        """Say that embeddings and so many layers, from the lowest, are frozen.

        Nothing of them is dropped any more, so they make the same of the same text in every epoch:
        it is made once and kept, as long as there is room.
        """
        self._frozen = layers
        self.train(self.training)

    def train(self, mode: bool = True) -> "Mpnet":
        """Learn, but for what is frozen."""
        super().train(mode)
        if self._frozen is not None:
            for part in (self.embeddings, *self.encoder.layer[: self._frozen]):
                part.train(False)
        return self

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self.embeddings.word_embeddings.weight.device

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Output:
        """The vectors of the last layer; pieces whose mask is 0 are not seen by others."""
        distances = self.encoder.distances(attention_mask)
        if self._frozen is None:
            return Output(self.encoder(self.embeddings(input_ids), distances))
        lowest = self._kept.of(
            (input_ids, attention_mask),
            lambda: self.encoder(self.embeddings(input_ids), distances, end=self._frozen),
        )
        return Output(self.encoder(lowest, distances, first=self._frozen))


class _Linear(nn.Linear):
    def reset_parameters(self) -> None:
        """Weights are read: making some up would take longer."""


class _Embedding(nn.Embedding):
    def reset_parameters(self) -> None:
        """As above."""


class _Embeddings(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.word_embeddings = _Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = _Embedding(config.max_position_embeddings, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, pieces: Tensor) -> Tensor:
        place = torch.arange(_FIRST, _FIRST + pieces.shape[1], device=pieces.device)
        summed = self.word_embeddings(pieces) + self.position_embeddings(place)
        made: Tensor = self.dropout(self.LayerNorm(summed))
        return made


class _Layers(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(config) for _ in range(config.num_hidden_layers))
        buckets = config.relative_attention_num_buckets
        self.relative_attention_bias = _Embedding(buckets, config.num_attention_heads)
        self.relative_attention_bias.requires_grad_(False)

    def forward(
        self, hidden: Tensor, distances: Tensor, first: int = 0, end: int | None = None
    ) -> Tensor:
        """The vectors after the layers from ``first`` to before ``end``."""
        for layer in self.layer[first:end]:
            hidden = layer(hidden, distances)
        return hidden

    @torch.no_grad()
    def distances(self, mask: Tensor) -> Tensor:
        """What is added for distances, and for pieces that are not seen: 1 or windows × heads ×
        pieces × pieces."""
        weight = self.relative_attention_bias.weight
        length = mask.shape[1]
        far = torch.arange(1 - length, length, device=weight.device)
        # A row begins one further to the left than the one before it.
        by_distance = weight[distance_bucket(far, len(weight))].T
        added = by_distance.unfold(1, length, 1).flip(1)[None].contiguous()
        if mask.all():
            return added
        unseen = 1.0 - mask[:, None, None].to(added.dtype)
        return added + unseen * torch.finfo(added.dtype).min


def distance_bucket(distance: Tensor, buckets: int) -> Tensor:
    """Which weight a distance has: half of them for pieces that follow; of each half, the first
    half for small distances one by one, the others for ranges that grow (Raffel et al. 2020).

    >>> distance_bucket(torch.tensor([-200, -1, 0, 1, 7, 8, 200]), 32).tolist()
    [15, 1, 0, 17, 23, 24, 31]
    """
    half = buckets // 2
    exact = half // 2
    away = distance.abs()
    grown = torch.log(away.clamp(min=1) / exact) / torch.log(torch.tensor(_FARTHEST / exact))
    coarse = (exact + grown * (half - exact)).long().clamp(max=half - 1)
    return torch.where(away < exact, away, coarse) + half * (distance > 0)


class _Layer(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.attention = _Attention(config)
        self.intermediate = _Intermediate(config)
        self.output = _Output(config)

    def forward(self, hidden: Tensor, added: Tensor) -> Tensor:
        hidden = self.attention(hidden, added)
        made: Tensor = self.output(self.intermediate(hidden), hidden)
        return made


class _Attention(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.attn = _Heads(config)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, hidden: Tensor, added: Tensor) -> Tensor:
        made: Tensor = self.LayerNorm(self.dropout(self.attn(hidden, added)) + hidden)
        return made


class _Heads(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.q, self.k, self.v, self.o = (
            _Linear(config.hidden_size, config.hidden_size) for _ in range(4)
        )

    def forward(self, hidden: Tensor, added: Tensor) -> Tensor:
        query, key, value = (
            part(hidden).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for part in (self.q, self.k, self.v)
        )
        seen = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=added.to(query.dtype)
        )
        made: Tensor = self.o(seen.transpose(1, 2).flatten(2))
        return made


class _Intermediate(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.dense = _Linear(config.hidden_size, config.intermediate_size)

    def forward(self, hidden: Tensor) -> Tensor:
        return functional.gelu(self.dense(hidden))


class _Output(nn.Module):
    def __init__(self, config: MpnetConfig) -> None:
        super().__init__()
        self.dense = _Linear(config.intermediate_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, wide: Tensor, hidden: Tensor) -> Tensor:
        made: Tensor = self.LayerNorm(self.dropout(self.dense(wide)) + hidden)
        return made
