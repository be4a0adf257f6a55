"""What Python users call: ``score``, ``score_clusters`` and the accumulating ``Scorer``."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import replace

from corefbench.engine import is_shared
from corefbench.findings import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.measures import Score
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.scoring.choosing import customised
from corefbench.scoring.clusters import Clusters, ManyClusters, corpora_of_clusters
from corefbench.scoring.result import Result
from corefbench.scoring.run import score_streams

Where: TypeAlias = str | Path | bytes | Corpus
"""A path, ``-`` for standard input, the bytes of a file, or a corpus."""

DEFAULT_PROFILE = "conll-2012"


def score(
    key: Where,
    response: Where,
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

    ``choices`` change single choices of the profile: ``match``, ``singletons``, ``repeats``,
    ``twinless``, ``scope``, ``average``, ``measures`` (comma-separated). ``advance`` is told how
    many bytes were read. ``jobs`` workers of an ``engine`` share large files and folders; the
    result does not depend on how many.

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
    key: Where,
    responses: Mapping[str, Where],
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
    chosen = customised(profile, choices)
    if is_shared(engine, jobs):
        return _score_shared(key, responses, chosen, lenient, format, advance, engine, jobs)
    of_key: list[Finding] = []
    words = _needs_words(chosen)

    def reading(findings: list[Finding]) -> Reading:
        strictness = Strictness(lenient=lenient, report=findings.append)
        return Reading(strictness=strictness, words=words, advance=advance)

    def pieces(where: Where, findings: list[Finding]) -> Iterable[Corpus]:
        if isinstance(where, Corpus):
            return [where]
        return stream(where, format=format, reading=reading(findings))

    keys = pieces(key, of_key)
    if len(responses) > 1:
        keys = list(keys)
    results = {}
    for name, response in responses.items():
        heard: list[Finding] = []
        result = score_streams(keys, pieces(response, heard), chosen)
        results[name] = replace(result, findings=(*of_key, *heard, *result.findings))
    return results


def _score_shared(
    key: Where,
    responses: Mapping[str, Where],
    profile: Profile,
    lenient: bool,
    format: str | None,
    advance: Callable[[int], None] | None,
    engine: str,
    jobs: int,
) -> dict[str, Result]:
    """Score with several workers what can be cut, and in one piece what cannot."""
    from corefbench.scoring.sharded import score_sharded

    results: dict[str, Result] = {}
    for name, response in responses.items():
        result = None
        if isinstance(key, str | Path) and isinstance(response, str | Path):
            result = score_sharded(
                key,
                response,
                profile,
                engine=engine,
                jobs=jobs,
                words=_needs_words(profile),
                format=format,
                advance=advance,
            )
        results[name] = result or score(
            key, response, profile, lenient=lenient, format=format, advance=advance
        )
    return results


def _needs_words(profile: Profile) -> bool:
    """Whether a matching rule looks at more of the tokens than where they are."""
    return profile.choices.match == "mina"


def score_clusters(
    key: ManyClusters,
    response: ManyClusters,
    profile: str | Profile = DEFAULT_PROFILE,
    **choices: str | None,
) -> Result:
    """Score clusters of (start, end) spans: one document, a list of documents, or a mapping.

    >>> score_clusters([[(0, 0), (3, 3)]], [[(0, 0), (3, 3)]])["lea"].f1
    1.0
    """
    keys, responses = corpora_of_clusters(key, response)
    return score_streams([keys], [responses], customised(profile, choices))


class Scorer:
    """Gathers documents as a training loop meets them, and scores them when asked.

    The names of Hugging Face's ``evaluate`` work as well: ``add_batch(predictions=…,
    references=…)`` and ``compute()``, whose values are fractions.

    >>> scorer = Scorer()
    >>> scorer.update(key=[[(0, 0), (3, 3)]], response=[[(0, 0), (3, 3)]])
    >>> scorer.compute()["conll_f1"]
    1.0
    """

    def __init__(self, profile: str | Profile = DEFAULT_PROFILE, **choices: str | None) -> None:
        self.profile = customised(profile, choices)
        self._key: dict[str, Clusters] = {}
        self._response: dict[str, Clusters] = {}

    def update(self, key: Clusters, response: Clusters, document: str | None = None) -> None:
        """Add one document; chains never reach across documents."""
        name = document if document is not None else str(len(self._key))
        self._key[name], self._response[name] = key, response

    def add_batch(self, *, predictions: Iterable[Clusters], references: Iterable[Clusters]) -> None:
        """Add several documents, in the words of ``evaluate``."""
        for response, key in zip(predictions, references, strict=True):
            self.update(key=key, response=response)

    def result(self) -> Result:
        """The result, with its tallies, signature and findings."""
        key, response = corpora_of_clusters(self._key, self._response)
        return score_streams([key], [response], self.profile)

    def compute(self) -> dict[str, Any]:
        """All scores as one flat dictionary of fractions, and the signature."""
        result = self.result()
        flat: dict[str, Any] = {}
        for name, value in result.scores.items():
            flat |= _flat(name, value)
        if result.conll is not None:
            flat["conll_f1"] = result.conll.f1
        return {**flat, "signature": str(result.signature)}

    def reset(self) -> None:
        """Forget all documents."""
        self._key, self._response = {}, {}


def _flat(name: str, score: Score) -> dict[str, float]:
    return {
        f"{name}_recall": score.recall,
        f"{name}_precision": score.precision,
        f"{name}_f1": score.f1,
    }
