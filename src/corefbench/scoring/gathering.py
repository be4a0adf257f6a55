"""What scoring adds up, document by document, until it is signed.

A worker gathers its share and sends it as a ``Share``; shares are merged in the order of the
documents, and what comes out is what one worker would have gathered alone.
"""

import numpy as np
from msgspec.structs import replace

from corefbench.errors import MismatchError
from corefbench.findings import Finding
from corefbench.measures import Tally, parse
from corefbench.model.corpus import Corpus
from corefbench.policy.repeats import check_limit
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.scoring.choosing import described
from corefbench.scoring.evaluate import evaluate, units
from corefbench.scoring.result import Result
from corefbench.scoring.signature import ContentHash, Said, Signature, scores_hash
from corefbench.scoring.survey import Survey

_COUNTING = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
"""The measures for each of which the reference scorer counts repeated mentions anew."""


class Share(Columns, frozen=True, eq=False):
    """What was gathered of some documents."""

    documents: tuple[str, ...]
    tallies: dict[str, Tally]
    survey: Survey
    key: tuple[Said, ...]
    response: tuple[Said, ...]
    findings: tuple[Finding, ...] = ()


class Gathering:
    """Tallies, names, remarks and hashes of all that has been scored so far."""

    def __init__(self, profile: Profile) -> None:
        across = profile.scope != "document"
        self.profile = profile
        self.measures = {name: parse(text) for name, text in profile.measures.items()}
        self.hashes = ContentHash(across=across), ContentHash(across=across)
        self.survey = Survey(profile)
        self.heard: list[Finding] = []
        self.documents: list[str] = []
        self._tallies: dict[str, list[Tally]] = {name: [] for name in self.measures}

    def score(self, key: Corpus, response: Corpus) -> None:
        """Score corpora with the same documents in the same order."""
        evaluation = evaluate(key, response, self.profile, self.measures)
        self.survey.add(key, response, evaluation.alignment)
        self.documents += units(key, self.profile.scope)
        for name, tally in evaluation.tallies.items():
            self._tallies[name].append(tally)

    def tallies(self) -> dict[str, Tally]:
        """The counts of every document so far."""
        return {name: Tally.concatenate(pieces) for name, pieces in self._tallies.items() if pieces}

    def merge(self, share: Share) -> None:
        """Take in what another worker gathered of the next documents."""
        self.documents += share.documents
        self.survey.merge(share.survey)
        self.heard += share.findings
        for name, tally in share.tallies.items():
            self._tallies[name].append(tally)
        for content, sayings in zip(self.hashes, (share.key, share.response), strict=True):
            for said in sayings:
                content.take(said)

    def result(self) -> Result:
        """The scores, signed."""
        counting = sum(name in _COUNTING for name in self.measures)
        check_limit(self.survey.repeated_answers, self.profile.repeat_limit, counting)
        documents, total = self.documents, self.tallies()
        if not total:
            raise MismatchError("there is nothing to score", code="CB102", found="no document")
        key, response = self.hashes
        if self.profile.scope == "document" and documents != key.labels:
            documents, total = _in_order(key.labels, documents, total)
        return Result(
            profile=self.profile,
            measures=self.measures,
            tallies=total,
            documents=tuple(documents),
            signature=Signature(
                profile=self.profile.name,
                choices=described(self.profile),
                key=str(key),
                response=str(response),
                scores=scores_hash(total),
            ),
            findings=(*self.heard, *self.survey.findings(key.name, response.name)),
        )


def _in_order(
    wanted: list[str], documents: list[str], tallies: dict[str, Tally]
) -> tuple[list[str], dict[str, Tally]]:
    """Documents in the order of the key, whatever the order in which they were paired."""
    place = {label: number for number, label in enumerate(documents)}
    order = np.array([place[label] for label in wanted], np.int64)
    return wanted, {
        name: replace(tally, values=tally.values[order]) for name, tally in tallies.items()
    }
