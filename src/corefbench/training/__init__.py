"""Training: a configuration in, a checkpoint with everything known about it out."""

from collections.abc import Callable
from pathlib import Path

from corefbench.errors import MissingExtra
from corefbench.resolvers.learned.checkpoint import ModelCard
from corefbench.training.config import Config, Source, read_config

Report = Callable[[str], None]


def train(config: Config, folder: Path, report: Report = lambda line: None) -> ModelCard:
    """Train what the configuration says and write it to a folder; a killed run goes on there."""
    match config.kind:
        case "ubiu":
            from corefbench.training.ubiu import train_ubiu

            return train_ubiu(config, folder, report)
        case "neural":
            from corefbench.training.within import train_neural

            return train_neural(config, folder, report)
        case "cross-document":
            return _train_across(config, folder, report)


def _train_across(config: Config, folder: Path, report: Report) -> ModelCard:
    """The parts of a configuration under the names that cross-document training has for them."""
    try:
        from corefbench.training.across import Recipe, train_across
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    from corefbench.training.config import settings

    dev = {"dev": config.dev[0].corpus} if config.dev else {}
    recipe = {
        **dev,
        "train": config.train[0].corpus,
        "model": {"seed": config.seed, **config.model},
        **({"licence": config.licence} if config.licence else {}),
        **config.training,
    }
    settings(recipe, Recipe, "training", config.source)
    return train_across(recipe, folder, report)


__all__ = ["Config", "Report", "Source", "read_config", "train"]
