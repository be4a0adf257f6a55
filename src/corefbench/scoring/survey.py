"""What endangers a comparison, gathered while scoring and said at the end."""

import numpy as np

from corefbench.errors import Place
from corefbench.findings import Finding
from corefbench.matching import exact
from corefbench.matching.alignment import Alignment
from corefbench.matching.spans import identity
from corefbench.model.corpus import Corpus
from corefbench.policy.repeats import repeated_answers
from corefbench.profiles.profile import Profile
from corefbench.record import Flags

_SHOWN = 3


class Survey:
    """Counts, over all pieces of a comparison, what a reader of the score should know."""

    def __init__(self, profile: Profile, twinless_share: float = 0.5) -> None:
        self._profile = profile
        self._twinless_share = twinless_share
        self._longer: list[str] = []
        self._other_words: list[str] = []
        self._repeats = {"key": 0, "response": 0}
        self._repeat_places: dict[str, list[str]] = {"key": [], "response": []}
        self._repeated_answers = 0
        self._singletons = 0
        self._mentions = 0
        self._answers = 0
        self._twinless = 0

    @property
    def repeated_answers(self) -> int:
        """How many response mentions repeat another that has a twin: what the reference scorer
        counts as repeated mentions."""
        return self._repeated_answers

    def add(self, key: Corpus, response: Corpus, alignment: Alignment) -> None:
        """Look at one piece: the documents as read, and the mentions as matched."""
        self._compare_texts(key, response)
        self._count_repeats("key", key)
        if self._count_repeats("response", response):
            twins = Alignment(key=key, response=response, twins=exact.match(key, response))
            self._repeated_answers += int(np.count_nonzero(repeated_answers(twins)))
        self._singletons += int(np.count_nonzero(key.chain_sizes() == 1))
        self._mentions += len(key.mentions)
        self._answers += len(alignment.twins.key)
        self._twinless += int(np.count_nonzero(alignment.twins.key < 0))

    def merge(self, later: "Survey") -> None:
        """Take in what was gathered of later documents."""
        self._longer += later._longer
        self._other_words += later._other_words
        for side, places in later._repeat_places.items():
            self._repeats[side] += later._repeats[side]
            self._repeat_places[side] += places
        self._repeated_answers += later._repeated_answers
        self._singletons += later._singletons
        self._mentions += later._mentions
        self._answers += later._answers
        self._twinless += later._twinless

    def _compare_texts(self, key: Corpus, response: Corpus) -> None:
        ours, theirs = key.tokens.digests, response.tokens.digests
        if ours is None:
            return  # clusters from memory: how long the documents are is not known
        present = response.token_counts() > 0
        longer = present & (_surface_counts(key) != _surface_counts(response))
        self._longer += _labels(key, longer)
        if theirs is not None:
            known = (ours != 0) & (theirs != 0)
            self._other_words += _labels(key, present & ~longer & known & (ours != theirs))

    def _count_repeats(self, side: str, corpus: Corpus) -> bool:
        last = identity(corpus)
        if last is None:
            return False
        repeated = np.flatnonzero(last != np.arange(len(last)))
        self._repeats[side] += len(repeated)
        for mention in repeated[: _SHOWN + 1 - len(self._repeat_places[side])].tolist():
            document = corpus.documents.labels()[corpus.mentions.document[mention]]
            start, end = corpus.mentions.start[mention], corpus.mentions.end[mention]
            self._repeat_places[side].append(f"{document} tokens {start}–{end - 1}")
        return True

    def findings(self, key: str, response: str) -> list[Finding]:
        """The remarks, most serious first; ``key`` and ``response`` name the sources."""
        said: list[Finding] = []

        def warn(code: str, message: str, source: str, found: str = "", remedy: str = "") -> None:
            said.append(
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
        if self._longer:
            found = f"{len(self._longer)} documents: {_some(self._longer)}"
            remedy = "spans are compared by token number; use one tokenisation"
            warn("CB204", "the number of tokens differs from the key's", response, found, remedy)
        if self._other_words:
            found = f"{len(self._other_words)} documents: {_some(self._other_words)}"
            remedy = "check that both files are of the same text"
            warn("CB205", "the tokens differ from the key's", response, found, remedy)
        for side, source, code in (("response", response, "CB206"), ("key", key, "CB207")):
            if self._repeats[side]:
                found = f"{self._repeats[side]} repeated: {_some(self._repeat_places[side])}"
                rule = f"scored by the rule repeats={self._profile.choices.repeats}"
                warn(code, f"the {side} marks a span more than once", source, found, rule)
        if self._singletons and self._profile.choices.singletons in ("strip", "strip-key"):
            found = f"{self._singletons} singletons in {self._mentions} mentions"
            remedy = "--singletons keep scores them"
            warn("CB208", "the profile strips the key's singletons", key, found, remedy)
        if self._answers and self._twinless > self._twinless_share * self._answers:
            found = f"{self._twinless} of {self._answers}"
            remedy = "check tokenisation, mention boundaries and --match"
            warn("CB209", "many response mentions have no twin in the key", response, found, remedy)
        return said


def _surface_counts(corpus: Corpus) -> np.ndarray:
    """The tokens of each document, empty nodes left out."""
    empty = corpus.tokens.empty
    if empty is None:
        return corpus.token_counts()
    surface = np.concatenate([np.zeros(1, np.int64), np.cumsum(~empty)])
    return np.diff(surface[corpus.tokens.offsets])


def _labels(corpus: Corpus, which: Flags) -> list[str]:
    if not which.any():
        return []
    labels = corpus.documents.labels()
    return [labels[d] for d in np.flatnonzero(which).tolist()]


def _some(places: list[str]) -> str:
    return ", ".join(places[:_SHOWN]) + (" …" if len(places) > _SHOWN else "")
