"""Barbu & Mitkov 2001, *Evaluation Tool for Rule-based Anaphora Resolution Methods*.

The annotated files were not published. Table 1 is rebuilt from whole numbers of correct answers,
its totals and those of Table 2 from the rows above them; the paper rounds some values and cuts
others. Both tables are made again on the bundled corpus.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path

from corefbench.bench.run import Bench
from corefbench.errors import MissingExtra
from corefbench.papers.printed import PrintedPaper, PrintedRow, PrintedTable
from corefbench.papers.reproduction import (
    Cell,
    DataFolder,
    Paper,
    RebuiltTable,
    Recipe,
    exact_bounds,
    free_cell,
    judge_cell,
    rebuild_table,
)
from corefbench.preprocess.english.pronouns import THIRD_PERSON, PronounKind

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
HOWTO_FILES = {"ACC": "Access-HOWTO.sgml", "BEO": "Beowulf-HOWTO.sgml", "CDR": "CDROM-HOWTO.sgml"}
# Linuxdoc, an SGML whose tags may be abbreviated (<tt/pine/) and need not be closed.
_NOT_TEXT = re.compile(
    r"<!--.*?-->|<(tscreen|verb|code|table|tabular|title|author|date)\b[^<>]*>.*?</\1>", re.DOTALL | re.IGNORECASE
)
_SHORT = re.compile(r"<(tt|em|it|bf|sl)/([^/<>]*)/", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile(r"[A-Za-z0-9][\w'’.-]*[\w]|\w")
_MEANS = ("Distance in sentences", "Distance in NPs", "Antecedents")


def table_1(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild success rate (correct ÷ anaphoric pronouns), precision (correct ÷ all pronouns)."""
    table = printed["1"]
    cells = [
        judge_cell(table, row, column, ours, bounds=exact_bounds(ours), cut=True)
        for row in table.rows
        for column in table.columns
        for ours in (_share(table, row, column),)
    ]
    how = "whole numbers of correct answers, rounded or cut as the paper does; sums"
    return [rebuild_table(table, how, cells), _howto_table(table, data, ("Words", "Pronouns")), bundled_success_table()]


def _share(table: PrintedTable, row: PrintedRow, column: str) -> float | None:
    """Compute a percentage from whole numbers, a total from the rows; other cells need data."""
    kind, _, method = column.partition(" ")
    if not method:
        return _sum(table, column) if row.name == TOTAL else None
    right = dict(zip(METHODS, map(int, row.given["correct"].split()), strict=True))
    return 100 * right[method] / row["Anaphoric" if kind == "Success" else "Pronouns"]


def _sum(table: PrintedTable, column: str) -> float:
    return sum(row[column] for row in table.rows if row.name != TOTAL)


def bundled_success_table() -> RebuiltTable:
    """Rebuild Table 1 on the bundled corpus from raw text; requires onnxruntime."""
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import run_bench
    from corefbench.datasets.bundled import load_bundled

    corpus, plan = load_bundled(), Plan(resolvers=tuple(METHODS.values()))
    how = f"the bundled corpus from raw text, {len(corpus)} documents, a row a genre"
    genres = dict(zip(corpus.documents.labels(), corpus.documents.columns["genre"], strict=True))
    try:
        bench = run_bench(corpus, plan)
    except MissingExtra:
        return RebuiltTable(number="1", title=_TITLE, how=how, cells=(), needs="the extra en-accurate")
    signatures = tuple(bench.signature(performance.resolver) for performance in bench.performances)
    cells = tuple(_success_cells(bench, genres))
    return RebuiltTable(number="1", title=_TITLE, how=how, cells=cells, signatures=signatures)


def _success_cells(bench: Bench, genres: Mapping[str, str]) -> Iterator[Cell]:
    """Yield success rates over anaphoric pronouns and precision over all, as in the paper."""
    words = dict(zip(bench.documents, bench.words, strict=True))
    for name in (*dict.fromkeys(genres.values()), TOTAL):
        documents = {document for document, genre in genres.items() if name in (genre, TOTAL)}
        verdicts = {
            method: [v for v in bench[resolver].verdicts if v.document in documents]
            for method, resolver in METHODS.items()
        }
        pronouns = verdicts["Mitkov"]
        anaphoric = sum(v.anaphoric for v in pronouns)
        correct = {method: sum(v.correct for v in answers) for method, answers in verdicts.items()}
        yield free_cell(name, "Words", sum(words[document] for document in documents), 0)
        yield free_cell(name, "Pronouns", len(pronouns), 0)
        yield free_cell(name, "Anaphoric", anaphoric, 0)
        for kind, total in (("Success", anaphoric), ("Precision", len(pronouns))):
            for method in METHODS:
                yield free_cell(name, f"{kind} {method}", 100 * correct[method] / total)


