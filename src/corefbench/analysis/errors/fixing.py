"""What a response would score if a class of its errors were repaired: scored, not estimated."""

from collections.abc import Mapping

from msgspec.structs import replace

from corefbench.analysis.errors.error import CLASSES
from corefbench.analysis.errors.operations import Operations
from corefbench.analysis.errors.repair import repairs
from corefbench.measures import parse
from corefbench.measures.base import ChainMeasure
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Record
from corefbench.scoring.run import score_streams


class Fixed(Record, frozen=True):
    """F1 by score, as it would be."""

    kind: str
    """The class of errors that is repaired, ``none``, or ``all``."""
    errors: int
    alone: Mapping[str, float]
    """With this class repaired and nothing else."""
    together: Mapping[str, float]
    """With this class and all that come before it in the order of the operations."""


def if_fixed(made: Operations, profile: Profile) -> list[Fixed]:
    """The scores of the response with nothing, each class, and all of them repaired."""
    profile, response = _chain_measures(profile), repairs(made)

    def f1(*kinds: str) -> Mapping[str, float]:
        return _scores(made.pair.key.corpus, response.apply(kinds), profile)

    counts = dict.fromkeys(CLASSES["operations"], 0)
    for error in made.errors:
        counts[error.kind] += 1
    before = f1()
    rows = [Fixed(kind="none", errors=0, alone=before, together=before)]
    for place, (kind, count) in enumerate(counts.items()):
        if count:
            alone, together = f1(kind), f1(*list(counts)[: place + 1])
        else:
            alone, together = before, rows[-1].together
        rows.append(Fixed(kind=kind, errors=count, alone=alone, together=together))
    everything = f1(*counts)
    total = sum(counts.values())
    return [*rows, Fixed(kind="all", errors=total, alone=everything, together=everything)]


def _scores(key: Corpus, response: Corpus, profile: Profile) -> dict[str, float]:
    result = score_streams([key], [response], profile)
    made = {name: score.f1 for name, score in result.scores.items()}
    return made if result.conll is None else {"conll": result.conll.f1, **made}


def _chain_measures(profile: Profile) -> Profile:
    """The profile for corpora that are joined and stripped already, with what chains decide."""
    kept = {
        name: text
        for name, text in profile.measures.items()
        if (isinstance(parse(text), ChainMeasure) or text == "mentions")
        and not _wants_more(profile, name)
    }
    kept = kept or {"muc": "muc"}  # something must tell whether the chains became right
    return replace(profile, measures=kept, scope="document", repeat_limit="none")


def _wants_more(profile: Profile, score: str) -> bool:
    """Whether a score counts singletons that the profile strips for all others."""
    own, others = profile.choices_of(score).singletons, profile.choices.singletons
    return others not in ("keep", own)
