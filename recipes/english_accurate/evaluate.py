"""Write the scores on the development sets into ``meta.json``.

``recipes.english.evaluate`` measures both built-in pipelines on the test sets.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from corefbench.preprocess.pipelines.transformer import WEIGHTS, Transformer
from recipes.english.evaluate import GOALS, NAMES, ONE_CORE, measure, table
from recipes.english_accurate.export import write_json


def evaluate(folder: Path) -> None:
    """Measure, print and write."""
    measured = measure(Transformer(), folder, "dev")
    sys.stdout.write(table(measured, GOALS["en-accurate"]) + "\n")
    scores = {
        name: {key: round(row.figures[key], 1) for key in NAMES if row.figures[key] >= 0}
        for name, row in measured.items()
    }
    path = WEIGHTS / "meta.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    write_json(path, card | {"performance": scores}, indent=2)


def main(words: Sequence[str]) -> None:
    """``DATA``."""
    for variable in ONE_CORE:
        os.environ.setdefault(variable, "1")
    evaluate(Path(words[0]))