def table_2(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the sums of rows and columns; the means of Total are plain means of the files."""
    table = printed["2"]
    cells = [
        judge_cell(table, row, column, ours, bounds=exact_bounds(ours))
        for row in table.rows
        for column in table.columns
        for ours in (_statistic(table, row, column),)
    ]
    how = "sums of rows and columns; the means of Total are unweighted"
    kinds = ("Personal", "Possessive", "Reflexive")
    return [rebuild_table(table, how, cells), _howto_table(table, data, kinds), bundled_pronoun_table()]


def _statistic(table: PrintedTable, row: PrintedRow, column: str) -> float | None:
    if row.name == TOTAL:
        files = len(table.rows) - 1
        return _sum(table, column) / (files if column in _MEANS else 1)
    if column == "Pronouns":
        return sum(row[kind] for kind in ("Personal", "Possessive", "Reflexive"))
    return None


def bundled_pronoun_table() -> RebuiltTable:
    """Rebuild Table 2 on the bundled corpus; the pronouns of the key need no pipeline."""
    from corefbench.analysis.statistics import compute_figures, describe
    from corefbench.datasets.bundled import load_bundled

    description = describe(load_bundled(), by="genre")
    cells = []
    for name, counts in {**description.groups, TOTAL: description.counts}.items():
        values = compute_figures(counts)
        for column, (figure, digits) in _STATISTICS.items():
            cells.append(free_cell(name, column, values[figure], digits))
    how = "the bundled corpus, a row a genre; distances in sentences of intersentential anaphors"
    return RebuiltTable(number="2", title=_TITLE, how=how, cells=tuple(cells))


def count_howto(path: Path) -> Counter[str]:
    """Count the words and the third-person pronouns of a HOWTO, by the columns of the tables."""
    words = _WORD.findall(sgml_text(path.read_text(encoding="latin-1")))
    kinds = Counter(kind.capitalize() for word in words if (kind := _pronoun_kind(word)) is not None)
    return Counter({**kinds, "Words": len(words), "Pronouns": kinds.total()})


def sgml_text(source: str) -> str:
    """Return the running text of SGML, without tables, code and lists of contents, as in the paper.

    >>> sgml_text("<sect>Mail<p>Run <tt/pine/, &amp; read it. <verb>ls it</verb>").split()
    ['Mail', 'Run', 'pine,', '&', 'read', 'it.']
    """
    text = _NOT_TEXT.sub(" ", source)
    return unescape(_TAG.sub(" ", _SHORT.sub(r"\2", text)))


def _pronoun_kind(word: str) -> PronounKind | None:
    """Return the kind of a pronoun, also in contractions: *it's*, *they're*."""
    return THIRD_PERSON.get(word.lower().replace("’", "'").partition("'")[0])


def _howto_table(table: PrintedTable, data: DataFolder, columns: Sequence[str]) -> RebuiltTable:
    """Count the files that are free, beside the paper's counts."""
    cells = list[Cell]()
    for name, file in HOWTO_FILES.items():
        path = data.path(f"howto/{file}")
        if path is None:
            continue
        counts = count_howto(path)
        for column in columns:
            cells.append(free_cell(name, f"{column}, printed", table[name][column], 0))
            cells.append(free_cell(name, f"{column}, here", counts[column], 0))
    how = "versions of 1997 to 1999 without code and contents; the paper's versions are not known"
    needs = "" if cells else "the three HOWTOs (free) as the folder howto of the data"
    title = "the files that are free"
    return RebuiltTable(number=table.number, title=title, how=how, cells=tuple(cells), needs=needs)


RECIPE = Recipe(
    paper=Paper(number="003", name="barbu-mitkov-2001", cite="barbu2001"), tables={"1": table_1, "2": table_2}
)
