"""What never changes in training is made once: it would be the same in every epoch."""

from collections.abc import Callable

import torch
from torch import Tensor

_MOST = 1 << 31
"""Bytes."""


class Kept:
    """Tensors by what they were made of, as long as there is room."""

    def __init__(self, most: int = _MOST) -> None:
        self._room = most
        self._tensors: dict[bytes, Tensor] = {}

    def __len__(self) -> int:
        return len(self._tensors)

    def of(self, given: tuple[Tensor, ...], make: Callable[[], Tensor]) -> Tensor:
        """What ``make`` makes of the given, which decides it."""
        key = b"".join(tensor.cpu().numpy().tobytes() for tensor in given)
        found = self._tensors.get(key)
        if found is None:
            # Also where all else is only for use: what is kept may be learned from later.
            with torch.inference_mode(False), torch.no_grad():
                found = make()
            self._keep(key, found)
        return found

    def _keep(self, key: bytes, made: Tensor) -> None:
        if made.nbytes <= self._room:
            self._room -= made.nbytes
            self._tensors[key] = made
