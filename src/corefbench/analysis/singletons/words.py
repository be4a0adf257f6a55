"""The study in words: what moved, by how much, and what did not."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from corefbench.analysis.movement import Movement, counted, largest_first, listed, shown
from corefbench.analysis.singletons.breakdown import Breakdown, Side
from corefbench.scoring.result import Result

Results = Mapping[str, Mapping[str, Result]]

CHANGES = (
    ("G+S/S+S", "G+S/S-S", "removing singletons from the response"),
    ("G+S/S+S", "G-S/S+S", "removing singletons from the key"),
    ("G+S/S+S", "G-S/S-S", "removing singletons from both sides"),
    ("AllS", "NoS", "deleting all singletons of the response"),
    ("NoS", "PronS", "keeping the singletons that are pronouns"),
    ("PronS", "AttP", "attaching singleton pronouns to the closest preceding mention"),
)
"""Pairs of settings that differ in one thing, and what it is."""
FOUR = ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S")


def movements(results: Results) -> tuple[Movement, ...]:
    """Every measure of every profile under every change, the largest first."""
    return largest_first(_all(results))


def _all(results: Results) -> Iterator[Movement]:
    for profile, settings in results.items():
        for before, after, change in CHANGES:
            if before not in settings or after not in settings:
                continue
            old, new = settings[before], settings[after]
            for measure in new:
                yield Movement(
                    under=profile,
                    change=change,
                    before=before,
                    after=after,
                    measure=title(new, measure),
                    old=old[measure],
                    new=new[measure],
                    rounding=new.profile.rounding,
                )


def explain(results: Results, breakdown: Mapping[str, Breakdown], most: int) -> tuple[str, ...]:
    """Sentences: the data, the range of scores, the largest movements, what never moved.

    Profiles that agree in every figure share a sentence.
    """
    moved = [movement for movement in movements(results) if movement.points]
    return (
        *_data(breakdown),
        *_ranges(results),
        *_together((m.under, _sentence(m)) for m in moved)[:most],
        *_together(_unmoved(results)),
    )


def _together(sentences: Iterable[tuple[str, str]]) -> list[str]:
    """Each sentence once, with the profiles that it holds for in its place of ``{}``."""
    holds: dict[str, list[str]] = {}
    for profile, sentence in sentences:
        holds.setdefault(sentence, []).append(profile)
    return [sentence.replace("{}", listed(profiles)) for sentence, profiles in holds.items()]


def _sentence(movement: Movement) -> str:
    return str(replace(movement, under="{}"))


def _data(breakdown: Mapping[str, Breakdown]) -> Iterator[str]:
    first = next(iter(breakdown.values()))
    yield f"The key has {_inventory(first.key)}; the response has {_inventory(first.response)}."
    yield from _together(
        (
            profile,
            f"Without a twin under {{}}: {_twinless(counts.key, 'key')} and "
            f"{_twinless(counts.response, 'response')}.",
        )
        for profile, counts in breakdown.items()
    )


def _inventory(side: Side) -> str:
    share = f" ({100 * side.singletons / side.mentions:.1f} %)" if side.mentions else ""
    return f"{counted(side.mentions, 'mention')} and {counted(side.singletons, 'singleton')}{share}"


def _twinless(side: Side, of: str) -> str:
    """How many mentions have no twin, and how many of those are singletons.

    >>> some = Side(mentions=9, singletons=3, matched_singletons=2, matched_chained=5,
    ...             twinless_singletons=1, twinless_chained=1)
    >>> _twinless(some, "key")
    '2 mentions of the key (1 of them a singleton)'
    """
    alone, total = side.twinless_singletons, side.twinless
    if not total:
        return f"no mention of the {of}"
    if alone == total:
        kind = "a singleton" if total == 1 else "all singletons"
    elif not alone:
        kind = "in a chain" if total == 1 else "all in chains"
    else:
        kind = f"{alone:,} of them {'a singleton' if alone == 1 else 'singletons'}"
    return f"{counted(total, 'mention')} of the {of} ({kind})"


def _ranges(results: Results) -> Iterator[str]:
    """For the measure that the four settings spread most: its lowest and its highest F1."""
    found: dict[str, list[tuple[float, str]]] = {}
    for profile, settings in results.items():
        for setting in FOUR:
            result = settings[setting]
            for measure in result:
                value = shown(result[measure].f1, result.profile.rounding)
                where = f"{setting} under {profile}"
                found.setdefault(title(result, measure), []).append((value, where))
    name, cells = max(found.items(), key=lambda item: max(item[1])[0] - min(item[1])[0])
    low, high = min(cells), max(cells)
    if high[0] > low[0]:
        yield (
            f"For the same output, {name} F1 ranges from {low[0]:.2f} ({low[1]}) to {high[0]:.2f} "
            f"({high[1]}): {high[0] - low[0]:.2f} points."
        )


def _unmoved(results: Results) -> Iterator[tuple[str, str]]:
    """The measures that are the same in all four settings, profile by profile."""
    for profile, settings in results.items():
        first = settings[FOUR[0]]
        same = [
            title(first, measure)
            for measure in first
            if len({_cells(settings[setting], measure) for setting in FOUR}) == 1
        ]
        if same:
            verb = "is" if len(same) == 1 else "are"
            yield profile, f"Under {{}}, {listed(same)} {verb} the same in all four settings."


def _cells(result: Result, measure: str) -> tuple[float, ...]:
    score, rounding = result[measure], result.profile.rounding
    return tuple(shown(value, rounding) for value in (score.recall, score.precision, score.f1))


def title(result: Result, name: str) -> str:
    """What tables call a score."""
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")
