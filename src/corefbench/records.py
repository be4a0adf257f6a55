"""Base classes of records, and the array types that they hold."""

from typing import Self, TypeAlias

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


class Additive(Record, frozen=True):
    """A record of counts, or of further such records, that adds field by field."""

    def __add__(self, other: Self) -> Self:
        names = self.__struct_fields__
        return type(self)(**{name: getattr(self, name) + getattr(other, name) for name in names})


class Columns(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """An immutable record that holds NumPy arrays, compared by identity."""
