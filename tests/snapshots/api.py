"""The recorded calls of the Python API; ``python api.py NAME…`` prints them as JSON.

Only public names (``cb.…``) are used, so that the same file runs with any checkout.
"""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import corefbench as cb

KEY = "examples/key.conll"
RESPONSES = {name: f"examples/{name}.response.conll" for name in ("cautious", "eager", "steady")}
ORACLE = "examples/oracle.conllu"
STEADY = RESPONSES["steady"]
TEXT = "Ann saw Bob. She greeted him, and he thanked her for it."
Call = Callable[[], Any]
CALLS: dict[str, Call] = {}


def call(function: Call) -> Call:
    """Add a function to the recorded calls."""
    CALLS[f"api.{function.__name__}"] = function
    return function


def _plain(value: Any) -> Any:
    """Records as lists of their values: the names of inner records are not public."""
    if hasattr(value, "__struct_fields__"):
        return [_plain(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(type(value))


def _scores(result: Any) -> dict[str, Any]:
    return {
        "signature": str(result.signature),
        "conll": result.conll,
        "documents": list(map(str, result.documents)),
        "findings": [[f.code, f.severity] for f in result.findings],
        "scores": {n: [s.recall, s.precision, s.f1] for n, s in result.scores.items()},
        "by_document": {
            document: {n: [s.recall, s.precision, s.f1] for n, s in scores.items()}
            for document, scores in result.by_document().items()
        },
    }


def _corpus(corpus: Any) -> dict[str, Any]:
    return {
        document.name: {
            "words": list(document.words),
            "chains": [[m.text for m in chain.mentions] for chain in document.chains],
        }
        for document in corpus
    }


@call
def score() -> Any:
    return {n: _scores(cb.score(KEY, path)) for n, path in RESPONSES.items()}


@call
def score_choices() -> Any:
    return _scores(cb.score(ORACLE, ORACLE, "semeval-2010", match="head-linear", singletons="strip"))


@call
def score_clusters() -> Any:
    key = [[(0, 0), (3, 4)], [(6, 6), (9, 9), (12, 13)]]
    response = [[(0, 0), (3, 4), (6, 6)], [(9, 9), (12, 13)]]
    return _scores(cb.score_clusters(key, response))


@call
def scorer() -> Any:
    scorer = cb.Scorer("coval-keep")
    for document in ("a", "b"):
        scorer.update(key=[[(0, 0), (3, 3)]], response=[[(0, 0), (3, 3), (4, 5)]], document=document)
    scorer.add_batch(predictions=[[[(1, 1), (2, 2)]]], references=[[[(1, 1), (2, 3)]]])
    return _scores(scorer.result())


@call
def load() -> Any:
    return _corpus(cb.load(KEY))


@call
def stream() -> Any:
    return [_corpus(part) for part in cb.stream("examples/oracle.conllu")]


@call
def render() -> Any:
    results = {n: cb.score(KEY, path) for n, path in RESPONSES.items()}
    comparison = cb.compare(results, samples=50)
    corpus = cb.load(KEY)
    shown = [results["steady"], comparison, corpus, corpus[0]]
    return [cb.render(thing) for thing in shown]


@call
def compare() -> Any:
    results = {n: cb.score(KEY, path) for n, path in RESPONSES.items()}
    found = cb.compare(results, samples=400, test="bootstrap", seed=3)
    return {
        "signature": found.signature,
        "documents": found.documents,
        "better": {s.name: found.beaten(s.name, "lea") for s in found.systems},
        "pair": _plain(found.pair("eager", "steady")),
        "systems": _plain(found.systems),
    }


@call
def error_analysis() -> Any:
    found = cb.error_analysis(KEY, STEADY)
    return {
        "counts": found.counts,
        "overall": _plain(found.overall),
        "by type": _plain(found.scores("type")),
        "if fixed": _plain(found.if_fixed()),
        "examples": _plain(found.examples(2)),
        "filtered": len(found.filter(taxonomy="links").errors),
    }


@call
def agreement() -> Any:
    found = cb.agreement(RESPONSES, key=KEY)
    return {
        "names": found.names,
        "f1": found.f1,
        "conll": found.conll,
        "alphas": found.alphas,
        "spans": _plain(found.spans),
        "quality": _plain(found.quality),
    }


@call
def merge() -> Any:
    found = cb.merge(RESPONSES)
    return {
        "corpus": _corpus(found.corpus),
        "rule": _plain(found.rule),
        "digest": found.digest,
        "conflicts": len(found.conflicts),
        "open": len(found.open),
    }


@call
def singletons() -> Any:
    found = cb.singletons(KEY, "examples/singletons/overgenerating.conll")
    return {
        "explanation": found.explanation(),
        "breakdown": _plain(found.breakdown),
        "movements": _plain(found.movements()),
        "results": {
            profile: {setting: _scores(result) for setting, result in results.items()}
            for profile, results in found.results.items()
        },
    }


@call
def levels() -> Any:
    folder = "examples/cross-document"
    found = cb.levels(f"{folder}/key.conll", {"lexical": f"{folder}/lexical.conll"})
    return {
        "explanation": found.explanation(),
        "derived": _plain(found.derived),
        "detection": _plain(found.detection),
        "rows": [[row.level, row.singletons, _scores(row.result)] for row in found.rows],
    }


@call
def oracle() -> Any:
    found = cb.oracle("examples/oracle.conllu", ("same-head",), mode="annotated", cache=False)
    return {
        "explanation": found.explanation(),
        "mentions": _plain(found.mentions),
        "signature": found.signature("same-head", "gold"),
    }


@call
def deduplicate() -> Any:
    found = cb.deduplicate(KEY, between=STEADY)
    return {"dropped": _plain(found.dropped), "documents": found.documents, "left": _corpus(found.corpus)}


@call
def bench() -> Any:
    plan = cb.Plan(resolvers=("kb", "mitkov", "random(seed=1)"), mode="annotated", cache=False)
    found = cb.run_bench("examples/oracle.conllu", plan)
    return {
        "signature": found.signature("mitkov"),
        "words": found.words,
        "mcnemar": _plain(found.mcnemar("kennedy-boguraev", "mitkov")),
        "documents": list(map(str, found.documents)),
        "verdicts": [_plain(p.verdicts) for p in found.performances],
        "conll": [p.conll for p in found.performances],
    }


@call
def resolve() -> Any:
    discourse = cb.read_text(TEXT, preprocess="en-words")
    found = {}
    for name in ("kb", "mitkov", "cogniac", "sieve", "hobbs", "same-head", "most-recent"):
        resolution = cb.resolver(name).resolve(discourse)
        found[name] = [resolution.chains(), _plain(resolution.links), _plain(resolution.decisions)]
    return found


@call
def reproduce() -> Any:
    found = cb.reproduce("kuebler-zhekova-2011", table="5")
    return {"counts": found.counts(), "holds": found.holds}


@call
def runs() -> Any:
    made = cb.save_run("x.corefrun", KEY, RESPONSES, created=datetime(2026, 1, 1, tzinfo=UTC))
    opened = cb.open_run("x.corefrun")
    return {
        "kind": opened.kind,
        "documents": list(map(str, opened.documents)),
        "results": {name: _scores(result) for name, result in opened.results.items()},
        "same": made.results.keys() == opened.results.keys(),
    }


@call
def errors() -> Any:
    found = []
    attempts: list[Call] = [
        lambda: cb.load("missing.conll"),
        lambda: cb.load(b"nonsense"),
        lambda: cb.score(KEY, STEADY, "conll-2013"),
        lambda: cb.score(KEY, STEADY, measures="mucc"),
        lambda: cb.resolver("hobs"),
        lambda: cb.compare({}),
    ]
    for attempt in attempts:
        try:
            attempt()
        except cb.CorefbenchError as error:
            found.append([type(error).__name__, getattr(error, "code", ""), str(error)])
    return found


@call
def public_names() -> Any:
    return sorted(cb.__all__)


@call
def profile() -> Any:
    from corefbench import Profile

    return sorted(name for name in dir(Profile) if not name.startswith("_"))


def main() -> None:
    """Print the named calls as one JSON object; errors are recorded, not raised."""
    found: dict[str, Any] = {}
    for name in sys.argv[1:]:
        try:
            found[name] = CALLS[name]()
        except Exception as error:
            found[name] = {"raised": f"{type(error).__name__}: {error}"}
    json.dump(found, sys.stdout, indent=1, sort_keys=True, default=repr)


if __name__ == "__main__":
    main()
