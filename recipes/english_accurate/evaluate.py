"""Write the scores on the development sets into ``meta.json``: ``… .evaluate DATA``.

``recipes.english.evaluate`` measures both built-in pipelines on the test sets.
"""

import json
import os
import sys
from pathlib import Path

from corefbench.preprocess.accurate import WEIGHTS, Accurate
from recipes.english.evaluate import ONE_CORE, measure, table
from recipes.english.figures import NAMES
from recipes.english.goals import GOALS
from recipes.english_accurate.export import write_json


def main(folder: Path) -> None:
    """Measure, print and write."""
    measured = measure(Accurate(), folder, "dev")
    sys.stdout.write(table(measured, GOALS["en-accurate"]) + "\n")
    scores = {
        name: {key: round(row.figures[key], 1) for key in NAMES if row.figures[key] >= 0}
        for name, row in measured.items()
    }
    path = WEIGHTS / "meta.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    write_json(path, card | {"performance": scores}, indent=2)


if __name__ == "__main__":
    for variable in ONE_CORE:
        os.environ.setdefault(variable, "1")
    main(Path(sys.argv[1]))
