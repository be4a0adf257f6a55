"""The base of every record: frozen, keyword-only, compared by identity where it holds arrays."""

from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Hashes: TypeAlias = NDArray[np.uint64]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An immutable record of plain values, compared by value."""


class Columns(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """An immutable record that holds NumPy arrays, compared by identity."""
