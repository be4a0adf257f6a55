"""Features of mention pairs: distance, strings, pronouns, gender, number, quotation and speaker.

Each feature is a small integer; the model learns a vector for each of its values.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from corefbench.preprocess.english.lexicon import gender_of_noun, gender_of_title, lookup_first_name
from corefbench.preprocess.english.pronouns import lookup_pronoun
from corefbench.resolvers.neural.example import Example, Span

_KINDS = (
    "i", "we", "you", "he", "she", "it", "they", "this", "who", "indefinite", "name",
    "a", "the", "demonstrative", "possessive", "bare",
)  # fmt: skip
"""Pronouns by their forms, names, and other phrases by their determiners."""
_DETERMINERS = {
    "a": {"a", "an", "some", "any", "every", "each", "no", "another", "many", "several", "few"},
    "the": {"the"},
    "demonstrative": {"this", "that", "these", "those", "such"},
    "possessive": {"his", "her", "its", "their", "my", "your", "our"},
}
_DROPPED = frozenset().union(*_DETERMINERS.values())
_MENTIONS = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256])
MAX_DISTANCE = int(_MENTIONS[-1])
"""Larger distances, in mentions, are not distinguished."""
_SENTENCES = np.array([1, 2, 3, 4, 5, 8, 12, 16, 32, 64])
_RIVALS = np.array([1, 2, 3, 5, 9])
_OFTEN = np.array([2, 3, 5, 9])
_POSSESSIVE_ENDINGS = ("'s", "’s", "'")
_STRINGS = (
    "nothing", "a word", "the head of the later", "a name", "the head", "the head and no new word",
    "all but the determiner", "all",
)  # fmt: skip
"""What two mentions have in common, from least to most."""
_BETWEEN = ("far", "overlap", "nothing", "comma", "copula", "and", "words")

_FEATURES = {
    "mentions between": len(_MENTIONS) + 1,
    "sentences between": len(_SENTENCES) + 1,
    "kinds": len(_KINDS) ** 2,
    "strings": len(_STRINGS),
    "gender": 3,
    "number": 3,
    "quoted": 4,
    "same speaker": 3,
    "nearest of its head": 3,
    "rivals between": len(_RIVALS) + 1,
    "words between": len(_BETWEEN),
    "often": len(_OFTEN) + 1,
    "first in sentence": 4,
    "seen before": 3,
}
FEATURE_SIZES = tuple(_FEATURES.values())
"""Number of values of each feature."""
_OFFSETS = np.cumsum([0, *FEATURE_SIZES[:-1]])


def _nearness() -> np.ndarray:
    """Return initial weights: higher for near mentions, and for the same head or words."""
    nearer = -0.15 * np.arange(len(_MENTIONS) + 1)
    table = np.broadcast_to(nearer[:, None] + [0.0, 1.5, 2.5], (len(_KINDS), len(nearer), 3))
    return table.reshape(-1).astype(np.float32)


NEARNESS = _nearness()
"""By kind of the later mention, distance, and whether nothing, the head or all words are equal."""


class MentionFeatures:
    """Columns of the mentions of a document, from which pair features are computed."""

    def __init__(self, example: Example, spans: Sequence[Span]) -> None:
        words = example.words
        forms = [_form(words, span) for span in spans]
        self._words = words
        self.start = np.array([start for start, _ in spans], np.int64)
        self.end = np.array([end for _, end in spans], np.int64)
        sentence = np.array(example.sentence_of_words() or [0])
        self.sentence = sentence[self.start]
        self.opens = np.r_[True, self.sentence[1:] != self.sentence[:-1]].astype(np.int64)
        self.kind = np.array([_kind(words, span) for span in spans], np.int64)
        self.text = _number_values([" ".join(words[start:end]).lower() for start, end in spans])
        self.form = _number_values(forms)
        self.head = _number_values([_head(words, span) for span in spans])
        self.often = np.searchsorted(_OFTEN, np.bincount(self.form)[self.form], side="right")
        numbers: dict[str, int] = {}
        self.content = _Bags((form.split() for form in forms), numbers)
        self.capitals = _Bags(
            ([w.lower() for w in words[start:end] if w[:1].isupper()] for start, end in spans), numbers
        )
        self.heads = _Bags(([_head(words, span)] for span in spans), numbers)
        self.gender = np.array([_gender(words, span) for span in spans], np.int64)
        self.number = np.array([_number(words, span) for span in spans], np.int64)
        self.same_head_before = _previous(self.head)
        self.same_form_before = _previous(self.form)
        self.quoted = _quoted(words)[self.start]
        speakers = example.speakers
        self.speaker = (
            None
            if speakers is None or len(set(speakers)) < 2
            else _number_values([speakers[start] for start, _ in spans])
        )
        self._rivals = self._count_rivals()

    def nearness(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        """Return the index into ``NEARNESS`` of each pair."""
        near = np.searchsorted(_MENTIONS, later - earlier, side="right")
        same = (self.head[later] == self.head[earlier]) * 1 + (self.form[later] == self.form[earlier])
        return np.asarray((self.kind[later] * (len(_MENTIONS) + 1) + near) * 3 + same)

    def far(self, later: np.ndarray) -> np.ndarray:
        """Return the three indices into ``NEARNESS`` that pairs with a distant mention may have."""
        first = (self.kind[later] * (len(_MENTIONS) + 1) + len(_MENTIONS)) * 3
        return np.asarray(first[..., None] + np.arange(3))

    def features(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        """Return mentions × candidates × features; each feature has its own range of values."""
        same_head = self.head[later] == self.head[earlier]
        columns = (
            np.searchsorted(_MENTIONS, later - earlier, side="right"),
            np.searchsorted(_SENTENCES, self.sentence[later] - self.sentence[earlier], side="right"),
            self.kind[later] * len(_KINDS) + self.kind[earlier],
            self._in_common(later, earlier, same_head),
            _agree(self.gender[later], self.gender[earlier]),
            _agree(self.number[later], self.number[earlier]),
            self.quoted[later] * 2 + self.quoted[earlier],
            self._same_speaker(later, earlier),
            np.where(same_head, 1 + (self.same_head_before[later] == earlier), 0),
            self._rivals_between(later, earlier),
            self._between(later, earlier),
            self.often[earlier],
            self.opens[later] * 2 + self.opens[earlier],
            (self.same_head_before[later] >= 0) * 1 + (self.same_form_before[later] >= 0),
        )
        values = np.stack(np.broadcast_arrays(*columns), axis=-1).astype(np.int64)
        return np.asarray(values + _OFFSETS)

    def _in_common(self, later: np.ndarray, earlier: np.ndarray, same_head: np.ndarray) -> np.ndarray:
        content, capitals = self.content, self.capitals
        named = (self.kind[later] == _NAME) & (self.kind[earlier] == _NAME)
        level = content.share(later, earlier) * 1
        level = np.where(self.heads.inside(later, content, earlier), 2, level)
        level = np.where(named & capitals.share(later, earlier), 3, level)
        level = np.where(same_head, 4, level)
        level = np.where(same_head & content.inside(later, content, earlier), 5, level)
        level = np.where(self.form[later] == self.form[earlier], 6, level)
        return np.where(self.text[later] == self.text[earlier], 7, level)

    def _same_speaker(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        if self.speaker is None:
            return np.full(earlier.shape, 2)
        return np.asarray(self.speaker[later] == self.speaker[earlier])

    def _count_rivals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the agreement class of every mention, and cumulative counts of agreeing mentions.

        The counts are classes × positions: agreeing mentions before a position.
        """
        both = np.stack([self.gender, self.number], axis=1)
        classes, number = np.unique(both, axis=0, return_inverse=True)
        agree = np.asarray((_agree(classes[:, None], classes[None]) > 0).all(axis=-1))
        counts = np.zeros((len(classes), len(both) + 1), np.int64)
        np.cumsum(agree[:, number.reshape(-1)], axis=1, out=counts[:, 1:])
        return number.reshape(-1), counts

    def _rivals_between(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        """Return the binned number of mentions between the two that agree with the later one."""
        number, before = self._rivals
        kind = number[later]
        count = before[kind, later] - before[kind, earlier + 1]
        return np.asarray(np.searchsorted(_RIVALS, count, side="right"))

    def _between(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        gap = self.start[later] - self.end[earlier]
        kind = np.where(gap < 0, _BETWEEN.index("overlap"), _BETWEEN.index("far"))
        kind = np.where(gap == 0, _BETWEEN.index("nothing"), kind)
        near = np.nonzero((gap > 0) & (gap <= 3))
        starts = np.broadcast_to(self.end[earlier], gap.shape)[near].tolist()
        ends = np.broadcast_to(self.start[later], gap.shape)[near].tolist()
        kind[near] = [_joint(self._words[a:b]) for a, b in zip(starts, ends, strict=True)]
        return kind


class _Bags:
    """Sets of words as rows of numbers, for comparing many pairs together."""

    def __init__(self, bags: Iterable[Iterable[str]], numbers: dict[str, int]) -> None:
        rows = [[numbers.setdefault(word, len(numbers)) for word in dict.fromkeys(bag)][:_MAX_WORDS] for bag in bags]
        width = max(map(len, rows), default=1)
        self.rows = np.array([row + [-1] * (width - len(row)) for row in rows], np.int32)

    def share(self, later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
        """Return whether the sets have a common word."""
        is_shared = self._among(later, self, earlier) & (self.rows[later] >= 0)
        return np.asarray(is_shared.any(axis=-1))

    def inside(self, later: np.ndarray, other: "_Bags", earlier: np.ndarray) -> np.ndarray:
        """Return whether all words of one set are in the other."""
        is_inside = self._among(later, other, earlier) | (self.rows[later] < 0)
        return np.asarray(is_inside.all(axis=-1))

    def _among(self, later: np.ndarray, other: "_Bags", earlier: np.ndarray) -> np.ndarray:
        pairs = self.rows[later][..., :, None] == other.rows[earlier][..., None, :]
        return np.asarray(pairs.any(axis=-1))


_MAX_WORDS = 6
"""Further words of a mention are not compared."""
_NAME = _KINDS.index("name")
_COPULAS = {"is", "was", "are", "were", "be", "been", "became", "become", "am", "'s", "remains"}


def _joint(words: Sequence[str]) -> int:
    """Classify the few words between two mentions."""
    forms = {word.lower() for word in words}
    if forms & _COPULAS:
        return _BETWEEN.index("copula")
    if forms <= {",", "(", "–", "—", "--", ":"}:
        return _BETWEEN.index("comma")
    return _BETWEEN.index("and" if forms & {"and", "or", "&"} else "words")


def _previous(numbers: np.ndarray) -> np.ndarray:
    """Return the nearest earlier position with the same number, or -1."""
    last: dict[int, int] = {}
    previous = np.full(len(numbers), -1, np.int64)
    for position, number in enumerate(numbers.tolist()):
        previous[position] = last.get(number, -1)
        last[number] = position
    return previous


def _form(words: Sequence[str], span: Span) -> str:
    """Return the words without leading determiner and possessive ending."""
    start, end = span
    kept = [word.lower() for word in words[start:end]]
    if len(kept) > 1 and kept[0] in _DROPPED:
        kept = kept[1:]
    if len(kept) > 1 and kept[-1] in _POSSESSIVE_ENDINGS:
        kept = kept[:-1]
    return " ".join(kept)


def guess_head(words: Sequence[str], span: Span) -> int:
    """Guess the head: the last word before a preposition, comma or relative pronoun."""
    start, end = span
    for position in range(start + 1, end):
        if words[position].lower() in _HEAD_END_WORDS:
            return position - 1
    return end - 2 if end - start > 1 and words[end - 1] in _POSSESSIVE_ENDINGS else end - 1


def _head(words: Sequence[str], span: Span) -> str:
    return words[guess_head(words, span)].lower()


_HEAD_END_WORDS = {
    "of", "in", "on", "at", "with", "for", "from", "to", "by", "who", "which", "that", ",", "whose",
    "whom", "about", "into", "under", "over", "near", "between", "and",
}  # fmt: skip


def _kind(words: Sequence[str], span: Span) -> int:
    start, end = span
    if end - start == 1:
        pronoun = lookup_pronoun(words[start])
        if pronoun is not None:
            return _KINDS.index(_pronoun_kind(words[start].lower(), pronoun.kind))
    head = _head(words, span)
    if any(word.lower() == head and word[:1].isupper() for word in words[start:end]):
        return _NAME
    first = words[start].lower()
    for kind, forms in _DETERMINERS.items():
        if first in forms:
            return _KINDS.index(kind)
    owned = any(word in _POSSESSIVE_ENDINGS for word in words[start + 1 : end - 1])
    return _KINDS.index("possessive" if owned else "bare")


def _pronoun_kind(form: str, kind: str) -> str:
    for name, forms in _PRONOUNS.items():
        if form in forms:
            return name
    return {"demonstrative": "this", "relative": "who"}.get(kind, "indefinite")


_PRONOUNS = {
    "i": {"i", "me", "my", "mine", "myself"},
    "we": {"we", "us", "our", "ours", "ourselves"},
    "you": {"you", "your", "yours", "yourself", "yourselves", "thou", "thee", "thy", "thine", "ye"},
    "he": {"he", "him", "his", "himself"},
    "she": {"she", "her", "hers", "herself"},
    "it": {"it", "its", "itself"},
    "they": {"they", "them", "their", "theirs", "themselves", "themself"},
}


def _gender(words: Sequence[str], span: Span) -> int:
    """Return the possible genders as a mask; 0 if unknown."""
    start, end = span
    if end - start == 1 and (pronoun := lookup_pronoun(words[start])) is not None:
        return pronoun.agreement.gender
    title = gender_of_title(words[start])
    if title and end - start > 1:
        return title
    by_noun = gender_of_noun(_head(words, span))
    if by_noun:
        return by_noun
    for word in words[start:end]:
        if word[:1].isupper() and (name := lookup_first_name(word)) is not None and not name.is_rare:
            return name.gender
    return 0


def _number(words: Sequence[str], span: Span) -> int:
    start, end = span
    if end - start == 1 and (pronoun := lookup_pronoun(words[start])) is not None:
        return pronoun.agreement.number
    if any(word.lower() == "and" for word in words[start:end]):
        return 2
    head = _head(words, span)
    plural = head.endswith("s") and not head.endswith(("ss", "us", "is")) and len(head) > 3
    lower = not words[end - 1][:1].isupper()
    return 2 if plural and lower else 1


def _agree(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return 0 for a clash, 1 for agreement, 2 if one is unknown."""
    return np.where((a == 0) | (b == 0), 2, (a & b) > 0)


def _number_values(values: Sequence[str]) -> np.ndarray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64)


def _quoted(words: Sequence[str]) -> np.ndarray:
    """Flag words inside double quotation marks; an unclosed quotation ends after 400 words."""
    inside, since = False, 0
    flags = np.zeros(max(len(words), 1), np.int64)
    for position, word in enumerate(words):
        if word in ("“", "``", "”", "''", '"'):
            inside = word in ("“", "``") or (word == '"' and not inside)
            since = position
        elif inside and position - since > 400:
            inside = False
        flags[position] = inside
    return flags
