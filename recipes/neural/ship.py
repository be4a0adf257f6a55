"""Make the shipped folder from a trained model: ``python -m recipes.neural.ship CONFIG MODEL``.

Thresholds that the model does not have yet are chosen first, on the development corpora of the
configuration; ``COREFBENCH_DATA`` names the folder of the corpora.
"""

import shutil
import sys
from pathlib import Path

from msgspec.structs import replace

from corefbench.resolvers.learned.checkpoint import ModelCard, load_card, load_model, save_model
from corefbench.resolvers.neural.resolver import SHIPPED
from corefbench.resolvers.neural.storage import ENCODER
from corefbench.training import Config, read_config
from recipes.neural.card import model_card
from recipes.neural.notice import LICENCE, NOTICE

SCHEME = "ontogum"
"""What is followed unless users say otherwise: all kinds of entities, and only what is mentioned
more than once, as in OntoNotes, so that answers compare with those of other resolvers. ``gum``
marks every noun phrase, ``litbank`` knows six types of entities."""


def ship(config: Config, model: Path, folder: Path = SHIPPED) -> ModelCard:
    """Write the folder anew."""
    card = _calibrated(config, model)
    made = replace(card, config={**card.config, "scheme": SCHEME}, licence=config.licence)
    save_model(folder, made, load_model(model)[1])
    shutil.copytree(model / ENCODER, folder / ENCODER, dirs_exist_ok=True)
    for name, text in {
        "LICENSE": LICENCE,
        "NOTICE": NOTICE,
        "MODEL.md": model_card(made, folder / "weights.safetensors"),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return made


def _calibrated(config: Config, model: Path) -> ModelCard:
    """The card, with thresholds for every scheme that the configuration has documents for."""
    from corefbench.training.calibration import calibrated
    from corefbench.training.within import by_scheme

    card = load_card(model)
    known = card.config.get("decoding", {})
    missing = [s for s in (*config.dev, *config.calibrate) if s.scheme not in known]
    return calibrated(model, by_scheme(missing), print) if missing else card


if __name__ == "__main__":
    ship(read_config(Path(sys.argv[1])), Path(sys.argv[2]))
