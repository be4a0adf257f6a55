"""The two tables of Barbu & Mitkov 2001 on the bundled corpus, a row a genre."""

from collections.abc import Iterator, Mapping

from corefbench.bench.result import Bench
from corefbench.errors import MissingExtra
from corefbench.experiments.base import Cell, Rebuilt
from corefbench.experiments.verdict import free

METHODS = {"Mitkov": "mitkov", "CogNIAC": "cogniac-robust", "K&B": "kennedy-boguraev"}
"""The three methods; CogNIAC in its version that resolves all pronouns, as in the paper."""
TOTAL = "Total"
_TITLE = "the same table"
_STATISTICS = {
    "Pronouns": ("pronouns", 0),
    "Personal": ("pronouns_personal", 0),
    "Possessive": ("pronouns_possessive", 0),
    "Reflexive": ("pronouns_reflexive", 0),
    "Intrasentential": ("pronouns_intrasentential", 0),
    "Distance in sentences": ("sentence_distance_intersentential", 2),
    "Distance in NPs": ("noun_phrase_distance", 2),
    "Antecedents": ("candidates", 2),
}
"""The columns of Table 2, and the statistic and its decimals."""


def success_table() -> Rebuilt:
    """Table 1: the methods from raw text; needs the pipeline, and with it onnxruntime."""
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import run_bench
    from corefbench.bundled import bundled

    corpus, plan = bundled(), Plan(resolvers=tuple(METHODS.values()))
    how = f"the bundled corpus from raw text, {len(corpus)} documents, a row a genre"
    genres = dict(zip(corpus.documents.labels(), corpus.documents.columns["genre"], strict=True))
    try:
        bench = run_bench(corpus, plan)
    except MissingExtra:
        return Rebuilt(number="1", title=_TITLE, how=how, cells=(), needs="the extra en-accurate")
    signed = tuple(bench.signature(one.resolver) for one in bench.performances)
    cells = tuple(_success(bench, genres))
    return Rebuilt(number="1", title=_TITLE, how=how, cells=cells, signatures=signed)


def _success(bench: Bench, genres: Mapping[str, str]) -> Iterator[Cell]:
    """Success rate over anaphoric pronouns, precision over all, as the paper's table has them."""
    words = dict(zip(bench.documents, bench.words, strict=True))
    for name in (*dict.fromkeys(genres.values()), TOTAL):
        of = {document for document, genre in genres.items() if name in (genre, TOTAL)}
        verdicts = {
            method: [v for v in bench[resolver].verdicts if v.document in of]
            for method, resolver in METHODS.items()
        }
        pronouns = verdicts["Mitkov"]
        anaphoric = sum(v.anaphoric for v in pronouns)
        right = {method: sum(v.correct for v in some) for method, some in verdicts.items()}
        yield free(name, "Words", sum(words[document] for document in of), 0)
        yield free(name, "Pronouns", len(pronouns), 0)
        yield free(name, "Anaphoric", anaphoric, 0)
        for kind, total in (("Success", anaphoric), ("Precision", len(pronouns))):
            for method in METHODS:
                yield free(name, f"{kind} {method}", 100 * right[method] / total)


def pronoun_table() -> Rebuilt:
    """Table 2: the pronouns of the key, which need no pipeline."""
    from corefbench.bundled import bundled
    from corefbench.stats import describe, figures

    description = describe(bundled(), by="genre")
    cells = []
    for name, counts in {**description.groups, TOTAL: description.counts}.items():
        values = figures(counts)
        for column, (figure, digits) in _STATISTICS.items():
            cells.append(free(name, column, values[figure], digits))
    how = "the bundled corpus, a row a genre; distances in sentences of intersentential anaphors"
    return Rebuilt(number="2", title=_TITLE, how=how, cells=tuple(cells))
