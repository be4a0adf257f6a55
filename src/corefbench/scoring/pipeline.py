"""The scoring pipeline: scope ▸ matching ▸ policy ▸ contingency ▸ measures ▸ signed result."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.combine import concatenate, keep_mentions
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import apply_scope, split_chains_by_scope
from corefbench.corpus.selection import parse_selections
from corefbench.diagnostics import Finding
from corefbench.errors import MismatchError
from corefbench.records import Columns
from corefbench.scoring.matching import Alignment, matchings
from corefbench.scoring.matching.zeros import is_zero
from corefbench.scoring.measures import ChainMeasure, Measure, Tally, parse
from corefbench.scoring.measures.contingency import Tables, contingency, last_tables
from corefbench.scoring.overrides import describe_choices
from corefbench.scoring.pairing import pair_documents
from corefbench.scoring.policy.repeats import check_repeat_limit, distinct_in_chains, drop_repeats
from corefbench.scoring.policy.singletons import apply_singletons
from corefbench.scoring.policy.twinless import apply_twinless
from corefbench.scoring.profiles.profile import Choices, Profile
from corefbench.scoring.result import Result
from corefbench.scoring.signature import ContentHash, CorpusContent, Signature, scores_hash
from corefbench.scoring.warnings import WarningCollector, warn_of_scores_above_one


class Evaluation(Columns, frozen=True, eq=False):
    """A tally for every score, and the alignment that the first of them was counted on."""

    tallies: dict[str, Tally]
    alignment: Alignment


def evaluate(key: Corpus, response: Corpus, profile: Profile, measures: Mapping[str, Measure]) -> Evaluation:
    """Count every score, for corpora with the same documents in the same order."""
    response = split_chains_by_scope(response, profile.clustering_scope)
    key, response = (apply_scope(corpus, profile.scope) for corpus in (key, response))
    tallies: dict[str, Tally] = {}
    first: Alignment | None = None
    for choices, names in _group_by_choices(profile, measures).items():
        alignment = align(key, response, choices)
        first = first or alignment
        tables = _contingency_tables(alignment, choices)
        for name in names:
            tallies[name] = _tally_measure(measures[name], alignment, tables)
    return Evaluation(
        tallies={name: tallies[name] for name in measures}, alignment=first or align(key, response, profile.choices)
    )


def align(key: Corpus, response: Corpus, choices: Choices) -> Alignment:
    """Apply the choices to the mentions of both sides and match them."""
    if choices.referring == "only":
        key, response = _referring_only(key), _referring_only(response)
    if choices.repeats in ("last-opened", "distinct"):
        # Before singletons are stripped, as in the CorefUD scorer: a span marked twice is one mention.
        key, response = distinct_in_chains(key), distinct_in_chains(response)
    key, response = apply_singletons(key, response, choices.singletons)
    if choices.zeros == "drop":
        key, response = _without_zeros(key), _without_zeros(response)
    alignment = Alignment(key=key, response=response, twins=matchings[choices.match](key, response))
    return drop_repeats(alignment) if choices.repeats == "drop" else alignment


def _contingency_tables(alignment: Alignment, choices: Choices) -> Tables:
    if choices.repeats in ("last", "last-opened"):
        tables = last_tables(alignment, "completed" if choices.repeats == "last" else "opened")
        return Tables(
            recall=apply_twinless(tables.recall, choices.twinless).recall,
            precision=apply_twinless(tables.precision, choices.twinless).precision,
        )
    return apply_twinless(contingency(alignment), choices.twinless)


def _tally_measure(measure: Measure, alignment: Alignment, tables: Tables) -> Tally:
    if not isinstance(measure, ChainMeasure):
        return measure.tally(alignment)
    tally = measure.tally(tables.recall)
    if tables.precision is tables.recall:
        return tally
    return tally.halves(measure.tally(tables.precision))


def _group_by_choices(profile: Profile, measures: Mapping[str, Measure]) -> dict[Choices, list[str]]:
    """Group the scores that share their choices, so that mentions are matched once per group."""
    groups: dict[Choices, list[str]] = {}
    for name in measures:
        groups.setdefault(profile.choices_of(name), []).append(name)
    return groups


def _referring_only(corpus: Corpus) -> Corpus:
    referring = corpus.mentions.referring
    return corpus if referring is None else keep_mentions(corpus, referring)


def _without_zeros(corpus: Corpus) -> Corpus:
    """Drop the zeros: mentions whose head is an empty node."""
    return keep_mentions(corpus, ~is_zero(corpus))


_REPEAT_COUNTING = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
"""The measures for each of which the reference scorer counts repeated mentions again."""


class Share(Columns, frozen=True, eq=False):
    """What a worker counted in some documents."""

    documents: tuple[str, ...]
    tallies: dict[str, Tally]
    warnings: WarningCollector
    key: tuple[CorpusContent, ...]
    response: tuple[CorpusContent, ...]


class Accumulator:
    """Tallies, document names, warnings and content hashes of all that has been scored so far.

    Workers send their ``Share``. Merged in the order of the documents, shares give the result that
    one worker would have computed alone.
    """

    def __init__(self, profile: Profile) -> None:
        across = profile.scope != "document"
        self.profile = profile
        self.measures = {name: parse(text) for name, text in profile.measures.items()}
        self.hashes = ContentHash(across=across), ContentHash(across=across)
        self.warnings = WarningCollector(profile)
        self.findings: list[Finding] = []
        self.documents: list[str] = []
        self._tallies: dict[str, list[Tally]] = {name: [] for name in self.measures}

    def score(self, key: Corpus, response: Corpus) -> None:
        """Score corpora with the same documents in the same order."""
        evaluation = evaluate(key, response, self.profile, self.measures)
        self.warnings.add(key, response, evaluation.alignment)
        self.documents += apply_scope(key, self.profile.scope).documents.labels()
        for name, tally in evaluation.tallies.items():
            self._tallies[name].append(tally)

    def tallies(self) -> dict[str, Tally]:
        """Return the counts of all documents so far."""
        return {name: Tally.concatenate(pieces) for name, pieces in self._tallies.items() if pieces}

    def merge(self, share: Share) -> None:
        """Add what another worker counted in the next documents."""
        self.documents += share.documents
        self.warnings.merge(share.warnings)
        for name, tally in share.tallies.items():
            self._tallies[name].append(tally)
        for content_hash, contents in zip(self.hashes, (share.key, share.response), strict=True):
            for content in contents:
                content_hash.update(content)

    def result(self) -> Result:
        """Return the scores with their signature."""
        counting = sum(name in _REPEAT_COUNTING for name in self.measures)
        check_repeat_limit(self.warnings.repeated_answers, self.profile.repeat_limit, counting)
        documents, tallies = self.documents, self.tallies()
        if not tallies:
            raise MismatchError("there is nothing to score", code="CB102", found="no document")
        key, response = self.hashes
        if self.profile.scope == "document" and documents != key.labels:
            documents, tallies = _in_key_order(key.labels, documents, tallies)
        result = Result(
            profile=self.profile,
            measures=self.measures,
            tallies=tallies,
            documents=tuple(documents),
            signature=Signature(
                profile=self.profile.name,
                choices=describe_choices(self.profile),
                key=str(key),
                response=str(response),
                scores=scores_hash(tallies),
            ),
            findings=(*self.findings, *self.warnings.findings(key.name, response.name)),
        )
        above = warn_of_scores_above_one(result.scores, response.name, self.profile)
        return replace(result, findings=(*result.findings, *above)) if above else result


def _in_key_order(
    key_order: list[str], documents: list[str], tallies: dict[str, Tally]
) -> tuple[list[str], dict[str, Tally]]:
    """Sort the documents in the order of the key, as they may have been paired in another."""
    row = {label: number for number, label in enumerate(documents)}
    ordered = [label for label in key_order if label in row]
    order = np.array([row[label] for label in ordered], np.int64)
    return ordered, {name: replace(tally, values=tally.values[order]) for name, tally in tallies.items()}


def score_streams(key: Iterable[Corpus], response: Iterable[Corpus], profile: Profile) -> Result:
    """Score a stream of key documents against a stream of response documents."""
    accumulator = Accumulator(profile)
    key_hash, response_hash = accumulator.hashes
    pairs = pair_documents(
        _hash_content(key, key_hash),
        _hash_content(response, response_hash),
        accumulator.findings.append,
        parse_selections(profile.only),
    )
    if profile.scope != "document":
        pairs = concatenate_pairs(pairs)
    for key_batch, response_batch in pairs:
        accumulator.score(key_batch, response_batch)
    return accumulator.result()


def _hash_content(pieces: Iterable[Corpus], content_hash: ContentHash) -> Iterator[Corpus]:
    for piece in pieces:
        content_hash.add(piece)
        yield piece


def concatenate_pairs(pairs: Iterator[tuple[Corpus, Corpus]]) -> Iterator[tuple[Corpus, Corpus]]:
    """Join all pairs, for scopes wider than a document, which need all documents at once."""
    pieces = list(pairs)
    if pieces:
        key, response = (concatenate(side[0].name, side) for side in zip(*pieces, strict=True))
        yield _equalise_lengths(key, response)


def _equalise_lengths(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Give both sides the same document lengths.

    Clusters in memory do not say how long a document is. Unless both sides take the greater length,
    the next document would begin at different tokens.
    """
    if key.tokens.digests is not None or response.tokens.digests is not None:
        return key, response
    offsets = np.append(0, np.cumsum(np.maximum(key.token_counts(), response.token_counts())))
    key, response = (replace(side, tokens=replace(side.tokens, offsets=offsets)) for side in (key, response))
    return key, response
