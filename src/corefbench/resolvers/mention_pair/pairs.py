"""Mentions, mention pairs and their fourteen features.

The features are those of Zhekova & Kübler 2011 in their order, each a column of small numbers: words
by the vocabulary that training makes, else 0 for no or incompatible, 1 for yes or compatible, 2 for
open. Numbers are 0 for singular, 1 for plural, 2 for unknown.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corefbench.errors import UsageError
from corefbench.preprocess.analysis import Analysis, Constituent
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.pronouns import PLURAL, SINGULAR
from corefbench.records import Columns, Flags, Ints

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_CASES = ("personal", "possessive", "reflexive")
PRONOUNS = frozenset((*_CASES, "demonstrative"))
"""Kübler & Zhekova 2011, section 6: of any person, but neither relative nor indefinite."""
WINDOW = 3
"""Sentences between a mention and what it is paired with, at most."""
MAX_WINDOW = 31
NUMBER_AGREEMENT = 10
"""The column that says whether the two agree in number."""


class MentionTable(Columns, frozen=True, eq=False):
    """The mentions of a document in the order in which they begin, the longer first."""

    discourse: Discourse
    """Its phrases are the mentions."""
    heads: tuple[str, ...]
    strings: tuple[str, ...]
    sentence: Ints
    pronoun: Flags
    proper: Flags
    number: Ints
    """0 singular, 1 plural, 2 unknown."""
    form: Ints
    """Pronouns that differ only in case share it; -1 for all others."""


def collect_mentions(discourse: Discourse, *, verbs: bool = False) -> MentionTable:
    """Collect the mentions, or take those of the key in annotated mode.

    Mentions are all noun phrases, possessive pronouns and proper nouns and, with ``verbs``, each verb
    with a predicate lemma (Kübler & Zhekova 2011) or, where the source does not mark predicates,
    each verb that is no auxiliary. This over-generates on purpose: singletons are handled after
    classification.
    """
    mentions = discourse
    if discourse.mentions != "gold":
        spans = dict.fromkeys(_mention_spans(discourse, verbs))
        mentions = build_discourse(discourse.analysis, [(start, end, None) for start, end in spans])
    analysis, phrases = mentions.analysis, mentions.phrases
    heads = [find_noun_head(analysis.xpos, phrase.start, phrase.end) for phrase in phrases]
    return MentionTable(
        discourse=mentions,
        heads=tuple(analysis.words[head].lower() for head in heads),
        strings=tuple(" ".join(mentions.words_of(phrase)).lower() for phrase in phrases),
        sentence=np.array([phrase.sentence for phrase in phrases], np.int32),
        pronoun=np.array([is_pronoun(phrase) for phrase in phrases], np.bool_),
        proper=np.array([analysis.xpos[head].startswith("NNP") for head in heads], np.bool_),
        number=np.array(
            [_number_code(phrase, analysis.xpos[h]) for phrase, h in zip(phrases, heads, strict=True)], np.int32
        ),
        form=np.array([_pronoun_form(phrase) for phrase in phrases], np.int32),
    )


def is_pronoun(phrase: Phrase) -> bool:
    """Whether the phrase is a pronoun that may have an antecedent."""
    return phrase.pronoun is not None and phrase.pronoun.kind in PRONOUNS


def find_noun_head(tags: Sequence[str], start: int, end: int) -> int:
    """Return the rightmost noun before a preposition that follows a noun, else the last token.

    >>> find_noun_head(["DT", "NN", "IN", "NNP"], 0, 4), find_noun_head(["DT", "JJ"], 0, 2)
    (1, 1)
    """
    head = end - 1
    seen = False
    for token in range(start, end):
        if tags[token] in _NOUNS:
            head, seen = token, True
        elif seen and tags[token] in ("IN", "TO"):
            break
    return head if seen else end - 1


def _mention_spans(discourse: Discourse, verbs: bool) -> Iterator[tuple[int, int]]:
    analysis = discourse.analysis
    if analysis.trees is not None and any(analysis.trees):
        for tree in analysis.trees:
            yield from _noun_phrases(tree)
    else:
        yield from ((phrase.start, phrase.end) for phrase in discourse.phrases)
    yield from ((token, token + 1) for token in _single_words(analysis, verbs))


def _noun_phrases(node: Constituent | None) -> Iterator[tuple[int, int]]:
    if node is None:
        return
    if node.label.startswith("NP") and node.children:
        yield node.start, node.end
    for child in node.children:
        yield from _noun_phrases(child)


def _single_words(analysis: Analysis, verbs: bool) -> Iterator[int]:
    for token, tag in enumerate(analysis.xpos):
        if tag in ("PRP$", "NNP", "NNPS") or (verbs and _is_predicate(analysis, token)):
            yield token


def _is_predicate(analysis: Analysis, token: int) -> bool:
    if analysis.predicates is None:
        return analysis.upos[token] == "VERB"
    # An auxiliary or a copula may be a predicate, and nouns may have a predicate lemma too.
    return analysis.predicates[token] and analysis.xpos[token].startswith("VB")


def _number_code(phrase: Phrase, tag: str) -> int:
    """By the tag of the head, or the table of pronouns."""
    if phrase.pronoun is not None:
        mask = phrase.pronoun.agreement.number
        return 0 if mask == SINGULAR else 1 if mask == PLURAL else 2
    return 1 if tag in ("NNS", "NNPS") else 0 if tag in ("NN", "NNP") else 2


def _pronoun_form(phrase: Phrase) -> int:
    pronoun = phrase.pronoun
    if pronoun is None or pronoun.kind not in _CASES:
        return -1
    agreement = pronoun.agreement
    return agreement.person << 8 | agreement.number << 4 | agreement.gender


class Pairs(Columns, frozen=True, eq=False):
    """For every mention one pair with each mention before it in the window."""

    antecedent: Ints
    mention: Ints
    codes: Ints
    """Pairs × features."""


def make_pairs(table: MentionTable, words: Mapping[str, int], *, window: int = WINDOW) -> Pairs:
    """Pair the mentions of a document in text order."""
    antecedent, mention = _pairs_in_window(table.sentence, window)
    heads = np.array([words.get(head, -1) for head in table.heads], np.int32)
    _, strings = np.unique(np.array(table.strings, object), return_inverse=True)
    first, second = table.pronoun[antecedent], table.pronoun[mention]
    same = strings[antecedent] == strings[mention]
    columns = (
        heads[antecedent],
        heads[mention],
        first,
        table.number[mention],
        second,
        same,
        same | _is_substring(table.strings, antecedent, mention),
        first & second & same,
        ~first & ~second & same,
        np.where(first & second, same | _same_form(table.form, antecedent, mention), 2),
        _number_agreement(table.number[antecedent], table.number[mention]),
        _both_or_neither(first, second),
        _both_or_neither(table.proper[antecedent], table.proper[mention]),
        table.sentence[mention] - table.sentence[antecedent],
    )
    codes = np.stack([np.asarray(column, np.int32) for column in columns], axis=1)
    return Pairs(antecedent=antecedent, mention=mention, codes=codes)


def _pairs_in_window(sentence: Ints, window: int) -> tuple[Ints, Ints]:
    """Return both sides of all pairs, ordered by the later mention."""
    # Mentions are sorted by sentence: all pairs of a mention are one contiguous range.
    first = np.searchsorted(sentence, sentence - window)
    count = np.arange(len(sentence)) - first
    mention = np.repeat(np.arange(len(sentence), dtype=np.int32), count)
    begin = np.repeat(np.cumsum(count) - count, count)
    antecedent = np.repeat(first, count) + np.arange(len(mention)) - begin
    return antecedent.astype(np.int32), mention


def _is_substring(strings: tuple[str, ...], antecedent: Ints, mention: Ints) -> np.ndarray:
    pairs = zip(antecedent.tolist(), mention.tolist(), strict=True)
    contained = ((a := strings[i]) in (b := strings[j]) or b in a for i, j in pairs)
    return np.fromiter(contained, bool, len(mention))


def _same_form(form: Ints, antecedent: Ints, mention: Ints) -> np.ndarray:
    return np.asarray((form[antecedent] == form[mention]) & (form[mention] >= 0))


def _number_agreement(first: Ints, second: Ints) -> np.ndarray:
    return np.where((first == 2) | (second == 2), 2, first == second)


def _both_or_neither(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return C where both are true, I where neither is, else NA."""
    return np.where(first & second, 1, np.where(first | second, 2, 0))


