"""Score streams of corpora: pair, evaluate, add up, sign."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.errors import MismatchError
from corefbench.findings import Finding
from corefbench.measures import Tally, parse
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.policy.repeats import check_limit
from corefbench.profiles import Profile
from corefbench.scoring.choosing import described
from corefbench.scoring.evaluate import evaluate, units
from corefbench.scoring.pairing import paired
from corefbench.scoring.result import Result
from corefbench.scoring.signature import ContentHash, Signature, scores_hash
from corefbench.scoring.survey import Survey

_COUNTING = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
"""The measures for each of which the reference scorer counts repeated mentions anew."""


def score_streams(
    key: Iterable[Corpus],
    response: Iterable[Corpus],
    profile: Profile,
) -> Result:
    """Score a stream of key documents against a stream of response documents."""
    measures = {name: parse(text) for name, text in profile.measures.items()}
    heard: list[Finding] = []
    across = profile.scope != "document"
    hashes = ContentHash(across=across), ContentHash(across=across)
    survey = Survey(profile)
    tallies: dict[str, list[Tally]] = {name: [] for name in measures}
    documents: list[str] = []
    pairs = paired(_hashed(key, hashes[0]), _hashed(response, hashes[1]), heard.append)
    if profile.scope != "document":
        pairs = as_one(pairs)
    for some_key, some_response in pairs:
        evaluation = evaluate(some_key, some_response, profile, measures)
        survey.add(some_key, some_response, evaluation.alignment)
        documents += units(some_key, profile.scope)
        for name, tally in evaluation.tallies.items():
            tallies[name].append(tally)
    counting = sum(name in _COUNTING for name in measures)
    check_limit(survey.repeated_answers, profile.repeat_limit, counting)
    total = {name: Tally.concatenate(pieces) for name, pieces in tallies.items() if pieces}
    if not total:
        raise MismatchError("there is nothing to score", code="CB102", found="no document")
    if profile.scope == "document" and documents != hashes[0].labels:
        documents, total = _in_order(hashes[0].labels, documents, total)
    return Result(
        profile=profile,
        measures=measures,
        tallies=total,
        documents=tuple(documents),
        signature=Signature(
            profile=profile.name,
            choices=described(profile),
            key=str(hashes[0]),
            response=str(hashes[1]),
            scores=scores_hash(total),
        ),
        findings=(*heard, *survey.findings(hashes[0].name, hashes[1].name)),
    )


def _in_order(
    wanted: list[str], documents: list[str], tallies: dict[str, Tally]
) -> tuple[list[str], dict[str, Tally]]:
    """Documents in the order of the key, whatever the order in which they were paired."""
    place = {label: number for number, label in enumerate(documents)}
    order = [place[label] for label in wanted]
    return wanted, {
        name: replace(tally, values=tally.values[order]) for name, tally in tallies.items()
    }


def _hashed(pieces: Iterable[Corpus], content: ContentHash) -> Iterator[Corpus]:
    for piece in pieces:
        content.add(piece)
        yield piece


def as_one(pairs: Iterator[tuple[Corpus, Corpus]]) -> Iterator[tuple[Corpus, Corpus]]:
    """Scopes wider than a document need all documents at once."""
    pieces = list(pairs)
    if pieces:
        key, response = (concatenate(side[0].name, side) for side in zip(*pieces, strict=True))
        yield _equally_long(key, response)


def _equally_long(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Clusters from memory do not say how long a document is: the longer side does, or the next
    document would begin at different tokens."""
    if key.tokens.digests is not None or response.tokens.digests is not None:
        return key, response
    offsets = np.append(0, np.cumsum(np.maximum(key.token_counts(), response.token_counts())))
    key, response = (
        replace(side, tokens=replace(side.tokens, offsets=offsets)) for side in (key, response)
    )
    return key, response
