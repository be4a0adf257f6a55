"""The study: responses scored at every level, with and without singletons, mentions apart."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.levels.projection import on_gold_mentions
from corefbench.analysis.levels.words import explain
from corefbench.analysis.reading import Where, read_whole
from corefbench.analysis.singletons.baselines import baseline
from corefbench.errors import UnknownName
from corefbench.findings import Finding
from corefbench.measures import Score
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.scope import SCOPES, Scope, chain_reach, cut_chains
from corefbench.scoring.api import score
from corefbench.scoring.choosing import customised
from corefbench.scoring.pairing import paired
from corefbench.scoring.result import Result

Mentions: TypeAlias = Literal["gold", "predicted", "projected"]
"""Whose mentions: the key's, the response's own, or the key's with the chains of the response."""
LEVELS: tuple[Scope, ...] = ("subtopic", "topic", "corpus")
BASELINE = "singleton baseline"
_EXPECTED = frozenset({"CB208"})


class LevelRow(Columns, frozen=True, eq=False):
    """One response, scored one way."""

    response: str
    mentions: Mentions
    clustering_scope: Scope
    """How far its chains reach …"""
    level: Scope
    """… and what is scored as one."""
    singletons: bool
    """Whether singletons count."""
    result: Result


class LevelStudy(Columns, frozen=True, eq=False):
    """Rows by response, mentions, level and singletons; mention detection on its own."""

    key: str
    rows: tuple[LevelRow, ...]
    detection: Mapping[str, Score]
    """By response: the share of spans found, singletons included."""
    derived: frozenset[str]
    """The responses whose clustering scope was read off their labels."""
    findings: tuple[Finding, ...] = ()

    def row(
        self, response: str, level: Scope, *, singletons: bool, mentions: Mentions | None = None
    ) -> LevelRow:
        """One row; without ``mentions`` the one with the mentions that the response has."""
        for row in self.rows:
            wanted = row.mentions != "projected" if mentions is None else row.mentions == mentions
            here = (row.response, row.level, row.singletons) == (response, level, singletons)
            if wanted and here:
                return row
        raise UnknownName("response or level", f"{response} by {level}", list(self.detection))

    def explanation(self) -> tuple[str, ...]:
        """What level, singletons and mentions do to each response, in sentences."""
        return explain(self)


def levels(
    key: Where,
    responses: Where | Mapping[str, Where],
    profile: str | Profile = "cattan-2021",
    *,
    levels: Sequence[Scope] = LEVELS,
    clustering_scope: Scope | None = None,
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    **choices: str | None,
) -> LevelStudy:
    """Score responses at several levels, with and without singletons.

    ``clustering_scope`` says how far the chains of the responses reach: one label in two groups is
    then two chains. Without it, chains reach as far as their labels do.
    """
    for level in (*levels, clustering_scope or "corpus"):
        if level not in SCOPES:
            raise UnknownName("level", level, list(SCOPES))
    heard: list[Finding] = []

    def read(where: Where) -> Corpus:
        return read_whole(
            where, format=format, lenient=lenient, report=heard.append, advance=advance
        )

    gold, base = read(key), customised(profile, choices)
    given = responses if isinstance(responses, Mapping) else {"response": responses}
    rows: list[LevelRow] = []
    detection: dict[str, Score] = {}
    for name, where in given.items():
        system = read(where)
        detection[name] = _detection(gold, system, base)
        scope = clustering_scope or chain_reach(system)
        for mentions, corpus in _mentions(gold, system, scope, detection[name]).items():
            rows += _rows(name, mentions, scope, gold, corpus, base, levels)
    alone = baseline(gold, "singletons")
    rows += _rows(BASELINE, "gold", "document", gold, alone, base, levels)
    said = (*heard, *(finding for row in rows for finding in row.result.findings))
    return LevelStudy(
        key=gold.name,
        rows=tuple(rows),
        detection=detection,
        derived=frozenset(given) if clustering_scope is None else frozenset(),
        findings=tuple(dict.fromkeys(f for f in said if f.code not in _EXPECTED)),
    )


def _mentions(
    key: Corpus, response: Corpus, scope: Scope, detection: Score
) -> dict[Mentions, Corpus]:
    """The response with its own mentions; if they are not the key's, on those too."""
    if detection.f1 == 1:
        return {"gold": response}
    pairs = list(paired(iter([key]), iter([response]), lambda finding: None))
    keys, responses = zip(*pairs, strict=True)
    gold, system = concatenate(key.name, keys), concatenate(response.name, responses)
    return {
        "predicted": response,
        "projected": on_gold_mentions(gold, cut_chains(system, scope)),
    }


def _rows(
    name: str,
    mentions: Mentions,
    scope: Scope,
    key: Corpus,
    response: Corpus,
    profile: Profile,
    levels: Sequence[Scope],
) -> Iterator[LevelRow]:
    for level in levels:
        for singletons in (True, False):
            made = customised(
                profile,
                {
                    "singletons": "keep" if singletons else "strip",
                    "scope": level,
                    "clustering_scope": scope,
                },
            )
            yield LevelRow(
                response=name,
                mentions=mentions,
                clustering_scope=scope,
                level=level,
                singletons=singletons,
                result=score(key, response, made),
            )


def _detection(key: Corpus, response: Corpus, profile: Profile) -> Score:
    """Span F1 on all mentions, which no level changes."""
    all_mentions = {"singletons": "keep", "scope": "document", "measures": "mentions"}
    return score(key, response, customised(profile, all_mentions))["mentions"]
