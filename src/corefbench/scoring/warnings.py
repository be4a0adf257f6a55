"""Warnings about a comparison, collected while scoring."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import last_same_span
from corefbench.diagnostics import Finding
from corefbench.errors import Place
from corefbench.records import Flags
from corefbench.scoring.matching import exact
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.measures import Score
from corefbench.scoring.policy.repeats import repeated_answers
from corefbench.scoring.profiles.profile import Profile

SHORTER = "CB213"
"""The code of responses that may be cut off: a warning only if reading is lenient."""
_SHOWN = 3
_KIND = "kind"
"""The column that tells events from entities."""
_ABSENT_SHARE = 0.1
"""A kind is absent from a response if its recall is below this part of the best kind's: the spans of
an event and an entity rarely coincide, and a detector that misses nine of ten is not weak but off."""
_ROUNDING_ERROR = 1e-9


class WarningCollector:
    """Counts, over all pieces of a comparison, what readers of the score should know."""

    def __init__(self, profile: Profile, twinless_share: float = 0.5) -> None:
        self._profile = profile
        self._twinless_share = twinless_share
        self._shorter: list[str] = []
        self._longer: list[str] = []
        self._words_differ: list[str] = []
        self._repeats = {"key": 0, "response": 0}
        self._repeat_places: dict[str, list[str]] = {"key": [], "response": []}
        self._repeated_answers = 0
        self._singletons = 0
        self._mentions = 0
        self._answers = 0
        self._twinless = 0
        self._kinds: dict[str, Counter[str]] = {"key": Counter(), "response": Counter(), "matched": Counter()}

    @property
    def repeated_answers(self) -> int:
        """The number of response mentions that repeat another that has a twin: what the reference
        scorer counts as repeated mentions."""
        return self._repeated_answers

    def add(self, key: Corpus, response: Corpus, alignment: Alignment) -> None:
        """Examine one piece: the documents as read, and the mentions as matched."""
        self._compare_texts(key, response)
        self._count_repeats("key", key)
        if self._count_repeats("response", response):
            twins = Alignment(key=key, response=response, twins=exact.match(key, response))
            self._repeated_answers += int(np.count_nonzero(repeated_answers(twins)))
        self._singletons += int(np.count_nonzero(key.chain_sizes() == 1))
        self._mentions += len(key.mentions)
        self._answers += len(alignment.twins.key)
        self._twinless += int(np.count_nonzero(alignment.twins.key < 0))
        self._count_kinds(alignment)

    def merge(self, later: "WarningCollector") -> None:
        """Add what was collected from later documents."""
        self._shorter += later._shorter
        self._longer += later._longer
        self._words_differ += later._words_differ
        for side, places in later._repeat_places.items():
            self._repeats[side] += later._repeats[side]
            self._repeat_places[side] += places
        self._repeated_answers += later._repeated_answers
        self._singletons += later._singletons
        self._mentions += later._mentions
        self._answers += later._answers
        self._twinless += later._twinless
        for side, kinds in later._kinds.items():
            self._kinds[side].update(kinds)

    def _compare_texts(self, key: Corpus, response: Corpus) -> None:
        ours, theirs = key.tokens.digests, response.tokens.digests
        if ours is None:
            return  # clusters in memory: the lengths of documents are unknown
        present = response.token_counts() > 0
        difference = _surface_counts(response) - _surface_counts(key)
        self._shorter += _document_labels(key, present & (difference < 0))
        self._longer += _document_labels(key, present & (difference > 0))
        if theirs is not None:
            known = (ours != 0) & (theirs != 0)
            self._words_differ += _document_labels(key, present & (difference == 0) & known & (ours != theirs))

    def _count_repeats(self, side: str, corpus: Corpus) -> bool:
        last = last_same_span(corpus)
        if last is None:
            return False
        repeated = np.flatnonzero(last != np.arange(len(last)))
        self._repeats[side] += len(repeated)
        for mention in repeated[: _SHOWN + 1 - len(self._repeat_places[side])].tolist():
            document = corpus.documents.labels()[corpus.mentions.document[mention]]
            start, end = corpus.mentions.start[mention], corpus.mentions.end[mention]
            self._repeat_places[side].append(f"{document} tokens {start}–{end - 1}")
        return True

    def _count_kinds(self, alignment: Alignment) -> None:
        for side, corpus in (("key", alignment.key), ("response", alignment.response)):
            self._kinds[side].update(filter(None, corpus.mentions.columns.get(_KIND, ())))
        column = alignment.key.mentions.columns.get(_KIND)
        if column is not None:
            twins = alignment.twins.key
            self._kinds["matched"].update(column.take(np.unique(twins[twins >= 0])))

    def _response_kinds(self) -> set[str]:
        """Return the kinds that the response records, else those of the key's that it finds."""
        recorded, matched = self._kinds["response"], self._kinds["matched"]
        if recorded or not matched:
            return set(recorded)
        recall = {kind: matched[kind] / count for kind, count in self._kinds["key"].items()}
        return {kind for kind, share in recall.items() if share >= _ABSENT_SHARE * max(recall.values())}

    def findings(self, key: str, response: str) -> list[Finding]:
        """Return the warnings, most serious first; ``key`` and ``response`` name the sources."""
        warnings: list[Finding] = []

        def warn(code: str, message: str, source: str, found: str = "", remedy: str = "") -> None:
            warnings.append(
                Finding(
                    code=code,
                    severity="warning",
                    message=message,
                    place=Place(source=source),
                    found=found,
                    remedy=remedy,
                )
            )

        if not self._mentions:
            warn("CB210", "the key has no mentions: every recall is 0", key)
        remedy = "spans are compared by token number; use one tokenisation"
        if self._shorter:
            found = f"{len(self._shorter)} documents: {_list_some(self._shorter)}"
            warn(SHORTER, "a document of the response has fewer tokens than the key's", response, found, remedy)
        if self._longer:
            found = f"{len(self._longer)} documents: {_list_some(self._longer)}"
            warn("CB204", "the number of tokens differs from the key's", response, found, remedy)
        if self._words_differ:
            found = f"{len(self._words_differ)} documents: {_list_some(self._words_differ)}"
            remedy = "check that both files are of the same text"
            warn("CB205", "the tokens differ from the key's", response, found, remedy)
        for side, source, code in (("response", response, "CB206"), ("key", key, "CB207")):
            if self._repeats[side]:
                found = f"{self._repeats[side]} repeated: {_list_some(self._repeat_places[side])}"
                rule = f"scored by the rule repeats={self._profile.choices.repeats}"
                warn(code, f"the {side} marks a span more than once", source, found, rule)
        if self._singletons and self._profile.choices.singletons in ("strip", "strip-key"):
            found = f"{self._singletons} singletons in {self._mentions} mentions"
            remedy = "--singletons keep scores them"
            warn("CB208", "the profile strips the key's singletons", key, found, remedy)
        kinds, response_kinds = set(self._kinds["key"]), self._response_kinds()
        if kinds and response_kinds and kinds != response_kinds:
            theirs = ", ".join(sorted(response_kinds))
            found = f"{theirs} for {', '.join(sorted(kinds))}"
            remedy = f"--only kind={','.join(sorted(kinds & response_kinds or kinds))} scores one kind"
            warn("CB214", "key and response have different kinds of mentions", response, found, remedy)
        if self._answers and self._twinless > self._twinless_share * self._answers:
            found = f"{self._twinless} of {self._answers}"
            remedy = "check tokenisation, mention boundaries and --match"
            warn("CB209", "many response mentions have no twin in the key", response, found, remedy)
        return warnings


