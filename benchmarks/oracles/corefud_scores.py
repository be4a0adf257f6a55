"""What corefud-scorer says of each document:
``python corefud_scores.py SCORER KEY RESPONSE OUT MATCH:SINGLETONS …``.

OUT gets, by setting and metric, one recall, precision and F1 a document, in the order of the key.
"""

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    folder, key, response, out, *settings = sys.argv[1:]
    sys.path.insert(0, folder)
    scores = {setting: _scores(key, response, *setting.split(":")) for setting in settings}
    Path(out).write_text(json.dumps(scores), encoding="utf-8")


def _scores(key: str, response: str, match: str, singletons: str) -> dict[str, Any]:
    from scorer.corefud.reader import CorefUDReader  # type: ignore[import-not-found]
    from scorer.eval import evaluator  # type: ignore[import-not-found]

    reader = CorefUDReader(
        match="partial-corefud" if match == "partial" else match,
        keep_singletons=singletons == "keep",
        keep_zeros=True,
        zero_match_method="dependent",
    )
    reader.get_coref_infos(key, response)
    metrics = {
        "muc": evaluator.muc,
        "b_cubed": evaluator.b_cubed,
        "ceafm": evaluator.ceafm,
        "ceafe": evaluator.ceafe,
        "blanc": [evaluator.blancc, evaluator.blancn],
        "lea": evaluator.lea,
        "mor": evaluator.mention_overlap,
    }
    return {
        name: [
            list(map(float, evaluator.evaluate_documents({document: info}, metric)))
            for document, info in reader.doc_coref_infos.items()
        ]
        for name, metric in metrics.items()
    }


if __name__ == "__main__":
    main()
