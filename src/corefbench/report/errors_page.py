"""The errors of a response as one HTML page: the tables, and examples that show where to look.

Colour never stands alone: every mark has a symbol and a word as well.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from corefbench.analysis.errors import Example, Passage
from corefbench.report import page
from corefbench.report.table import Table

_STYLE = """
.examples li { margin: .6rem 0; }
.examples ul { list-style: none; padding-left: 1rem; }
mark { padding: 0 .25rem; border-radius: .2rem; color: CanvasText; }
mark.at { background: light-dark(#ffe9a8, #5c4a00); border-bottom: 2px solid currentColor; }
mark.right { background: light-dark(#cdeedd, #0d4a2c); border-bottom: 2px solid currentColor; }
mark.wrong { background: light-dark(#fbd3cf, #5e1a14); border-bottom: 2px dashed currentColor; }
.place { opacity: .8; font-size: .85rem; }
summary { cursor: pointer; padding: .3rem 0; font-weight: 600; }
"""


def render(tables: Iterable[Table], examples: Sequence[Example], *, more: str = "") -> str:
    """The page."""
    return page.render(tables, more=more + _examples(examples), style=_STYLE)


def _examples(examples: Sequence[Example]) -> str:
    if not examples:
        return ""
    parts = [
        '<section class="examples"><h2>Examples</h2><p>'
        f"{_mark('at', 'the mention')} {_mark('right', 'what the key has')} "
        f"{_mark('wrong', 'what the response has')}</p>"
    ]
    for kind, some in groupby(examples, key=lambda example: example.kind):
        rows = "".join(map(_example, some))
        parts.append(f"<details open><summary>{escape(kind)}</summary><ul>{rows}</ul></details>")
    return "".join(parts) + "</section>"


def _example(example: Example) -> str:
    at = example.mention
    words = (
        f'<span class="place">{escape(at.document)}, sentence {at.sentence}, '
        f"words {at.span[0]}–{at.span[1]}</span><br>{_in_text('at', at)}"
    )
    if example.key is not None:
        words += f"<br>key: {_in_text('right', example.key)}"
    if example.response is not None:
        words += f"<br>response: {_in_text('wrong', example.response)}"
    if example.members:
        members = ", ".join(escape(member.text) for member in example.members)
        words += f"<br>mentions: {members}"
    return f"<li>{words}</li>"


def _in_text(role: str, passage: Passage) -> str:
    return f"… {escape(passage.before)} {_mark(role, passage.text)} {escape(passage.after)} …"


def _mark(role: str, text: str) -> str:
    symbol = {"at": "▸", "right": "✓", "wrong": "✗"}[role]
    return f'<mark class="{role}">{symbol} {escape(text)}</mark>'
