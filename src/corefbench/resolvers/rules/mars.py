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

from collections.abc import Iterator

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import Candidate, Decision, ResolverCard, RuleResolver, choice, parameter
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import iter_preceding, judge_candidates
from corefbench.resolvers.rules.indicators import (
    Indicator,
    IndicatorText,
    boost_pronoun,
    collocation,
    definiteness,
    find_headings,
    frequent_candidates,
    givenness,
    immediate_reference,
    indicating_verbs,
    lexical_reiteration,
    non_prepositional,
    obliqueness,
    referential_distance,
    section_heading,
    sequential_instructions,
    syntactic_parallelism,
    term_preference,
)
from corefbench.resolvers.rules.mitkov import IndicatorRanking


class Mars(RuleResolver):
    """Mitkov's approach made fully automatic."""

    card = ResolverCard(
        name="mars",
        title="MARS",
        description="Fourteen indicators, after agreement and syntactic filters.",
        cites=("mitkov2002", "tanev2002"),
    )

    theme = choice("", ("obliqueness", "first"), "points by grammatical function, or for the first noun phrase")
    paragraph = choice("", ("first", "only", "any"), "candidates of the pronoun's paragraph first, only, or of any")
    window = parameter("", 2, "how many sentences before the pronoun's to look back")
    two_back = choice("", (-1, 0), "distance score two sentences back: -1 (Tanev & Mitkov 2002), or 0")
    parallelism = parameter("", True, "whether the same grammatical function is worth a point")
    boost_pronoun = parameter("", True, "whether a pronoun as candidate is worth a point")
    frequent = parameter("", 3, "how many nouns are frequent candidates")
    least = parameter("", 2, "how often a noun must come to be a frequent candidate or a term")
    bearers = parameter("", True, "whether all names of one bearer count as one, or those with one last word")
    pronouns = choice("", ("antecedent", "bare"), "a pronoun counts as its antecedent for lexical scores, or bare")
    terms = parameter("", "", "the terms of the domain, as drawer;toner bottle")
    top_terms = parameter("", 10, "without a list: how many of the most frequent nouns are terms")
    headings = choice("", ("marked", "none"), "section headings as marked in the text, or none")
    synonyms = parameter("", "", "words that repeat each other, as bottle/flask;guide/manual")

    def decisions(self, discourse: Discourse) -> Iterator[Decision]:
        """Find the candidates of all pronouns, then score them."""
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
        return IndicatorRanking(text, self.indicators(text, competing), noting=noting).decisions(anaphors)

    def indicators(self, text: IndicatorText, competing: list[Phrase]) -> dict[str, Indicator]:
        """Return the indicators by name, prepared for a text and the candidates of all its pronouns."""
        indicators: dict[str, Indicator] = {}
        if self.theme == "obliqueness":
            indicators["obliqueness"] = obliqueness
        else:
            indicators["first noun phrase"] = givenness(text, everywhere=True)
        indicators |= {
            "indicating verbs": indicating_verbs(text),
            "lexical reiteration": lexical_reiteration(text, synonyms=self.synonyms),
            "collocation": collocation(text),
            "immediate reference": immediate_reference(text, any_subject=True),
            "sequential instructions": sequential_instructions(text),
            "term preference": term_preference(text, terms=self.terms, top=self.top_terms, least=self.least),
            "definiteness": definiteness(text),
            "prepositional noun phrase": non_prepositional,
            "referential distance": referential_distance(text, two_back=self.two_back),
        }
        if self.headings == "marked":
            indicators["section heading"] = section_heading(text)
        if self.parallelism:
            indicators["syntactic parallelism"] = syntactic_parallelism
        if self.boost_pronoun:
            indicators["boost pronoun"] = boost_pronoun
        if self.frequent:
            indicators["frequent candidates"] = frequent_candidates(
                text, competing, top=self.frequent, least=self.least
            )
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
