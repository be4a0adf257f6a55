"""English third-person pronouns: how hard they are to resolve, and which a response resolves.

The statistics are those of Barbu & Mitkov 2001, Table 2.

Counted are all English third-person pronouns of the text, annotated or not. A pronoun is
*anaphoric* if it is a mention and an earlier mention of its chain begins before it; the nearest of
those is its antecedent. A pronoun that begins a chain of several mentions is *cataphoric*, and is
counted separately. For every anaphoric pronoun:

    sentence distance      sentences from antecedent to pronoun: 0 in the same, 1 from the previous
    noun-phrase distance   noun phrases that begin after the antecedent's end and before the pronoun
    candidates             noun phrases that end before the pronoun and begin in its sentence or one
                           of the two before

Noun phrases are the mentions, and those of the column ``np`` (workbench XML) that are in no chain:
where neither these nor singletons are annotated, the last two are too small. A mention is in the
sentence in which it begins.

A *decision*, as McNemar's test compares them, is a pronoun that is anaphoric in the key. A response
is correct if it has the pronoun too, and its antecedent there is in the pronoun's chain of the key.
A pronoun that the response does not have, or begins a chain with, is wrong.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

import msgspec
import numpy as np

from corefbench.analysis.statistics.counts import Histogram, count_smaller_before, histogram, is_discontinuous
from corefbench.corpus.corpus import Corpus, Tokens
from corefbench.formats.load import CorpusSource, load
from corefbench.formats.workbench import noun_phrases
from corefbench.preprocess.english.pronouns import THIRD_PERSON, PronounKind, classify_her
from corefbench.records import Additive, Flags, Ints, Longs
from corefbench.scoring.api import alignments
from corefbench.scoring.matching import Alignment
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.profiles import Profile

_SENTENCES_BEFORE = 2
Decisions: TypeAlias = dict[tuple[str, int], bool]
"""By document and token, whether the pronoun there was resolved correctly."""


class Pronouns(Additive, frozen=True):
    """Counts of pronouns, and the distances of the anaphoric ones."""

    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    cataphoric: int = 0
    sentence_distances: Histogram = msgspec.field(default_factory=Counter)
    """One entry per anaphoric pronoun; 0 is intrasentential."""
    noun_phrase_distances: Histogram = msgspec.field(default_factory=Counter)
    candidates: Histogram = msgspec.field(default_factory=Counter)


class _MentionPositions(msgspec.Struct, frozen=True):
    """Mentions by position in the corpus, in the order in which they begin."""

    start: Longs
    end: Longs
    chain: Ints
    single: Longs
    """Indices of the mentions that are one contiguous word."""
    phrase_start: Longs
    """Where noun phrases begin, mentions or not, in this order …"""
    phrase_end: Longs
    """… and end."""

    @classmethod
    def of(cls, corpus: Corpus) -> "_MentionPositions":
        first = corpus.tokens.offsets[corpus.mentions.document]
        start, end = first + corpus.mentions.start, first + corpus.mentions.end
        order = np.lexsort((end, start))
        word = (end - start == 1) & ~is_discontinuous(corpus)
        spans = set(zip(start.tolist(), end.tolist(), strict=True))
        outside = [span for span in noun_phrases(corpus.tokens.columns.get("np", ())) if span not in spans]
        phrases = np.concatenate([np.stack([start, end], axis=1), np.array(outside, np.int64).reshape(-1, 2)])
        phrases = phrases[np.lexsort((phrases[:, 1], phrases[:, 0]))]
        return cls(
            start=start[order],
            end=end[order],
            chain=corpus.mentions.chain[order],
            single=np.flatnonzero(word[order]),
            phrase_start=phrases[:, 0],
            phrase_end=phrases[:, 1],
        )


def count_pronouns(corpus: Corpus) -> Pronouns:
    """Count the pronouns of a corpus; one that was read without its words has none."""
    tokens, kinds = find_pronouns(corpus.tokens)
    positions = _MentionPositions.of(corpus)
    mention = _pronoun_mentions(tokens, positions)
    antecedent = nearest_antecedents(positions.chain, positions.start)[mention]
    anaphor, antecedent = mention[antecedent >= 0], antecedent[antecedent >= 0]
    sentences, start = corpus.tokens.sentences, positions.start
    sentence = np.searchsorted(sentences, start, side="right") - 1
    return Pronouns(
        kinds=Counter(kinds),
        cataphoric=int(np.count_nonzero(_is_chained(mention, positions))) - len(anaphor),
        sentence_distances=histogram(sentence[anaphor] - sentence[antecedent]),
        noun_phrase_distances=histogram(_noun_phrases_between(anaphor, antecedent, positions)),
        candidates=histogram(_count_candidates(anaphor, sentence, corpus, positions)),
    )


def find_pronouns(tokens: Tokens) -> tuple[Longs, list[PronounKind]]:
    """Find the tokens that are third-person pronouns, and their kinds."""
    if tokens.words is None:
        return np.zeros(0, np.int64), []
    words = [word.lower() for word in tokens.words]
    tags = tokens.columns.get("xpos") or tokens.columns.get("pos")
    # The word after *her* decides its kind, but only within the sentence.
    ends = {*tokens.sentences.tolist(), len(words)}
    numbers, kinds = [], []
    for number, word in enumerate(words):
        kind = THIRD_PERSON.get(word)
        if kind is None or (tokens.empty is not None and tokens.empty[number]):
            continue
        if word == "her":
            following = None if number + 1 in ends else words[number + 1]
            kind = classify_her(following, tags[number] if tags else "")
        numbers.append(number)
        kinds.append(kind)
    return np.array(numbers, np.int64), kinds


def _pronoun_mentions(tokens: Longs, positions: _MentionPositions) -> Longs:
    """Return the mentions that are pronouns; of several with the same span, the first."""
    starts = positions.start[positions.single]
    # Sorted starts: the leftmost match is the first mention with the span of the pronoun.
    index = np.searchsorted(starts, tokens)
    is_mention = index < len(starts)
    is_mention[is_mention] = starts[index[is_mention]] == tokens[is_mention]
    return positions.single[index[is_mention]]


def nearest_antecedents(chain: Ints, start: Ints | Longs) -> Longs:
    """Return for every mention the nearest of its chain that begins earlier, or -1."""
    if not len(chain):
        return np.zeros(0, np.int64)
    # Sorted by chain and start, the antecedent comes directly before the mentions that start
    # together.
    code = chain * np.int64(int(start.max()) + 1) + start
    order = np.argsort(code, kind="stable")
    index = np.searchsorted(code[order], code) - 1
    antecedent = order[index]
    return np.where((index >= 0) & (chain[antecedent] == chain), antecedent, -1)


def _is_chained(mention: Longs, positions: _MentionPositions) -> Flags:
    """Flag the mentions that are in a chain with others."""
    return np.asarray(np.bincount(positions.chain, minlength=1)[positions.chain[mention]] > 1)


def _noun_phrases_between(anaphor: Longs, antecedent: Longs, positions: _MentionPositions) -> Longs:
    first = np.searchsorted(positions.phrase_start, positions.end[antecedent])
    return np.asarray(np.maximum(np.searchsorted(positions.phrase_start, positions.start[anaphor]) - first, 0))


def _count_candidates(anaphor: Longs, sentence: Longs, corpus: Corpus, positions: _MentionPositions) -> Longs:
    tokens = corpus.tokens
    pronoun_start = positions.start[anaphor]
    document = np.searchsorted(tokens.offsets, pronoun_start, side="right") - 1
    first_sentence = np.searchsorted(tokens.sentences, tokens.offsets[document])
    # The window does not reach into the previous document.
    window = np.maximum(sentence[anaphor] - _SENTENCES_BEFORE, first_sentence)
    ended = np.searchsorted(np.sort(positions.phrase_end), pronoun_start, side="right")
    return ended - _count_within(positions, tokens.sentences[window], pronoun_start)


def _count_within(positions: _MentionPositions, start: Longs, end: Longs) -> Longs:
    """Count the noun phrases that begin before each ``start`` and end no later than each ``end``."""
    phrases = len(positions.phrase_start)
    # Phrases and windows in one sequence: a window comes before the phrases that begin where it
    # does, and is larger than those that end where it does. Other windows are subtracted again.
    order = np.argsort(np.concatenate([2 * positions.phrase_start + 1, 2 * start]), kind="stable")
    values = np.concatenate([2 * positions.phrase_end, 2 * end + 1])[order]
    smaller = np.empty(len(order), np.int64)
    smaller[order] = count_smaller_before(values, np.zeros(len(order), np.int64))
    windows_order = np.argsort(start, kind="stable")
    windows = np.empty(len(start), np.int64)
    windows[windows_order] = count_smaller_before(end[windows_order], np.zeros(len(start), np.int64))
    return np.asarray(smaller[phrases:] - windows)


def pronoun_decisions(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource],
    profile: str | Profile = "conll-2012",
    *,
    format: str | None = None,
    lenient: bool = False,
    **choices: str | None,
) -> dict[str, Decisions]:
    """Return the decisions of every response; none if the key has no such pronouns or no words.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> pronoun_decisions(text, {"same": text})
    {'same': {('a_0', 1): True}}
    """
    key = load(key, format=format, lenient=lenient)
    if not len(find_pronouns(key.tokens)[0]):
        return {name: {} for name in responses}
    chosen = customise_profile(profile, choices)
    decisions: dict[str, Decisions] = {}
    for name, response in responses.items():
        decisions[name] = {}
        for aligned in alignments(key, response, chosen, format=format, lenient=lenient):
            decisions[name] |= decide_pronouns(aligned)
    return decisions


def decide_pronouns(alignment: Alignment) -> Decisions:
    """Return the decisions on the documents of an alignment."""
    key, response = alignment.key, alignment.response
    anaphors = _find_anaphors(key)
    nearest = nearest_antecedents(response.mentions.chain, response.mentions.start)
    antecedent = _take_or_missing(nearest, alignment.response_of_key()[anaphors])
    key_antecedent = _take_or_missing(alignment.twins.key, antecedent)
    chain = key.mentions.chain
    is_correct = (key_antecedent >= 0) & (_take_or_missing(chain, key_antecedent) == chain[anaphors])
    labels = key.documents.labels()
    documents = key.mentions.document[anaphors].tolist()
    tokens = key.mentions.start[anaphors].tolist()
    return {
        (labels[document], token): is_right
        for document, token, is_right in zip(documents, tokens, is_correct.tolist(), strict=True)
    }


def _find_anaphors(key: Corpus) -> Longs:
    """Return the mentions that are pronouns with an antecedent; of equal spans, the first."""
    mentions = key.mentions
    start = key.tokens.offsets[mentions.document] + mentions.start
    pronoun = (mentions.end - mentions.start == 1) & np.isin(start, find_pronouns(key.tokens)[0])
    anaphors = np.flatnonzero(pronoun & (nearest_antecedents(mentions.chain, mentions.start) >= 0))
    return anaphors[np.unique(start[anaphors], return_index=True)[1]]


def _take_or_missing(values: Ints | Longs, indices: Ints | Longs) -> Longs:
    """Return the values at some indices, and -1 for the index -1."""
    return np.append(values, -1)[indices]
