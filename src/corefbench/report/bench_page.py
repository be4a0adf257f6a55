"""A comparison of resolvers as one HTML page: the tables, and every pronoun with its answers."""

from collections.abc import Iterable
from html import escape

from corefbench.bench.result import Bench
from corefbench.judging.verdict import Verdict
from corefbench.report import page
from corefbench.report.table import Table

_MOST = 2000
"""Pronouns that a page can show and still be read."""

_STYLE = """
body { max-width: 110rem; }
.wide > table:not(.pronouns) th[scope=row] { white-space: nowrap; }
.pronouns th, .pronouns td { text-align: left; vertical-align: top; min-width: 7rem; }
.pronouns th[scope=row] { min-width: 24rem; font-weight: normal; }
.pronouns .right { color: light-dark(#0a6b2d, #6fd08c); }
.pronouns .wrong { color: light-dark(#a11a1a, #ff9d9d); }
summary { cursor: pointer; padding: .3rem 0; }
"""


def render(bench: Bench, tables: Iterable[Table]) -> str:
    """The page."""
    return page.render(tables, more=_documents(bench), style=_STYLE)


def _documents(bench: Bench) -> str:
    answers = [
        {(verdict.document, verdict.token): verdict for verdict in performance.verdicts}
        for performance in bench.performances
    ]
    names = "".join(
        f'<th scope="col">{escape(performance.resolver)}</th>' for performance in bench.performances
    )
    shown, parts = 0, ["<h2>Pronouns</h2><p>✓ right, ✗ wrong, ○ left alone, + not anaphoric.</p>"]
    for document in bench.documents:
        rows = [place for place in answers[0] if place[0] == document] if answers else []
        if not rows:
            continue
        if shown + len(rows) > _MOST:
            parts.append(f"<p>Only the first {shown:,} pronouns are listed.</p>")
            break
        shown += len(rows)
        body = "".join(_row(bench, place, [one[place] for one in answers]) for place in rows)
        parts.append(
            f"<details><summary>{escape(document)}, {len(rows)} pronouns</summary>"
            '<div class="wide"><table class="pronouns"><thead><tr><th scope="col">Pronoun</th>'
            f'<th scope="col">Key</th>{names}</tr></thead><tbody>{body}</tbody></table></div>'
            "</details>"
        )
    return "".join(parts)


def _row(bench: Bench, place: tuple[str, int], verdicts: list[Verdict]) -> str:
    document, token = place
    snippet = escape(bench.snippets.get(document, {}).get(token, verdicts[0].form))
    cells = "".join(map(_cell, verdicts))
    return f'<tr><th scope="row">{snippet}</th><td>{escape(verdicts[0].expected)}</td>{cells}</tr>'


def _cell(verdict: Verdict) -> str:
    if not verdict.attempted:
        return "<td>○</td>"
    if not verdict.anaphoric:
        return f"<td>+ {escape(verdict.answer)}</td>"
    kind, mark = ("right", "✓") if verdict.correct else ("wrong", "✗")
    return f'<td class="{kind}">{mark} {escape(verdict.answer)}</td>'
