"""Questions about pronouns: which to ask, and where the answer is in the text."""

import re
from collections.abc import Iterator, Sequence

from corefbench.llm.passage import LabelledSpan, Passage
from corefbench.preprocess.english.pronouns import lookup_pronoun

Span = tuple[int, int]

_NO_ANTECEDENT = frozenset(("none", "nothing", "no antecedent", "unclear", "unknown", "n/a"))
_ARTICLES = frozenset(("the", "a", "an"))
_LEAD = re.compile(
    r"""^\W*(?:answer\s*:|the\ pronoun\b.*?\b(?:refers?\ to|stands?\ for)\b
        |.{0,40}?\b(?:refers?\ to|stands?\ for)\b)\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"[\"“'‘`*]{1,2}([^\"”`*]{2,}?)[\"”'’`*]{1,2}[.!]?$")


def find_questions(passage: Passage, start: int, end: int) -> list[LabelledSpan]:
    """Return the third-person pronouns of a window with an earlier mention of their chain in it.

    >>> from corefbench.formats.load import load
    >>> from corefbench.llm.passage import make_passage
    >>> text = b"[Ann]1 fed [[her]1 cat]2. [It]3 snowed."
    >>> find_questions(make_passage(load(text, format="inline")[0]), 0, 8)
    [(2, 3, '1')]
    """
    ends: dict[str, int] = {}  # where the first mention to end in each chain ends
    pronouns = []
    for first, last, label in passage.within(start, end):
        before = ends.get(label, end) <= first
        if before and last - first == 1 and _is_anaphor(passage.words[first]):
            pronouns.append((first, last, label))
        ends[label] = min(last, ends.get(label, end))
    return pronouns


def _is_anaphor(word: str) -> bool:
    row = lookup_pronoun(word)
    return row is not None and row.is_anaphor


def extract_answer(answer: str) -> str:
    """Return the antecedent in an answer, without text around it; empty for none.

    >>> answers = "It refers to **the old dog**.", "Answer: Ann\\n\\nBecause …", "None."
    >>> [extract_answer(answer) for answer in answers]
    ['the old dog', 'Ann', '']
    """
    first = next((line for line in answer.splitlines() if line.strip(" `*\"'")), "").strip()
    text = _LEAD.sub("", first)
    quoted = _QUOTED.search(text)
    text = (quoted[1] if quoted else text).strip(" \t.,;:!?\"'“”‘’`*()[]")
    return "" if text.lower() in _NO_ANTECEDENT else text


def find_answer(words: Sequence[str], answer: str, pronoun: int, start: int, end: int) -> Span | None:
    """Find the answer in a window: nearest before the pronoun, else nearest after it.

    Case and tokenization do not matter; if the answer is not found, it is searched without its
    article.

    >>> find_answer("Ann saw a dog . It saw Ann 's dog".split(), "The dog", 5, 0, 9)
    (3, 4)
    >>> find_answer("Ann 's dog saw it".split(), "Ann's dog", 4, 0, 5)
    (0, 3)
    """
    wanted = [word.casefold() for word in answer.split()]
    for tried in (wanted, wanted[1:] if wanted and wanted[0] in _ARTICLES else []):
        spans = [
            (start + first, start + last)
            for first, last in _find_letters(words[start:end], "".join(tried))
            if not start + first <= pronoun < start + last
        ]
        before = [span for span in spans if span[1] <= pronoun]
        if spans:
            return before[-1] if before else spans[0]
    return None


def _find_letters(words: Sequence[str], letters: str) -> Iterator[Span]:
    """Yield the spans of words that consist of these letters."""
    begins, text = dict[int, int](), ""
    for number, word in enumerate(words):
        begins[len(text)] = number
        text += "".join(word.casefold().split())
    begins[len(text)] = len(words)
    position = text.find(letters) if letters else -1
    while position >= 0:
        first, last = begins.get(position), begins.get(position + len(letters))
        if first is not None and last is not None:
            yield first, last
        position = text.find(letters, position + 1)


def is_correct_antecedent(passage: Passage, span: Span, pronoun: LabelledSpan) -> bool:
    """Whether a span is a mention of the pronoun's chain.

    That is, whether the mention that it overlaps most, 2 |a∩b| ÷ (|a| + |b|), is in the chain.
    """
    best, right = 0.0, False
    for first, last, label in passage.mentions:
        if (first, last) == pronoun[:2]:
            continue
        shared = min(last, span[1]) - max(first, span[0])
        share = 2 * shared / (last - first + span[1] - span[0])
        if share > best or (share == best and label == pronoun[2]):
            best, right = share, label == pronoun[2]
    return right and best > 0
