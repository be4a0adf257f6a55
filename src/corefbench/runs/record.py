"""Make a run: score, and keep the documents with their scores."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

import msgspec
from msgspec.structs import replace

from corefbench.bench.document import Clusters, DocumentText
from corefbench.bench.reasons import Reason
from corefbench.bench.run import Bench
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats.load import CorpusSource
from corefbench.runs.archive import BENCH, MemoryEntries, document_entry, result_entry
from corefbench.runs.documents import document_to_layer
from corefbench.runs.inputs import ReadInput, describe_input, read_input
from corefbench.runs.matching import match_mentions, twins_by_document
from corefbench.runs.run_file import Run, write_run
from corefbench.runs.schema import (
    SCHEMA,
    Header,
    Input,
    Kind,
    Layer,
    ResultTallies,
    RunDocument,
    ScoredResponse,
    TallyTable,
    Timing,
    Twins,
)
from corefbench.scoring.api import DEFAULT_PROFILE, score_each
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result
from corefbench.version import __version__


def record_scores(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource],
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
    """Score responses against a key, and return a run; ``created`` is its time stamp.

    ``timing`` is measured unless given. ``jobs`` workers of an ``engine`` share the reading, which
    is most of the work; apart from the timing, the run does not depend on how many.
    """
    chosen = customise_profile(profile, choices)
    began, worked = perf_counter(), process_time()

    def read(source: CorpusSource) -> ReadInput:
        return read_input(source, format=format, lenient=lenient, advance=advance, engine=engine, jobs=jobs)

    gold = read(key)
    answers = {name: read(source) for name, source in responses.items()}
    corpora = {name: answer.corpus for name, answer in answers.items()}
    results = {
        name: replace(result, findings=(*gold.findings, *answers[name].findings, *result.findings))
        for name, result in score_each(gold.corpus, corpora, chosen).items()
    }
    spent = Timing(wall=perf_counter() - began, cpu=process_time() - worked)
    return _make_run("score", gold, answers, results, created, command, timing or spent, {}, {})


def save_run(
    path: str | Path,
    key: CorpusSource,
    responses: Mapping[str, CorpusSource],
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    created: datetime | None = None,
    format: str | None = None,
    lenient: bool = False,
    **choices: str | None,
) -> Run:
    """Score responses against a key and write everything to a run file.

    ``created`` is the time stamp of the run, by default the current time.
    """
    now = created or datetime.now(UTC)
    chosen = customise_profile(profile, choices)
    run = record_scores(key, responses, chosen, created=now, format=format, lenient=lenient)
    write_run(run, path)
    return run


def _collect_documents(
    key: Corpus, responses: Mapping[str, Corpus], profile: Profile
) -> tuple[list[RunDocument], dict[str, tuple[int, ...]]]:
    """Return all documents, and the numbers of those of each response in its own order.

    Documents of the key come first, in its order, then those that only responses have.
    """
    keys = [document_to_layer(key, index) for index in range(len(key))]
    labels = list(key.documents.labels())
    known = {label: number for number, label in enumerate(labels)}
    layers: list[dict[str, Layer]] = [{} for _ in labels]
    twins: list[dict[str, Twins]] = [{} for _ in labels]
    orders: dict[str, tuple[int, ...]] = {}
    for name, response in responses.items():
        matched = match_mentions(key, response, profile)
        for key_number, document_twins in twins_by_document(key, response, matched):
            twins[key_number][name] = document_twins
        order = []
        for index, label in enumerate(response.documents.labels()):
            number = matched.document.get(index)
            if number is None:
                number = known.setdefault(label, len(labels))
                if number == len(labels):
                    labels.append(label)
                    layers.append({})
                    twins.append({})
            key_document = key[number] if number < len(keys) else None
            layers[number][name] = document_to_layer(response, index, key_document)
            order.append(number)
        orders[name] = tuple(order)
    documents = [
        RunDocument(
            label=label,
            key=keys[number] if number < len(keys) else None,
            responses=layers[number],
            matched=twins[number],
        )
        for number, label in enumerate(labels)
    ]
    return documents, orders


def record_bench(
    bench: Bench,
    *,
    created: datetime,
    command: tuple[str, ...] = (),
    timing: Timing = Timing(),
    source: str | Path | None = None,
    format: str | None = None,
) -> Run:
    """Return a bench as a run: its verdicts, and the chains of every resolver as a response.

    ``source`` is the file or folder that the key was read from, if any.
    """
    key = _bench_corpus(bench, bench.corpus.rpartition("@")[0], [text.key for text in bench.texts])
    answers = {
        performance.resolver: ReadInput(
            corpus=_bench_corpus(bench, performance.resolver, performance.clusters), name=performance.resolver
        )
        for performance in bench.performances
    }
    results = score_each(key, {name: response.corpus for name, response in answers.items()}, bench.plan.profile)
    read = describe_input(key, source, format)
    # Texts, chains and reasons are stored with the documents.
    bare = tuple(replace(performance, clusters=(), reasons=()) for performance in bench.performances)
    entries = {BENCH: msgspec.json.encode(replace(bench, texts=(), performances=bare))}
    reasons = {performance.resolver: performance.reasons for performance in bench.performances}
    return _make_run("bench", read, answers, results, created, command, timing, entries, reasons)


def _make_run(
    kind: Kind,
    key: ReadInput,
    answers: Mapping[str, ReadInput],
    results: Mapping[str, Result],
    created: datetime,
    command: tuple[str, ...],
    timing: Timing,
    entries: dict[str, bytes],
    reasons: Mapping[str, tuple[tuple[Reason, ...], ...]],
) -> Run:
    profile = next(iter(results.values())).profile
    corpora = {name: response.corpus for name, response in answers.items()}
    documents, orders = _collect_documents(key.corpus, corpora, profile)
    for number, document in enumerate(documents):
        document_reasons = {
            name: by_document[number] for name, by_document in reasons.items() if number < len(by_document)
        }
        entries[document_entry(number)] = msgspec.json.encode(replace(document, reasons=document_reasons))
    for number, result in enumerate(results.values()):
        entries[result_entry(number)] = msgspec.json.encode(_tally_entry(result))
    signed = {name: result.signature for name, result in results.items()}
    first = next(iter(signed.values()))
    inputs = [_input_entry("key", key.name, key, first.key, tuple(range(len(key.corpus))))] + [
        _input_entry("response", name, response, signed[name].response, orders[name])
        for name, response in answers.items()
    ]
    header = Header(
        schema=SCHEMA,
        kind=kind,
        version=__version__,
        created=created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=command,
        inputs=tuple(inputs),
        documents=tuple(document.label for document in documents),
        results=tuple(_scored_entry(name, result) for name, result in results.items()),
        timing=timing,
    )
    # The checksum covers all entries but the header, which holds it.
    run = Run(header, MemoryEntries(entries))
    return Run(replace(header, contents=run.checksum()), run.entries)


def _input_entry(role: str, name: str, read: ReadInput, content: str, order: tuple[int, ...]) -> Input:
    return Input(
        role=role,  # type: ignore[arg-type]
        name=name,
        content=content,
        format=read.format,
        bytes=read.bytes,
        sha256=read.sha256,
        order=order,
    )


def _scored_entry(name: str, result: Result) -> ScoredResponse:
    return ScoredResponse(
        name=name,
        profile=result.profile,
        signature=str(result.signature),
        scores=result.scores,
        conll=result.conll.f1 if result.conll else None,
        findings=len(result.findings),
    )


def _tally_entry(result: Result) -> ResultTallies:
    return ResultTallies(
        units=result.documents,
        tallies={
            name: TallyTable(columns=tally.columns, rows=tuple(map(tuple, tally.values.tolist())))
            for name, tally in result.tallies.items()
        },
        findings=result.findings,
    )


def _bench_corpus(bench: Bench, name: str, clusters: "tuple[Clusters, ...] | list[Clusters]") -> Corpus:
    """Return the documents of a bench with the given chains."""
    build = CorpusBuilder(name)
    for label, text, chains in zip(bench.documents, bench.texts, clusters, strict=True):
        build.begin_document(label, text=text.text)
        _add_sentences(build, text)
        build.clusters(chains)
    return build.finish()


def _add_sentences(build: CorpusBuilder, text: DocumentText) -> None:
    ends = [*text.sentences[1:], len(text.words)]
    for start, end in zip(text.sentences, ends, strict=True):
        speakers = {"speaker": text.speakers[start:end]} if text.speakers else None
        build.sentence(text.words[start:end], offsets=text.offsets[start:end], columns=speakers)
