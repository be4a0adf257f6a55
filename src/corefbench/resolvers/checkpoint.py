"""Save and load trained models.

``model.json`` has the configuration, the hashes of the training data, the scores on development
data, seed and licence; ``weights.safetensors`` the arrays. Nothing in it is ever executed.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from corefbench.errors import FormatError, MissingExtra, Place
from corefbench.records import Record
from corefbench.version import __version__

SCHEMA = 1
_CARD, _WEIGHTS = "model.json", "weights.safetensors"


class ModelCard(Record, frozen=True):
    """What is known about a trained model."""

    kind: str
    """``ubiu``, ``neural`` or ``cross-document``."""
    config: dict[str, Any]
    data: Mapping[str, str] = {}
    """Name and content hash of each corpus: train, dev …"""
    scores: Mapping[str, float] = {}
    """On development data."""
    seed: int = 0
    licence: str = ""
    notes: str = ""
    version: str = __version__
    schema: int = SCHEMA


def save_model(folder: Path, card: ModelCard, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a checkpoint; each file is there whole or not at all."""
    try:
        from safetensors.numpy import save
    except ImportError as error:
        raise MissingExtra("safetensors", "learned") from error
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / _WEIGHTS, save({name: np.ascontiguousarray(a) for name, a in arrays.items()}))
    _write(folder / _CARD, msgspec.json.format(msgspec.json.encode(card), indent=2))


def load_card(folder: Path) -> ModelCard:
    """What a checkpoint says of itself, without its weights."""
    try:
        card = msgspec.json.decode((folder / _CARD).read_bytes(), type=ModelCard)
    except (OSError, msgspec.DecodeError) as error:
        raise FormatError(
            "this is not a trained model",
            code="CB251",
            place=Place(source=str(folder)),
            found=str(error),
            expected=f"a folder with {_CARD} and {_WEIGHTS}",
            remedy="train one with `corefbench train CONFIG`",
        ) from error
    if card.schema != SCHEMA:
        raise FormatError(
            "the model was saved by another version",
            code="CB251",
            place=Place(source=str(folder)),
            found=f"schema {card.schema}",
            expected=f"schema {SCHEMA}",
            remedy="train it again",
        )
    return card


def load_model(folder: Path) -> tuple[ModelCard, dict[str, np.ndarray]]:
    """The card and the arrays."""
    card = load_card(folder)
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtra("safetensors", "learned") from error
    try:
        return card, load_file(folder / _WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise FormatError(
            "the weights cannot be read",
            code="CB251",
            place=Place(source=str(folder / _WEIGHTS)),
            found=str(error),
            remedy="train the model again, or copy the whole folder",
        ) from error


def _write(path: Path, content: bytes) -> None:
    # A crash while writing must not leave half a file in place of a model that worked.
    partly = path.with_name(path.name + ".partly")
    partly.write_bytes(content)
    os.replace(partly, path)
