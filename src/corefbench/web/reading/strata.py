"""What kind of mention stands where, and what kind of error: as error analysis tells them."""

from corefbench.analysis.errors.decisions import decide
from corefbench.analysis.errors.pair import Pair, SideName, read_pair
from corefbench.findings import ignore
from corefbench.profiles import Profile
from corefbench.record import Record
from corefbench.runs.restoring import corpus_of
from corefbench.runs.schema import RunDocument, Span

STRATA = ("type", "pronoun", "sentences")
"""Those that places can be told apart by."""


class Kind(Record, frozen=True):
    """A mention in every stratum."""

    type: str = "unknown"
    pronoun: str = ""
    sentences: str = ""


class Kinds(Record, frozen=True):
    """The mentions of one response and of the key, by where they stand."""

    mentions: dict[Span, Kind]
    """The key's word counts where both have one."""
    errors: dict[Span, str]
    """The class of the decision that is wrong."""


def kinds(document: RunDocument, response: str, profile: Profile) -> Kinds:
    """The strata and errors of one response; none where one side lacks the document."""
    layer = document.responses.get(response)
    if document.key is None or layer is None:
        return Kinds(mentions={}, errors={})
    pair = read_pair(corpus_of(document.key), corpus_of(layer), profile, report=ignore)
    _, errors = decide(pair)
    return Kinds(
        mentions=_mentions(pair, "response") | _mentions(pair, "key"),
        errors={pair.side(error.side).span(error.mention): error.kind for error in errors},
    )


def _mentions(pair: Pair, name: SideName) -> dict[Span, Kind]:
    side = pair.side(name)
    columns = (side.strata[stratum] for stratum in STRATA)
    return {
        side.span(mention): Kind(type=kind, pronoun=pronoun, sentences=sentences)
        for mention, (kind, pronoun, sentences) in enumerate(zip(*columns, strict=True))
    }
