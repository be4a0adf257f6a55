"""Pronouns and how hard they are to resolve: the statistics of Barbu & Mitkov 2001, Table 2.

Pronouns are the words of the text that are third-person pronouns of English, annotated or not. One
is *anaphoric* if it is a mention and an earlier mention of its chain begins before it; the nearest
of those is its antecedent. One that begins a chain of several mentions is *cataphoric*, and is
counted apart. Of every anaphoric pronoun:

    sentence distance      sentences from antecedent to pronoun: 0 in the same, 1 from the previous
    noun-phrase distance   mentions that begin after the antecedent's end and before the pronoun
    candidates             mentions that end before the pronoun and begin in its sentence or one of
                           the two before

Mentions stand for the noun phrases: where singletons are not annotated, the last two are too small.
A mention is in the sentence in which it begins.
"""

from collections import Counter

import msgspec
import numpy as np

from corefbench.language.her import kind_of_her
from corefbench.language.pronouns import THIRD_PERSON, PronounKind
from corefbench.model.corpus import Corpus, Tokens
from corefbench.record import Flags, Ints, Longs
from corefbench.stats.additive import Additive, Histogram, histogram
from corefbench.stats.inventory import is_discontinuous
from corefbench.stats.overlaps import in_portions

_SENTENCES_BEFORE = 2


class Pronouns(Additive, frozen=True):
    """Counts of pronouns, and what holds of the anaphoric ones."""

    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    cataphoric: int = 0
    sentence_distances: Histogram = msgspec.field(default_factory=Counter)
    """One entry an anaphoric pronoun; 0 is intrasentential."""
    noun_phrase_distances: Histogram = msgspec.field(default_factory=Counter)
    candidates: Histogram = msgspec.field(default_factory=Counter)


class Places(msgspec.Struct, frozen=True):
    """The mentions by position in the corpus, in the order in which they begin."""

    start: Longs
    end: Longs
    chain: Ints
    single: Longs
    """The numbers, here, of the mentions that are one contiguous word."""

    @classmethod
    def of(cls, corpus: Corpus) -> "Places":
        first = corpus.tokens.offsets[corpus.mentions.document]
        start, end = first + corpus.mentions.start, first + corpus.mentions.end
        order = np.lexsort((end, start))
        word = (end - start == 1) & ~is_discontinuous(corpus)
        return cls(
            start=start[order],
            end=end[order],
            chain=corpus.mentions.chain[order],
            single=np.flatnonzero(word[order]),
        )


def pronouns(corpus: Corpus) -> Pronouns:
    """Count the pronouns of a corpus that was read with its words; without, none are found."""
    tokens, kinds = find_pronouns(corpus.tokens)
    places = Places.of(corpus)
    mention = _mention_of(tokens, places)
    antecedent = _antecedents(mention, places)
    anaphor, antecedent = mention[antecedent >= 0], antecedent[antecedent >= 0]
    sentences, start = corpus.tokens.sentences, places.start
    sentence = np.searchsorted(sentences, start, side="right") - 1
    return Pronouns(
        kinds=Counter(kinds),
        cataphoric=int(np.count_nonzero(_several(mention, places))) - len(anaphor),
        sentence_distances=histogram(sentence[anaphor] - sentence[antecedent]),
        noun_phrase_distances=histogram(_between(anaphor, antecedent, places)),
        candidates=histogram(_candidates(anaphor, sentence, corpus, places)),
    )


def find_pronouns(tokens: Tokens) -> tuple[Longs, list[PronounKind]]:
    """The tokens that are third-person pronouns, and their kinds."""
    if tokens.words is None:
        return np.zeros(0, np.int64), []
    words = [word.lower() for word in tokens.words]
    tags = tokens.columns.get("xpos") or tokens.columns.get("pos")
    ends = {*tokens.sentences.tolist(), len(words)}
    found, kinds = [], []
    for number, word in enumerate(words):
        kind = THIRD_PERSON.get(word)
        if kind is None or (tokens.empty is not None and tokens.empty[number]):
            continue
        if word == "her":
            following = None if number + 1 in ends else words[number + 1]
            kind = kind_of_her(following, tags[number] if tags else "")
        found.append(number)
        kinds.append(kind)
    return np.array(found, np.int64), kinds


def _mention_of(tokens: Longs, places: Places) -> Longs:
    """The mentions that are pronouns; of several with the span of one pronoun, the first."""
    starts = places.start[places.single]
    where = np.searchsorted(starts, tokens)
    known = where < len(starts)
    known[known] = starts[where[known]] == tokens[known]
    return places.single[where[known]]


def _antecedents(mention: Longs, places: Places) -> Longs:
    """The nearest mention of the chain that begins earlier, -1 where none does."""
    if not len(mention):
        return mention
    width = int(places.end.max(initial=0)) + 1
    code = places.chain * np.int64(width) + places.start
    order = np.argsort(code, kind="stable")
    before = np.searchsorted(code[order], code[mention]) - 1
    found = order[before]
    same = (before >= 0) & (places.chain[found] == places.chain[mention])
    return np.where(same, found, -1)


def _several(mention: Longs, places: Places) -> Flags:
    """Which of the mentions are in a chain with others."""
    return np.asarray(np.bincount(places.chain, minlength=1)[places.chain[mention]] > 1)


def _between(anaphor: Longs, antecedent: Longs, places: Places) -> Longs:
    first = np.searchsorted(places.start, places.end[antecedent])
    return np.asarray(np.maximum(np.searchsorted(places.start, places.start[anaphor]) - first, 0))


def _candidates(anaphor: Longs, sentence: Longs, corpus: Corpus, places: Places) -> Longs:
    tokens = corpus.tokens
    position = places.start[anaphor]
    document = np.searchsorted(tokens.offsets, position, side="right") - 1
    first_sentence = np.searchsorted(tokens.sentences, tokens.offsets[document])
    window = np.maximum(sentence[anaphor] - _SENTENCES_BEFORE, first_sentence)
    first = np.searchsorted(places.start, tokens.sentences[window])
    counts = np.searchsorted(places.start, position) - first
    found = np.zeros(len(anaphor), np.int64)
    for row, mention in in_portions(np.arange(len(anaphor)), first, counts):
        before = places.end[mention] <= position[row]
        found += np.bincount(row[before], minlength=len(found))
    return found
