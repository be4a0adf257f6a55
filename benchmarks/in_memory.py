"""Score clusters that are already in memory: ``python -m benchmarks.in_memory TOOL KEY RESPONSE``.

KEY and RESPONSE hold one JSON list of clusters a document. Reading them and importing the tool are
not counted; what is printed is the processor time of the scoring alone, and the scores.
"""

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

Clusters: TypeAlias = list[list[tuple[int, int]]]
Documents: TypeAlias = list[Clusters]
Triple: TypeAlias = tuple[float, float, float]
Score: TypeAlias = Callable[[Documents, Documents], dict[str, Triple]]


def corefbench() -> Score:
    """Ours, all seven measures."""
    import corefbench as ours

    ours.score_clusters([[(0, 0)]], [[(0, 0)]])  # names are imported when first used

    def score(key: Documents, response: Documents) -> dict[str, Triple]:
        result = ours.score_clusters(key, response)
        return {name: (s.recall, s.precision, s.f1) for name, s in result.scores.items()}

    return score


def coreference_eval() -> Score:
    """The PyPI package: MUC, B³, CEAFe, LEA."""
    from corefeval import Document, Scorer  # type: ignore[import-untyped]

    def score(key: Documents, response: Documents) -> dict[str, Triple]:
        scorer = Scorer()
        for truth, predicted in zip(key, response, strict=True):
            scorer.update(Document(predicted=predicted, truth=truth))
        _, scores = scorer.detailed_score("", "", verbose=False)
        return {_name(n): (s["recall"], s["precision"], s["f1"]) for n, s in scores.items()}

    return score


def allennlp(folder: str) -> Score:
    """The evaluator of allennlp-models: MUC, B³, CEAFe, singletons left out."""
    scorer = _allennlp_module(Path(folder)).Scorer

    def score(key: Documents, response: Documents) -> dict[str, Triple]:
        scorers = [scorer(metric) for metric in (scorer.muc, scorer.b_cubed, scorer.ceafe)]
        for truth, predicted in zip(key, response, strict=True):
            gold, answers = ([tuple(map(tuple, cluster)) for cluster in side] for side in (truth, predicted))
            to_gold, to_answer = (
                {mention: cluster for cluster in side for mention in cluster} for side in (gold, answers)
            )
            for each in scorers:
                each.update(answers, gold, to_answer, to_gold)
        return {
            _name(each.metric.__name__): (each.get_recall(), each.get_precision(), each.get_f1()) for each in scorers
        }

    return score


def _name(name: str) -> str:
    return {"ceafe": "ceaf_e", "lea_score": "lea"}.get(name, name)


def _allennlp_module(folder: Path) -> ModuleType:
    """The file of the evaluator alone: the package around it would need all of allennlp and torch.

    What it imports from them and does not need for scoring is replaced by nothing.
    """

    class Metric:
        @staticmethod
        def register(name: str) -> Callable[[type], type]:
            return lambda entry: entry

    stubs: dict[str, dict[str, Any]] = {
        "torch": {"Tensor": object},
        "allennlp": {},
        "allennlp.nn": {},
        "allennlp.nn.util": {"dist_reduce_sum": lambda value: value},
        "allennlp.training": {},
        "allennlp.training.metrics": {},
        "allennlp.training.metrics.metric": {"Metric": Metric},
    }
    for name, attributes in stubs.items():
        module = ModuleType(name)
        module.__dict__.update(attributes)
        sys.modules.setdefault(name, module)
    path = folder / "allennlp_models" / "coref" / "metrics" / "conll_coref_scores.py"
    spec = importlib.util.spec_from_file_location("conll_coref_scores", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(path: str) -> Documents:
    """Clusters of tuples, one document per line."""
    with open(path, encoding="utf-8") as lines:
        return [[[(start, end) for start, end in cluster] for cluster in json.loads(line)] for line in lines]


def main() -> None:
    tool, key_path, response_path = sys.argv[1:4]
    score = allennlp(sys.argv[4]) if tool == "allennlp" else globals()[tool]()
    key, response = read(key_path), read(response_path)
    # Some tools import their solver only when it is first needed: that is not scoring either.
    score(key[:1], response[:1])
    began = time.process_time()
    scores = score(key, response)
    print(json.dumps({"seconds": time.process_time() - began, "scores": scores}))


if __name__ == "__main__":
    main()