def warn_of_scores_above_one(scores: Mapping[str, Score], source: str, profile: Profile) -> list[Finding]:
    """Return a warning if a score is above 1.

    It happens only where mentions are repeated, with profiles whose programs print such scores too:
    the CEAFm of the reference scorer, the BLANC of the CorefUD scorer.
    """
    above = [
        f"{name} {100 * value:.2f}"
        for name, score in scores.items()
        if (value := max(score.recall, score.precision)) > 1 + _ROUNDING_ERROR
    ]
    if not above:
        return []
    return [
        Finding(
            code="CB215",
            severity="warning",
            message="a score is above 100 because spans are repeated, as in the program of the profile",
            place=Place(source=source),
            found=", ".join(above),
            remedy=f"remove the repeated mentions, or use another rule than repeats={profile.choices.repeats}",
        )
    ]


def _surface_counts(corpus: Corpus) -> np.ndarray:
    """Return the number of tokens of each document, without empty nodes."""
    empty = corpus.tokens.empty
    if empty is None:
        return corpus.token_counts()
    surface = np.concatenate([np.zeros(1, np.int64), np.cumsum(~empty)])
    return np.diff(surface[corpus.tokens.offsets])


def _document_labels(corpus: Corpus, which: Flags) -> list[str]:
    if not which.any():
        return []
    labels = corpus.documents.labels()
    return [labels[d] for d in np.flatnonzero(which).tolist()]


def _list_some(places: list[str]) -> str:
    return ", ".join(places[:_SHOWN]) + (" …" if len(places) > _SHOWN else "")
