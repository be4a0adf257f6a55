"""The straight pipeline: scope ▸ matching ▸ policy ▸ contingency ▸ measures."""

from collections.abc import Mapping

from corefbench.matching import Alignment, matchings
from corefbench.matching.zeros import is_zero
from corefbench.measures import ChainMeasure, Measure, Tally
from corefbench.measures.contingency import Tables, contingency
from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus
from corefbench.policy.repeats import distinct_in_chains, drop_repeats, last_tables
from corefbench.policy.singletons import apply_singletons
from corefbench.policy.twinless import apply_twinless
from corefbench.profiles.profile import Choices, Profile
from corefbench.record import Columns
from corefbench.scope import Scope, apply_scope, cut_chains


class Evaluation(Columns, frozen=True, eq=False):
    """What was counted: a tally for every score, and the mentions as the first of them saw them."""

    tallies: dict[str, Tally]
    alignment: Alignment


def evaluate(
    key: Corpus, response: Corpus, profile: Profile, measures: Mapping[str, Measure]
) -> Evaluation:
    """Count every score, for corpora with the same documents in the same order."""
    response = cut_chains(response, profile.clustering_scope)
    key, response = (apply_scope(corpus, profile.scope) for corpus in (key, response))
    tallies: dict[str, Tally] = {}
    first: Alignment | None = None
    for choices, names in _by_choices(profile, measures).items():
        alignment = align(key, response, choices)
        first = first or alignment
        tables = _tables(alignment, choices)
        for name in names:
            tallies[name] = _tally(measures[name], alignment, tables)
    return Evaluation(
        tallies={name: tallies[name] for name in measures},
        alignment=first or align(key, response, profile.choices),
    )


def units(corpus: Corpus, scope: Scope) -> tuple[str, ...]:
    """The names of what is scored as one."""
    return apply_scope(corpus, scope).documents.labels()


def align(key: Corpus, response: Corpus, choices: Choices) -> Alignment:
    """Match the mentions that the choices leave."""
    if choices.referring == "only":
        key, response = _referring(key), _referring(response)
    key, response = apply_singletons(key, response, choices.singletons)
    if choices.zeros == "drop":
        key, response = _without_zeros(key), _without_zeros(response)
    if choices.repeats == "distinct":
        key, response = distinct_in_chains(key), distinct_in_chains(response)
    alignment = Alignment(key=key, response=response, twins=matchings[choices.match](key, response))
    return drop_repeats(alignment) if choices.repeats == "drop" else alignment


def _tables(alignment: Alignment, choices: Choices) -> Tables:
    if choices.repeats in ("last", "last-opened"):
        return last_tables(alignment, "completed" if choices.repeats == "last" else "opened")
    return apply_twinless(contingency(alignment), choices.twinless)


def _tally(measure: Measure, alignment: Alignment, tables: Tables) -> Tally:
    if not isinstance(measure, ChainMeasure):
        return measure.tally(alignment)
    tally = measure.tally(tables.recall)
    if tables.precision is tables.recall:
        return tally
    return tally.halves(measure.tally(tables.precision))


def _by_choices(profile: Profile, measures: Mapping[str, Measure]) -> dict[Choices, list[str]]:
    """The scores that share their choices, so that mentions are matched once for all of them."""
    groups: dict[Choices, list[str]] = {}
    for name in measures:
        groups.setdefault(profile.choices_of(name), []).append(name)
    return groups


def _referring(corpus: Corpus) -> Corpus:
    referring = corpus.mentions.referring
    return corpus if referring is None else keep_mentions(corpus, referring)


def _without_zeros(corpus: Corpus) -> Corpus:
    """Drop the mentions that are zeros: whose head is an empty node."""
    return keep_mentions(corpus, ~is_zero(corpus))
