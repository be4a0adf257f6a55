"""Mitkov (1998): robust pronoun resolution with limited knowledge.

The noun phrases before a pronoun, in its sentence and the two before, that agree with it in number
and gender are given points by eleven indicators; the highest sum wins. There is no syntax beyond
noun phrases and clauses: a phrase is dropped for syntax only if the pronoun is part of it.
"""

from typing import Literal

from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.rules.candidates import candidates_in
from corefbench.resolvers.rules.checks import check_parameters
from corefbench.resolvers.rules.indicators import Indicator
from corefbench.resolvers.rules.indicators.collocation import Collocation
from corefbench.resolvers.rules.indicators.definiteness import Definiteness
from corefbench.resolvers.rules.indicators.distance import ReferentialDistance
from corefbench.resolvers.rules.indicators.givenness import Givenness
from corefbench.resolvers.rules.indicators.headings import SectionHeading
from corefbench.resolvers.rules.indicators.indicating_verbs import IndicatingVerbs
from corefbench.resolvers.rules.indicators.instructions import ImmediateReference
from corefbench.resolvers.rules.indicators.prepositions import NonPrepositional
from corefbench.resolvers.rules.indicators.ranking import Ranking
from corefbench.resolvers.rules.indicators.reiteration import LexicalReiteration
from corefbench.resolvers.rules.indicators.terms import TermPreference
from corefbench.resolvers.rules.indicators.text import Text

TIES = (ImmediateReference.name, Collocation.name, IndicatingVerbs.name)
"""What decides between equal sums, in order; then the most recent."""

_PARAMETERS = (
    ("F1", "definiteness_base", 0, "the score of definite phrases: 0, or 1 as in the example"),
    ("F2", "window", 2, "sentences to look back; from three back the distance scores -1"),
    ("F3", "same_sentence", 2, "distance score of the pronoun's own sentence if it is simple"),
    ("F4", "same_clause", 2, "distance score of the pronoun's own clause in a complex sentence"),
    ("F5", "definiteness_scope", "all", "definiteness of all phrases, or of previous sentences'"),
    ("F5", "givenness_scope", "previous", "givenness of previous sentences' phrases, or of all"),
    ("F6", "names", "neutral", "names and pronouns are neutral, or count as indefinite"),
    ("F7", "imperatives", "lenient", "lenient: 'To open it, please press …' is an imperative too"),
    ("F8", "terms", "", "the terms of the domain, as drawer;toner bottle"),
    ("F8", "top_terms", 10, "without a list: how many of the most frequent nouns are terms"),
    ("F9", "headings", "marked", "section headings as marked in the text, or none"),
    ("F10", "synonyms", "", "words that repeat each other, as bottle/flask;guide/manual"),
    ("F11", "repeats", "others", "reiteration counts the others, or all with the candidate"),
    ("F8", "least", 1, "how often a noun must come to be a term; the example counts any"),
    ("", "bearers", True, "whether all names of one bearer count as one, or by their last word"),
    (
        "",
        "pronouns",
        "antecedent",
        "a pronoun counts as its antecedent for lexical scores, or bare",
    ),
)


class Mitkov(Record, frozen=True, kw_only=True):
    """The knowledge-poor approach of 1998."""

    card = ResolverCard(
        name="mitkov",
        title="Mitkov (1998)",
        description="Eleven indicators give points to the noun phrases that agree.",
        parameters=tuple(
            Parameter(decision=decision, name=name, default=default, meaning=meaning)
            for decision, name, default, meaning in _PARAMETERS
        ),
        cites=("mitkov1998",),
    )

    definiteness_base: Literal[0, 1] = 0
    window: int = 2
    same_sentence: int = 2
    same_clause: int = 2
    definiteness_scope: Literal["all", "previous"] = "all"
    givenness_scope: Literal["previous", "all"] = "previous"
    names: Literal["neutral", "indefinite"] = "neutral"
    imperatives: Literal["lenient", "strict"] = "lenient"
    terms: str = ""
    top_terms: int = 10
    headings: Literal["marked", "none"] = "marked"
    synonyms: str = ""
    repeats: Literal["others", "all"] = "others"
    least: int = 1
    bearers: bool = True
    pronouns: Literal["antecedent", "bare"] = "antecedent"

    def __post_init__(self) -> None:
        check_parameters(self)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        text = Text(discourse, bearers=self.bearers)
        ranking = Ranking(text, self.indicators(text), TIES, noting=self.pronouns == "antecedent")
        found = (
            (anaphor, candidates_in(discourse, anaphor, self.window))
            for anaphor in discourse.anaphors
        )
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(ranking.decisions(found)),
        )

    def indicators(self, text: Text) -> list[Indicator]:
        """The eleven indicators, made ready for a text."""
        found: list[Indicator] = [
            Definiteness(
                text, base=self.definiteness_base, scope=self.definiteness_scope, names=self.names
            ),
            Givenness(text, scope=self.givenness_scope, lenient=self.imperatives == "lenient"),
            IndicatingVerbs(text),
            LexicalReiteration(text, synonyms=self.synonyms, repeats=self.repeats),
            NonPrepositional(text),
            Collocation(text),
            ImmediateReference(text),
            ReferentialDistance(
                text, same_sentence=self.same_sentence, same_clause=self.same_clause
            ),
            TermPreference(text, terms=self.terms, top=self.top_terms, least=self.least),
        ]
        if self.headings == "marked":
            found.insert(4, SectionHeading(text))
        return found
