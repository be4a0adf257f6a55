"""Make the shipped folder from a trained pipeline: ``python -m recipes.english.ship DATA MODEL``.

What only training needs is left out: the words of the training texts in the vocabulary (their
embeddings are hashed), the training sections of the configuration, optimiser and paths.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.strings import StringStore
from spacy.util import load_config, load_model

from recipes.english import data
from recipes.english.notice import LICENCE, NOTICE

VERSION = "1.0.0"
PACKAGE = Path(__file__).parents[2] / "src" / "corefbench" / "preprocess" / "models" / "en"
RUN_TIME_SECTIONS = ("nlp", "components")
# Vectors, their keys and lookup tables: the pipeline has none.
UNUSED = ("vocab/key2row", "vocab/vectors", "vocab/vectors.cfg", "vocab/lookups.bin")


def ship(model: Path, corpora: Path, seed: int, folder: Path = PACKAGE) -> None:
    """Write the folder anew; the dev scores are those of the training run."""
    nlp = load_model(model)
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder, exclude=["vocab"])
    (folder / "vocab").mkdir()
    srsly.write_json(folder / "vocab" / "strings.json", needed_strings(nlp))
    _keep_run_time_sections(folder / "config.cfg")
    srsly.write_json(folder / "meta.json", _card(nlp, corpora, seed))
    (folder / "LICENSE").write_text(LICENCE, encoding="utf-8")
    (folder / "NOTICE").write_text(NOTICE, encoding="utf-8")


def needed_strings(nlp: Language) -> list[str]:
    """Labels, and the pieces of words that the lemmatiser's edit trees refer to by hash."""
    lemmatizer = nlp.get_pipe("trainable_lemmatizer")
    trees = srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]
    pieces = {tree[key] for tree in trees for key in ("orig", "subst") if key in tree}
    strings = {nlp.vocab.strings[piece] for piece in pieces if piece in nlp.vocab.strings}
    for _, component in nlp.pipeline:
        strings.update(str(label) for label in getattr(component, "labels", ()))
    return sorted(StringStore(sorted(strings)))


def _keep_run_time_sections(path: Path) -> None:
    config = load_config(path)
    for section in set(config) - set(RUN_TIME_SECTIONS):
        del config[section]
    config.to_disk(path)


def _card(nlp: Language, corpora: Path, seed: int) -> dict[str, Any]:
    scores = {
        name: round(value, 4)
        for name, value in nlp.meta["performance"].items()
        if isinstance(value, float) and value and "loss" not in name
    }
    return {
        "lang": "en",
        "name": "corefbench",
        "version": VERSION,
        "spacy_version": ">=3.8.0,<3.9.0",
        "description": "English tagger, lemmatiser, parser and entity recogniser of corefbench",
        "author": "The corefbench authors",
        "license": "CC BY-SA 4.0",
        "sources": data.SOURCES,
        "data_sha256": data.hashes(corpora),
        "seed": seed,
        "performance": scores,
        "pipeline": nlp.pipe_names,
        "components": nlp.pipe_names,
        "disabled": [],
        "vectors": {"width": 0, "vectors": 0, "keys": 0, "name": None},
    }


if __name__ == "__main__":
    ship(Path(sys.argv[2]), Path(sys.argv[1]), seed=0)
