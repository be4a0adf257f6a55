"""The page of the differential run: how many documents were compared, and what differed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchmarks.pages import table

if TYPE_CHECKING:
    from benchmarks.differential import Ledger


def page(pairs: int, seed: int, tolerance: float, ledger: "Ledger") -> str:
    """The whole page."""
    compared, differed = sum(ledger.compared.values()), sum(ledger.differed.values())
    explained = sum(ledger.causes.values())
    blocks = [
        "# Agreement with the other scorers",
        f"`python -m benchmarks.differential --pairs {pairs} --seed {seed} --peers PEERS`",
        f"{pairs:,} generated document pairs; counts and scores of every document by every measure "
        f"compared, tolerance {tolerance:g}. {compared:,} comparisons, {differed:,} differences: "
        f"{explained:,} with a known cause, {len(ledger.unexplained):,} unexplained.",
        "Perl is asked through its own functions, document by document, with all digits; its "
        "counter of repeated mentions is set back between documents, as the program would refuse "
        "the eleventh. Counts are compared for Perl and coval, which show them; corefud-scorer "
        "shows scores.",
        *_totals(ledger),
        *_tables(ledger),
        *_causes(ledger),
    ]
    return "\n\n".join(blocks) + "\n"


def _totals(ledger: "Ledger") -> list[str]:
    if not ledger.totals:
        return []
    return [
        f"Run as users run it (`perl scorer.pl all KEY RESPONSE none`) over {len(ledger.totals)} "
        "files of the documents without repeated mentions, the Perl program prints totals that "
        f"differ from ours by at most {max(ledger.totals):.1e}."
    ]


def _tables(ledger: "Ledger") -> list[str]:
    """For each program: measures down, strata across; differences in parentheses."""
    blocks = []
    for oracle in _order(place[0] for place in ledger.compared):
        places = [place for place in ledger.compared if place[0] == oracle]
        strata, measures = _order(p[2] for p in places), _order(p[1] for p in places)
        rows = [
            [stratum, *(_cell(ledger, (oracle, measure, stratum)) for measure in measures)]
            for stratum in strata
        ]
        total = [_sum(ledger, oracle, measure) for measure in measures]
        blocks += [f"## {oracle}", table(["stratum", *measures], [*rows, ["**all**", *total]])]
    return blocks


def _cell(ledger: "Ledger", place: tuple[str, str, str]) -> str:
    return _shown(ledger.compared[place], ledger.differed[place])


def _sum(ledger: "Ledger", oracle: str, measure: str) -> str:
    compared, differed = (
        sum(n for place, n in counter.items() if place[:2] == (oracle, measure))
        for counter in (ledger.compared, ledger.differed)
    )
    return _shown(compared, differed)


def _shown(compared: int, differed: int) -> str:
    return f"{compared:,} ({differed:,} differ)" if differed else f"{compared:,}"


def _causes(ledger: "Ledger") -> list[str]:
    """What documents with repeated mentions were put down to, and how often."""
    found: dict[tuple[str, str], list[str]] = {}
    for (oracle, measure, reason), times in sorted(ledger.causes.items()):
        found.setdefault((reason, oracle), []).append(f"{measure} {times:,}")
    rows = [[reason, oracle, ", ".join(counts)] for (reason, oracle), counts in found.items()]
    note = (
        "A difference is put down to a cause where the document has what the cause needs; it is "
        "not proved document by document. All of these documents mark a span twice on one side."
    )
    head = ["cause", "program", "documents"]
    return ["## Differences with a known cause", note, table(head, sorted(rows))] if rows else []


def _order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
