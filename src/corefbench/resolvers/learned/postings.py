"""Where a value occurs: for every value the groups that have it, with counts of each class."""

import numpy as np

from corefbench.record import Columns


class Postings(Columns, frozen=True, eq=False):
    """Values in ascending order, the groups of each in ascending order."""

    values: np.ndarray
    offsets: np.ndarray
    groups: np.ndarray
    counts: np.ndarray
    """In step with ``groups``: a column a class."""

    @classmethod
    def of(
        cls, values: np.ndarray, group: np.ndarray, labels: np.ndarray, groups: int, classes: int
    ) -> "Postings":
        """Count every value in every group."""
        place, back = np.unique(values.astype(np.int64) * groups + group, return_inverse=True)
        flat = np.bincount(back.reshape(-1) * classes + labels, minlength=len(place) * classes)
        present, first = np.unique(place // groups, return_index=True)
        return cls(
            values=present,
            offsets=np.append(first, len(place)),
            groups=place % groups,
            counts=flat.reshape(-1, classes),
        )

    def __getitem__(self, value: int) -> tuple[np.ndarray, np.ndarray]:
        """The groups that have the value, and the counts; none for a value never met."""
        number = int(np.searchsorted(self.values, value))
        known = number < len(self.values) and self.values[number] == value
        a, b = (self.offsets[number], self.offsets[number + 1]) if known else (0, 0)
        return self.groups[a:b], self.counts[a:b]
