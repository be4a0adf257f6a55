"""The study: one response scored in every setting, by every profile."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.movement import Movement
from corefbench.analysis.reading import Where, read_whole
from corefbench.analysis.singletons.baselines import BASELINES, baseline
from corefbench.analysis.singletons.breakdown import Breakdown, break_down
from corefbench.analysis.singletons.variants import NEED_WORDS, VARIANTS, Variant, vary
from corefbench.analysis.singletons.words import explain, movements
from corefbench.errors import UnknownName
from corefbench.findings import Finding
from corefbench.matching import Alignment
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.policy.singletons import Singletons
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.scope import apply_scope
from corefbench.scoring.api import score
from corefbench.scoring.choosing import customised
from corefbench.scoring.evaluate import align
from corefbench.scoring.pairing import paired
from corefbench.scoring.result import Result

Setting: TypeAlias = Literal["G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S"]
SETTINGS: dict[Setting, Singletons] = {
    "G+S/S+S": "keep",
    "G+S/S-S": "strip-response",
    "G-S/S+S": "strip-key",
    "G-S/S-S": "strip",
}
"""Gold and system with (+S) and without (-S) singletons, as choices of a profile."""

PROFILES = ("semeval-2010", "conll-2011", "conll-2012")
"""The scorers of the paper, and the one that took their place."""
_EXPECTED = frozenset({"CB208"})
"""Findings that are what the study is about."""


class SingletonStudy(Columns, frozen=True, eq=False):
    """Scores by profile and setting: ``study["semeval-2010"]["G+S/S-S"]["b_cubed"].f1``.

    The settings are the four of gold and system, the variants of the response (``AllS``, ``NoS``,
    ``PronS``, ``AttP``) and the baselines ``singletons`` and ``all-in-one``.
    """

    key: str
    response: str
    results: Mapping[str, Mapping[str, Result]]
    breakdown: Mapping[str, Breakdown]
    """By profile: which mentions are twinless depends on its matching rule."""
    variants: tuple[Variant, ...]
    key_singletons: Literal["keep", "strip"]
    """What the variants were scored against."""
    findings: tuple[Finding, ...] = ()

    def __getitem__(self, profile: str) -> Mapping[str, Result]:
        if profile not in self.results:
            raise UnknownName("profile of this study", profile, list(self.results))
        return self.results[profile]

    def movements(self) -> tuple[Movement, ...]:
        """What every change of setting did to every measure, largest first."""
        return movements(self.results)

    def explanation(self, most: int = 10) -> tuple[str, ...]:
        """The study in sentences: its data, its range, the largest movements, what stayed."""
        return explain(self.results, self.breakdown, most)


def singletons(
    key: Where,
    response: Where,
    profiles: Sequence[str | Profile] = PROFILES,
    *,
    key_singletons: Literal["keep", "strip"] = "strip",
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    step: Callable[[int, int], None] | None = None,
    **choices: str | None,
) -> SingletonStudy:
    """Score a response with and without singletons on both sides, by several profiles.

    What a profile itself does about singletons is replaced by the setting, where it differs.
    ``key_singletons`` says what the variants of the response are scored against; the paper's key
    has no singletons. ``choices`` change single choices of all profiles, as for ``score``.
    ``advance`` is told how many bytes were read, ``step`` how many of how many profiles are done.
    """
    heard: list[Finding] = []

    def read(where: Where) -> Corpus:
        return read_whole(
            where, format=format, lenient=lenient, report=heard.append, advance=advance
        )

    gold, system = read(key), read(response)
    wanted = [customised(profile, choices) for profile in profiles]
    known = tuple(v for v in VARIANTS if system.tokens.words is not None or v not in NEED_WORDS)
    varied = {
        scope: {v: vary(system, v, scope) for v in known if v in NEED_WORDS}
        for scope in {profile.scope for profile in wanted}
    }
    results: dict[str, dict[str, Result]] = {}
    for profile in wanted:
        made = _scored(gold, system, varied[profile.scope], profile, key_singletons)
        results[profile.name] = made
        if step is not None:
            step(len(results), len(wanted))
    said = [f for some in results.values() for r in some.values() for f in r.findings]
    return SingletonStudy(
        key=gold.name,
        response=system.name,
        results=results,
        breakdown={profile.name: _broken_down(gold, system, profile) for profile in wanted},
        variants=known,
        key_singletons=key_singletons,
        findings=tuple(dict.fromkeys(f for f in (*heard, *said) if f.code not in _EXPECTED)),
    )


def _scored(
    key: Corpus,
    response: Corpus,
    varied: Mapping[Variant, Corpus],
    profile: Profile,
    key_singletons: Literal["keep", "strip"],
) -> dict[str, Result]:
    made = {
        str(name): score(key, response, _with(profile, choice)) for name, choice in SETTINGS.items()
    }
    against, side = ("strip-key", "G-S") if key_singletons == "strip" else ("keep", "G+S")
    made |= {"AllS": made[f"{side}/S+S"], "NoS": made[f"{side}/S-S"]}
    for variant, corpus in varied.items():
        made[variant] = score(key, corpus, _with(profile, against))
    for name in BASELINES:
        made[name] = score(key, baseline(key, name), _with(profile, "keep"))
    return made


def _with(profile: Profile, singletons: str) -> Profile:
    return customised(profile, {"singletons": singletons})


def _broken_down(key: Corpus, response: Corpus, profile: Profile) -> Breakdown:
    """The breakdown with all singletons kept."""
    pairs = list(paired(iter([key]), iter([response]), lambda finding: None))
    both = (concatenate(side[0].name, side) for side in zip(*pairs, strict=True))
    joined = [apply_scope(corpus, profile.scope) for corpus in both]
    alignment: Alignment = align(joined[0], joined[1], _with(profile, "keep").choices)
    return break_down(alignment)
