"""``error_analysis``: three taxonomies of the errors of a response, from one alignment."""

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import accumulate

from msgspec.structs import replace

from corefbench.analysis.errors.decisions import (
    ANTECEDENTS,
    Antecedents,
    Decisions,
    StratumScore,
    classify_decisions,
    find_link_errors,
    gender_bias,
    overall_score,
    score_strata,
)
from corefbench.analysis.errors.operations import Operations, find_operations
from corefbench.analysis.errors.pair import Pair, Side, read_pair
from corefbench.analysis.errors.repair import RepairScore, score_repairs
from corefbench.analysis.errors.taxonomy import (
    CLASSES,
    Error,
    Example,
    FilterValue,
    attribute_getter,
    sort_values,
    value_filter,
)
from corefbench.analysis.statistics.counts import LOW_FREQUENCY, learn_vocabulary
from corefbench.diagnostics import Finding
from corefbench.errors import UnknownName
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.records import Columns
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.profiles import Profile


class ErrorAnalysis(Columns, frozen=True, eq=False):
    """The errors of a response; ``filter`` and ``categorize`` return subsets of them."""

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
        """The number of errors by taxonomy and class, including classes without errors."""
        by_class = Counter(error.kind for error in self.errors)
        return {taxonomy: {kind: by_class[kind] for kind in kinds} for taxonomy, kinds in CLASSES.items()}

    def filter(self, predicate: Callable[[Error], bool] | None = None, /, **wanted: FilterValue) -> "ErrorAnalysis":
        """Keep the errors that match all conditions.

        Conditions are ``kind``, ``taxonomy``, any stratum, ``antecedent`` (its type), with one or
        several values, and a function of the error.
        """
        tests = [predicate] if predicate else []
        tests += [value_filter(name, values) for name, values in wanted.items()]
        return replace(self, errors=tuple(e for e in self.errors if all(test(e) for test in tests)))

    def categorize(self, by: str | Callable[[Error], str]) -> "dict[str, ErrorAnalysis]":
        """Group the errors by ``kind``, ``taxonomy``, a stratum, or a function of the error."""
        value = by if callable(by) else attribute_getter(by)
        errors: dict[str, list[Error]] = defaultdict(list)
        for error in self.errors:
            errors[value(error)].append(error)
        names = list(errors) if callable(by) else sort_values(by, errors)
        return {name: replace(self, errors=tuple(errors[name])) for name in names}

    def examples(self, number: int = 5, *, width: int = 8) -> list[Example]:
        """Return examples of every class, spread evenly over the text."""
        examples = []
        for errors in self.categorize("kind").values():
            step = max(len(errors), 1) / max(min(number, len(errors)), 1)
            indices = [int(step * index) for index in range(min(number, len(errors)))]
            examples += [errors.errors[index].example(width) for index in indices]
        return examples

    def scores(self, by: str) -> dict[str, StratumScore]:
        """Score antecedent decisions by stratum, for the whole response regardless of filters."""
        return score_strata(self.pair, self.decisions, by)

    @property
    def overall(self) -> StratumScore:
        """The score of all antecedent decisions."""
        return overall_score(self.decisions)

    @property
    def bias(self) -> float | None:
        """F1 on feminine ÷ F1 on masculine pronouns."""
        return gender_bias(self.scores("gender"))

    def if_fixed(self) -> list[RepairScore]:
        """Score the whole response with each class of operations repaired."""
        return score_repairs(self.operations, self.profile)


def error_analysis(
    key: CorpusSource,
    response: CorpusSource,
    profile: str | Profile = "conll-2012",
    *,
    train: CorpusSource | None = None,
    low_frequency: int = LOW_FREQUENCY,
    antecedents: Antecedents = "closest",
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    **choices: str | None,
) -> ErrorAnalysis:
    """Analyse the errors of a response under a profile; ``choices`` override parts of it.

    >>> key = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> response = key.replace(b"her (1)", b"her -")
    >>> error_analysis(key, response).counts["decisions"]
    {'false-new': 1, 'false-link': 0, 'wrong-link': 0}
    """
    if antecedents not in ANTECEDENTS:
        raise UnknownName("choice of antecedents", antecedents, list(ANTECEDENTS))
    chosen = customise_profile(profile, choices)
    findings: list[Finding] = []
    pair = read_pair(key, response, chosen, format=format, lenient=lenient, report=findings.append, advance=advance)
    decisions, wrong = classify_decisions(pair)
    operations = find_operations(pair)
    errors = [*wrong, *operations.errors, *find_link_errors(pair, antecedents)]
    if train is not None:
        blocks = stream(train, format=format, reading=Reading(words=True))
        errors = flag_low_frequency(errors, pair, learn_vocabulary(blocks).words, low_frequency)
    return ErrorAnalysis(
        profile=chosen,
        pair=pair,
        errors=tuple(errors),
        decisions=decisions,
        operations=operations,
        findings=tuple(findings),
    )


def flag_low_frequency(errors: list[Error], pair: Pair, known: Counter[str], threshold: int) -> list[Error]:
    """Flag the errors with a low-frequency word (Chen et al. 2018, section 4.2).

    These are errors of which a related mention has a word that occurs fewer than ten times in
    training. Related are the mention itself, its nearest antecedent in the key (false-new and
    wrong-link) and its antecedent in the response (false-link and wrong-link).
    """
    rare = {
        "key": _has_rare_word(pair.key, known, threshold),
        "response": _has_rare_word(pair.response, known, threshold),
    }
    return [replace(error, low_frequency=any(rare[side][m] for side, m in error.related())) for error in errors]


def _has_rare_word(side: Side, known: Counter[str], threshold: int) -> list[bool]:
    """Flag the mentions with a low-frequency word; words that are not alphabetic are ignored."""
    rare = [word.isalpha() and known[word] < threshold for word in side.words]
    # Rare words up to each token, so that long mentions cost no more than short ones.
    until = [0, *accumulate(rare)]
    spans = (side.token_span(mention) for mention in range(len(side)))
    return [until[min(end, len(rare))] > until[min(start, len(rare))] for start, end in spans]
