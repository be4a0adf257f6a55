"""Does a run come out again? Its documents are scored anew and compared, bit for bit."""

from corefbench.errors import VerificationFailed
from corefbench.record import Record
from corefbench.runs.matching import by_document, match
from corefbench.runs.run import Run
from corefbench.scoring.api import score_each
from corefbench.scoring.result import Result
from corefbench.version import __version__


class Verified(Record, frozen=True):
    """What was compared."""

    results: int
    documents: int
    tallies: int
    """Numbers, each equal to the last bit."""


def verify_run(run: Run) -> Verified:
    """Score the documents of a run by the profile it names; raise VerificationFailed where
    anything is not what the file says."""
    if not run.results:
        raise VerificationFailed(
            "the run holds nothing to score again", remedy="make the run again, with its documents"
        )
    if run.checksum() != run.header.contents:
        raise _failed(run, "the contents of the file", run.checksum(), run.header.contents)
    documents = [run.document(number) for number in range(len(run.documents))]
    corpora = run.corpora(documents)
    compared = 0
    for name, stored in run.results.items():
        again = score_each(corpora.key, {name: corpora.responses[name]}, stored.profile)[name]
        compared += _compare(run, name, stored, again)
        matched = match(corpora.key, corpora.responses[name], stored.profile)
        for number, twinned in by_document(corpora.key, corpora.responses[name], matched):
            if documents[number].matched.get(name) != twinned:
                raise _failed(run, f"the twins of {name}", "others", "those of the file")
    return Verified(results=len(run.results), documents=len(documents), tallies=compared)


def _compare(run: Run, name: str, stored: Result, again: Result) -> int:
    for field in ("key", "response", "scores"):
        signed, found = getattr(stored.signature, field), getattr(again.signature, field)
        if signed.rpartition("@")[2] != found.rpartition("@")[2]:
            raise _failed(run, f"the {field} of {name}", found, signed)
    for measure, tally in stored.tallies.items():
        if tally.values.tobytes() != again.tallies[measure].values.tobytes():
            raise _failed(run, f"the tally of {measure}, {name}", "other counts", "those noted")
    header = next(scored for scored in run.header.results if scored.name == name)
    if header.scores != again.scores:
        raise _failed(run, f"the scores of {name}", str(again.scores), str(header.scores))
    return sum(tally.values.size for tally in stored.tallies.values())


def _failed(run: Run, what: str, found: str, expected: str) -> VerificationFailed:
    other = run.header.version != __version__
    return VerificationFailed(
        f"{what} did not come out again",
        found=found,
        expected=expected,
        remedy=f"verify with corefbench {run.header.version}, which made the file"
        if other
        else "the file was changed after it was made: make the run again",
    )
