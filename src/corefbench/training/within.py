"""From a configuration to a trained end-to-end resolver."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from corefbench.errors import MissingExtra
from corefbench.resolvers.learned.checkpoint import ModelCard
from corefbench.resolvers.neural.example import Example, has_singletons
from corefbench.training.config import Config, Source, settings
from corefbench.training.data import examples, hashes


def train_neural(config: Config, folder: Path, report: Callable[[str], None]) -> ModelCard:
    """Train on all sources, choose the epoch on the development corpora, save and calibrate."""
    try:
        from corefbench.resolvers.neural.model import Shape
        from corefbench.resolvers.neural.storage import load, save
        from corefbench.training.calibration import calibrated
        from corefbench.training.neural import Schedule, train
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    schemes = dict.fromkeys(
        scheme for source in config.train for scheme in (source.scheme, *source.also)
    )
    shape = settings({"schemes": tuple(schemes), **config.model}, Shape, "model", config.source)
    schedule = settings(
        {"seed": config.seed, **config.training}, Schedule, "training", config.source
    )
    learned = [
        example
        for source in config.train
        for example in examples(source, config.share, config.seed)
    ]
    dev = by_scheme(config.dev)
    start = load(Path(config.start))[1].state_dict() if config.start else None
    trained = train(shape, schedule, learned, dev, folder / "training", report, start)
    keeping = [
        scheme
        for scheme in schemes
        if has_singletons(chain for one in learned for chain in one.chains.get(scheme, ()))
    ]
    card = ModelCard(
        kind="neural",
        config={"shape": msgspec.to_builtins(shape), "singletons": keeping},
        data=hashes((*config.train, *config.dev, *config.calibrate)),
        scores=_best(trained.history, [scheme for scheme, _ in dev]),
        seed=config.seed,
        licence=config.licence,
        notes=config.notes,
    )
    save(trained.model, folder, card)
    return calibrated(folder, [*dev, *by_scheme(config.calibrate)], report)


def by_scheme(sources: Iterable[Source]) -> list[tuple[str, list[Example]]]:
    """The documents of each source with the scheme that they are looked at by."""
    return [(source.scheme, examples(source)) for source in sources]


def _best(history: Sequence[Mapping[str, float]], schemes: Sequence[str]) -> dict[str, float]:
    """The scores of the epoch that was kept: the first with the best mean.

    >>> _best([{"epoch": 1, "a": 0.5}, {"epoch": 2, "a": 0.7}, {"epoch": 3, "a": 0.6}], ["a"])
    {'a': 0.7}
    """
    rows = [{scheme: epoch[scheme] for scheme in schemes} for epoch in history]
    return max(rows, key=lambda row: sum(row.values()), default={})
