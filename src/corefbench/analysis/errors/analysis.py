"""``error_analysis``: three taxonomies of the errors of a response, from one alignment."""

from collections import Counter, defaultdict
from collections.abc import Callable

from msgspec.structs import replace

from corefbench.analysis.errors.decisions import Decisions, decide
from corefbench.analysis.errors.error import CLASSES, Error, Example
from corefbench.analysis.errors.fixing import Fixed, if_fixed
from corefbench.analysis.errors.frequency import vocabulary, with_frequency
from corefbench.analysis.errors.links import ANTECEDENTS, Antecedents, link_errors
from corefbench.analysis.errors.naming import Wanted, in_table_order, is_among, value_named
from corefbench.analysis.errors.operations import Operations, operations
from corefbench.analysis.errors.pair import Pair, Where, read_pair
from corefbench.analysis.errors.scores import StratumScore, bias_of, score_all, stratum_scores
from corefbench.errors import UnknownName
from corefbench.findings import Finding
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.scoring.choosing import customised
from corefbench.stats.vocabulary import LOW_FREQUENCY


class ErrorAnalysis(Columns, frozen=True, eq=False):
    """The errors of a response; ``filter`` and ``categorize`` make smaller ones of it."""

    profile: Profile
    pair: Pair
    errors: tuple[Error, ...]
    decisions: Decisions
    operations: Operations
    findings: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.errors)

    def __repr__(self) -> str:
        name = self.pair.response.corpus.name
        return f"<ErrorAnalysis of {name!r} by {self.profile.name}: {len(self)} errors>"

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """By taxonomy, then by class: how many errors; every class is there."""
        found = Counter(error.kind for error in self.errors)
        return {
            taxonomy: {kind: found[kind] for kind in kinds} for taxonomy, kinds in CLASSES.items()
        }

    def filter(
        self, predicate: Callable[[Error], bool] | None = None, /, **wanted: Wanted
    ) -> "ErrorAnalysis":
        """The errors that fit: ``kind``, ``taxonomy``, any stratum, ``antecedent`` (its type), and
        a function of the error. A value may be several."""
        tests = [predicate] if predicate else []
        tests += [is_among(name, values) for name, values in wanted.items()]
        return replace(self, errors=tuple(e for e in self.errors if all(test(e) for test in tests)))

    def categorize(self, by: str | Callable[[Error], str]) -> "dict[str, ErrorAnalysis]":
        """The errors by ``kind``, ``taxonomy``, a stratum, or a function of the error."""
        value = by if callable(by) else value_named(by)
        found: dict[str, list[Error]] = defaultdict(list)
        for error in self.errors:
            found[value(error)].append(error)
        names = list(found) if callable(by) else in_table_order(by, found)
        return {name: replace(self, errors=tuple(found[name])) for name in names}

    def examples(self, number: int = 5, *, width: int = 8) -> list[Example]:
        """So many examples of every class, spread evenly over the text."""
        made = []
        for some in self.categorize("kind").values():
            step = max(len(some), 1) / max(min(number, len(some)), 1)
            places = [int(step * place) for place in range(min(number, len(some)))]
            made += [some.errors[place].example(width) for place in places]
        return made

    def scores(self, by: str) -> dict[str, StratumScore]:
        """Right antecedent decisions by stratum; of the whole response, whatever is filtered."""
        return stratum_scores(self.pair, self.decisions, by)

    @property
    def overall(self) -> StratumScore:
        """Right antecedent decisions of the whole response."""
        return score_all(self.decisions)

    @property
    def bias(self) -> float | None:
        """F1 on feminine ÷ F1 on masculine pronouns."""
        return bias_of(self.scores("gender"))

    def if_fixed(self) -> list[Fixed]:
        """What the whole response would score with each class of operations repaired."""
        return if_fixed(self.operations, self.profile)


def error_analysis(
    key: Where,
    response: Where,
    profile: str | Profile = "conll-2012",
    *,
    train: Where | None = None,
    low_frequency: int = LOW_FREQUENCY,
    antecedents: Antecedents = "closest",
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    **choices: str | None,
) -> ErrorAnalysis:
    """The errors of a response under a profile; ``choices`` change single choices of it.

    >>> key = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> response = key.replace(b"her (1)", b"her -")
    >>> error_analysis(key, response).counts["decisions"]
    {'false-new': 1, 'false-link': 0, 'wrong-link': 0}
    """
    if antecedents not in ANTECEDENTS:
        raise UnknownName("choice of antecedents", antecedents, list(ANTECEDENTS))
    chosen = customised(profile, choices)
    heard: list[Finding] = []
    pair = read_pair(
        key,
        response,
        chosen,
        format=format,
        lenient=lenient,
        report=heard.append,
        advance=advance,
    )
    decisions, wrong = decide(pair)
    steps = operations(pair)
    errors = [*wrong, *steps.errors, *link_errors(pair, antecedents)]
    if train is not None:
        errors = with_frequency(errors, pair, vocabulary(train, format), low_frequency)
    return ErrorAnalysis(
        profile=chosen,
        pair=pair,
        errors=tuple(errors),
        decisions=decisions,
        operations=steps,
        findings=tuple(heard),
    )
