"""A text that somebody pasted, and what resolvers make of it: no key, no scores."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import fullmatch
from threading import Lock
from time import perf_counter

import msgspec

from corefbench.bench.reasons import Reason, Span, reasons
from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.preprocess import DEFAULT, Preprocessor
from corefbench.preprocess import make as make_preprocessor
from corefbench.preprocess.alignment import TokenAlignment
from corefbench.preprocess.base import Input
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record
from corefbench.resolvers import Resolution, make, signature
from corefbench.version import __version__

MOST = 20_000
"""Characters of a text, at most: it is resolved while somebody waits."""

_one_at_a_time = Lock()
"""Pipelines keep notes while they work."""


class Answer(Record, frozen=True):
    """What one resolver made of the text. All spans are over the words of the trial."""

    resolver: str
    title: str
    seconds: float = 0.0
    chains: tuple[tuple[Span, ...], ...] = ()
    reasons: tuple[Reason, ...] = ()
    findings: tuple[str, ...] = ()
    problem: str = ""
    """Why it has no answer."""


class Trial(Record, frozen=True):
    """A text and its answers, as they are kept."""

    name: str
    """Made of what went in: the same text tried in the same way is the same trial."""
    text: str
    offsets: tuple[Span, ...]
    """Where each word stands, in characters."""
    sentences: int
    pronouns: tuple[Span, ...]
    """Those that refer to something in the text, as far as the pre-processing can tell."""
    preprocess: str
    identity: str
    """The pre-processing as it is signed."""
    seconds: float
    answers: tuple[Answer, ...]
    version: str


def try_text(text: str, resolvers: Sequence[str], preprocess: str = "") -> Trial:
    """Resolve a text; a resolver that fails says so in its answer."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _check(text, resolvers)
    pipeline = preprocess or DEFAULT
    with _one_at_a_time:
        began = perf_counter()
        preprocessor = _preprocessor(pipeline)
        analysis = next(iter(preprocessor.analyse([Input(name="text", text=text)])))
        discourse = discourse_of(analysis)
        seconds = perf_counter() - began
        answers = tuple(_answer(name, discourse) for name in dict.fromkeys(resolvers))
    return Trial(
        name=_name(text, resolvers, pipeline),
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


def _check(text: str, resolvers: Sequence[str]) -> None:
    if not text.strip():
        raise UsageError("there is no text", expected="some sentences with pronouns in them")
    if len(text) > MOST:
        raise UsageError(
            "the text is too long to be tried here",
            found=f"{len(text):,} characters",
            expected=f"at most {MOST:,}",
            remedy="corefbench resolve FILE reads texts of any length",
        )
    if not resolvers:
        raise UsageError("no resolver is chosen", expected="at least one")


@lru_cache(maxsize=2)
def _preprocessor(name: str) -> Preprocessor:
    """Kept while the server lives: some take seconds to load."""
    return make_preprocessor(name)


def _answer(name: str, discourse: Discourse) -> Answer:
    resolver = make(name)
    began = perf_counter()
    try:
        resolution = resolver.resolve(discourse)
    except CorefbenchError as error:
        return Answer(resolver=name, title=resolver.card.title, problem=str(error))
    seconds = perf_counter() - began
    alignment = TokenAlignment(resolution.discourse.analysis.offsets, discourse.analysis.offsets)
    return Answer(
        resolver=signature(resolver),
        title=resolver.card.title,
        seconds=seconds,
        chains=tuple(_chains(resolution, alignment)),
        reasons=reasons(resolution, alignment, ()),
        findings=tuple(map(str, resolution.findings)),
    )


def _chains(resolution: Resolution, alignment: TokenAlignment) -> list[tuple[Span, ...]]:
    """The chains of two and more, in the order of the text."""
    phrases = resolution.discourse.phrases
    placed = [
        {alignment.span((phrases[n].start, phrases[n].end)) for n in chain}
        for chain in resolution.chains()
    ]
    known = [tuple(sorted(span for span in chain if span is not None)) for chain in placed]
    return sorted(chain for chain in known if len(chain) > 1)


def _name(text: str, resolvers: Sequence[str], preprocess: str) -> str:
    said = msgspec.json.encode((text, list(resolvers), preprocess, __version__))
    return sha256(said).hexdigest()[:16]


def keep(trial: Trial, folder: Path) -> None:
    """Write a trial; it is there whole or not at all."""
    from corefbench.web.workbench import write_whole

    write_whole(folder / f"{trial.name}.json", msgspec.json.encode(trial))


def find(name: str, folder: Path) -> Trial:
    """A trial that was kept."""
    path = folder / f"{name}.json"
    if not fullmatch(r"[0-9a-f]{16}", name) or not path.is_file():
        raise UnknownName("trial", name, [])
    try:
        return msgspec.json.decode(path.read_bytes(), type=Trial)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            "the trial cannot be read", found=str(error), remedy="try the text again"
        ) from error


def recent(folder: Path, most: int = 8) -> list[Trial]:
    """The latest trials that can be read."""
    paths = sorted(folder.glob("[!.]*.json"), key=lambda path: -path.stat().st_mtime)
    made = []
    for path in paths[:most]:
        try:
            made.append(find(path.stem, folder))
        except UsageError:
            continue
    return made
