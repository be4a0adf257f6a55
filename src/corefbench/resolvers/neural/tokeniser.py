"""Words as the pieces that an encoder knows, by the tokeniser that comes with it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from corefbench.errors import MissingExtra, UsageError

_FILE, _CONFIG, _MAP = "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"
_SPECIAL = ("unk_token", "cls_token", "sep_token")
_LONGEST = 16
"""Pieces of a word that are looked at: a URL of a thousand letters says no more."""


class Tokeniser:
    """One of the library ``tokenizers``, and what its special pieces are called."""

    def __init__(self, backend: Any, special: Mapping[str, str]) -> None:
        # Documents are cut into windows here, and filled up here.
        backend.no_truncation()
        backend.no_padding()
        self._backend = backend
        self._special = dict(special)

    @property
    def separator(self) -> str | None:
        """The piece that stands between two texts."""
        return self._special.get("sep_token")

    def frame(self) -> tuple[int, int]:
        """What stands before and after the pieces of a window."""
        return self._number("cls_token"), self._number("sep_token")

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """The pieces of each word; a word of which nothing is left is unknown."""
        unknown = [self._number("unk_token")]
        known = list(dict.fromkeys(words))
        made = self._backend.encode_batch([f" {w}" for w in known], add_special_tokens=False)
        pieces_of = {
            word: (one.ids or unknown)[:_LONGEST] for word, one in zip(known, made, strict=True)
        }
        return [pieces_of[word] for word in words]

    def save(self, folder: Path) -> None:
        """Write it so that it can be read back, here and by transformers."""
        folder.mkdir(parents=True, exist_ok=True)
        self._backend.save(str(folder / _FILE))
        said = {"tokenizer_class": "PreTrainedTokenizerFast", **self._special}
        (folder / _CONFIG).write_bytes(msgspec.json.format(msgspec.json.encode(said)))

    def _number(self, special: str) -> int:
        number = self._backend.token_to_id(self._special.get(special, ""))
        return 0 if number is None else int(number)


def tokeniser_of(folder: str) -> Tokeniser:
    """The tokeniser of an encoder: from its folder, else as transformers finds it by name."""
    path = Path(folder)
    if not (path / _FILE).exists():
        return _by_transformers(folder)
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtra("tokenizers", "neural") from error
    return Tokeniser(Tokenizer.from_file(str(path / _FILE)), _special(path))


def _special(folder: Path) -> dict[str, str]:
    """What the special pieces are called; older files say it at length."""
    found: dict[str, str] = {}
    for name in (_MAP, _CONFIG):
        if (folder / name).exists():
            said = msgspec.json.decode((folder / name).read_bytes())
            for kind in _SPECIAL:
                value = said.get(kind)
                text = value.get("content") if isinstance(value, dict) else value
                if text:
                    found[kind] = text
    return found


def _by_transformers(name: str) -> Tokeniser:
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtra("transformers", "neural") from error
    made: Any = AutoTokenizer.from_pretrained(name, use_fast=True)
    backend = getattr(made, "backend_tokenizer", None)
    if backend is None:
        raise UsageError(
            f"the tokeniser of {name} is not one of the library tokenizers",
            found=type(made).__name__,
            expected="an encoder with a file tokenizer.json",
        )
    special = {kind: getattr(made, kind) for kind in _SPECIAL if getattr(made, kind, None)}
    return Tokeniser(backend, special)
