"""Learning curves: the score against the size of the training data.

The vocabulary grows with the training data, so every point also has the rates of unknown and of
rare words in the development data.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from corefbench.analysis.statistics.counts import Coverage, count_coverage, learn_vocabulary
from corefbench.errors import FormatError, Place, UsageError
from corefbench.records import Record
from corefbench.resolvers.training import train
from corefbench.resolvers.training.config import TrainingConfig, load_source

CURVE_FILE = "curve.json"


class CurvePoint(Record, frozen=True):
    """A model trained on a share of the documents."""

    share: float
    documents: int
    tokens: int
    scores: Mapping[str, float]
    """Scores on development data by corpus or scheme."""
    unknown: float
    """Rate of development tokens that are not in the training data (OOV) …"""
    rare: float
    """… and of those that occur there fewer than ten times, unknown ones included."""
    fingerprint: str = ""
    """Hash of the configuration: a point is trained again only if it changed."""

    @property
    def score(self) -> float:
        """Mean over the development corpora."""
        return sum(self.scores.values()) / max(len(self.scores), 1)


class LearningCurve(Record, frozen=True):
    """Points in ascending order of size."""

    kind: str
    seed: int
    points: tuple[CurvePoint, ...]


def train_curve(
    config: TrainingConfig, shares: Sequence[float], folder: Path, report: Callable[[str], None] = lambda line: None
) -> LearningCurve:
    """Train on growing shares of the documents, each part of the next.

    An interrupted run resumes with the points that are missing.
    """
    if not shares or not all(0 < share <= 1 for share in shares):
        raise UsageError(
            "these are no shares of the training data",
            found=", ".join(map(str, shares)),
            expected="numbers above 0, at most 1, such as 0.1,0.25,0.5,1",
        )
    if not config.dev:
        raise UsageError("a curve needs development data", expected="[[dev]]")
    known = {point.fingerprint: point for point in _earlier_points(folder / CURVE_FILE)}
    trained = LearningCurve(kind=config.kind, seed=config.seed, points=())
    for share in sorted(set(shares)):
        smaller = msgspec.structs.replace(config, share=share)
        point = known.get(_fingerprint(smaller))
        if point is None:
            report(f"share {share:g}")
            point = _train_point(smaller, folder / f"share-{share:g}", report)
        trained = msgspec.structs.replace(trained, points=(*trained.points, point))
        _write_curve(folder / CURVE_FILE, trained)
    return trained


def read_curve(path: Path) -> LearningCurve:
    """Return a curve as ``train_curve`` wrote it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=LearningCurve)
    except (OSError, msgspec.MsgspecError) as error:
        raise FormatError(
            "this is not a learning curve",
            code="CB251",
            place=Place(source=str(path)),
            found=str(error),
            expected=f"the {CURVE_FILE} that `corefbench train CONFIG --curve SHARES` writes",
        ) from error


def _train_point(config: TrainingConfig, folder: Path, report: Callable[[str], None]) -> CurvePoint:
    card = train(config, folder, report)
    corpora = [load_source(source, config.share, config.seed) for source in config.train]
    words = learn_vocabulary(corpora).words
    covered = sum((count_coverage(load_source(source), words) for source in config.dev), Coverage())
    total = max(covered.alphabetic, 1)
    return CurvePoint(
        share=config.share,
        documents=sum(map(len, corpora)),
        tokens=sum(len(corpus.tokens) for corpus in corpora),
        scores=card.scores,
        unknown=covered.unknown / total,
        rare=covered.low_frequency / total,
        fingerprint=_fingerprint(config),
    )


def _earlier_points(path: Path) -> Iterator[CurvePoint]:
    """Yield the points of a run that was killed; none where the file is missing or another's."""
    try:
        yield from read_curve(path).points
    except FormatError:
        return


def _fingerprint(config: TrainingConfig) -> str:
    relevant = msgspec.structs.replace(config, source="", notes="", licence="")
    return hashlib.sha256(msgspec.json.encode(relevant)).hexdigest()[:16]


def _write_curve(path: Path, curve: LearningCurve) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written aside and renamed: a run that is killed leaves the last complete curve.
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(curve), indent=2))
    os.replace(partial, path)
