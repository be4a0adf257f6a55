"""Verify a run: score its documents again and compare bit for bit."""

from corefbench.errors import VerificationFailed
from corefbench.records import Record
from corefbench.runs.matching import match_mentions, twins_by_document
from corefbench.runs.run_file import Run
from corefbench.scoring.api import score_each
from corefbench.scoring.result import Result
from corefbench.version import __version__


class VerifiedRun(Record, frozen=True):
    """The number of results, documents and tallies that were verified."""

    results: int
    documents: int
    tallies: int
    """Numbers, each equal to the last bit."""


def verify_run(run: Run) -> VerifiedRun:
    """Score the documents of a run again; raise VerificationFailed if anything differs."""
    if not run.results:
        raise VerificationFailed("the run has nothing to score again", remedy="make the run again, with its documents")
    if run.checksum() != run.header.contents:
        raise _verification_error(run, "the contents of the file", run.checksum(), run.header.contents)
    documents = [run.document(number) for number in range(len(run.documents))]
    corpora = run.corpora(documents)
    compared = 0
    for name, stored in run.results.items():
        again = score_each(corpora.key, {name: corpora.responses[name]}, stored.profile)[name]
        compared += _compare_results(run, name, stored, again)
        matched = match_mentions(corpora.key, corpora.responses[name], stored.profile)
        for number, twinned in twins_by_document(corpora.key, corpora.responses[name], matched):
            if documents[number].matched.get(name) != twinned:
                raise _verification_error(run, f"the twins of {name}", "others", "those of the file")
    return VerifiedRun(results=len(run.results), documents=len(documents), tallies=compared)


def _compare_results(run: Run, name: str, stored: Result, again: Result) -> int:
    for field in ("key", "response", "scores"):
        signed, recomputed = getattr(stored.signature, field), getattr(again.signature, field)
        # Hashes only: inputs are named after files, which may have been renamed.
        if signed.rpartition("@")[2] != recomputed.rpartition("@")[2]:
            raise _verification_error(run, f"the {field} of {name}", recomputed, signed)
    for measure, tally in stored.tallies.items():
        # Bytes, not values: even the sign of a zero must come out again.
        if tally.values.tobytes() != again.tallies[measure].values.tobytes():
            raise _verification_error(run, f"the tally of {measure}, {name}", "other counts", "those noted")
    header = next(scored for scored in run.header.results if scored.name == name)
    if header.scores != again.scores:
        raise _verification_error(run, f"the scores of {name}", str(again.scores), str(header.scores))
    return sum(tally.values.size for tally in stored.tallies.values())


def _verification_error(run: Run, subject: str, found: str, expected: str) -> VerificationFailed:
    is_other_version = run.header.version != __version__
    return VerificationFailed(
        f"{subject} did not come out again",
        found=found,
        expected=expected,
        remedy=f"verify with corefbench {run.header.version}, which made the file"
        if is_other_version
        else "the file was changed after it was made: make the run again",
    )
