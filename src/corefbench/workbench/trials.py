"""Resolve a pasted text with several resolvers."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import fullmatch
from threading import Lock
from time import perf_counter

import msgspec

from corefbench.bench.reasons import Reason, Span, explain_decisions
from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.preprocess import DEFAULT, Preprocessor
from corefbench.preprocess import make as make_preprocessor
from corefbench.preprocess.base import Input
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import TokenAlignment
from corefbench.records import Record
from corefbench.resolvers import Resolution, make, signature
from corefbench.version import __version__
from corefbench.workbench.jobs import write_atomically

MAX_CHARACTERS = 20_000
"""Characters of a text; it is resolved while the user waits."""

_pipeline_lock = Lock()
"""Pipelines have state while they work: one text at a time."""


class Answer(Record, frozen=True):
    """The result of one resolver. All spans are over the words of the trial."""

    resolver: str
    title: str
    seconds: float = 0.0
    chains: tuple[tuple[Span, ...], ...] = ()
    reasons: tuple[Reason, ...] = ()
    findings: tuple[str, ...] = ()
    problem: str = ""
    """Why it failed."""


class Trial(Record, frozen=True):
    """A text and its answers, as they are stored."""

    name: str
    """A hash of the input: the same text with the same resolvers is the same trial."""
    text: str
    offsets: tuple[Span, ...]
    """Start and end of each word, in characters."""
    sentences: int
    pronouns: tuple[Span, ...]
    """Anaphoric pronouns, as far as the preprocessing can tell."""
    preprocess: str
    identity: str
    """The preprocessing as in signatures."""
    seconds: float
    answers: tuple[Answer, ...]
    version: str

    def text_of(self, span: Span) -> str:
        """Return the text of some words, on one line."""
        start, end = span
        if start == end:
            return ""
        return " ".join(self.text[self.offsets[start][0] : self.offsets[end - 1][1]].split())


def try_text(text: str, resolvers: Sequence[str], preprocess: str = "") -> Trial:
    """Resolve a text; a resolver that fails has a problem in its answer."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _check_request(text, resolvers)
    pipeline = preprocess or DEFAULT
    with _pipeline_lock:
        start = perf_counter()
        preprocessor = _load_preprocessor(pipeline)
        analysis = next(iter(preprocessor.analyse([Input(name="text", text=text)])))
        discourse = build_discourse(analysis)
        seconds = perf_counter() - start
        answers = tuple(_run_resolver(name, discourse) for name in dict.fromkeys(resolvers))
    return Trial(
        name=_trial_name(text, resolvers, pipeline),
        text=text,
        offsets=tuple(analysis.offsets),
        sentences=len(analysis.sentences),
        pronouns=tuple((phrase.start, phrase.end) for phrase in discourse.anaphors),
        preprocess=pipeline,
        identity=preprocessor.identity,
        seconds=seconds,
        answers=answers,
        version=__version__,
    )


def _check_request(text: str, resolvers: Sequence[str]) -> None:
    if not text.strip():
        raise UsageError("there is no text", expected="some sentences with pronouns in them")
    if len(text) > MAX_CHARACTERS:
        raise UsageError(
            "the text is too long to be tried here",
            found=f"{len(text):,} characters",
            expected=f"at most {MAX_CHARACTERS:,}",
            remedy="corefbench resolve FILE reads texts of any length",
        )
    if not resolvers:
        raise UsageError("no resolver is chosen", expected="at least one")


@lru_cache(maxsize=2)
def _load_preprocessor(name: str) -> Preprocessor:
    """Load a preprocessor; some take seconds, so the last ones are kept."""
    return make_preprocessor(name)


def _run_resolver(name: str, discourse: Discourse) -> Answer:
    resolver = make(name)
    start = perf_counter()
    try:
        resolution = resolver.resolve(discourse)
    except CorefbenchError as error:
        return Answer(resolver=name, title=resolver.card.title, problem=str(error))
    seconds = perf_counter() - start
    alignment = TokenAlignment(resolution.discourse.analysis.offsets, discourse.analysis.offsets)
    return Answer(
        resolver=signature(resolver),
        title=resolver.card.title,
        seconds=seconds,
        chains=tuple(_coreference_chains(resolution, alignment)),
        reasons=explain_decisions(resolution, alignment, ()),
        findings=tuple(map(str, resolution.findings)),
    )


def _coreference_chains(resolution: Resolution, alignment: TokenAlignment) -> list[tuple[Span, ...]]:
    """Return the chains of two or more mentions, in the order of the text."""
    phrases = resolution.discourse.phrases
    aligned = [{alignment.span((phrases[n].start, phrases[n].end)) for n in chain} for chain in resolution.chains()]
    chains = [tuple(sorted(span for span in chain if span is not None)) for chain in aligned]
    return sorted(chain for chain in chains if len(chain) > 1)


def _trial_name(text: str, resolvers: Sequence[str], preprocess: str) -> str:
    # Another version may answer otherwise.
    content = msgspec.json.encode((text, list(resolvers), preprocess, __version__))
    return sha256(content).hexdigest()[:16]


def save_trial(trial: Trial, folder: Path) -> None:
    """Store a trial."""
    write_atomically(folder / f"{trial.name}.json", msgspec.json.encode(trial))


def load_trial(name: str, folder: Path) -> Trial:
    """Return a stored trial."""
    path = folder / f"{name}.json"
    if not fullmatch(r"[0-9a-f]{16}", name) or not path.is_file():
        raise UnknownName("trial", name, [])
    try:
        return msgspec.json.decode(path.read_bytes(), type=Trial)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError("the trial cannot be read", found=str(error), remedy="try the text again") from error


def recent_trials(folder: Path, limit: int = 8) -> list[Trial]:
    """Return the latest trials that can be read."""
    paths = sorted(folder.glob("[!.]*.json"), key=lambda path: -path.stat().st_mtime)
    trials = []
    for path in paths[:limit]:
        try:
            trials.append(load_trial(path.stem, folder))
        except UsageError:
            continue
    return trials
