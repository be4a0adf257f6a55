"""The effect of singletons on scores: the experiments of Kübler & Zhekova 2011, on any data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.statistics.counts import entity_numbers
from corefbench.analysis.studies import (
    ScoreChange,
    count_noun,
    join_words,
    measure_name,
    measure_title,
    pair_whole,
    read_whole,
    to_percent,
)
from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Chains, Corpus, Relations
from corefbench.corpus.scope import Scope, apply_scope
from corefbench.diagnostics import Finding
from corefbench.errors import UnknownName
from corefbench.formats.load import CorpusSource
from corefbench.preprocess.english.pronouns import lookup_pronoun
from corefbench.records import Columns, Flags, Longs, Record
from corefbench.scoring.api import score
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.pipeline import align
from corefbench.scoring.policy.singletons import Singletons
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result

Baseline: TypeAlias = Literal["singletons", "all-in-one"]
BASELINES: tuple[Baseline, ...] = ("singletons", "all-in-one")
PRONOUN_KINDS = frozenset({"personal", "possessive", "reflexive", "demonstrative"})
Variant: TypeAlias = Literal["AllS", "NoS", "PronS", "AttP"]
VARIANTS: tuple[Variant, ...] = ("AllS", "NoS", "PronS", "AttP")
NEED_WORDS: frozenset[Variant] = frozenset({"PronS", "AttP"})
ProfileResults = Mapping[str, Mapping[str, Result]]
CHANGES = (
    ("G+S/S+S", "G+S/S-S", "removing singletons from the response"),
    ("G+S/S+S", "G-S/S+S", "removing singletons from the key"),
    ("G+S/S+S", "G-S/S-S", "removing singletons from both sides"),
    ("AllS", "NoS", "deleting all singletons of the response"),
    ("NoS", "PronS", "keeping the singletons that are pronouns"),
    ("PronS", "AttP", "attaching singleton pronouns to the closest preceding mention"),
)
"""Pairs of settings that differ in one thing, and what it is."""
Setting: TypeAlias = Literal["G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S"]
SETTINGS: dict[Setting, Singletons] = {
    "G+S/S+S": "keep",
    "G+S/S-S": "strip-response",
    "G-S/S+S": "strip-key",
    "G-S/S-S": "strip",
}
"""Gold and system with (+S) and without (-S) singletons, as choices of a profile."""
FOUR_SETTINGS = tuple(SETTINGS)
PROFILES = ("semeval-2010", "conll-2011", "conll-2012")
"""The scorers of the paper, and the one that took their place."""
EXPECTED_FINDINGS = frozenset({"CB208"})
"""Findings that a study of singletons provokes."""


class Side(Record, frozen=True):
    """The mentions of key or response: matched + twinless = mentions."""

    mentions: int
    singletons: int
    matched_singletons: int
    matched_chained: int
    twinless_singletons: int
    twinless_chained: int

    @property
    def matched(self) -> int:
        return self.matched_singletons + self.matched_chained

    @property
    def twinless(self) -> int:
        return self.twinless_singletons + self.twinless_chained


class Breakdown(Record, frozen=True):
    """Both sides, and the matched mentions that are singletons on one side only."""

    key: Side
    response: Side
    only_key_singletons: int
    """Matched mentions that are singletons in the key and in chains of the response."""
    only_response_singletons: int
    """Matched mentions that are singletons in the response and in chains of the key."""


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
    """Whether the variants were scored against a key with singletons."""
    findings: tuple[Finding, ...] = ()

    def __getitem__(self, profile: str) -> Mapping[str, Result]:
        if profile not in self.results:
            raise UnknownName("profile of this study", profile, list(self.results))
        return self.results[profile]

    def movements(self) -> tuple[ScoreChange, ...]:
        """Return what every change of setting did to every measure, the largest change first."""
        changes = [change for change in _score_changes(self.results) if change.is_visible]
        return tuple(sorted(changes, key=lambda change: -abs(change.points)))

    def explanation(self, most: int = 10) -> tuple[str, ...]:
        """Return sentences on the data, the range of scores, the largest changes, and what never changes.

        Profiles that agree in every figure share a sentence.
        """
        changes = [change for change in self.movements() if change.points]
        return (
            *_explain_data(self.breakdown),
            *_explain_range(self.results),
            *_group_profiles((c.under, str(replace(c, under="{}"))) for c in changes)[:most],
            *_group_profiles(_explain_unmoved(self.results)),
        )


def singletons(
    key: CorpusSource,
    response: CorpusSource,
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

    The settings override the profiles' own treatment of singletons. ``key_singletons`` decides
    whether the variants of the response are scored against a key with singletons; the paper's key
    has none. ``choices`` change single choices of all profiles, as for ``score``. ``advance`` is
    called with the number of bytes read, ``step`` with the number of profiles done and of all.
    """
    findings: list[Finding] = []
    read = partial(read_whole, format=format, lenient=lenient, report=findings.append, advance=advance)
    gold, system = read(key), read(response)
    wanted = [customise_profile(profile, choices) for profile in profiles]
    variants = tuple(v for v in VARIANTS if system.tokens.words is not None or v not in NEED_WORDS)
    varied = {
        scope: {v: make_variant(system, v, scope) for v in variants if v in NEED_WORDS}
        for scope in {profile.scope for profile in wanted}
    }
    results: dict[str, dict[str, Result]] = {}
    for profile in wanted:
        by_setting = _score_settings(gold, system, varied[profile.scope], profile, key_singletons)
        results[profile.name] = by_setting
        findings += (finding for result in by_setting.values() for finding in result.findings)
        if step is not None:
            step(len(results), len(wanted))
    return SingletonStudy(
        key=gold.name,
        response=system.name,
        results=results,
        breakdown={profile.name: _break_down(gold, system, profile) for profile in wanted},
        variants=variants,
        key_singletons=key_singletons,
        findings=tuple(dict.fromkeys(f for f in findings if f.code not in EXPECTED_FINDINGS)),
    )


