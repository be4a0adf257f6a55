"""Words and their weights as arrays, for checkpoints."""

from collections.abc import Mapping

import numpy as np

from corefbench.model.strings import Strings
from corefbench.resolvers.across.bags import Rarity


def packed(rarity: Rarity) -> dict[str, np.ndarray]:
    """The words as one block of bytes and its offsets, and the weights.

    >>> unpacked(packed(Rarity(weights={"a": 1.0, "b": 2.0}, unseen=3.0)))["b"]
    2.0
    """
    words = Strings.of(rarity.weights)
    return {
        "words": np.frombuffer(words.blob, np.uint8).copy(),
        "offsets": words.offsets,
        "weights": np.array(list(rarity.weights.values()), np.float64),
        "unseen": np.array([rarity.unseen]),
    }


def unpacked(arrays: Mapping[str, np.ndarray]) -> Rarity:
    """What ``packed`` gave."""
    words = Strings(blob=arrays["words"].tobytes(), offsets=arrays["offsets"])
    return Rarity(
        weights=dict(zip(words, arrays["weights"].tolist(), strict=True)),
        unseen=float(arrays["unseen"][0]),
    )
