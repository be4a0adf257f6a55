"""Describe a corpus: its counts, overall and by genre, and the figures computed from them.

"Coreferent" are chains of two and more mentions, and the mentions in them. Densities are per token,
the densities, lengths and sizes of coreferent mentions and chains as in Chen et al. 2018, Table 4;
the pronouns are those of Barbu & Mitkov 2001, Table 2. A rate without a denominator is None.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.statistics.counts import (
    LOW_FREQUENCY,
    Coverage,
    Histogram,
    Inventory,
    Overlaps,
    TrainingVocabulary,
    count_coverage,
    count_inventory,
    count_overlaps,
    entity_numbers,
    learn_vocabulary,
    mean,
    ratio,
)
from corefbench.analysis.statistics.pronouns import Pronouns, count_pronouns
from corefbench.corpus.combine import concatenate, keep_mentions, split_groups
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope
from corefbench.corpus.selection import Selection, document_attribute, select
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, Place
from corefbench.formats.base import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.formats.sharding import ShardRunner
from corefbench.records import Additive, Record

Number: TypeAlias = int | float | None
Kind: TypeAlias = Literal["count", "mean", "density", "share"]


class Counts(Additive, frozen=True):
    """All counts of one or more documents."""

    inventory: Inventory = Inventory()
    overlaps: Overlaps = Overlaps()
    pronouns: Pronouns = Pronouns()
    coverage: Coverage = Coverage()


def count_corpus(
    corpus: Corpus, *, scope: Scope = "document", known: Counter[str] | None = None, low_frequency: int = LOW_FREQUENCY
) -> Counts:
    """Count a corpus; ``known`` has the word frequencies of a training corpus.

    Counts add up over documents. With a wider scope they add up only over whole groups of it: a
    chain that two pieces share would be counted in both.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> (count_corpus(load(text)) + count_corpus(load(text))).inventory.chain_sizes
    Counter({1: 2})
    """
    referring = corpus.mentions.referring
    non_referring = 0 if referring is None else int(np.count_nonzero(~referring))
    if referring is not None:
        corpus = keep_mentions(corpus, referring)
    entity = entity_numbers(corpus, scope)
    return Counts(
        inventory=count_inventory(corpus, entity, non_referring),
        overlaps=count_overlaps(corpus, entity),
        pronouns=count_pronouns(corpus),
        coverage=Coverage() if known is None else count_coverage(corpus, known, low_frequency),
    )


class Description(Record, frozen=True):
    """The counts of a corpus, and the settings they depend on."""

    name: str
    counts: Counts
    groups: Mapping[str, Counts] = {}
    by: str = ""
    scope: Scope = "document"
    training: TrainingVocabulary | None = None
    low_frequency: int = LOW_FREQUENCY


def describe(
    corpus: CorpusSource,
    *,
    train: CorpusSource | None = None,
    by: str = "",
    scope: Scope = "document",
    only: Iterable[Selection] = (),
    format: str | None = None,
    strictness: Strictness = Strictness(),
    low_frequency: int = LOW_FREQUENCY,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Description:
    """Count a corpus: a file, a folder or a corpus in memory.

    The corpus is read a block at a time, and the counts of blocks add up. A wider scope than
    ``document`` needs the whole corpus, because it joins the chains of different blocks. ``jobs``
    workers of an ``engine`` share large files and folders; the counts do not depend on how many.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> describe(text).counts.inventory.mentions
    1
    """
    read = partial(stream, format=format, reading=Reading(strictness=strictness, advance=advance))
    shards = ShardRunner(format=format, engine=engine, jobs=jobs, advance=advance)
    training = None
    if train is not None:
        training = shards.map_sum(learn_vocabulary, train) or learn_vocabulary(read(train))
    count = partial(
        count_corpus, scope=scope, known=None if training is None else training.words, low_frequency=low_frequency
    )
    sum_blocks = partial(_sum_blocks, only=tuple(only), by=by, count=count)
    name = _source_name(corpus)
    if scope == "document":
        sums = shards.map_sum(sum_blocks, corpus) or sum_blocks(read(corpus))
    else:
        selected = [select(block, tuple(only)) for block in read(corpus)]
        sums = _sum_blocks([concatenate(name, selected)], by=by, count=count)
    if not sums.total.inventory.documents:
        raise DataError("the corpus has no documents", code="CB102", place=Place(source=name))
    return Description(
        name=name,
        counts=sums.total,
        groups=dict(sorted(sums.groups.items())) if by != "document" else sums.groups,
        by=by,
        scope=scope,
        training=training,
        low_frequency=low_frequency,
    )


class _Sums(Record, frozen=True):
    """The counts of some blocks, overall and by group."""

    total: Counts = Counts()
    groups: dict[str, Counts] = {}  # noqa: RUF012

    def __add__(self, other: "_Sums") -> "_Sums":
        return _sum_all([self, other])


def _sum_all(sums: Iterable[_Sums]) -> _Sums:
    # One dictionary for all: copying the groups at every block is quadratic where each document is a group.
    total, groups = Counts(), dict[str, Counts]()
    for each in sums:
        total += each.total
        for name, counts in each.groups.items():
            groups[name] = groups[name] + counts if name in groups else counts
    return _Sums(total=total, groups=groups)


def _sum_blocks(
    blocks: Iterable[Corpus], *, by: str, count: Callable[[Corpus], Counts], only: tuple[Selection, ...] = ()
) -> _Sums:
    def count_block(block: Corpus) -> _Sums:
        chosen = select(block, only)
        parts = split_documents(chosen, by).items() if by else ()
        return _Sums(total=count(chosen), groups={name: count(part) for name, part in parts})

    return _sum_all(map(count_block, blocks))


def _source_name(source: CorpusSource) -> str:
    if isinstance(source, Corpus):
        return source.name
    if isinstance(source, bytes):
        return "memory"
    return Path(source).name or str(source)


def split_documents(corpus: Corpus, name: str) -> dict[str, Corpus]:
    """Split a corpus by the values of an attribute."""
    values = document_attribute(corpus, name)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    groups = np.array([numbers[value] for value in values], np.int64)
    return dict(zip(numbers, split_groups(corpus, groups), strict=True))


class Figure(Record, frozen=True):
    """One number: its name, how it is shown and how it is computed."""

    key: str
    title: str
    kind: Kind
    compute: Callable[[Counts], Number]


def compute_figures(counts: Counts) -> dict[str, Number]:
    """Return all figures by key, unrounded."""
    return {figure.key: figure.compute(counts) for figure in FIGURES}


def _coreferent_chains(counts: Counts) -> int:
    return counts.inventory.chain_sizes.total() - _singletons(counts)


def _singletons(counts: Counts) -> int:
    return counts.inventory.chain_sizes[1]


def _coreferent_mentions(counts: Counts) -> int:
    return counts.inventory.coreferent_lengths.total()


def _above(values: Histogram, least: int) -> Histogram:
    return Counter({value: count for value, count in values.items() if value > least})


def _per_token(number: Callable[[Counts], int]) -> Callable[[Counts], Number]:
    return lambda c: ratio(number(c), c.inventory.tokens)


def _of_kind(name: str) -> Callable[[Counts], Number]:
    return lambda c: c.pronouns.kinds[name]


def _figures(*rows: tuple[str, str, Kind, Callable[[Counts], Number]]) -> tuple[Figure, ...]:
    return tuple(Figure(key=key, title=title, kind=kind, compute=compute) for key, title, kind, compute in rows)


_SIZES = _figures(
    ("documents", "Documents", "count", lambda c: c.inventory.documents),
    ("topics", "Topics", "count", lambda c: len(c.inventory.topics) or None),
    ("sentences", "Sentences", "count", lambda c: c.inventory.sentences),
    ("tokens", "Tokens", "count", lambda c: c.inventory.tokens),
    ("empty_nodes", "Empty nodes", "count", lambda c: c.inventory.empty_nodes),
    ("tokens_per_document", "Tokens per document", "mean",
     lambda c: ratio(c.inventory.tokens, c.inventory.documents)),
    ("mentions", "Mentions", "count", lambda c: c.inventory.mentions),
    ("chains", "Chains", "count", lambda c: c.inventory.chain_sizes.total()),
    ("coreferent_chains", "Coreferent chains", "count", _coreferent_chains),
    ("singletons", "Singletons", "count", _singletons),
    ("singleton_rate", "Singleton rate", "share",
     lambda c: ratio(_singletons(c), c.inventory.mentions)),
    ("coreferent_mentions", "Coreferent mentions", "count", _coreferent_mentions),
    ("mention_length", "Mention length", "mean",
     lambda c: mean(c.inventory.coreferent_lengths + c.inventory.singleton_lengths)),
    ("mention_density", "Mention density", "density", _per_token(lambda c: c.inventory.mentions)),
    ("coreferent_mention_length", "Mention length, coreferent", "mean",
     lambda c: mean(c.inventory.coreferent_lengths)),
    ("coreferent_mention_density", "Mention density, coreferent", "density",
     _per_token(_coreferent_mentions)),
    ("coreferent_chain_size", "Chain size, coreferent", "mean",
     lambda c: ratio(_coreferent_mentions(c), _coreferent_chains(c))),
    ("coreferent_chain_density", "Chain density, coreferent", "density",
     _per_token(_coreferent_chains)),
    ("singleton_mention_length", "Mention length, singletons", "mean",
     lambda c: mean(c.inventory.singleton_lengths)),
    ("singleton_mention_density", "Mention density, singletons", "density",
     _per_token(_singletons)),
)  # fmt: skip
_SPANS = _figures(
    ("nested_mentions", "Nested mentions", "count",
     lambda c: c.overlaps.depths.total() - c.overlaps.depths[0]),
    ("nesting_depth", "Greatest nesting depth", "count",
     lambda c: max(c.overlaps.depths, default=0)),
    ("crossing_pairs", "Crossing pairs", "count",
     lambda c: c.overlaps.crossing_same_chain + c.overlaps.crossing_other_chain),
    ("crossing_pairs_same_chain", "Crossing pairs of one chain", "count",
     lambda c: c.overlaps.crossing_same_chain),
    ("crossing_pairs_other_chain", "Crossing pairs of two chains", "count",
     lambda c: c.overlaps.crossing_other_chain),
    ("discontinuous_mentions", "Discontinuous mentions", "count",
     lambda c: c.inventory.discontinuous),
    ("zeros", "Zeros", "count", lambda c: c.inventory.zeros),
    ("repeated_spans", "Repeated spans", "count", lambda c: c.inventory.repeated_spans),
    ("non_referring", "Non-referring markables", "count", lambda c: c.inventory.non_referring),
)  # fmt: skip
_WORDS = _figures(
    ("alphabetic_tokens", "Alphabetic tokens", "count", lambda c: c.coverage.alphabetic or None),
    ("oov_rate", "OOV rate", "share", lambda c: ratio(c.coverage.unknown, c.coverage.alphabetic)),
    ("low_frequency_rate", "Low-frequency rate", "share",
     lambda c: ratio(c.coverage.low_frequency, c.coverage.alphabetic)),
)  # fmt: skip
_PRONOUNS = _figures(
    ("pronouns", "Third-person pronouns", "count", lambda c: c.pronouns.kinds.total()),
    ("pronouns_personal", "Personal pronouns", "count", _of_kind("personal")),
    ("pronouns_possessive", "Possessive pronouns", "count", _of_kind("possessive")),
    ("pronouns_reflexive", "Reflexive pronouns", "count", _of_kind("reflexive")),
    ("pronouns_anaphoric", "Anaphoric pronouns", "count",
     lambda c: c.pronouns.sentence_distances.total()),
    ("pronouns_cataphoric", "Cataphoric pronouns", "count", lambda c: c.pronouns.cataphoric),
    ("pronouns_intrasentential", "Intrasentential anaphors", "count",
     lambda c: c.pronouns.sentence_distances[0]),
    ("sentence_distance", "Sentences to antecedent, all anaphors", "mean",
     lambda c: mean(c.pronouns.sentence_distances)),
    ("sentence_distance_intersentential", "Sentences to antecedent, intersentential", "mean",
     lambda c: mean(_above(c.pronouns.sentence_distances, 0))),
    ("noun_phrase_distance", "Noun phrases to antecedent", "mean",
     lambda c: mean(c.pronouns.noun_phrase_distances)),
    ("candidates", "Candidates per anaphor", "mean", lambda c: mean(c.pronouns.candidates)),
    ("several_candidates_rate", "Anaphors with several candidates", "share",
     lambda c: ratio(_above(c.pronouns.candidates, 1).total(), c.pronouns.candidates.total())),
)  # fmt: skip
FIGURES: tuple[Figure, ...] = (*_SIZES, *_SPANS, *_WORDS, *_PRONOUNS)
