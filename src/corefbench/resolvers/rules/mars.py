"""MARS (Mitkov, Evans & Orăsan 2002): Mitkov's approach on top of a dependency parser.

Candidates come from the pronoun's paragraph and from the heading of its section, and from before
the paragraph where it has none. Agreement and three syntactic filters leave those that fourteen
indicators give points to. One of these asks which nouns compete most often in the whole text, so
candidates are found for all pronouns first.

What the papers leave open was decided on development data: success rate on GUM (gold trees and
mentions) and 80 documents of LitBank, F1 on GAP.

    as it is                   73.2   79.5   60.9
    theme=first                74.5   81.0   58.3   the worst on GAP
    two_back=0                 72.7   79.3   60.4
    pronouns=bare              72.4   73.4   61.2
    boost_pronoun=false        73.8   78.2   61.6
    frequent=0                 73.1   79.3   60.8
    least=1                    73.4   79.5   59.6
    bearers=false              72.8   79.6   60.5
    paragraph=only             69.2   79.5   60.9   the paper's words; first keeps to them if it can
    paragraph=any              72.8   79.5   60.9
"""

from collections.abc import Iterator
from typing import Literal

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Candidate, Resolution
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import judged, preceding
from corefbench.resolvers.rules.checks import check_parameters
from corefbench.resolvers.rules.indicators import Indicator
from corefbench.resolvers.rules.indicators.collocation import Collocation
from corefbench.resolvers.rules.indicators.definiteness import Definiteness
from corefbench.resolvers.rules.indicators.distance import ReferentialDistance
from corefbench.resolvers.rules.indicators.givenness import FirstNounPhrase, Obliqueness
from corefbench.resolvers.rules.indicators.headings import SectionHeading, heading_of
from corefbench.resolvers.rules.indicators.indicating_verbs import IndicatingVerbs
from corefbench.resolvers.rules.indicators.instructions import (
    ImmediateReference,
    SequentialInstructions,
)
from corefbench.resolvers.rules.indicators.mars import (
    BoostPronoun,
    FrequentCandidates,
    SyntacticParallelism,
)
from corefbench.resolvers.rules.indicators.prepositions import NonPrepositional
from corefbench.resolvers.rules.indicators.ranking import Ranking
from corefbench.resolvers.rules.indicators.reiteration import LexicalReiteration
from corefbench.resolvers.rules.indicators.terms import TermPreference
from corefbench.resolvers.rules.indicators.text import Text

_PARAMETERS = (
    ("theme", "obliqueness", "points by grammatical function, or for the first noun phrase"),
    ("paragraph", "first", "candidates of the pronoun's paragraph first, only, or of any"),
    ("window", 2, "how many sentences before the pronoun's to look back"),
    ("two_back", -1, "distance score two sentences back: -1 (Tanev & Mitkov 2002), or 0"),
    ("parallelism", True, "whether the same grammatical function is worth a point"),
    ("boost_pronoun", True, "whether a pronoun as candidate is worth a point"),
    ("frequent", 3, "how many nouns are frequent candidates"),
    ("least", 2, "how often a noun must come to be a frequent candidate or a term"),
    ("bearers", True, "whether all names of one bearer count as one, or those with one last word"),
    ("pronouns", "antecedent", "a pronoun counts as its antecedent for lexical scores, or bare"),
    ("terms", "", "the terms of the domain, as drawer;toner bottle"),
    ("top_terms", 10, "without a list: how many of the most frequent nouns are terms"),
    ("headings", "marked", "section headings as marked in the text, or none"),
    ("synonyms", "", "words that repeat each other, as bottle/flask;guide/manual"),
)


class Mars(Record, frozen=True, kw_only=True):
    """Mitkov's approach made fully automatic."""

    card = ResolverCard(
        name="mars",
        title="MARS",
        description="Fourteen indicators, after agreement and syntactic filters.",
        parameters=tuple(
            Parameter(name=name, default=default, meaning=meaning)
            for name, default, meaning in _PARAMETERS
        ),
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
        text = Text(discourse, bearers=self.bearers)
        search = _Search(self, text)
        found = [(anaphor, search.candidates(anaphor)) for anaphor in discourse.anaphors]
        competing = [
            discourse.phrases[one.phrase] for _, rows in found for one in rows if not one.dropped
        ]
        noting = self.pronouns == "antecedent"
        ranking = Ranking(text, self.indicators(text, competing), noting=noting)
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(ranking.decisions(found)),
        )

    def indicators(self, text: Text, competing: list[Phrase]) -> list[Indicator]:
        """The indicators, made ready for a text and the candidates of all its pronouns."""
        found: list[Indicator] = [
            Obliqueness(text)
            if self.theme == "obliqueness"
            else FirstNounPhrase(text, scope="all"),
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
            found.append(SectionHeading(text))
        if self.parallelism:
            found.append(SyntacticParallelism(text))
        if self.boost_pronoun:
            found.append(BoostPronoun(text))
        if self.frequent:
            found.append(FrequentCandidates(text, competing, top=self.frequent, least=self.least))
        return found


class _Search:
    """Finds the candidates of the pronouns of one document."""

    def __init__(self, settings: Mars, text: Text) -> None:
        self._settings = settings
        self._text = text
        self._binding = Binding(text.discourse)
        none = [-1] * len(text.analysis.sentences)
        self._heading = heading_of(text) if settings.headings == "marked" else none

    def candidates(self, anaphor: Phrase) -> list[Candidate]:
        """Those of its paragraph and heading; if need be, those before the paragraph too."""
        allowed = self._settings.paragraph
        if allowed != "any":
            found = judged(anaphor, self._nearest(anaphor, inside=True), self._binding)
            if allowed == "only" or any(not one.dropped for one in found):
                return found
        return judged(anaphor, self._nearest(anaphor, inside=False), self._binding)

    def _nearest(self, anaphor: Phrase, *, inside: bool) -> Iterator[Phrase]:
        """The phrases of the window and of the heading, the nearest first.

        ``inside`` leaves out those of other paragraphs.
        """
        text, window = self._text, self._settings.window
        own, heading = text.paragraph(anaphor), self._heading[anaphor.sentence]
        for phrase in preceding(text.discourse, anaphor, window):
            if not inside or text.paragraph(phrase) == own or phrase.sentence == heading:
                yield phrase
        if 0 <= heading < anaphor.sentence - window:
            phrases = reversed(text.discourse.by_sentence[heading])
            yield from (phrase for phrase in phrases if not phrase.pleonastic)
