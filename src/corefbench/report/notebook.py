"""HTML for notebooks of corpora, documents, results and resolutions: ``corefbench.render(thing)``.

The HTML is small and self-contained, without scripts. Colours are those of the notebook, light or
dark; chains are marked by brackets and numbers.
"""

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape

from msgspec.structs import replace

from corefbench.analysis.comparison import Comparison
from corefbench.bench.run import Bench
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import UsageError
from corefbench.report.bench import rate_table
from corefbench.report.chains import chain_spans, split_at_chains
from corefbench.report.comparison import comparison_score_table, explain_letters, superscripts_as_html
from corefbench.report.renderers import render_html_table
from corefbench.report.runs import run_table
from corefbench.report.scores import score_table
from corefbench.report.table import Table
from corefbench.resolvers.base import Decision, Resolution
from corefbench.runs import Run
from corefbench.scoring.result import Result

MAX_WORDS = 2_000
MAX_ROWS = 50

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
    """Render a corpus, document, result, comparison, bench, run or resolution as HTML.

    >>> from corefbench import score_clusters
    >>> "MUC" in render(score_clusters([[(0, 1), (3, 4)]], [[(0, 1), (3, 4)]]))
    True
    """
    return f'<div class="corefbench"><style>{_STYLE}</style>{_render(thing)}</div>'


@singledispatch
def _render(thing: object) -> str:
    raise UsageError(
        f"{type(thing).__name__} cannot be drawn",
        expected="a Corpus, Document, Result, Comparison, Bench, Run or Resolution",
    )


@_render.register
def _render_corpus(corpus: Corpus) -> str:
    labels = corpus.documents.labels()
    tokens = corpus.token_counts().tolist()
    rows = [
        (labels[n], f"{tokens[n]:,}", f"{len(corpus[n].mentions):,}", f"{len(corpus[n].chains):,}")
        for n in range(min(len(corpus), MAX_ROWS))
    ]
    total = (f"{len(corpus.tokens):,}", f"{len(corpus.mentions):,}", f"{len(corpus.chains):,}")
    table = Table(
        caption=f"{corpus.name}: {len(corpus):,} documents",
        headers=("Document", "Tokens", "Mentions", "Chains"),
        rows=(*rows, ("All", *total)),
    )
    return render_html_table(table) + _more_note(len(corpus) - len(rows), "documents")


@_render.register
def _render_document(document: Document) -> str:
    chains, (text, offsets) = document.clusters(), _text_and_offsets(document)
    caption = f"{document.label}: {len(document):,} tokens, {len(chains):,} chains"
    return f"<p><b>{escape(caption)}</b></p>" + _text_html(text, offsets, chains)


@_render.register
def _render_resolution(resolution: Resolution) -> str:
    discourse = resolution.discourse
    decided = resolution.decisions[:MAX_ROWS]
    table = Table(
        caption=f"What {resolution.resolver} decided",
        headers=("Anaphor", "Sentence", "Antecedent", "Rule"),
        rows=tuple(_decision_cells(resolution, decision) for decision in decided),
    )
    return (
        _text_html(discourse.analysis.text, discourse.analysis.offsets, chain_spans(resolution))
        + (render_html_table(table) if decided else "")
        + _more_note(len(resolution.decisions) - len(decided), "decisions")
    )


def _decision_cells(resolution: Resolution, decision: Decision) -> tuple[str, ...]:
    discourse = resolution.discourse
    anaphor, chosen = discourse.phrases[decision.anaphor], decision.antecedent
    antecedent = "–" if chosen is None else discourse.text_of(discourse.phrases[chosen])
    return discourse.text_of(anaphor), str(anaphor.sentence + 1), antecedent, decision.rule


@_render.register
def _render_result(result: Result) -> str:
    return _render_tables([score_table({"": result})])


@_render.register
def _render_comparison(comparison: Comparison) -> str:
    table, explanation = comparison_score_table(comparison), explain_letters(comparison)
    if explanation:
        table = replace(table, caption=f"{table.caption}. {explanation}")
    return superscripts_as_html(_render_tables([table]))


@_render.register
def _render_bench(bench: Bench) -> str:
    return _render_tables([rate_table(bench)])


@_render.register
def _render_run(run: Run) -> str:
    scores = [score_table(run.results)] if run.results else []
    rates = [rate_table(run.bench)] if run.kind == "bench" else []
    return _render_tables([*rates, *scores, run_table(run.header)])


def _render_tables(tables: Iterable[Table]) -> str:
    """Render tables, each followed by its signatures in a disclosure."""
    return "".join(render_html_table(table) + _signature_list(table.notes) for table in tables)


def _signature_list(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    lines = "".join(f"<li><code>{escape(note)}</code></li>" for note in notes)
    title = "Signature" if len(notes) == 1 else "Signatures"
    return f"<details><summary>{title}</summary><ul>{lines}</ul></details>"


def _text_html(text: str, offsets: Sequence[Span], chains: Sequence[Sequence[Span]]) -> str:
    """Render the beginning of a text with its chains in numbered brackets."""
    chains = [[span for span in chain if span[1] <= MAX_WORDS] for chain in chains]
    rest = len(offsets) - MAX_WORDS
    if rest > 0:
        text, offsets = text[: offsets[MAX_WORDS][0]], offsets[:MAX_WORDS]
    html = []
    for piece in split_at_chains(text, offsets, chains):
        if piece.kind == "open":
            html.append("<b>[</b>")
        elif piece.kind == "close":
            html.append(f"<b>]<sub>{piece.chain}</sub></b>")
        else:
            content = escape(piece.text)
            html.append(f"<u>{content}</u>" if piece.within else content)
    return f'<div class="words">{"".join(html)}</div>' + _more_note(rest, "words")


def _text_and_offsets(document: Document) -> tuple[str, list[Span]]:
    """Return text and token offsets; tokens without text are joined, one sentence per line."""
    if document.text is not None and document.offsets is not None:
        return document.text, document.offsets
    ends = {end - 1 for _, end in document.sentences}
    text, offsets = "", list[Span]()
    for number, word in enumerate(document.words or ["·"] * len(document)):
        offsets.append((len(text), len(text) + len(word)))
        text += word + ("\n" if number in ends else " ")
    return text, offsets


def _more_note(count: int, what: str) -> str:
    return f"<p>… and {count:,} more {what}</p>" if count > 0 else ""
