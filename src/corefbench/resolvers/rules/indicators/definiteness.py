"""Definite phrases are better antecedents than indefinite ones."""

from typing import ClassVar, Literal

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text

_POINTERS = frozenset({"the", "this", "that", "these", "those"})
_POSSESSIVES = frozenset({"PRP$", "POS"})


class Definiteness:
    """One point less for an indefinite phrase, unless the paragraph does without such marks at all.

    Definite are phrases with the article, a demonstrative or a possessor. Manuals may leave
    articles out ("Insert cassette"): where the pronoun's paragraph has none, the indicator is
    silent. Names and pronouns are not penalised unless ``names`` is "indefinite".
    ``base`` is added to all candidates alike, as in the paper's worked example.
    """

    name: ClassVar[str] = "definiteness"
    scores: ClassVar[tuple[int, ...]] = (0, -1)

    def __init__(
        self,
        text: Text,
        *,
        base: int = 0,
        scope: Literal["all", "previous"] = "all",
        names: Literal["neutral", "indefinite"] = "neutral",
    ) -> None:
        self._text = text
        self._base = base
        self._all = scope == "all"
        self._indefinite = {"indefinite"} if names == "neutral" else {"indefinite", "neither"}
        self._marked = _paragraphs_with_marks(text)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.definiteness not in self._indefinite:
            return self._base
        in_scope = self._all or candidate.sentence < anaphor.sentence
        return self._base - (in_scope and self._text.paragraph(anaphor) in self._marked)


def _paragraphs_with_marks(text: Text) -> set[int]:
    """The paragraphs with a definite article, a demonstrative or a possessive."""
    analysis = text.analysis
    found = set()
    for (start, end), paragraph in zip(analysis.sentences, analysis.paragraphs, strict=True):
        if paragraph not in found and any(
            analysis.xpos[token] in _POSSESSIVES
            or (analysis.upos[token] in ("DET", "PRON") and text.lemmas[token] in _POINTERS)
            for token in range(start, end)
        ):
            found.add(paragraph)
    return found
