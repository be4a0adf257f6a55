"""How much each feature tells about the class: the weights of weighted overlap.

    IGᵢ = H(C) − Σᵥ P(v) H(C|v)        si = −Σᵥ P(v) log₂ P(v)        GRᵢ = IGᵢ / si

with probabilities that are frequencies in training. A feature with one value weighs nothing
(Quinlan 1993; Daelemans & van den Bosch 2005).
"""

import numpy as np

from corefbench.record import Floats

_NOTHING = float(np.finfo(np.float64).eps)


def gain_ratios(codes: np.ndarray, labels: np.ndarray) -> Floats:
    """The weight of every feature, from instances × features and the class of every instance.

    >>> gain_ratios(np.array([[0, 0], [0, 0], [1, 0], [1, 0]]), np.array([0, 0, 1, 1])).tolist()
    [1.0, 0.0]
    """
    classes = int(labels.max()) + 1 if len(labels) else 1
    whole = _entropy(np.bincount(labels, minlength=classes)[None, :])[0]
    return np.array([_gain_ratio(column, labels, classes, whole) for column in codes.T])


def _gain_ratio(column: np.ndarray, labels: np.ndarray, classes: int, whole: float) -> float:
    counts = np.bincount(column.astype(np.int64) * classes + labels)
    counts = np.append(counts, np.zeros(-len(counts) % classes, counts.dtype))
    table = counts.reshape(-1, classes)
    of_value = table.sum(axis=1)
    split = _entropy(of_value[None, :])[0]
    if split < _NOTHING:
        return 0.0
    gain = whole - float((of_value / len(column)) @ _entropy(table))
    return float(max(gain, 0.0) / split)


def _entropy(counts: np.ndarray) -> Floats:
    """The entropy in bits of each row of counts; 0 for a row without any."""
    total = counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(total, 1)
    return np.asarray(-(share * np.log2(share, out=np.zeros_like(share), where=share > 0)).sum(1))