class TrainingPairs:
    """Training pairs of all documents.

    All pairs in the window are kept: undersampling did not help (Zhekova & Kübler 2011). A pair is
    positive if both mentions are in one chain of the key.
    """

    def __init__(self, *, window: int = WINDOW, verbs: bool = False) -> None:
        self.window, self.verbs = window, verbs
        self.words: dict[str, int] = {}
        """The heads met so far, numbered."""
        self._codes: list[np.ndarray] = []
        self._labels: list[np.ndarray] = []

    def add(self, discourse: Discourse, chains: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Add the pairs of one document, with the chains of its key."""
        table = collect_mentions(discourse, verbs=self.verbs)
        for head in table.heads:
            self.words.setdefault(head, len(self.words))
        pairs = make_pairs(table, self.words, window=self.window)
        chain_of = {span: number for number, chain in enumerate(chains) for span in chain}
        spans = [(phrase.start, phrase.end) for phrase in table.discourse.phrases]
        chain = np.array([chain_of.get(span, -1) for span in spans], np.int64)
        first, second = chain[pairs.antecedent], chain[pairs.mention]
        self._codes.append(pairs.codes)
        self._labels.append((first == second) & (first >= 0))

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes and labels of all documents."""
        if not any(map(len, self._codes)):
            raise UsageError("no pairs to learn from", expected="documents with two mentions or more")
        return np.concatenate(self._codes), np.concatenate(self._labels)
