"""Learning curves: the score against the size of the training data (Chen et al. 2018, Figure 5).

With the size grow the words that training knows, so every point also has the rates of unknown and
of rare words in the development data.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from corefbench.errors import FormatError, Place, UsageError
from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.stats.vocabulary import Coverage, coverage, learn
from corefbench.training import train
from corefbench.training.config import Config
from corefbench.training.data import chosen

FILE = "curve.json"


class CurvePoint(Record, frozen=True):
    """A model that was trained on a share of the documents."""

    share: float
    documents: int
    tokens: int
    scores: Mapping[str, float]
    """On development data, by corpus or scheme."""
    unknown: float
    """Tokens of the development data that training does not have (OOV), a rate …"""
    rare: float
    """… and those that it has fewer than ten times, unknown ones included."""
    fingerprint: str = ""
    """A hash of the configuration: a point is trained again only where that changed."""

    @property
    def score(self) -> float:
        """The mean over the development corpora."""
        return sum(self.scores.values()) / max(len(self.scores), 1)


class Curve(Record, frozen=True):
    """Points by ascending size."""

    kind: str
    seed: int
    points: tuple[CurvePoint, ...]


def train_curve(
    config: Config,
    shares: Sequence[float],
    folder: Path,
    report: Callable[[str], None] = lambda line: None,
) -> Curve:
    """Train on growing shares of the documents, each part of the next; a killed run goes on."""
    if not shares or not all(0 < share <= 1 for share in shares):
        raise UsageError(
            "these are no shares of the training data",
            found=", ".join(map(str, shares)),
            expected="numbers above 0, at most 1, such as 0.1,0.25,0.5,1",
        )
    if not config.dev:
        raise UsageError("a curve needs development data", expected="[[dev]]")
    known = {point.fingerprint: point for point in _earlier(folder / FILE)}
    made = Curve(kind=config.kind, seed=config.seed, points=())
    for share in sorted(set(shares)):
        smaller = msgspec.structs.replace(config, share=share)
        point = known.get(_fingerprint(smaller))
        if point is None:
            report(f"share {share:g}")
            point = _point(smaller, folder / f"share-{share:g}", report)
        made = msgspec.structs.replace(made, points=(*made.points, point))
        _write(folder / FILE, made)
    return made


def read_curve(path: Path) -> Curve:
    """A curve as ``train_curve`` wrote it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Curve)
    except (OSError, msgspec.MsgspecError) as error:
        raise FormatError(
            "this is not a learning curve",
            code="CB251",
            place=Place(source=str(path)),
            found=str(error),
            expected=f"the {FILE} that `corefbench train CONFIG --curve SHARES` writes",
        ) from error


def _point(config: Config, folder: Path, report: Callable[[str], None]) -> CurvePoint:
    card = train(config, folder, report)
    corpora = [chosen(source, config.share, config.seed) for source in config.train]
    seen = _seen(corpora, [chosen(source) for source in config.dev])
    total = max(seen.alphabetic, 1)
    return CurvePoint(
        share=config.share,
        documents=sum(map(len, corpora)),
        tokens=sum(len(corpus.tokens) for corpus in corpora),
        scores=card.scores,
        unknown=seen.unknown / total,
        rare=seen.low_frequency / total,
        fingerprint=_fingerprint(config),
    )


def _seen(train: Sequence[Corpus], dev: Sequence[Corpus]) -> Coverage:
    words = learn(train).words
    total = Coverage()
    for corpus in dev:
        total += coverage(corpus, words)
    return total


def _earlier(path: Path) -> Iterator[CurvePoint]:
    """The points of a run that was killed; none where the file is missing or another's."""
    try:
        yield from read_curve(path).points
    except FormatError:
        return


def _fingerprint(config: Config) -> str:
    what = msgspec.structs.replace(config, source="", notes="", licence="")
    return hashlib.sha256(msgspec.json.encode(what)).hexdigest()[:16]


def _write(path: Path, curve: Curve) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_name(path.name + ".partly")
    partly.write_bytes(msgspec.json.format(msgspec.json.encode(curve), indent=2))
    os.replace(partly, path)
