"""The scoring functions that users call: score, score_clusters, Scorer, verify."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.selection import parse_selections
from corefbench.diagnostics import Finding, Report, Strictness, ignore_finding
from corefbench.engine import is_parallel
from corefbench.errors import MismatchError, VerificationFailed
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.scoring.clusters import Clusters, ManyClusters, corpora_from_clusters
from corefbench.scoring.matching import Alignment
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.pairing import pair_documents
from corefbench.scoring.pipeline import align, score_streams
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result
from corefbench.scoring.sharding import score_sharded
from corefbench.scoring.signature import Signature
from corefbench.scoring.warnings import SHORTER

DEFAULT_PROFILE = "conll-2012"


def score(
    key: CorpusSource,
    response: CorpusSource,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    lenient: bool = False,
    format: str | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
    **choices: str | None,
) -> Result:
    """Score a response against a key by a published protocol.

    ``choices`` override single choices of the profile: ``match``, ``singletons``, ``repeats``,
    ``twinless``, ``scope``, ``average``, ``measures`` (comma-separated), ``only`` (``kind=event``).
    ``advance`` is called with the number of bytes that were read. ``jobs`` workers of an ``engine``
    share large files and folders; the result does not depend on their number.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> score(text, text).conll.f1
    1.0
    """
    results = score_each(
        key,
        {"response": response},
        profile,
        lenient=lenient,
        format=format,
        advance=advance,
        engine=engine,
        jobs=jobs,
        **choices,
    )
    return results["response"]


def score_each(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource],
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    lenient: bool = False,
    format: str | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
    **choices: str | None,
) -> dict[str, Result]:
    """Score several responses against one key, which is read once unless workers share it."""
    profile = customise_profile(profile, choices)
    words = profile.choices.match == "mina"  # the only rule that looks at words
    results: dict[str, Result] = {}
    if is_parallel(engine, jobs):
        for name, response in responses.items():
            if isinstance(key, str | Path) and isinstance(response, str | Path):
                result = score_sharded(
                    key, response, profile, engine=engine, jobs=jobs, words=words, format=format, advance=advance
                )
                if result is not None:
                    results[name] = result
    left = {name: response for name, response in responses.items() if name not in results}
    key_findings: list[Finding] = []

    def read(source: CorpusSource, findings: list[Finding]) -> Iterator[Corpus]:
        strictness = Strictness(lenient=lenient, report=findings.append)
        return _read(source, format, Reading(strictness=strictness, words=words, advance=advance))

    keys: Iterable[Corpus] = read(key, key_findings) if left else ()
    if len(left) > 1:
        keys = list(keys)
    for name, response in left.items():
        findings: list[Finding] = []
        result = score_streams(keys, read(response, findings), profile)
        results[name] = replace(result, findings=(*key_findings, *findings, *result.findings))
    if not lenient:
        for result in results.values():
            _require_full_length(result)
    return {name: results[name] for name in responses}


def _require_full_length(result: Result) -> None:
    """Raise if a response has fewer tokens than the key in some document: it may be cut off."""
    for finding in result.findings:
        if finding.code == SHORTER:
            raise MismatchError(
                finding.message,
                code=finding.code,
                place=finding.place,
                found=finding.found,
                expected="all tokens of the key",
                remedy="check that the file is complete and has the key's tokenisation; --lenient scores what is there",
            )


def _read(source: CorpusSource, format: str | None, reading: Reading) -> Iterator[Corpus]:
    if isinstance(source, Corpus):
        return iter([source])
    return stream(source, format=format, reading=reading)


def score_clusters(
    key: ManyClusters, response: ManyClusters, profile: str | Profile = DEFAULT_PROFILE, **choices: str | None
) -> Result:
    """Score clusters of (start, end) spans: one document, a list of documents, or a mapping.

    >>> score_clusters([[(0, 0), (3, 3)]], [[(0, 0), (3, 3)]])["lea"].f1
    1.0
    """
    keys, responses = corpora_from_clusters(key, response)
    return score_streams([keys], [responses], customise_profile(profile, choices))


class Scorer:
    """Collects the documents of a training loop and scores them on demand.

    The method names of Hugging Face's ``evaluate`` work as well: ``add_batch(predictions=…,
    references=…)`` and ``compute()``, whose values are fractions.

    >>> scorer = Scorer()
    >>> scorer.update(key=[[(0, 0), (3, 3)]], response=[[(0, 0), (3, 3)]])
    >>> scorer.compute()["conll_f1"]
    1.0
    """

    def __init__(self, profile: str | Profile = DEFAULT_PROFILE, **choices: str | None) -> None:
        self.profile = customise_profile(profile, choices)
        self._key: dict[str, Clusters] = {}
        self._response: dict[str, Clusters] = {}

    def update(self, key: Clusters, response: Clusters, document: str | None = None) -> None:
        """Add one document; chains never cross documents."""
        name = document
        if name is None:
            # The next number that no document is named by.
            name = next(number for number in map(str, count(len(self._key))) if number not in self._key)
        self._key[name], self._response[name] = key, response

    def add_batch(self, *, predictions: Iterable[Clusters], references: Iterable[Clusters]) -> None:
        """Add several documents, with the argument names of ``evaluate``."""
        for response, key in zip(predictions, references, strict=True):
            self.update(key=key, response=response)

    def result(self) -> Result:
        """Return the result, with its tallies, signature and findings."""
        key, response = corpora_from_clusters(self._key, self._response)
        return score_streams([key], [response], self.profile)

    def compute(self) -> dict[str, Any]:
        """Return all scores as one flat dictionary of fractions, and the signature."""
        result = self.result()
        values: dict[str, Any] = {}
        for name, score in result.scores.items():
            values[f"{name}_recall"] = score.recall
            values[f"{name}_precision"] = score.precision
            values[f"{name}_f1"] = score.f1
        if result.conll is not None:
            values["conll_f1"] = result.conll.f1
        return {**values, "signature": str(result.signature)}

    def reset(self) -> None:
        """Forget all documents."""
        self._key, self._response = {}, {}


def alignments(
    key: CorpusSource,
    response: CorpusSource,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Report = ignore_finding,
    advance: Callable[[int], None] | None = None,
    **choices: str | None,
) -> Iterator[Alignment]:
    """Yield the documents of key and response with their mentions matched as the profile says.

    Words and columns are read too; a document that the response lacks has no mentions there.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> [alignment.twins.key.tolist() for alignment in alignments(text, text)]
    [[0, 1]]
    """
    profile = customise_profile(profile, choices)
    strictness = Strictness(lenient=lenient, report=report)
    reading = Reading(strictness=strictness, words=True, advance=advance)
    sides = _read(key, format, reading), _read(response, format, reading)
    for key_batch, response_batch in pair_documents(*sides, report, parse_selections(profile.only)):
        yield align(key_batch, response_batch, profile.choices)


def verify(
    signature: str | Signature,
    key: CorpusSource,
    response: CorpusSource,
    *,
    format: str | None = None,
    lenient: bool = False,
) -> Result:
    """Score again as a signature says; raise VerificationFailed if data or scores differ."""
    signed = Signature.parse(signature) if isinstance(signature, str) else signature
    profile = customise_profile(signed.profile, signed.choices)
    result = score(key, response, profile, format=format, lenient=lenient)
    found = result.signature
    differing = [
        name
        for name in ("key", "response", "scores")
        if _content_hash(getattr(signed, name)) != _content_hash(getattr(found, name))
    ]
    if not differing:
        return result
    remedy = "give the files that were scored, unchanged"
    if differing == ["scores"] and signed.version != found.version:
        remedy = f"the data is the same: score with corefbench {signed.version}, as was signed"
    raise VerificationFailed(
        f"the {' and the '.join(differing)} differ from what was signed",
        found=str(found),
        expected=str(signed),
        remedy=remedy,
    )


def _content_hash(field: str) -> str:
    """Return the hash of ``name@hash``: files may be renamed."""
    return field.rpartition("@")[2]
