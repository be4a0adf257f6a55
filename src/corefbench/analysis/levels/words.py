"""The study in words: what each choice does to the figure that papers compare."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from corefbench.analysis.movement import listed, shown
from corefbench.analysis.singletons.words import title
from corefbench.scoring.result import Result

if TYPE_CHECKING:
    from corefbench.analysis.levels.study import LevelRow, LevelStudy

_BASELINE = "singleton baseline"


def explain(study: "LevelStudy") -> tuple[str, ...]:
    """Sentences: response by response, then what turns the order of responses over."""
    made: list[str] = []
    for name in study.detection:
        rows = [row for row in study.rows if row.response == name]
        made += [*_scope(study, rows), *_singletons(rows), *_levels(rows), *_mentions(rows)]
    return (*made, *_baseline(study), *_order(study))


def _scope(study: "LevelStudy", rows: "list[LevelRow]") -> Iterator[str]:
    first = rows[0]
    score = study.detection[first.response]
    how = "by their labels" if first.response in study.derived else "as given"
    reach = {
        "document": "stay within documents",
        "subtopic": "reach across the documents of a subtopic",
        "topic": "reach across the subtopics of a topic",
        "corpus": "reach across topics",
    }[first.clustering_scope]
    yield (
        f"{first.response} has {first.mentions} mentions (span F1 {shown(score.f1):.2f}); its "
        f"chains, {how}, {reach}."
    )


def _singletons(rows: "list[LevelRow]") -> Iterator[str]:
    """With against without singletons, at the widest level."""
    own = [row for row in rows if row.mentions != "projected" and row.level == rows[-1].level]
    kept, left = sorted(own, key=lambda row: not row.singletons)
    yield _moved("leaving singletons out", kept, left, f"at {left.level} level")


def _levels(rows: "list[LevelRow]") -> Iterator[str]:
    """Each level against the next wider one, without singletons."""
    own = [row for row in rows if row.mentions != "projected" and not row.singletons]
    if len(own) > 1 and len({figure(row.result) for row in own}) == 1:
        name, value = _figure_name(own[0].result), figure(own[0].result)
        yield f"For {own[0].response}, {name} is {value:.2f} at every level, without singletons."
        return
    for narrow, wide in pairwise(own):
        change = f"scoring by {wide.level} instead of {narrow.level}"
        yield _moved(change, narrow, wide, "without singletons")


def _mentions(rows: "list[LevelRow]") -> Iterator[str]:
    """The response's own mentions against its chains on those of the key."""
    last = [row for row in rows if row.level == rows[-1].level and not row.singletons]
    by_mentions = {row.mentions: row for row in last}
    if "projected" in by_mentions:
        own, gold = by_mentions["predicted"], by_mentions["projected"]
        change = "finding exactly the mentions of the key, with the same links,"
        yield _moved(change, own, gold, f"at {own.level} level, without singletons")


def _moved(change: str, before: "LevelRow", after: "LevelRow", where: str) -> str:
    name = _figure_name(after.result)
    old, new = figure(before.result), figure(after.result)
    points = round(new - old, 2)
    start = f"For {before.response}, {change}"
    if not points:
        return f"{start} leaves {name} at {new:.2f} {where}."
    verb = "raises" if points > 0 else "lowers"
    by = f"by {abs(points):.2f} points, from {old:.2f} to {new:.2f}"
    return f"{start} {verb} {name} {by}, {where}."


def _baseline(study: "LevelStudy") -> Iterator[str]:
    rows = [row for row in study.rows if row.response == _BASELINE]
    kept, left = rows[-2:]
    yield (
        f"Every mention of the key as a singleton, which links nothing, scores "
        f"{figure(kept.result):.2f} with singletons and {figure(left.result):.2f} without."
    )


def _order(study: "LevelStudy") -> Iterator[str]:
    """Where another response is the best as soon as singletons do not count."""
    own = [r for r in study.rows if r.mentions != "projected" and r.response in study.detection]
    said: dict[str, list[str]] = {}
    for level in dict.fromkeys(row.level for row in own):
        kept, left = (
            max(
                (r for r in own if r.level == level and r.singletons == singletons),
                key=lambda row: figure(row.result),
            )
            for singletons in (True, False)
        )
        if kept.response != left.response:
            sentence = (
                f"{kept.response} is best with singletons ({figure(kept.result):.2f}), "
                f"{left.response} without ({figure(left.result):.2f})."
            )
            said.setdefault(sentence, []).append(level)
    for sentence, at in said.items():
        yield f"At {listed(at)} level, {sentence}"


def _figure_name(result: Result) -> str:
    return "CoNLL F1" if result.conll is not None else f"{title(result, next(iter(result)))} F1"


def figure(result: Result) -> float:
    """The CoNLL average, or the F1 of the first measure where there is none, in per cent."""
    if result.conll is not None:
        return shown(result.conll.f1)
    return shown(result[next(iter(result))].f1)
