"""Which pronouns to ask about, and where in the text the answer stands."""

import re
from collections.abc import Iterator, Sequence

from corefbench.language.pronouns import lookup
from corefbench.language_models.passage import Labelled, Passage

Span = tuple[int, int]

_NOTHING = frozenset(("none", "nothing", "no antecedent", "unclear", "unknown", "n/a"))
_ARTICLES = frozenset(("the", "a", "an"))
_LEAD = re.compile(
    r"""^\W*(?:answer\s*:|the\ pronoun\b.*?\b(?:refers?\ to|stands?\ for)\b
        |.{0,40}?\b(?:refers?\ to|stands?\ for)\b)\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"[\"“'‘`*]{1,2}([^\"”`*]{2,}?)[\"”'’`*]{1,2}[.!]?$")


def asked(passage: Passage, start: int, end: int) -> list[Labelled]:
    """The third person pronouns of a window that have a mention of their chain before them in it.

    >>> from corefbench.formats.load import load
    >>> from corefbench.language_models.passage import passage_of
    >>> text = b"[Ann]1 fed [[her]1 cat]2. [It]3 snowed."
    >>> asked(passage_of(load(text, format="inline")[0]), 0, 8)
    [(2, 3, '1')]
    """
    ends: dict[str, int] = {}  # where the first mention to end in each chain ends
    found = []
    for first, last, label in passage.within(start, end):
        before = ends.get(label, end) <= first
        if before and last - first == 1 and _is_anaphor(passage.words[first]):
            found.append((first, last, label))
        ends[label] = min(last, ends.get(label, end))
    return found


def _is_anaphor(word: str) -> bool:
    row = lookup(word)
    return row is not None and row.is_anaphor


def said(answer: str) -> str:
    """The words that an answer names, without what models put around them; empty for none.

    >>> said('It refers to **the old dog**.'), said("Answer: Ann\\n\\nBecause …"), said("None.")
    ('the old dog', 'Ann', '')
    """
    first = next((line for line in answer.splitlines() if line.strip(" `*\"'")), "").strip()
    text = _LEAD.sub("", first)
    quoted = _QUOTED.search(text)
    text = (quoted[1] if quoted else text).strip(" \t.,;:!?\"'“”‘’`*()[]")
    return "" if text.lower() in _NOTHING else text


def find(words: Sequence[str], answer: str, pronoun: int, start: int, end: int) -> Span | None:
    """Where the answer stands in a window: nearest before the pronoun, else nearest after it.

    Case and the division into words do not matter; what is not there is looked for without its
    article.

    >>> find("Ann saw a dog . It saw Ann 's dog".split(), "The dog", 5, 0, 9)
    (3, 4)
    >>> find("Ann 's dog saw it".split(), "Ann's dog", 4, 0, 5)
    (0, 3)
    """
    wanted = [word.casefold() for word in answer.split()]
    for tried in (wanted, wanted[1:] if wanted and wanted[0] in _ARTICLES else []):
        spans = [
            (start + first, start + last)
            for first, last in _places(words[start:end], "".join(tried))
            if not start + first <= pronoun < start + last
        ]
        before = [span for span in spans if span[1] <= pronoun]
        if spans:
            return before[-1] if before else spans[0]
    return None


def _places(words: Sequence[str], letters: str) -> Iterator[Span]:
    """The words that are together these letters."""
    begins, text = dict[int, int](), ""
    for number, word in enumerate(words):
        begins[len(text)] = number
        text += "".join(word.casefold().split())
    begins[len(text)] = len(words)
    place = text.find(letters) if letters else -1
    while place >= 0:
        first, last = begins.get(place), begins.get(place + len(letters))
        if first is not None and last is not None:
            yield first, last
        place = text.find(letters, place + 1)


def is_right(passage: Passage, span: Span, pronoun: Labelled) -> bool:
    """Whether a span is a mention of the pronoun's chain: of all mentions it shares the largest
    part with one of those, 2 |a∩b| ÷ (|a| + |b|)."""
    best, right = 0.0, False
    for first, last, label in passage.mentions:
        if (first, last) == pronoun[:2]:
            continue
        shared = min(last, span[1]) - max(first, span[0])
        share = 2 * shared / (last - first + span[1] - span[0])
        if share > best or (share == best and label == pronoun[2]):
            best, right = share, label == pronoun[2]
    return right and best > 0
