"""MARS (Mitkov, Evans & Orăsan 2002): Mitkov's approach on top of a dependency parser.

Candidates come from the pronoun's paragraph and from the heading of its section, and from before
the paragraph if it has none. Agreement and three syntactic filters leave those that fourteen
indicators score. One of these counts which nouns compete most often in the whole text, so
candidates are found for all pronouns first.

What the papers leave open was decided on development data: success rate on GUM (gold trees and
mentions) and 80 documents of LitBank, F1 on GAP.

    defaults                   73.2   79.5   60.9
    theme=first                74.5   81.0   58.3   the worst on GAP
    two_back=0                 72.7   79.3   60.4
    pronouns=bare              72.4   73.4   61.2
    boost_pronoun=false        73.8   78.2   61.6
    frequent=0                 73.1   79.3   60.8
    least=1                    73.4   79.5   59.6
    bearers=false              72.8   79.6   60.5
    paragraph=only             69.2   79.5   60.9   as in the paper; ``first`` prefers it
    paragraph=any              72.8   79.5   60.9
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.records import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard, check_parameters, make_parameters
from corefbench.resolvers.resolution import Candidate, Resolution
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import iter_preceding, judge_candidates
from corefbench.resolvers.rules.indicators import (
    Collocation,
    Definiteness,
    FirstNounPhrase,
    ImmediateReference,
    IndicatingVerbs,
    Indicator,
    IndicatorText,
    LexicalReiteration,
    NonPrepositional,
    Obliqueness,
    ReferentialDistance,
    SectionHeading,
    SequentialInstructions,
    TermPreference,
    find_headings,
)
from corefbench.resolvers.rules.mitkov import IndicatorRanking

_PARAMETERS = make_parameters(
    ("", "theme", "obliqueness", "points by grammatical function, or for the first noun phrase"),
    ("", "paragraph", "first", "candidates of the pronoun's paragraph first, only, or of any"),
    ("", "window", 2, "how many sentences before the pronoun's to look back"),
    ("", "two_back", -1, "distance score two sentences back: -1 (Tanev & Mitkov 2002), or 0"),
    ("", "parallelism", True, "whether the same grammatical function is worth a point"),
    ("", "boost_pronoun", True, "whether a pronoun as candidate is worth a point"),
    ("", "frequent", 3, "how many nouns are frequent candidates"),
    ("", "least", 2, "how often a noun must come to be a frequent candidate or a term"),
    ("", "bearers", True,
     "whether all names of one bearer count as one, or those with one last word"),
    ("", "pronouns", "antecedent",
     "a pronoun counts as its antecedent for lexical scores, or bare"),
    ("", "terms", "", "the terms of the domain, as drawer;toner bottle"),
    ("", "top_terms", 10, "without a list: how many of the most frequent nouns are terms"),
    ("", "headings", "marked", "section headings as marked in the text, or none"),
    ("", "synonyms", "", "words that repeat each other, as bottle/flask;guide/manual"),
)  # fmt: skip


class Mars(Record, frozen=True, kw_only=True):
    """Mitkov's approach made fully automatic."""

    card = ResolverCard(
        name="mars",
        title="MARS",
        description="Fourteen indicators, after agreement and syntactic filters.",
        parameters=_PARAMETERS,
        cites=("mitkov2002", "tanev2002"),
    )

    theme: Literal["obliqueness", "first"] = "obliqueness"
    paragraph: Literal["first", "only", "any"] = "first"
    window: int = 2
    two_back: Literal[-1, 0] = -1
    parallelism: bool = True
    boost_pronoun: bool = True
    frequent: int = 3
    least: int = 2
    bearers: bool = True
    pronouns: Literal["antecedent", "bare"] = "antecedent"
    terms: str = ""
    top_terms: int = 10
    headings: Literal["marked", "none"] = "marked"
    synonyms: str = ""

    def __post_init__(self) -> None:
        check_parameters(self)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document: find the candidates of all pronouns, then score them."""
        text = IndicatorText(discourse, bearers=self.bearers)
        search = _CandidateSearch(self, text)
        anaphors = [(anaphor, search.candidates(anaphor)) for anaphor in discourse.anaphors]
        # Frequent candidates are counted over all pronouns, so all candidates are found first.
        competing = [
            discourse.phrases[candidate.phrase]
            for _, candidates in anaphors
            for candidate in candidates
            if not candidate.dropped
        ]
        noting = self.pronouns == "antecedent"
        ranking = IndicatorRanking(text, self.indicators(text, competing), noting=noting)
        return Resolution(resolver=signature(self), discourse=discourse, decisions=tuple(ranking.decisions(anaphors)))

    def indicators(self, text: IndicatorText, competing: list[Phrase]) -> list[Indicator]:
        """Return the indicators, prepared for a text and the candidates of all its pronouns."""
        indicators: list[Indicator] = [
            Obliqueness(text) if self.theme == "obliqueness" else FirstNounPhrase(text, scope="all"),
            IndicatingVerbs(text),
            LexicalReiteration(text, synonyms=self.synonyms),
            Collocation(text),
            ImmediateReference(text, any_subject=True),
            SequentialInstructions(text),
            TermPreference(text, terms=self.terms, top=self.top_terms, least=self.least),
            Definiteness(text),
            NonPrepositional(text),
            ReferentialDistance(text, two_back=self.two_back),
        ]
        if self.headings == "marked":
            indicators.append(SectionHeading(text))
        if self.parallelism:
            indicators.append(SyntacticParallelism(text))
        if self.boost_pronoun:
            indicators.append(BoostPronoun(text))
        if self.frequent:
            indicators.append(FrequentCandidates(text, competing, top=self.frequent, least=self.least))
        return indicators


class _CandidateSearch:
    """Finds the candidates of the pronouns of one document."""

    def __init__(self, settings: Mars, text: IndicatorText) -> None:
        self._settings = settings
        self._text = text
        self._binding = Binding(text.discourse)
        none = [-1] * len(text.analysis.sentences)
        self._heading = find_headings(text) if settings.headings == "marked" else none

    def candidates(self, anaphor: Phrase) -> list[Candidate]:
        """Return the candidates of its paragraph and heading; if needed, also earlier ones."""
        allowed = self._settings.paragraph
        if allowed != "any":
            candidates = judge_candidates(anaphor, self._nearest(anaphor, inside=True), self._binding)
            if allowed == "only" or any(not candidate.dropped for candidate in candidates):
                return candidates
        return judge_candidates(anaphor, self._nearest(anaphor, inside=False), self._binding)

    def _nearest(self, anaphor: Phrase, *, inside: bool) -> Iterator[Phrase]:
        """Yield the phrases of the window and of the heading, the nearest first.

        ``inside`` leaves out those of other paragraphs.
        """
        text, window = self._text, self._settings.window
        paragraph, heading = text.paragraph(anaphor), self._heading[anaphor.sentence]
        for phrase in iter_preceding(text.discourse, anaphor, window):
            if not inside or text.paragraph(phrase) == paragraph or phrase.sentence == heading:
                yield phrase
        if 0 <= heading < anaphor.sentence - window:
            phrases = reversed(text.discourse.by_sentence[heading])
            yield from (phrase for phrase in phrases if not phrase.pleonastic)


class SyntacticParallelism:
    """A point for a candidate with the grammatical function of the pronoun."""

    name: ClassVar[str] = "syntactic parallelism"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.function == anaphor.function != "other")


class BoostPronoun:
    """A point for a candidate that is a pronoun of the third person: it was in focus already."""

    name: ClassVar[str] = "boost pronoun"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.anaphoric)


class FrequentCandidates:
    """A point for the three nouns that compete most often, over all pronouns of the text.

    ``competing`` are the candidates of all pronouns that passed the filters. A noun that the text
    has fewer than ``least`` times is not frequent, however many pronouns it competes for.
    """

    name: ClassVar[str] = "frequent candidates"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText, competing: Iterable[Phrase], *, top: int = 3, least: int = 1) -> None:
        self._text = text
        occurrences = Counter(text.words[phrase.index] for phrase in text.nouns)
        counts = Counter(text.words[phrase.index] for phrase in competing if phrase.pronoun is None)
        self._frequent = {word for word, _ in counts.most_common(top) if occurrences[word] >= least}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        return int(noun.pronoun is None and self._text.words[noun.index] in self._frequent)
