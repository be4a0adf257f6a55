"""Train the pipeline `en` and ship it: ``python -m recipes.english.train DATA WORK``.

DATA holds ``ud-ewt/`` and ``gum/``; WORK takes the training files and the checkpoints. The best
checkpoint becomes the folder that the package ships.
"""

import sys
from pathlib import Path

from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config, registry
from thinc.api import NumpyOps, set_current_ops

from recipes.english import data, ship, tokens

CONFIG = Path(__file__).with_name("config.cfg")
SEED = 0


def train(corpora: Path, work: Path) -> Path:
    """The folder of the best checkpoint, by the scores that ``config.cfg`` weighs."""
    data.prepare(corpora, work / "data", SEED)
    overrides = {
        "paths.train": str(work / "data" / "train.spacy"),
        "paths.dev": str(work / "data" / "dev.spacy"),
        "system.seed": SEED,
    }
    # NumPy's own matrix product is about three times as fast as the one that thinc bundles.
    set_current_ops(NumpyOps(use_blis=False))
    registry.callbacks.register("corefbench.ud_tokens.v1", func=tokens.ud_tokens)
    nlp = init_nlp(load_config(CONFIG, overrides=overrides, interpolate=False))
    (work / "model").mkdir(exist_ok=True)
    train_loop(nlp, work / "model", stdout=sys.stderr, stderr=sys.stderr)
    return work / "model" / "model-best"


if __name__ == "__main__":
    folders = Path(sys.argv[1]), Path(sys.argv[2])
    ship.ship(train(*folders), folders[0], SEED)
