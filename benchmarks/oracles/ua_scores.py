"""What the Universal Anaphora scorer says of each document: ``python ua_scores.py SCORER KEY RESPONSE OUT``.

OUT gets, by metric, one recall, precision and F1 a document, in the order of the key.
"""

import json
import sys
from pathlib import Path


def main() -> None:
    folder, key, response, out = sys.argv[1:]
    sys.path.insert(0, folder)
    from coval.eval import evaluator  # type: ignore[import-not-found]
    from coval.ua import reader  # type: ignore[import-not-found]

    infos, _, _ = reader.get_coref_infos(key, response, True, True, False, False, False, False)
    metrics = {
        "muc": evaluator.muc,
        "b_cubed": evaluator.b_cubed,
        "ceafm": evaluator.ceafm,
        "ceafe": evaluator.ceafe,
        "blanc": [evaluator.blancc, evaluator.blancn],
        "lea": evaluator.lea,
    }
    scores = {
        name: [
            list(map(float, evaluator.evaluate_documents({document: info}, metric))) for document, info in infos.items()
        ]
        for name, metric in metrics.items()
    }
    Path(out).write_text(json.dumps(scores), encoding="utf-8")


if __name__ == "__main__":
    main()
