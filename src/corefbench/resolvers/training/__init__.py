"""Training: a configuration in, a checkpoint out."""

from pathlib import Path

from corefbench.errors import MissingExtra
from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.training.config import CorpusSource, Report, TrainingConfig, read_config


def train(config: TrainingConfig, folder: Path, report: Report = lambda line: None) -> ModelCard:
    """Train a model and write it to a folder; an interrupted training resumes there."""
    try:
        match config.kind:
            case "ubiu":
                from corefbench.resolvers.mention_pair.training import train_ubiu as train_kind
            case "neural":
                from corefbench.resolvers.neural.training import train_neural as train_kind
            case "cross-document":
                from corefbench.resolvers.cross_document.training import train_cross_document as train_kind
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    return train_kind(config, folder, report)


__all__ = ["CorpusSource", "Report", "TrainingConfig", "read_config", "train"]
