"""The network: MiniLM, and on its words taggers, a sentence splitter and a biaffine parser.

It reads a few sentences at a time without knowing where they end. The arcs are scored between all
words; those across sentences are left out afterwards, once the sentences are known.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from recipes.english_accurate.minilm import WIDTH, MiniLM

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

    def forward(
        self, pieces: Tensor, shapes: Tensor, mask: Tensor, edges: Tensor
    ) -> tuple[Tensor, ...]:
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
