"""What every measure is: a card, a tally (additive, per document) and a score (of a sum).

A measure is a frozen record whose fields are its parameters, so its printed name parses back:
``blanc(edge=both)``. Two kinds exist. A *chain measure* is a function of the contingency table
alone; a *mention measure* looks at the aligned mentions.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import msgspec

from corefbench.errors import UsageError
from corefbench.records import Floats, Record
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.tally import Score, Scores, Tally, score_of_ratios, scores_of_ratios, scores_one_by_one

if TYPE_CHECKING:
    from corefbench.scoring.matching.alignment import Alignment


class MeasureCard(Record, frozen=True):
    """What is said about a measure in help, documentation and web forms."""

    name: str
    title: str
    sentence: str
    cites: tuple[str, ...] = ()


class _Parameters(Record, frozen=True):
    """What both kinds share: the card, the printed name, the score of four counted columns."""

    card: ClassVar[MeasureCard]

    def __str__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)}"
            for field in msgspec.structs.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return self.card.name + (f"({', '.join(changed)})" if changed else "")

    def score(self, total: dict[str, float]) -> Score:
        """R, P and F1 of a summed tally."""
        return score_of_ratios(total)

    def scores(self, totals: Mapping[str, Floats]) -> Scores:
        """``score`` of many sums at once, for resampling: each column an array.

        A measure with a ``score`` of its own is asked one by one, unless it has this too.
        """
        if type(self).score is _Parameters.score:
            return scores_of_ratios(totals)
        return scores_one_by_one(self.score, totals)


class ChainMeasure(_Parameters, frozen=True):
    """A function of the contingency table."""

    def tally(self, table: Contingency) -> Tally:
        raise NotImplementedError


class MentionMeasure(_Parameters, frozen=True):
    """A function of the aligned mentions."""

    def tally(self, alignment: "Alignment") -> Tally:
        raise NotImplementedError


Measure: TypeAlias = ChainMeasure | MentionMeasure


def with_parameters(measure: type[Measure], text: str) -> Measure:
    """A measure from the text between its parentheses: ``edge=both, …``."""
    given: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = item.partition("=")
        if not equals or name.strip() not in measure.__struct_fields__:
            known = ", ".join(measure.__struct_fields__) or "none"
            raise UsageError(
                f"{measure.card.name} has no parameter {name.strip()!r}", found=item, expected=f"parameters: {known}"
            )
        given[name.strip()] = value.strip()
    try:
        return msgspec.convert(given, measure, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{measure.card.name} does not take this value", found=text, expected=str(error)) from error