def _score_settings(
    key: Corpus,
    response: Corpus,
    varied: Mapping[Variant, Corpus],
    profile: Profile,
    key_singletons: Literal["keep", "strip"],
) -> dict[str, Result]:
    results = {str(name): score(key, response, _with_singletons(profile, choice)) for name, choice in SETTINGS.items()}
    against, side = ("strip-key", "G-S") if key_singletons == "strip" else ("keep", "G+S")
    # Two of the variants are settings that have been scored already.
    results |= {"AllS": results[f"{side}/S+S"], "NoS": results[f"{side}/S-S"]}
    for variant, corpus in varied.items():
        results[variant] = score(key, corpus, _with_singletons(profile, against))
    for name in BASELINES:
        results[name] = score(key, baseline(key, name), _with_singletons(profile, "keep"))
    return results


def _with_singletons(profile: Profile, singletons: str) -> Profile:
    return customise_profile(profile, {"singletons": singletons})


def _break_down(key: Corpus, response: Corpus, profile: Profile) -> Breakdown:
    """Count the mentions of both sides, with all singletons kept."""
    gold, system = (apply_scope(corpus, profile.scope) for corpus in pair_whole(key, response))
    alignment = align(gold, system, _with_singletons(profile, "keep").choices)
    twin = alignment.twins.key
    key_alone, response_alone = (
        side.chain_sizes()[side.mentions.chain] == 1 for side in (alignment.key, alignment.response)
    )
    key_singleton, response_singleton = key_alone[twin[twin >= 0]], response_alone[twin >= 0]
    return Breakdown(
        key=_count_side(key_alone, np.isin(np.arange(len(key_alone)), twin)),
        response=_count_side(response_alone, twin >= 0),
        only_key_singletons=int(np.count_nonzero(key_singleton & ~response_singleton)),
        only_response_singletons=int(np.count_nonzero(~key_singleton & response_singleton)),
    )


def _count_side(is_singleton: Flags, has_twin: Flags) -> Side:
    counts: list[int] = np.bincount(2 * is_singleton + has_twin, minlength=4).tolist()
    twinless_chained, matched_chained, twinless_singletons, matched_singletons = counts
    return Side(
        mentions=len(is_singleton),
        singletons=matched_singletons + twinless_singletons,
        matched_singletons=matched_singletons,
        matched_chained=matched_chained,
        twinless_singletons=twinless_singletons,
        twinless_chained=twinless_chained,
    )


def baseline(key: Corpus, name: Baseline) -> Corpus:
    """Return the mentions of the key, each in a chain of its own, or all in one chain.

    These are the baselines of Recasens et al. 2010 that Kübler & Zhekova 2011 print as Table 1.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> baseline(load(text), "singletons")
    <Corpus 'singletons': 1 documents, 2 tokens, 2 mentions, 2 chains>
    """
    singletons = name == "singletons"
    document = key.mentions.document if singletons else np.arange(len(key), dtype=np.int32)
    chain = np.arange(len(key.mentions), dtype=np.int32) if singletons else key.mentions.document
    labels = np.arange(len(document)) if singletons else np.zeros(len(document), np.int64)
    return replace(
        key,
        name=name,
        mentions=replace(key.mentions, chain=chain),
        chains=Chains(document=document, labels=labels),
        relations=Relations.none(),
    )


