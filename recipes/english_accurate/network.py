"""Network and loss of the accurate English pipeline.

It reads a few sentences at a time without knowing where they end. The arcs are scored between all
words; those across sentences are left out afterwards, once the sentences are known.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.preprocess.pipelines.joint_model import SHAPES
from recipes.english_accurate.data import TASKS, UNKNOWN, Batch

WIDTH, LAYERS, HEADS, INNER = 384, 6, 12, 1536
PIECES, POSITIONS = 30522, 512
ENCODER_DROPOUT = 0.1


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
        self.dropout = nn.Dropout(ENCODER_DROPOUT)

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
        self.dropout = nn.Dropout(ENCODER_DROPOUT)
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
                [stored[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
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


ARC_WIDTH = 256
LABEL_WIDTH = 192
DROPOUT = 0.2


class Network(nn.Module):
    """Scores for everything; see ``forward``."""

    def __init__(self, encoder: MiniLM, sizes: dict[str, int], relations: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.tasks = nn.ModuleDict({task: nn.Linear(WIDTH, size) for task, size in sizes.items()})
        self.starts = nn.Linear(WIDTH, 1)
        self.arc_dependent = nn.Linear(WIDTH, ARC_WIDTH)
        self.arc_head = nn.Linear(WIDTH, ARC_WIDTH)
        self.arc = nn.Linear(ARC_WIDTH, ARC_WIDTH + 2)
        self.label_dependent = nn.Linear(WIDTH, LABEL_WIDTH)
        self.label_head = nn.Linear(WIDTH, LABEL_WIDTH)
        self.label = nn.Linear(LABEL_WIDTH, relations)
        self.dropout = nn.Dropout(DROPOUT)

    def words(self, pieces: Tensor, shapes: Tensor, mask: Tensor, edges: Tensor) -> Tensor:
        """A vector per word: the mean of those of its first and last piece."""
        hidden = self.encoder(pieces, shapes, mask)
        count = edges.shape[1]
        places = edges.transpose(1, 2).reshape(edges.shape[0], 2 * count, 1)
        both = torch.gather(hidden, 1, places.expand(-1, -1, WIDTH))
        return self.dropout((both[:, :count] + both[:, count:]) / 2)

    def arcs(self, words: Tensor) -> Tensor:
        """Scores [batch, dependent, head]; column 0 is the root."""
        dependent = self.dropout(functional.relu(self.arc_dependent(words)))
        head = self.dropout(functional.relu(self.arc_head(words)))
        turned = self.arc(dependent)
        root, heads = turned[..., :1], turned[..., 2:] @ head.transpose(1, 2)
        return torch.cat([root, heads / 8 + turned[..., 1:2]], dim=2)

    def forward(self, pieces: Tensor, shapes: Tensor, mask: Tensor, edges: Tensor) -> tuple[Tensor, ...]:
        """Arcs, sentence starts, both halves of the relations' layer, then the tasks in order.

        ``edges`` [batch, word, 2]: the first and last piece of every word.
        """
        words = self.words(pieces, shapes, mask, edges)
        return (
            self.arcs(words),
            self.starts(words).squeeze(2),
            self.label_dependent(words),
            self.label_head(words),
            *(task(words) for task in self.tasks.values()),
        )


WEIGHTS = {"upos": 0.5, "xpos": 0.5, "features": 0.3, "lemma": 0.3, "entity": 0.5}


def loss(network: Network, batch: Batch) -> dict[str, Tensor]:
    """The weighted losses by task; heads compete with the words of their own sentence only."""
    arcs, starts, dependents, heads, *tasks = network(batch.pieces, batch.shapes, batch.mask, batch.edges)
    real = batch.heads != UNKNOWN
    found = {
        "arcs": functional.cross_entropy(masked(arcs, batch.sentences)[real], batch.heads[real]),
        "relations": functional.cross_entropy(
            relations(network, dependents, heads, batch.heads)[real], batch.relations[real], ignore_index=UNKNOWN
        ),
        "starts": functional.binary_cross_entropy_with_logits(starts[real], sentence_starts(batch.sentences)[real]),
    }
    for name, scores, right in zip(TASKS, tasks, batch.classes, strict=True):
        known = right != UNKNOWN
        if known.any():
            found[name] = WEIGHTS[name] * functional.cross_entropy(scores[known], right[known])
    return found


def masked(arcs: Tensor, sentences: Tensor) -> Tensor:
    """The scores without arcs between sentences."""
    same = sentences[:, :, None] == sentences[:, None, :]
    root = torch.ones_like(same[:, :, :1])
    return arcs.masked_fill(~torch.cat([root, same], dim=2), -1e9)


def relations(network: Network, dependents: Tensor, heads: Tensor, places: Tensor) -> Tensor:
    """Scores of the relations to given heads (counted from 1; the root has no vector)."""
    index = (places - 1).clamp(min=0)[..., None].expand(-1, -1, heads.shape[2])
    governors = torch.gather(heads, 1, index) * (places > 0)[..., None]
    hidden = functional.relu(dependents + governors)
    scores: Tensor = network.label(network.dropout(hidden))
    return scores


def sentence_starts(sentences: Tensor) -> Tensor:
    """1 at the first word of every sentence, also of the first."""
    before = functional.pad(sentences[:, :-1], (1, 0), value=-2)
    return (sentences != before).float()
