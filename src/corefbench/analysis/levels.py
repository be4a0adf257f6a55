"""Cross-document scores by level, mentions and singletons (Cattan et al. 2021)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.singletons import EXPECTED_FINDINGS, baseline
from corefbench.analysis.studies import headline_score, join_words, measure_title, pair_whole, read_whole, to_percent
from corefbench.corpus.corpus import Chains, Corpus, Relations
from corefbench.corpus.scope import SCOPES, Scope, narrowest_scope, split_chains_by_scope
from corefbench.diagnostics import Finding
from corefbench.errors import UnknownName
from corefbench.formats.load import CorpusSource
from corefbench.records import Columns
from corefbench.scoring.api import score
from corefbench.scoring.matching import Alignment, exact
from corefbench.scoring.measures import Score
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result

Mentions: TypeAlias = Literal["gold", "predicted", "projected"]
"""Whose mentions: the key's, the response's own, or the key's with the chains of the response."""
LEVELS: tuple[Scope, ...] = ("subtopic", "topic", "corpus")
BASELINE = "singleton baseline"


class LevelRow(Columns, frozen=True, eq=False):
    """One response, scored one way."""

    response: str
    mentions: Mentions
    clustering_scope: Scope
    """The scope within which its chains are joined …"""
    level: Scope
    """… and the scope that is scored as one."""
    singletons: bool
    """Whether singletons count."""
    result: Result


class LevelStudy(Columns, frozen=True, eq=False):
    """Scores by response, mentions, level and singletons, and mention detection."""

    key: str
    rows: tuple[LevelRow, ...]
    detection: Mapping[str, Score]
    """By response: the scores of its spans, singletons included."""
    derived: frozenset[str]
    """The responses whose clustering scope was derived from their labels."""
    findings: tuple[Finding, ...] = ()

    def row(self, response: str, level: Scope, *, singletons: bool, mentions: Mentions | None = None) -> LevelRow:
        """Return one row; without ``mentions``, the one with the response's own mentions."""
        for row in self.rows:
            wanted = row.mentions != "projected" if mentions is None else row.mentions == mentions
            is_row = (row.response, row.level, row.singletons) == (response, level, singletons)
            if wanted and is_row:
                return row
        raise UnknownName("response or level", f"{response} by {level}", list(self.detection))

    def explanation(self) -> tuple[str, ...]:
        """Return sentences on the scores of each response, then on what changes their order."""
        sentences = [sentence for name in self.detection for sentence in _explain_response(self, name)]
        return (*sentences, _explain_baseline(self), *_explain_order(self))


