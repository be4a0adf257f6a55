"""Aligned key and response, with the attributes of every mention that error analysis needs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.errors.strata import NO_PRONOUN, MentionTypes, bin_values, classify_mentions
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus, Tokens
from corefbench.corpus.scope import apply_scope
from corefbench.corpus.selection import document_attribute, parse_selections
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import MismatchError
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.records import Columns, Ints
from corefbench.scoring.matching import Alignment
from corefbench.scoring.pairing import pair_documents
from corefbench.scoring.pipeline import align
from corefbench.scoring.profiles import Profile

SideName: TypeAlias = Literal["key", "response"]


class Side(Columns, frozen=True, eq=False):
    """Key or response: mentions by number, in the order in which they begin, longer ones first."""

    corpus: Corpus
    tokens: Tokens
    """The tokens of the key if both sides have the same, because keys have more columns."""
    words: list[str]
    chain: list[int]
    document: list[int]
    sentence: list[int]
    """The sentence in its document, from 0."""
    antecedent: list[int]
    """The closest earlier mention of the chain; -1 for the first."""
    members: list[list[int]]
    """The mentions of every chain."""
    kinds: MentionTypes
    strata: Mapping[str, list[str]]
    """For every stratum the value of every mention."""

    def __len__(self) -> int:
        return len(self.chain)

    def span(self, mention: int) -> tuple[int, int]:
        """Return the half-open span of a mention within its document."""
        mentions = self.corpus.mentions
        return int(mentions.start[mention]), int(mentions.end[mention])

    def token_span(self, mention: int) -> tuple[int, int]:
        """Return the half-open span of a mention, counted over all tokens."""
        first = int(self.tokens.offsets[self.document[mention]])
        start, end = self.span(mention)
        return first + start, first + end

    def text(self, mention: int) -> str:
        start, end = self.token_span(mention)
        return " ".join(self.words[start:end])

    def lead(self, mentions: list[int]) -> int:
        """Return the earliest mention that is not a pronoun, or of all if all are pronouns."""
        return min([m for m in mentions if not self.is_pronoun(m)] or mentions, key=self.span)

    def is_pronoun(self, mention: int) -> bool:
        return self.kinds.type[mention] in ("pronoun", "zero")


class Pair(Columns, frozen=True, eq=False):
    """Two sides with the same documents."""

    key: Side
    response: Side
    twin_of_key: list[int]
    """For every key mention its response mention, or -1."""
    twin_of_response: list[int]
    """For every response mention its key mention, or -1. A key mention has one twin, the first;
    further response mentions of it count as mentions that the key does not have."""

    def side(self, name: SideName) -> Side:
        return self.key if name == "key" else self.response


def read_pair(
    key: CorpusSource,
    response: CorpusSource,
    profile: Profile,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None],
    advance: Callable[[int], None] | None = None,
) -> Pair:
    """Read both sides whole and match their mentions as the profile does."""
    strictness = Strictness(lenient=lenient, report=report)
    reading = Reading(strictness=strictness, words=True, advance=advance)

    read = partial(stream, format=format, reading=reading)
    blocks = list(pair_documents(read(key), read(response), report, parse_selections(profile.only)))
    if not blocks:
        raise MismatchError("there is nothing to compare", code="CB102", found="no document")
    whole_key, whole_response = (
        apply_scope(concatenate(side[0].name, side), profile.scope) for side in zip(*blocks, strict=True)
    )
    return make_pair(align(whole_key, whole_response, profile.choices))


def make_pair(alignment: Alignment) -> Pair:
    """Return the two sides of an alignment, with at most one twin per mention."""
    key, response = alignment.key, alignment.response
    tokens = _shared_tokens(key, response)
    twin_of_key = [-1] * len(key.mentions)
    twin_of_response = [-1] * len(response.mentions)
    for mention, twin in enumerate(alignment.twins.key.tolist()):
        if twin >= 0 and twin_of_key[twin] < 0:
            twin_of_key[twin], twin_of_response[mention] = mention, twin
    return Pair(
        key=make_side(key, tokens[0]),
        response=make_side(response, tokens[1]),
        twin_of_key=twin_of_key,
        twin_of_response=twin_of_response,
    )


def add_twins(pair: Pair, more: list[tuple[int, int]]) -> Pair:
    """Return the pair with further twins, each (response mention, key mention)."""
    twin_of_key, twin_of_response = list(pair.twin_of_key), list(pair.twin_of_response)
    for mention, twin in more:
        twin_of_key[twin], twin_of_response[mention] = mention, twin
    return replace(pair, twin_of_key=twin_of_key, twin_of_response=twin_of_response)


def _shared_tokens(key: Corpus, response: Corpus) -> tuple[Tokens, Tokens]:
    """Return the tokens to read words from: the same for both sides if they have as many."""
    if not np.array_equal(key.tokens.offsets, response.tokens.offsets):
        return key.tokens, response.tokens
    shared = key.tokens if key.tokens.words is not None else response.tokens
    return shared, shared


def make_side(corpus: Corpus, tokens: Tokens) -> Side:
    """Collect the attributes of the mentions of one corpus, with words from the given tokens."""
    words = [] if tokens.words is None else list(tokens.words)
    mentions = corpus.mentions
    chain, document = mentions.chain.tolist(), mentions.document.tolist()
    begins = tokens.offsets[mentions.document] + mentions.start
    first_sentence = np.searchsorted(tokens.sentences, tokens.offsets[mentions.document])
    sentence = np.maximum(np.searchsorted(tokens.sentences, begins, side="right") - 1 - first_sentence, 0)
    antecedent = closest_antecedents(mentions.chain)
    members: list[list[int]] = [[] for _ in range(len(corpus.chains))]
    for mention, number in enumerate(chain):
        members[number].append(mention)
    kinds = classify_mentions(corpus, tokens, words)
    return Side(
        corpus=corpus,
        tokens=tokens,
        words=words,
        chain=chain,
        document=document,
        sentence=sentence.tolist(),
        antecedent=antecedent.tolist(),
        members=members,
        kinds=kinds,
        strata=_mention_strata(corpus, kinds, sentence, antecedent),
    )


def closest_antecedents(chain: Ints) -> Ints:
    """Return for every mention the closest earlier one of its chain, or -1.

    >>> closest_antecedents(np.array([0, 1, 0, 0], np.int32)).tolist()
    [-1, -1, 0, 2]
    """
    # A stable sort by chain keeps text order, so that neighbours of one chain are antecedents.
    order = np.argsort(chain, kind="stable")
    antecedent = np.full(len(chain), -1, np.int32)
    same = chain[order[1:]] == chain[order[:-1]]
    antecedent[order[1:][same]] = order[:-1][same]
    return antecedent


def _mention_strata(
    corpus: Corpus, kinds: MentionTypes, sentence: np.ndarray, antecedent: Ints
) -> dict[str, list[str]]:
    mentions, linked = corpus.mentions, antecedent >= 0
    number = np.arange(len(mentions))
    sentences = np.where(linked, np.maximum(sentence - sentence[antecedent], 0), -1)
    between = np.where(linked, number - antecedent - 1, -1)
    genre, label = document_attribute(corpus, "genre"), corpus.documents.labels()
    length = bin_values("length", corpus.token_counts().tolist())
    document = mentions.document.tolist()
    return {
        "type": list(kinds.type),
        "pronoun": [form or NO_PRONOUN for form in kinds.form],
        "gender": [gender or NO_PRONOUN for gender in kinds.gender],
        "sentences": bin_values("sentences", sentences.tolist()),
        "mentions": bin_values("mentions", between.tolist()),
        "genre": [genre[d] for d in document],
        "document": [label[d] for d in document],
        "length": [length[d] for d in document],
        "size": bin_values("size", corpus.chain_sizes()[mentions.chain].tolist()),
    }
