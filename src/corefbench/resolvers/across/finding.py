"""Detectors at work: the spans that are taken for mentions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from corefbench.resolvers.across.detection import kept
from corefbench.resolvers.across.scorer import within
from corefbench.resolvers.across.table import Table, tabled
from corefbench.resolvers.across.words import Words

if TYPE_CHECKING:
    from corefbench.resolvers.across.detector import Detector


class Finder:
    """One or more detectors, whose chances are averaged, and a threshold for each kind."""

    def __init__(self, detectors: "Sequence[Detector]", thresholds: Mapping[str, float]) -> None:
        self.detectors = list(detectors)
        self.thresholds = dict(thresholds)

    def find(self, words: Words, kind: str, threshold: float | None = None) -> Table:
        """The mentions of a kind, ``all`` for those of any."""
        chances, start, end = self.chances(words)
        kinds = list(self.detectors[0].shape.kinds)
        keep = np.zeros(len(start), np.bool_)
        for number, name in enumerate(kinds):
            if kind in (name, "all"):
                at = self.thresholds[name] if threshold is None else threshold
                keep |= kept(chances[:, number], start, end, at, nested=name != "event")
        rows = np.flatnonzero(keep)
        # In the order in which they open, the longer first.
        order = rows[np.lexsort((-end[rows], start[rows]))]
        return tabled(words, start[order], end[order])

    def chances(self, words: Words) -> tuple[Any, Any, Any]:
        """The mean chance of every span."""
        from corefbench.resolvers.across.detector import span_chances

        found = [span_chances(detector, words) for detector in self.detectors]
        return sum(some for some, _, _ in found) / len(found), found[0][1], found[0][2]

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights in half precision."""
        return {
            f"{number}.{name}": value.detach().half().numpy()
            for number, detector in enumerate(self.detectors)
            for name, value in detector.state_dict().items()
        }

    def described(self) -> dict[str, Any]:
        """What ``load`` needs beside the arrays."""
        shape = msgspec.to_builtins(self.detectors[0].shape)
        return {"shape": shape, "count": len(self.detectors), "thresholds": self.thresholds}

    @classmethod
    def load(cls, described: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Finder":
        """What ``described`` and ``arrays`` gave."""
        import torch

        from corefbench.resolvers.across.detector import Detector, DetectorShape

        shape = msgspec.convert(described["shape"], DetectorShape)
        detectors = []
        for number in range(described["count"]):
            detector = Detector(shape)
            state = within(arrays, str(number))
            detector.load_state_dict(
                {name: torch.from_numpy(np.array(a, np.float32)) for name, a in state.items()}
            )
            detectors.append(detector.eval())
        return cls(detectors, described["thresholds"])