def levels(
    key: CorpusSource,
    responses: CorpusSource | Mapping[str, CorpusSource],
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

    ``clustering_scope`` is the scope within which chains of the responses are joined by label: one
    label in two groups is then two chains. By default, chains reach as far as their labels do.
    """
    for level in (*levels, clustering_scope or "corpus"):
        if level not in SCOPES:
            raise UnknownName("level", level, list(SCOPES))
    findings: list[Finding] = []
    read = partial(read_whole, format=format, lenient=lenient, report=findings.append, advance=advance)
    gold, base = read(key), customise_profile(profile, choices)
    sources = responses if isinstance(responses, Mapping) else {"response": responses}
    rows: list[LevelRow] = []
    detection: dict[str, Score] = {}
    for name, source in sources.items():
        system = read(source)
        scope = clustering_scope or narrowest_scope(system)
        if (restored := _restore_parts(gold, system, scope, base)) is not None:
            system = restored
        detection[name] = _score_detection(gold, system, base)
        for mentions, corpus in _mention_variants(gold, system, scope, detection[name]).items():
            rows += _score_levels(name, mentions, scope, gold, corpus, base, levels)
    singleton_baseline = baseline(gold, "singletons")
    rows += _score_levels(BASELINE, "gold", "document", gold, singleton_baseline, base, levels)
    all_findings = (*findings, *(finding for row in rows for finding in row.result.findings))
    return LevelStudy(
        key=gold.name,
        rows=tuple(rows),
        detection=detection,
        derived=frozenset(sources) if clustering_scope is None else frozenset(),
        findings=tuple(dict.fromkeys(f for f in all_findings if f.code not in EXPECTED_FINDINGS)),
    )


def _score_levels(
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
            level_profile = customise_profile(
                profile, {"singletons": "keep" if singletons else "strip", "scope": level, "clustering_scope": scope}
            )
            yield LevelRow(
                response=name,
                mentions=mentions,
                clustering_scope=scope,
                level=level,
                singletons=singletons,
                result=score(key, response, level_profile),
            )


def _score_detection(key: Corpus, response: Corpus, profile: Profile) -> Score:
    """Score the spans of all mentions, which do not depend on the level."""
    all_mentions = {"singletons": "keep", "scope": "document", "measures": "mentions"}
    return score(key, response, customise_profile(profile, all_mentions))["mentions"]


def _restore_parts(key: Corpus, response: Corpus, scope: Scope, profile: Profile) -> Corpus | None:
    """Return a response to gold mentions with the parts of discontinuous ones; None if it is not one.

    CoNLL has no discontinuous spans and writes the whole span from the first part to the last: such
    a response has the mentions of the key, although their words differ.
    """
    if key.mentions.parts is None or response.mentions.parts is not None:
        return None
    contiguous = replace(key, mentions=replace(key.mentions, parts=None))
    if _score_detection(contiguous, response, profile).f1 != 1:
        return None
    gold, system = pair_whole(contiguous, response)
    projected = project_on_key(gold, split_chains_by_scope(system, scope))
    parts = pair_whole(key, response)[0].mentions.parts
    return replace(projected, mentions=replace(projected.mentions, parts=parts))


def _mention_variants(key: Corpus, response: Corpus, scope: Scope, detection: Score) -> dict[Mentions, Corpus]:
    """Return the response with its own mentions and, if they differ, with those of the key."""
    if detection.f1 == 1:
        return {"gold": response}
    gold, system = pair_whole(key, response)
    projected = project_on_key(gold, split_chains_by_scope(system, scope))
    return {"predicted": response, "projected": projected}


def project_on_key(key: Corpus, response: Corpus) -> Corpus:
    """Project the chains of a response on the mentions of the key.

    Mentions that the key does not have are dropped, mentions that the response does not have become
    singletons; chains are as the response has them. This separates mention detection from linking,
    but does not replace a run on gold mentions: a system that is given the mentions may link them
    differently. Both corpora have the same documents in the same order.
    """
    twins = exact.match_linear(key, response)
    twin = Alignment(key=key, response=response, twins=twins).response_of_key()
    _, label = np.unique(response.chains.labels, return_inverse=True)
    has_twin = twin >= 0
    # A label of the response where there is a twin, else one of the mention's own.
    entity = np.arange(len(twin)) + len(response.chains)
    entity[has_twin] = label[response.mentions.chain[twin[has_twin]]]
    code = key.mentions.document * np.int64(len(twin) + len(response.chains) + 1) + entity
    _, first, chain = np.unique(code, return_index=True, return_inverse=True)
    return replace(
        key,
        name=response.name,
        mentions=replace(key.mentions, chain=chain.astype(np.int32)),
        chains=Chains(document=key.mentions.document[first], labels=entity[first]),
        relations=Relations.none(),
    )


def _explain_response(study: LevelStudy, name: str) -> Iterator[str]:
    """Explain what scope, singletons, level and mentions do to one response."""
    rows = [row for row in study.rows if row.response == name]
    own_rows = [row for row in rows if row.mentions != "projected"]
    first, widest = rows[0], rows[-1].level
    reach = {
        "document": "stay within documents",
        "subtopic": "reach across the documents of a subtopic",
        "topic": "reach across the subtopics of a topic",
        "corpus": "reach across topics",
    }[first.clustering_scope]
    yield (
        f"{name} has {first.mentions} mentions (span F1 {to_percent(study.detection[name].f1):.2f}); its "
        f"chains, {'by their labels' if name in study.derived else 'as given'}, {reach}."
    )
    kept, left = sorted((row for row in own_rows if row.level == widest), key=lambda row: not row.singletons)
    yield _explain_change("leaving singletons out", kept, left, f"at {widest} level")
    by_level = [row for row in own_rows if not row.singletons]
    scores = [headline_score(row.result) for row in by_level]
    if len(scores) > 1 and len(set(scores)) == 1:
        name_of_score = _headline_name(first.result)
        yield f"For {name}, {name_of_score} is {scores[0]:.2f} at every level, without singletons."
    else:
        for narrow, wide in pairwise(by_level):
            change = f"scoring by {wide.level} instead of {narrow.level}"
            yield _explain_change(change, narrow, wide, "without singletons")
    by_mentions = {row.mentions: row for row in rows if row.level == widest and not row.singletons}
    if "projected" in by_mentions:
        change = "finding exactly the mentions of the key, with the same links,"
        before, after = by_mentions["predicted"], by_mentions["projected"]
        yield _explain_change(change, before, after, f"at {widest} level, without singletons")


def _explain_change(change: str, before: LevelRow, after: LevelRow, where: str) -> str:
    name = _headline_name(after.result)
    old, new = headline_score(before.result), headline_score(after.result)
    points = round(new - old, 2)
    start = f"For {before.response}, {change}"
    if not points:
        return f"{start} leaves {name} at {new:.2f} {where}."
    verb = "raises" if points > 0 else "lowers"
    by = f"by {abs(points):.2f} points, from {old:.2f} to {new:.2f}"
    return f"{start} {verb} {name} {by}, {where}."


def _explain_baseline(study: LevelStudy) -> str:
    kept, left = [row for row in study.rows if row.response == BASELINE][-2:]
    return (
        f"Every mention of the key as a singleton, which links nothing, scores "
        f"{headline_score(kept.result):.2f} with singletons and "
        f"{headline_score(left.result):.2f} without."
    )


def _explain_order(study: LevelStudy) -> Iterator[str]:
    """Name the levels at which another response is the best without singletons."""
    rows = [r for r in study.rows if r.mentions != "projected" and r.response in study.detection]
    levels_by_sentence: dict[str, list[str]] = {}
    for level in dict.fromkeys(row.level for row in rows):
        kept, left = (
            max(
                (r for r in rows if r.level == level and r.singletons == singletons),
                key=lambda row: headline_score(row.result),
            )
            for singletons in (True, False)
        )
        if kept.response != left.response:
            sentence = (
                f"{kept.response} is best with singletons ({headline_score(kept.result):.2f}), "
                f"{left.response} without ({headline_score(left.result):.2f})."
            )
            levels_by_sentence.setdefault(sentence, []).append(level)
    for sentence, levels in levels_by_sentence.items():
        yield f"At {join_words(levels)} level, {sentence}"


def _headline_name(result: Result) -> str:
    title = "CoNLL" if result.conll is not None else measure_title(result, next(iter(result)))
    return f"{title} F1"
