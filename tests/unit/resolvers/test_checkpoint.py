"""A trained model on disk: what was saved comes back, and what is broken says so."""

import numpy as np
import pytest

from corefbench.errors import FormatError
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model

pytest.importorskip("safetensors")
WEIGHTS = "weights.safetensors"


@pytest.fixture
def folder(tmp_path):
    card = ModelCard(kind="ubiu", config={"k": 3}, scores={"dev": 0.5}, seed=7)
    save_model(tmp_path, card, {"codes": np.arange(6).reshape(2, 3)})
    return tmp_path


def test_a_saved_model_loads_unchanged(folder):
    card, arrays = load_model(folder)
    assert (card.kind, card.config, card.scores, card.seed) == ("ubiu", {"k": 3}, {"dev": 0.5}, 7)
    assert arrays["codes"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("keep", [0, 7, 20, -1])
def test_weights_that_are_cut_off_are_a_coded_error(folder, keep):
    path = folder / WEIGHTS
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(FormatError, match="weights cannot be read"):
        load_model(folder)


def test_missing_weights_are_a_coded_error(folder):
    (folder / WEIGHTS).unlink()
    with pytest.raises(FormatError, match=WEIGHTS):
        load_model(folder)
