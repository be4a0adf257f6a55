"""The gender of those whom a name names: by title, by what stands beside it, by first name."""

from corefbench.language.agreement import ANIMATE, FEMININE, MASCULINE
from corefbench.language.animacy import animacy
from corefbench.language.first_names import FirstName, first_name
from corefbench.language.gendered_nouns import gender_of_noun
from corefbench.language.surnames import is_surname
from corefbench.language.titles import gender_of_title
from corefbench.preprocess.analysis import Analysis

_BESIDE = frozenset(("appos", "compound", "flat", "nmod:desc"))
_SEXES = (MASCULINE, FEMININE)
_OPENERS = frozenset(".!?:;…\"'“”‘’([-–—*•")


def is_name(analysis: Analysis, head: int) -> bool:
    """Whether the head is a proper noun, or is written as one though a tagger took it for less.

    The latter are first names, surnames and words in no dictionary of nouns with a capital; where
    any word may have one, names that are no other noun.
    """
    if analysis.upos[head] in ("PROPN", "PRON", "DET", "NUM"):
        return analysis.upos[head] == "PROPN"
    word = analysis.words[head]
    if not (word[:1].isupper() and word[1:].islower()):
        return False
    if gender_of_title(word) and "".join(analysis.words[head + 1 : head + 2])[:1].isupper():
        return True  # "Miss Bates", whatever "Miss" was tagged
    known = first_name(word) is not None or is_surname(word)
    is_noun = animacy(word) is not None
    before = analysis.words[head - 1] if head else "."
    if before[-1:] in _OPENERS or before[:1].isupper():
        return known and not is_noun
    return known or not is_noun


def gender_of_name(analysis: Analysis, head: int, start: int, end: int, is_person: bool) -> int:
    """The genders that a name leaves open; 0 where nothing says that it names a person.

    A name with an article (*the James Webb Telescope*) is none of a person without other evidence.
    First names that are also places or times say so only of what is known to be a person; single
    names that are rather surnames, or rare, tell no more than that they name a person.
    """
    left, right = name_span(analysis, head, start, end)
    name = list(analysis.words[left:right])
    titles = [gender_of_title(word) for word in name[:-1]]
    sexes = [title for title in titles if title in _SEXES] or _beside(analysis, head, start, end)
    if sexes:
        return sexes[0]
    is_person = is_person or any(titles[:1])
    while len(name) > 1 and gender_of_title(name[0]):
        name = name[1:]
    row = first_name(name[0])
    if row is None or (not is_person and has_determiner(analysis, head, start)):
        return ANIMATE if is_person else 0
    return _of_first_name(row, len(name) == 1, is_person)


def _of_first_name(row: FirstName, alone: bool, is_person: bool) -> int:
    if not is_person and (row.is_word or (alone and (row.is_surname or row.is_rare))):
        return 0
    return ANIMATE if alone and (row.is_surname or row.is_rare) else row.gender


def name_span(analysis: Analysis, head: int, start: int, end: int) -> tuple[int, int]:
    """The unbroken run of proper nouns, and nouns with a capital, around the head."""
    left, right = head, head + 1
    while left > start and _is_part(analysis, left - 1):
        left -= 1
    while right < end and _is_part(analysis, right):
        right += 1
    return left, right


def _is_part(analysis: Analysis, token: int) -> bool:
    upos = analysis.upos[token]
    return upos == "PROPN" or (upos == "NOUN" and analysis.words[token][:1].isupper())


def _beside(analysis: Analysis, head: int, start: int, end: int) -> list[int]:
    """The sexes that common nouns in apposition or before the name tell: *actress Jane Doe*."""
    found = (
        gender_of_noun(analysis.lemmas[token])
        for token in range(start, end)
        if analysis.heads[token] == head
        and analysis.relations[token] in _BESIDE
        and analysis.upos[token] == "NOUN"
    )
    return [gender for gender in found if gender in _SEXES]


def has_determiner(analysis: Analysis, head: int, start: int) -> bool:
    """Whether an article or another determiner stands before the head."""
    heads, upos = analysis.heads, analysis.upos
    return any(heads[token] == head and upos[token] == "DET" for token in range(start, head))
