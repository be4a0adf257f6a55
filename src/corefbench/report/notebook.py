"""Corpora, documents, results and answers as HTML for notebooks: ``corefbench.render(thing)``.

Small, whole in itself and without scripts. Colours are those of the notebook, light or dark; chains
are told by brackets and numbers.
"""

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape

from msgspec.structs import replace

from corefbench.analysis.comparison import Comparison
from corefbench.bench.result import Bench
from corefbench.errors import UsageError
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.report.bench import comparison as bench_table
from corefbench.report.comparison_tables import score_table as comparison_table
from corefbench.report.comparison_words import marks_explained
from corefbench.report.page import tabulated
from corefbench.report.pieces import pieces
from corefbench.report.runs import about
from corefbench.report.superscripts import in_page
from corefbench.report.table import Table, score_table
from corefbench.resolvers.resolution import Decision, Resolution
from corefbench.runs import Run
from corefbench.scoring.result import Result

MOST_WORDS = 2_000
MOST_ROWS = 50

_LINE = "rgba(128,128,128,.4)"
_STYLE = (
    ".corefbench{line-height:1.5}"
    ".corefbench table{border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums}"
    ".corefbench caption{text-align:left;font-weight:600;padding:.2em 0;color:inherit}"
    ".corefbench th,.corefbench td{padding:.2em .7em;text-align:right;vertical-align:top;"
    f"background:none;color:inherit;border:0;border-bottom:1px solid {_LINE}}}"
    ".corefbench th:first-child,.corefbench td:first-child,.corefbench .text{text-align:left}"
    ".corefbench .wide{overflow-x:auto}"
    ".corefbench .words{white-space:pre-wrap;max-width:46em;line-height:1.8}"
    ".corefbench .words b{font-weight:600}"
    ".corefbench .words sub{line-height:0;font-size:.7em}"
    f".corefbench .words u{{text-decoration-color:{_LINE};text-underline-offset:.25em}}"
    ".corefbench code{overflow-wrap:anywhere;background:none;color:inherit}"
)

Span = tuple[int, int]


def render(thing: object) -> str:
    """HTML of a corpus, document, result, comparison, bench, run or resolution.

    >>> from corefbench import score_clusters
    >>> "MUC" in render(score_clusters([[(0, 1), (3, 4)]], [[(0, 1), (3, 4)]]))
    True
    """
    return f'<div class="corefbench"><style>{_STYLE}</style>{_inside(thing)}</div>'


@singledispatch
def _inside(thing: object) -> str:
    raise UsageError(
        f"{type(thing).__name__} cannot be drawn",
        expected="a Corpus, Document, Result, Comparison, Bench, Run or Resolution",
    )


@_inside.register
def _corpus(corpus: Corpus) -> str:
    labels = corpus.documents.labels()
    words = corpus.token_counts().tolist()
    rows = [
        (labels[n], f"{words[n]:,}", f"{len(corpus[n].mentions):,}", f"{len(corpus[n].chains):,}")
        for n in range(min(len(corpus), MOST_ROWS))
    ]
    total = (f"{len(corpus.tokens):,}", f"{len(corpus.mentions):,}", f"{len(corpus.chains):,}")
    table = Table(
        caption=f"{corpus.name}: {len(corpus):,} documents",
        headers=("Document", "Tokens", "Mentions", "Chains"),
        rows=(*rows, ("All", *total)),
    )
    return tabulated(table) + _more(len(corpus) - len(rows), "documents")


@_inside.register
def _document(document: Document) -> str:
    found, (text, offsets) = document.clusters(), _text_of(document)
    caption = f"{document.label}: {len(document):,} tokens, {len(found):,} chains"
    return f"<p><b>{escape(caption)}</b></p>" + _told(text, offsets, found)


@_inside.register
def _resolution(resolution: Resolution) -> str:
    discourse = resolution.discourse
    phrases = discourse.phrases
    found = [
        [(phrases[number].start, phrases[number].end) for number in chain]
        for chain in resolution.chains()
    ]
    decided = resolution.decisions[:MOST_ROWS]
    table = Table(
        caption=f"What {resolution.resolver} decided",
        headers=("Anaphor", "Sentence", "Antecedent", "Rule"),
        rows=tuple(_decision(resolution, decision) for decision in decided),
    )
    return (
        _told(discourse.analysis.text, discourse.analysis.offsets, found)
        + (tabulated(table) if decided else "")
        + _more(len(resolution.decisions) - len(decided), "decisions")
    )


def _decision(resolution: Resolution, decision: Decision) -> tuple[str, ...]:
    discourse = resolution.discourse
    anaphor, chosen = discourse.phrases[decision.anaphor], decision.antecedent
    antecedent = "–" if chosen is None else discourse.text_of(discourse.phrases[chosen])
    return discourse.text_of(anaphor), str(anaphor.sentence + 1), antecedent, decision.rule


@_inside.register
def _result(result: Result) -> str:
    return _tables([score_table({"": result})])


@_inside.register
def _comparison(comparison: Comparison) -> str:
    table, words = comparison_table(comparison), marks_explained(comparison)
    made = replace(table, caption=f"{table.caption}. {words}" if words else table.caption)
    return in_page(_tables([made]))


@_inside.register
def _bench(bench: Bench) -> str:
    return _tables([bench_table(bench)])


@_inside.register
def _run(run: Run) -> str:
    scores = [score_table(run.results)] if run.results else []
    rates = [bench_table(run.bench)] if run.kind == "bench" else []
    return _tables([*rates, *scores, about(run.header)])


def _tables(tables: Iterable[Table]) -> str:
    """Tables, each with its signatures behind a triangle."""
    return "".join(tabulated(table) + _signatures(table.notes) for table in tables)


def _signatures(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    lines = "".join(f"<li><code>{escape(note)}</code></li>" for note in notes)
    title = "Signature" if len(notes) == 1 else "Signatures"
    return f"<details><summary>{title}</summary><ul>{lines}</ul></details>"


def _told(text: str, offsets: Sequence[Span], chains: Sequence[Sequence[Span]]) -> str:
    """The text with its chains in numbered brackets, as far as a notebook should show it."""
    shown = [[span for span in chain if span[1] <= MOST_WORDS] for chain in chains]
    rest = len(offsets) - MOST_WORDS
    if rest > 0:
        text, offsets = text[: offsets[MOST_WORDS][0]], offsets[:MOST_WORDS]
    made = []
    for piece in pieces(text, offsets, shown):
        if piece.kind == "open":
            made.append("<b>[</b>")
        elif piece.kind == "close":
            made.append(f"<b>]<sub>{piece.chain}</sub></b>")
        else:
            words = escape(piece.text)
            made.append(f"<u>{words}</u>" if piece.within else words)
    return f'<div class="words">{"".join(made)}</div>' + _more(rest, "words")


def _text_of(document: Document) -> tuple[str, list[Span]]:
    """The text and where its tokens are; of tokens alone, joined by blanks, a line a sentence."""
    if document.text is not None and document.offsets is not None:
        return document.text, document.offsets
    ends = {end - 1 for _, end in document.sentences}
    text, offsets = "", list[Span]()
    for number, word in enumerate(document.words or ["·"] * len(document)):
        offsets.append((len(text), len(text) + len(word)))
        text += word + ("\n" if number in ends else " ")
    return text, offsets


def _more(count: int, what: str) -> str:
    return f"<p>… and {count:,} more {what}</p>" if count > 0 else ""
