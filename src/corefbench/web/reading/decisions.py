"""What became of every row: its case, and the antecedents that were chosen and expected.

Pronouns that a comparison of resolvers has judged are told as success rate counts them: by the
antecedent that was chosen. All others are told as runs mark them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from corefbench.bench.reasons import Reason
from corefbench.record import Columns, Longs
from corefbench.runs.marks import Mark, Marks
from corefbench.runs.schema import Span
from corefbench.web.reading.cases import NUMBER
from corefbench.web.reading.rows import Rows

_MARKS: tuple[Mark, ...] = ("right", "wrong", "missed", "spurious", "uncounted")
_CODE = {mark: code for code, mark in enumerate(_MARKS)}
_LINK, _SINGLE = NUMBER["link"], NUMBER["single"]
_FALSE_LINK, _WRONG_LINK = NUMBER["false-link"], NUMBER["wrong-link"]
_ANTECEDENTS = {
    "right": (("first", "link"), ("first", "link")),
    "wrong": (("false-new", "false-link"), ("false-new", "wrong-link")),
}
"""By whether the key has an antecedent, and whether the response has one."""
_CASES = np.array(
    [
        [[NUMBER[name] for name in some] for some in _ANTECEDENTS.get(mark, ((mark,) * 2,) * 2)]
        for mark in (*_MARKS, "alone")
    ]
)


class Decisions(Columns, frozen=True, eq=False):
    """In step with the rows; antecedents are rows, -1 for none."""

    case: Longs
    chosen: Longs
    expected: Longs


def decisions(
    rows: Rows, key_chains: Sequence[int], chains: Sequence[int], found: Marks
) -> Decisions:
    """As runs mark them."""
    earlier, link = _before(key_chains)[rows.key], _before(chains)[rows.response]
    of_response = _codes(found.response)[rows.response]
    mark = np.where(rows.key >= 0, _codes(found.key)[rows.key], of_response)
    case = _CASES[mark, (earlier >= 0).astype(np.int64), (link >= 0).astype(np.int64)]
    stripped = (mark == _CODE["uncounted"]) & (of_response == _CODE["spurious"])
    case[stripped] = _SINGLE
    return Decisions(
        case=case,
        chosen=rows.of_response(len(chains))[link],
        expected=rows.of_key(len(key_chains))[earlier],
    )


def judge(
    rows: Rows, made: Decisions, reasons: Mapping[Span, Reason], responses: Sequence[Span]
) -> None:
    """Tell again what a resolver gave reasons for; ``responses`` are the spans as it has them."""
    of_response = rows.of_response(len(responses))
    where: dict[Span, int] = {}
    spans = list(zip(rows.start.tolist(), rows.end.tolist(), strict=True))
    for row, span in enumerate(spans):
        where.setdefault(span, row)
    for mention, span in enumerate(responses):
        where.setdefault(span, int(of_response[mention]))
    for row, (span, mention) in enumerate(zip(spans, rows.response.tolist(), strict=True)):
        reason = reasons.get(span)
        if reason is None and mention >= 0:
            reason = reasons.get(responses[mention])
        if reason is not None:
            _retell(rows, made, row, reason, where)


def _retell(
    rows: Rows, made: Decisions, row: int, reason: Reason, where: Mapping[Span, int]
) -> None:
    if reason.correct:
        made.case[row] = _LINK
    elif reason.correct is not None and reason.antecedent is not None and rows.key[row] >= 0:
        made.case[row] = _WRONG_LINK if made.expected[row] >= 0 else _FALSE_LINK
    if reason.antecedent is not None:
        made.chosen[row] = where.get(reason.antecedent, made.chosen[row])


def _codes(marks: Sequence[Mark]) -> Longs:
    """The marks as numbers; one more stands for a mention that is not there."""
    made = np.full(len(marks) + 1, len(_MARKS))
    made[:-1] = [_CODE[mark] for mark in marks]
    return made


def _before(chains: Sequence[int]) -> Longs:
    """For each mention the one before it in its chain, -1 for none; one more stands for none.

    >>> _before([0, 1, 0, 0]).tolist()
    [-1, -1, 0, 2, -1]
    """
    chain = np.array(chains, np.int64)
    order = np.argsort(chain, kind="stable")
    same = np.flatnonzero(chain[order[1:]] == chain[order[:-1]])
    made = np.full(len(chain) + 1, -1)
    made[order[same + 1]] = order[same]
    return made
