"""What coval counts in each document: ``python coval_counts.py COVAL KEY RESPONSE keep|strip OUT``.

OUT gets, by metric, one list of recall and precision counts a document, in the order of the key.
"""

import json
import sys
from pathlib import Path


def main() -> None:
    folder, key, response, singletons, out = sys.argv[1:]
    sys.path.insert(0, folder)
    from coval.conll import reader  # type: ignore[import-not-found]
    from coval.eval import evaluator  # type: ignore[import-not-found]

    infos = reader.get_coref_infos(key, response, keep_singletons=singletons == "keep")
    counts = {}
    for metric in ("mentions", "muc", "b_cubed", "ceafe", "lea"):
        columns = evaluator.get_document_evaluations(infos, getattr(evaluator, metric))
        precise, answered, hits, whole = columns
        counts[metric] = [list(map(float, row)) for row in zip(hits, whole, precise, answered)]  # noqa: B905
    Path(out).write_text(json.dumps(counts), encoding="utf-8")


if __name__ == "__main__":
    main()
