"""What is known of two mentions without reading them: distance, strings, pronouns, gender, speech.

Each feature is a small number; the model learns a vector for each of its values.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from corefbench.language.first_names import first_name
from corefbench.language.gendered_nouns import gender_of_noun
from corefbench.language.pronouns import lookup
from corefbench.language.titles import gender_of_title
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
FAR = int(_MENTIONS[-1])
"""Mentions between two from which on their number makes no difference."""
_SENTENCES = np.array([1, 2, 3, 4, 5, 8, 12, 16, 32, 64])
_RIVALS = np.array([1, 2, 3, 5, 9])
_OFTEN = np.array([2, 3, 5, 9])
_LAST = ("'s", "’s", "'")
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
SIZES = tuple(_FEATURES.values())
"""How many values each feature has."""
_OFFSETS = np.cumsum([0, *SIZES[:-1]])


def _nearness() -> np.ndarray:
    """Weights to begin with: the nearer the better, and more so with the same head or words."""
    nearer = -0.15 * np.arange(len(_MENTIONS) + 1)
    table = np.broadcast_to(nearer[:, None] + [0.0, 1.5, 2.5], (len(_KINDS), len(nearer), 3))
    return table.reshape(-1).astype(np.float32)


NEARNESS = _nearness()
"""By kind of the later mention, distance, and whether nothing, head or words are the same."""


class Mentions:
    """The mentions of a document, as the features see them."""

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
        self.text = _numbered([" ".join(words[start:end]).lower() for start, end in spans])
        self.form = _numbered(forms)
        self.head = _numbered([_head(words, span) for span in spans])
        self.often = np.searchsorted(_OFTEN, np.bincount(self.form)[self.form], side="right")
        numbers: dict[str, int] = {}
        self.content = _Bags((form.split() for form in forms), numbers)
        self.capitals = _Bags(
            ([w.lower() for w in words[start:end] if w[:1].isupper()] for start, end in spans),
            numbers,
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
            else _numbered([speakers[start] for start, _ in spans])
        )
        self._rivals = self._count_rivals()

    def nearness(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Which weight of ``NEARNESS`` each pair has; ``one`` is the later mention."""
        near = np.searchsorted(_MENTIONS, one - two, side="right")
        same = (self.head[one] == self.head[two]) * 1 + (self.form[one] == self.form[two])
        return np.asarray((self.kind[one] * (len(_MENTIONS) + 1) + near) * 3 + same)

    def far(self, one: np.ndarray) -> np.ndarray:
        """The three weights of ``NEARNESS`` that pairs with a far mention may have."""
        first = (self.kind[one] * (len(_MENTIONS) + 1) + len(_MENTIONS)) * 3
        return np.asarray(first[..., None] + np.arange(3))

    def features(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Mentions × candidates × features, each value counted on from the feature before."""
        same_head = self.head[one] == self.head[two]
        columns = (
            np.searchsorted(_MENTIONS, one - two, side="right"),
            np.searchsorted(_SENTENCES, self.sentence[one] - self.sentence[two], side="right"),
            self.kind[one] * len(_KINDS) + self.kind[two],
            self._in_common(one, two, same_head),
            _agree(self.gender[one], self.gender[two]),
            _agree(self.number[one], self.number[two]),
            self.quoted[one] * 2 + self.quoted[two],
            self._same_speaker(one, two),
            np.where(same_head, 1 + (self.same_head_before[one] == two), 0),
            self._rivals_between(one, two),
            self._between(one, two),
            self.often[two],
            self.opens[one] * 2 + self.opens[two],
            (self.same_head_before[one] >= 0) * 1 + (self.same_form_before[one] >= 0),
        )
        values = np.stack(np.broadcast_arrays(*columns), axis=-1).astype(np.int64)
        return np.asarray(values + _OFFSETS)

    def _in_common(self, one: np.ndarray, two: np.ndarray, same_head: np.ndarray) -> np.ndarray:
        content, capitals = self.content, self.capitals
        named = (self.kind[one] == _NAME) & (self.kind[two] == _NAME)
        made = content.share(one, two) * 1
        made = np.where(self.heads.inside(one, content, two), 2, made)
        made = np.where(named & capitals.share(one, two), 3, made)
        made = np.where(same_head, 4, made)
        made = np.where(same_head & content.inside(one, content, two), 5, made)
        made = np.where(self.form[one] == self.form[two], 6, made)
        return np.where(self.text[one] == self.text[two], 7, made)

    def _same_speaker(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        if self.speaker is None:
            return np.full(two.shape, 2)
        return np.asarray(self.speaker[one] == self.speaker[two])

    def _count_rivals(self) -> tuple[np.ndarray, np.ndarray]:
        """The agreement of every mention as a class, and how many mentions each class agrees with.

        The second counts those before a place, classes × places.
        """
        both = np.stack([self.gender, self.number], axis=1)
        classes, number = np.unique(both, axis=0, return_inverse=True)
        one, two = classes[:, None], classes[None]
        agree = np.asarray((_agree(one, two) > 0).all(axis=-1))
        counts = np.zeros((len(classes), len(both) + 1), np.int64)
        np.cumsum(agree[:, number.reshape(-1)], axis=1, out=counts[:, 1:])
        return number.reshape(-1), counts

    def _rivals_between(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """How many mentions that agree with the later one stand between the two, in steps."""
        number, before = self._rivals
        kind = number[one]
        count = before[kind, one] - before[kind, two + 1]
        return np.asarray(np.searchsorted(_RIVALS, count, side="right"))

    def _between(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        gap = self.start[one] - self.end[two]
        made = np.where(gap < 0, _BETWEEN.index("overlap"), _BETWEEN.index("far"))
        made = np.where(gap == 0, _BETWEEN.index("nothing"), made)
        places = np.nonzero((gap > 0) & (gap <= 3))
        later = np.broadcast_to(self.start[one], gap.shape)[places].tolist()
        earlier = np.broadcast_to(self.end[two], gap.shape)[places].tolist()
        made[places] = [_joint(self._words[a:b]) for a, b in zip(earlier, later, strict=True)]
        return made


class _Bags:
    """Sets of words, a row of numbers each, of which many pairs are compared at once."""

    def __init__(self, bags: Iterable[Iterable[str]], numbers: dict[str, int]) -> None:
        rows = [
            [numbers.setdefault(word, len(numbers)) for word in dict.fromkeys(bag)][:_WIDEST]
            for bag in bags
        ]
        wide = max(map(len, rows), default=1)
        self.rows = np.array([row + [-1] * (wide - len(row)) for row in rows], np.int32)

    def share(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Whether they have a word in common."""
        found = self._among(one, self, two) & (self.rows[one] >= 0)
        return np.asarray(found.any(axis=-1))

    def inside(self, one: np.ndarray, other: "_Bags", two: np.ndarray) -> np.ndarray:
        """Whether all words of one are among those of the other."""
        found = self._among(one, other, two) | (self.rows[one] < 0)
        return np.asarray(found.all(axis=-1))

    def _among(self, one: np.ndarray, other: "_Bags", two: np.ndarray) -> np.ndarray:
        pairs = self.rows[one][..., :, None] == other.rows[two][..., None, :]
        return np.asarray(pairs.any(axis=-1))


_WIDEST = 6
"""Words of a mention that are compared."""
_NAME = _KINDS.index("name")
_COPULAS = {"is", "was", "are", "were", "be", "been", "became", "become", "am", "'s", "remains"}


def _joint(words: Sequence[str]) -> int:
    """What the few words between two mentions make of them."""
    forms = {word.lower() for word in words}
    if forms & _COPULAS:
        return _BETWEEN.index("copula")
    if forms <= {",", "(", "–", "—", "--", ":"}:
        return _BETWEEN.index("comma")
    return _BETWEEN.index("and" if forms & {"and", "or", "&"} else "words")


def _previous(numbers: np.ndarray) -> np.ndarray:
    """The nearest earlier place with the same number, or -1."""
    seen: dict[int, int] = {}
    made = np.full(len(numbers), -1, np.int64)
    for place, number in enumerate(numbers.tolist()):
        made[place] = seen.get(number, -1)
        seen[number] = place
    return made


def _form(words: Sequence[str], span: Span) -> str:
    """The words without a determiner before and a possessive ending behind."""
    start, end = span
    kept = [word.lower() for word in words[start:end]]
    if len(kept) > 1 and kept[0] in _DROPPED:
        kept = kept[1:]
    if len(kept) > 1 and kept[-1] in _LAST:
        kept = kept[:-1]
    return " ".join(kept)


def head_of(words: Sequence[str], span: Span) -> int:
    """A guess at the head: the last word before a preposition, comma or relative pronoun."""
    start, end = span
    for place in range(start + 1, end):
        if words[place].lower() in _ENDS:
            return place - 1
    return end - 2 if end - start > 1 and words[end - 1] in _LAST else end - 1


def _head(words: Sequence[str], span: Span) -> str:
    return words[head_of(words, span)].lower()


_ENDS = {"of", "in", "on", "at", "with", "for", "from", "to", "by", "who", "which", "that", ",",
         "whose", "whom", "about", "into", "under", "over", "near", "between", "and"}  # fmt: skip


def _kind(words: Sequence[str], span: Span) -> int:
    start, end = span
    if end - start == 1:
        pronoun = lookup(words[start])
        if pronoun is not None:
            return _KINDS.index(_pronoun_kind(words[start].lower(), pronoun.kind))
    head = _head(words, span)
    if any(word.lower() == head and word[:1].isupper() for word in words[start:end]):
        return _NAME
    first = words[start].lower()
    for kind, forms in _DETERMINERS.items():
        if first in forms:
            return _KINDS.index(kind)
    owned = any(word in _LAST for word in words[start + 1 : end - 1])
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
    """The genders it may have, as a mask; 0 where nothing is known."""
    start, end = span
    if end - start == 1 and (pronoun := lookup(words[start])) is not None:
        return pronoun.agreement.gender
    title = gender_of_title(words[start])
    if title and end - start > 1:
        return title
    by_noun = gender_of_noun(_head(words, span))
    if by_noun:
        return by_noun
    for word in words[start:end]:
        if word[:1].isupper() and (name := first_name(word)) is not None and not name.is_rare:
            return name.gender
    return 0


def _number(words: Sequence[str], span: Span) -> int:
    start, end = span
    if end - start == 1 and (pronoun := lookup(words[start])) is not None:
        return pronoun.agreement.number
    if any(word.lower() == "and" for word in words[start:end]):
        return 2
    head = _head(words, span)
    plural = head.endswith("s") and not head.endswith(("ss", "us", "is")) and len(head) > 3
    lower = not words[end - 1][:1].isupper()
    return 2 if plural and lower else 1


def _agree(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """0 where they clash, 1 where they agree, 2 where one is unknown."""
    return np.where((one == 0) | (two == 0), 2, (one & two) > 0)


def _numbered(values: Sequence[str]) -> np.ndarray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64)


def _quoted(words: Sequence[str]) -> np.ndarray:
    """Which words stand inside double quotation marks; an unclosed one ends after 400 words."""
    inside, since = False, 0
    flags = np.zeros(max(len(words), 1), np.int64)
    for place, word in enumerate(words):
        if word in ("“", "``", "”", "''", '"'):
            opens = word in ("“", "``") or (word == '"' and not inside)
            inside, since = opens, place
        elif inside and place - since > 400:
            inside = False
        flags[place] = inside
    return flags
