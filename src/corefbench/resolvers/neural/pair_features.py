"""What is known of two mentions without reading them: distance, strings, pronouns, gender, speech.

Each feature is a small number; the model learns a vector for each of its values.
"""

from collections.abc import Sequence

import numpy as np

from corefbench.language.first_names import first_name
from corefbench.language.gendered_nouns import gender_of_noun
from corefbench.language.pronouns import lookup
from corefbench.language.titles import gender_of_title
from corefbench.resolvers.neural.example import Example, Span

_KINDS = (
    "i", "we", "you", "he", "she", "it", "they", "this", "who", "indefinite", "name", "nominal",
)  # fmt: skip
_DETERMINERS = {"the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their",
                "my", "your", "our"}  # fmt: skip
_BUCKETS = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256])
_SENTENCES = np.array([1, 2, 3, 4, 5, 8, 12, 16, 32, 64])
_LAST = ("'s", "’s", "'")

SIZES = (
    len(_BUCKETS) + 1,
    len(_SENTENCES) + 1,
    len(_KINDS) ** 2,
    4,
    3,
    3,
    4,
    3,
    2,
)
"""How many values each feature has."""


class Mentions:
    """The mentions of a document, as the features see them."""

    def __init__(self, example: Example, spans: Sequence[Span]) -> None:
        words = example.words
        forms = [_form(words, span) for span in spans]
        heads = [_head(words, span) for span in spans]
        self.start = np.array([start for start, _ in spans], np.int64)
        self.end = np.array([end for _, end in spans], np.int64)
        sentence = np.array(example.sentence_of_words() or [0])
        self.sentence = sentence[self.start]
        self.kind = np.array([_kind(words, span) for span in spans], np.int64)
        self.form, self.head = _numbered(forms), _numbered(heads)
        self.first = _numbered([form.partition(" ")[0] for form in forms])
        self.gender = np.array([_gender(words, span) for span in spans], np.int64)
        self.number = np.array([_number(words, span) for span in spans], np.int64)
        self.quoted = _quoted(words)[self.start]
        speakers = example.speakers
        self.speaker = (
            None
            if speakers is None or len(set(speakers)) < 2
            else _numbered([speakers[start] for start, _ in spans])
        )

    def features(self, candidates: np.ndarray) -> np.ndarray:
        """Mentions × candidates × features."""
        one = np.arange(len(self.start))[:, None]
        two = candidates
        same_form = self.form[one] == self.form[two]
        same_head = self.head[one] == self.head[two]
        inside = (self.start[two] <= self.start[one]) & (self.end[one] <= self.end[two])
        columns = (
            np.searchsorted(_BUCKETS, one - two, side="right"),
            np.searchsorted(_SENTENCES, self.sentence[one] - self.sentence[two], side="right"),
            self.kind[one] * len(_KINDS) + self.kind[two],
            np.where(same_form, 3, np.where(same_head, 2, self.first[one] == self.first[two])),
            _agree(self.gender[one], self.gender[two]),
            _agree(self.number[one], self.number[two]),
            self.quoted[one] * 2 + self.quoted[two],
            self._same_speaker(one, two),
            inside,
        )
        return np.stack(np.broadcast_arrays(*columns), axis=-1).astype(np.int64)

    def _same_speaker(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        if self.speaker is None:
            return np.full(two.shape, 2)
        return np.asarray(self.speaker[one] == self.speaker[two])


def _form(words: Sequence[str], span: Span) -> str:
    """The words without a determiner before and a possessive ending behind."""
    start, end = span
    kept = [word.lower() for word in words[start:end]]
    if len(kept) > 1 and kept[0] in _DETERMINERS:
        kept = kept[1:]
    if len(kept) > 1 and kept[-1] in _LAST:
        kept = kept[:-1]
    return " ".join(kept)


def _head(words: Sequence[str], span: Span) -> str:
    """A guess at the head: the last word before a preposition, comma or relative pronoun."""
    start, end = span
    for place in range(start + 1, end):
        if words[place].lower() in _ENDS:
            return words[place - 1].lower()
    last = end - 2 if end - start > 1 and words[end - 1] in _LAST else end - 1
    return words[last].lower()


_ENDS = {"of", "in", "on", "at", "with", "for", "from", "to", "by", "who", "which", "that", ",",
         "whose", "whom", "about", "into", "under", "over", "near", "between", "and"}  # fmt: skip


def _kind(words: Sequence[str], span: Span) -> int:
    start, end = span
    if end - start == 1:
        pronoun = lookup(words[start])
        if pronoun is not None:
            return _KINDS.index(_pronoun_kind(words[start].lower(), pronoun.kind))
    head = _head(words, span)
    named = any(word.lower() == head and word[:1].isupper() for word in words[start:end])
    return _KINDS.index("name" if named else "nominal")


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