def make_variant(corpus: Corpus, variant: Variant, scope: Scope = "document") -> Corpus:
    """Return the response in one of the settings of Kübler & Zhekova 2011, Table 6.

    * ``AllS``: keep all singletons;
    * ``NoS``: remove all singletons;
    * ``PronS``: remove singletons except pronouns;
    * ``AttP``: attach singleton pronouns to the chain of the closest preceding mention, then remove
      singletons except pronouns (those that no mention precedes).

    The closest preceding mention is the one of the same document that ends last at or before the
    pronoun; of several that end there, the shortest. Singletons are antecedents like other
    mentions. The paper does not define the distance; a mention around the pronoun does not precede
    it. Chains are joined by label within the ``scope``.
    """
    if corpus.mentions.referring is not None:
        corpus = keep_mentions(corpus, corpus.mentions.referring)
    if variant == "AllS":
        return corpus
    if variant == "NoS":
        return keep_mentions(corpus, ~is_singleton(corpus, scope))
    pronoun = is_pronoun(corpus)
    if variant == "AttP":
        corpus = _attach_pronouns(corpus, np.flatnonzero(pronoun & is_singleton(corpus, scope)))
    return keep_mentions(corpus, pronoun | ~is_singleton(corpus, scope))


def is_singleton(corpus: Corpus, scope: Scope = "document") -> Flags:
    """Flag the mentions that are alone in their chain; chains are joined by label in the scope."""
    entity = entity_numbers(corpus, scope)
    return np.asarray(np.bincount(entity)[entity] == 1)


def is_pronoun(corpus: Corpus) -> Flags:
    """Flag the mentions that are pronouns which should have an antecedent.

    Kübler & Zhekova 2011, section 6: personal, reflexive, demonstrative and possessive pronouns of
    any person; relative and indefinite ones are left out. Forms are those of English; another form
    counts where the corpus tags it as a pronoun (``upos`` is ``PRON``). Without words there are
    none.
    """
    flags = np.zeros(len(corpus.mentions), np.bool_)
    words, columns = corpus.tokens.words, corpus.tokens.columns
    if words is None:
        return flags
    mentions = corpus.mentions
    single = np.flatnonzero(mentions.end - mentions.start == 1)
    token = (corpus.tokens.offsets[mentions.document] + mentions.start)[single]
    tags = columns.get("xpos") or columns.get("pos")
    parts = columns.get("upos")
    cache: dict[tuple[str, str, str], bool] = {}
    none = [""] * len(single)
    rows = zip(words.take(token), tags.take(token) if tags else none, parts.take(token) if parts else none, strict=True)
    for mention, row in zip(single.tolist(), rows, strict=True):
        if row not in cache:
            cache[row] = _is_counted(*row)
        flags[mention] = cache[row]
    return flags


def _is_counted(word: str, tag: str, part: str) -> bool:
    row = lookup_pronoun(word, tag)
    if row is not None:
        return row.kind in PRONOUN_KINDS
    # The table also has *that* (here a conjunction) and *US* (here a name), tagged otherwise.
    return part == "PRON" and lookup_pronoun(word) is None


def _attach_pronouns(corpus: Corpus, pronouns: Longs) -> Corpus:
    """Move pronouns into the chains of the closest mentions that precede them, if any."""
    mentions, first = corpus.mentions, corpus.tokens.offsets[corpus.mentions.document]
    start, end = first + mentions.start, first + mentions.end
    pronouns = pronouns[np.argsort(start[pronouns], kind="stable")]
    order = np.lexsort((start, end))
    before = np.searchsorted(end[order], start[pronouns], side="right") - 1
    closest = order[np.maximum(before, 0)]
    same = (before >= 0) & (mentions.document[closest] == mentions.document[pronouns])
    chain = mentions.chain.copy()
    # In text order: a pronoun that follows a pronoun joins the chain that the first has joined.
    for pronoun, antecedent in zip(pronouns[same].tolist(), closest[same].tolist(), strict=True):
        chain[pronoun] = chain[antecedent]
    return replace(corpus, mentions=replace(mentions, chain=chain))


def _score_changes(results: ProfileResults) -> Iterator[ScoreChange]:
    for profile, settings in results.items():
        for before, after, change in CHANGES:
            if before not in settings or after not in settings:
                continue
            old, new = settings[before], settings[after]
            for measure in new:
                yield ScoreChange(
                    under=profile,
                    change=change,
                    before=before,
                    after=after,
                    measure=measure_title(new, measure),
                    old=old[measure],
                    new=new[measure],
                    rounding=new.profile.rounding,
                )


def _explain_data(breakdown: Mapping[str, Breakdown]) -> Iterator[str]:
    first = next(iter(breakdown.values()))
    key, response = _describe_side(first.key), _describe_side(first.response)
    yield f"The key has {key}; the response has {response}."
    yield from _group_profiles(
        (
            profile,
            f"Without a twin under {{}}: {_describe_twinless(counts.key, 'key')} and "
            f"{_describe_twinless(counts.response, 'response')}.",
        )
        for profile, counts in breakdown.items()
    )


