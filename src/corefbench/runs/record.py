"""Making a run: score, and keep what was scored with what came of it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

import msgspec
from msgspec.structs import replace

from corefbench.bench.outcome import Clusters, Text
from corefbench.bench.reasons import Reason
from corefbench.bench.result import Bench
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.runs.archive import BENCH, InMemory, document_entry, result_entry
from corefbench.runs.documents import gather
from corefbench.runs.inputs import Read, described, read_input
from corefbench.runs.run import Run
from corefbench.runs.schema import SCHEMA, Counted, Header, Input, Kind, Scored, Table, Timing
from corefbench.runs.verdicts import encode_bench
from corefbench.scoring.api import DEFAULT_PROFILE, Where, score_each
from corefbench.scoring.choosing import customised
from corefbench.scoring.result import Result
from corefbench.version import __version__


def record_scores(
    key: Where,
    responses: Mapping[str, Where],
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    created: datetime,
    command: tuple[str, ...] = (),
    timing: Timing | None = None,
    lenient: bool = False,
    format: str | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
    **choices: str | None,
) -> Run:
    """Score responses against a key, and make a run of it; ``created`` is the time to note.

    ``timing`` is measured unless given. ``jobs`` workers of an ``engine`` share the reading, which
    is most of the work; the run does not depend on how many, but for the time.
    """
    chosen = customised(profile, choices)
    began, worked = perf_counter(), process_time()

    def read(where: Where) -> Read:
        return read_input(
            where, format=format, lenient=lenient, advance=advance, engine=engine, jobs=jobs
        )

    given = {"": read(key)} | {f"={name}": read(where) for name, where in responses.items()}
    answers = {name: given[f"={name}"] for name in responses}
    corpora = {name: one.corpus for name, one in answers.items()}
    results = {
        name: replace(
            result,
            findings=(*given[""].findings, *answers[name].findings, *result.findings),
        )
        for name, result in score_each(given[""].corpus, corpora, chosen).items()
    }
    spent = Timing(wall=perf_counter() - began, cpu=process_time() - worked)
    return _made("score", given[""], answers, results, created, command, timing or spent, {}, {})


def record_bench(
    bench: Bench,
    *,
    created: datetime,
    command: tuple[str, ...] = (),
    timing: Timing = Timing(),
    source: str | Path | None = None,
    format: str | None = None,
) -> Run:
    """A comparison of resolvers as a run: its verdicts, and every resolver's chains as a response.

    ``source`` is the file or folder that the key was read from, where it was one.
    """
    key = _corpus(bench, bench.corpus.rpartition("@")[0], [text.key for text in bench.texts])
    answers = {
        performance.resolver: Read(
            corpus=_corpus(bench, performance.resolver, performance.clusters),
            name=performance.resolver,
        )
        for performance in bench.performances
    }
    results = score_each(
        key, {name: one.corpus for name, one in answers.items()}, bench.plan.profile
    )
    read = described(key, source, format)
    more = {BENCH: encode_bench(bench)}
    why = {performance.resolver: performance.reasons for performance in bench.performances}
    return _made("bench", read, answers, results, created, command, timing, more, why)


def _made(
    kind: Kind,
    key: Read,
    answers: Mapping[str, Read],
    results: Mapping[str, Result],
    created: datetime,
    command: tuple[str, ...],
    timing: Timing,
    entries: dict[str, bytes],
    reasons: Mapping[str, tuple[tuple[Reason, ...], ...]],
) -> Run:
    profile = next(iter(results.values())).profile
    corpora = {name: one.corpus for name, one in answers.items()}
    gathered = gather(key.corpus, corpora, profile)
    for number, document in enumerate(gathered.documents):
        why = {name: some[number] for name, some in reasons.items() if number < len(some)}
        entries[document_entry(number)] = msgspec.json.encode(replace(document, reasons=why))
    for number, result in enumerate(results.values()):
        entries[result_entry(number)] = msgspec.json.encode(_counted(result))
    signed = {name: result.signature for name, result in results.items()}
    first = next(iter(signed.values()))
    inputs = [_input("key", key.name, key, first.key, gathered.order)] + [
        _input("response", name, one, signed[name].response, gathered.orders[name])
        for name, one in answers.items()
    ]
    header = Header(
        schema=SCHEMA,
        kind=kind,
        version=__version__,
        created=created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=command,
        inputs=tuple(inputs),
        documents=tuple(document.label for document in gathered.documents),
        results=tuple(_scored(name, result) for name, result in results.items()),
        timing=timing,
    )
    run = Run(header, InMemory(entries))
    return Run(replace(header, contents=run.checksum()), run.entries)


def _input(role: str, name: str, read: Read, content: str, order: tuple[int, ...]) -> Input:
    return Input(
        role=role,  # type: ignore[arg-type]
        name=name,
        content=content,
        format=read.format,
        bytes=read.bytes,
        sha256=read.sha256,
        order=order,
    )


def _scored(name: str, result: Result) -> Scored:
    return Scored(
        name=name,
        profile=result.profile,
        signature=str(result.signature),
        scores=result.scores,
        conll=result.conll.f1 if result.conll else None,
        findings=len(result.findings),
    )


def _counted(result: Result) -> Counted:
    return Counted(
        units=result.documents,
        tallies={
            name: Table(columns=tally.columns, rows=tuple(map(tuple, tally.values.tolist())))
            for name, tally in result.tallies.items()
        },
        findings=result.findings,
    )


def _corpus(bench: Bench, name: str, clusters: "tuple[Clusters, ...] | list[Clusters]") -> Corpus:
    """The documents of a comparison with one side's chains."""
    build = CorpusBuilder(name)
    for label, text, chains in zip(bench.documents, bench.texts, clusters, strict=True):
        build.begin_document(label, text=text.text)
        _add_sentences(build, text)
        build.clusters(chains)
    return build.finish()


def _add_sentences(build: CorpusBuilder, text: Text) -> None:
    ends = [*text.sentences[1:], len(text.words)]
    for start, end in zip(text.sentences, ends, strict=True):
        speakers = {"speaker": text.speakers[start:end]} if text.speakers else None
        build.sentence(text.words[start:end], offsets=text.offsets[start:end], columns=speakers)
