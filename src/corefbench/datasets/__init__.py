"""Public corpora: a catalogue, and loaders by name from the folder COREFBENCH_DATA."""

from corefbench.datasets.catalogue import CATALOGUE, Dataset
from corefbench.datasets.load import dataset, load_dataset

__all__ = ["CATALOGUE", "Dataset", "dataset", "load_dataset"]