def _describe_side(side: Side) -> str:
    share = f" ({100 * side.singletons / side.mentions:.1f} %)" if side.mentions else ""
    mentions = count_noun(side.mentions, "mention")
    return f"{mentions} and {count_noun(side.singletons, 'singleton')}{share}"


def _describe_twinless(side: Side, of: str) -> str:
    """Say how many mentions have no twin, and how many of those are singletons.

    >>> side = Side(mentions=9, singletons=3, matched_singletons=2, matched_chained=5,
    ...             twinless_singletons=1, twinless_chained=1)
    >>> _describe_twinless(side, "key")
    '2 mentions of the key (1 of them a singleton)'
    """
    singletons, total = side.twinless_singletons, side.twinless
    if not total:
        return f"no mention of the {of}"
    if singletons == total:
        kind = "a singleton" if total == 1 else "all singletons"
    elif not singletons:
        kind = "in a chain" if total == 1 else "all in chains"
    else:
        kind = f"{singletons:,} of them {'a singleton' if singletons == 1 else 'singletons'}"
    return f"{count_noun(total, 'mention')} of the {of} ({kind})"


def _explain_range(results: ProfileResults) -> Iterator[str]:
    """Name the lowest and highest F1 of the measure that the four settings spread most."""
    cells_by_measure: dict[str, list[tuple[float, str]]] = {}
    for profile, settings in results.items():
        for setting in FOUR_SETTINGS:
            for measure in settings[setting]:
                cells = cells_by_measure.setdefault(measure_title(settings[setting], measure), [])
                cells.append((_shown_f1(settings[setting], measure), f"{setting} under {profile}"))
    name, cells = max(cells_by_measure.items(), key=lambda item: max(item[1])[0] - min(item[1])[0])
    (low, lowest), (high, highest) = min(cells), max(cells)
    if high > low:
        yield (
            f"For the same output, {name} F1 ranges from {low:.2f} ({lowest}) to {high:.2f} "
            f"({highest}): {high - low:.2f} points."
        )


def _explain_unmoved(results: ProfileResults) -> Iterator[tuple[str, str]]:
    """Name the measures that are the same in all four settings, profile by profile."""
    for profile, settings in results.items():
        first = settings[FOUR_SETTINGS[0]]
        same = [
            measure_title(first, measure)
            for measure in first
            if len({_shown_scores(settings[setting], measure) for setting in FOUR_SETTINGS}) == 1
        ]
        if same:
            verb = "is" if len(same) == 1 else "are"
            yield profile, f"Under {{}}, {join_words(same)} {verb} the same in all four settings."


def _group_profiles(sentences: Iterable[tuple[str, str]]) -> list[str]:
    """Merge equal sentences; ``{}`` is replaced by the profiles that a sentence holds for."""
    holds: dict[str, list[str]] = {}
    for profile, sentence in sentences:
        holds.setdefault(sentence, []).append(profile)
    return [sentence.replace("{}", join_words(profiles)) for sentence, profiles in holds.items()]


def _shown_scores(result: Result, measure: str) -> tuple[float, ...]:
    score, rounding = result[measure], result.profile.rounding
    return tuple(to_percent(value, rounding) for value in (score.recall, score.precision, score.f1))


def _shown_f1(result: Result, measure: str) -> float:
    return to_percent(result[measure].f1, result.profile.rounding)


def rank_changes(studies: Mapping[str, SingletonStudy]) -> tuple[str, ...]:
    """Explain where different responses lead in different settings of key and response.

    There is a sentence for each profile and measure; a response leads if it is ahead of all others.
    """
    if len(studies) < 2:
        return ()
    first = next(iter(studies.values()))
    return tuple(
        sentence
        for profile, results in first.results.items()
        for measure in results[FOUR_SETTINGS[0]]
        for sentence in _explain_ranks(studies, profile, measure)
    )


def _explain_ranks(studies: Mapping[str, SingletonStudy], profile: str, measure: str) -> Iterator[str]:
    led: dict[str, list[str]] = {}
    for setting in FOUR_SETTINGS:
        figures = {name: _shown_f1(study.results[profile][setting], measure) for name, study in studies.items()}
        top = max(figures.values())
        leaders = [name for name, figure in figures.items() if figure == top]
        if len(leaders) == 1:
            led.setdefault(leaders[0], []).append(f"{setting} ({top:.2f})")
    if len(led) > 1:
        first = next(iter(studies.values())).results[profile][FOUR_SETTINGS[0]]
        title = measure_name(measure_title(first, measure))
        (leader, settings), *others = led.items()
        rest = "".join(f", and {name} in {join_words(theirs)}" for name, theirs in others)
        yield f"By {title} under {profile}, {leader} leads in {join_words(settings)}{rest}."
