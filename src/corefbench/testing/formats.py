"""Conformance checks for formats: round trips, recognition, damaged files."""

import io
import random
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import get_args

from corefbench.corpus.builder import Span
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import CODES, CorefbenchError
from corefbench.formats import formats
from corefbench.formats.base import Feature, Format, FormatCard, Reading
from corefbench.formats.capabilities import unsupported_features
from corefbench.formats.convert import FolderWriter
from corefbench.formats.load import CERTAIN
from corefbench.formats.source import Source
from corefbench.testing.corpora import ATTRIBUTES, DOCUMENT_ATTRIBUTES, corpus_for, supports_round_trip
from corefbench.testing.rules import Nonconformance, require, require_card

CHANGED_COPIES = 25
"""The number of copies of a file with random bytes changed."""
BOMB_SIZE = 20_000
"""The depth of nested brackets, and the length of a long line."""


def check_format(
    format: Format | Callable[[], Format],
    *,
    corpora: int = 25,
    seed: int = 0,
    sample: bytes | None = None,
    recognised: bool = True,
) -> None:
    """Check the card, recognition, round trips, and the reading of damaged files.

    ``sample`` is a file of the format, needed only if the format cannot be written; ``recognised``
    is false for a format that looks like another and must always be named.

    >>> from corefbench.formats.jsonlines import JsonLines
    >>> check_format(JsonLines, corpora=2)
    """
    form = format() if callable(format) else format
    who = f"format {form.card.name}"
    _check_card(form, who)
    if supports_round_trip(form):
        for number in range(corpora):
            check_round_trip(form, seed + number)
    files = _sample(form, seed) if sample is None else {"sample": sample}
    _check_recognition(form, who, files if recognised and len(files) == 1 else {})
    check_damaged(form, files, seed=seed)


def check_round_trip(form: Format, seed: int) -> None:
    """Check that a corpus is read back as far as the card promises, and written identically."""
    who = f"format {form.card.name}, corpus {seed}"
    corpus = corpus_for(form.card, seed)
    names = {"chain labels", "text", "document names"}  # which every corpus has
    unsupported = unsupported_features(corpus, form.card).keys() - names
    rule = "the corpus to write has no more than it holds"
    require(not unsupported, who, rule, ", ".join(unsupported))

    def content(corpus: Corpus) -> list[dict[str, object]]:
        return in_stored_order(comparable_content(corpus, form.card), form)

    second, files = round_trip(form, corpus)
    _require_equal(content(second), content(corpus), f"{who}: what was written is read")
    third, files_again = round_trip(form, second)
    require(files_again == files, who, "what was read is written again in the same bytes")
    _require_equal(content(third), content(corpus), f"{who}: what was read twice")


def _require_equal(found: list[dict[str, object]], expected: list[dict[str, object]], what: str) -> None:
    if len(found) != len(expected):
        raise Nonconformance(f"{what}: {len(found)} documents, not {len(expected)}")
    for ours, theirs in zip(found, expected, strict=True):
        for name in theirs:
            if ours.get(name) != theirs[name]:
                raise Nonconformance(f"{what}: {name} differ; found {ours.get(name)!r}, expected {theirs[name]!r}")


def check_damaged(form: Format, files: dict[str, bytes], *, seed: int = 0) -> None:
    """Check that damaged files are read or refused with a code, strictly and leniently."""
    for name, content in files.items():
        for what, bad in damaged(content, seed, flips=CHANGED_COPIES // len(files)):
            for lenient in (False, True):
                _check_reading(form, {**files, name: bad}, what, lenient)


def _check_reading(form: Format, files: dict[str, bytes], what: str, lenient: bool) -> None:
    findings: list[Finding] = []
    reading = Reading(strictness=Strictness(lenient=lenient, report=findings.append))
    who = f"format {form.card.name}, {what}{', lenient' if lenient else ''}"
    rule = "bad bytes are read, or refused with a code of corefbench.errors"
    with tempfile.TemporaryDirectory() as folder:
        source = _write_source(form, files, Path(folder))
        try:
            for corpus in form.read(source, reading):
                len(corpus)
        except CorefbenchError as error:
            require(error.code in CODES and error.code != "CB001", who, rule, error.code)
        except Exception as error:
            raise Nonconformance(f"{who}: {rule}; found {type(error).__name__}: {error}") from error
    for finding in findings:
        require(finding.code in CODES, who, "findings have a code of corefbench.errors", finding)


def _write_source(form: Format, files: dict[str, bytes], folder: Path) -> Source:
    """Write the files; return them as a source, the folder if the format writes folders."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    single = len(files) == 1 and not (isinstance(form, FolderWriter) and not form.card.writes)
    return Source.of(folder / next(iter(files)) if single else folder)


def _sample(form: Format, seed: int) -> dict[str, bytes]:
    """Return the files of a generated corpus."""
    if not (form.card.writes or isinstance(form, FolderWriter)):
        raise Nonconformance(f"format {form.card.name}: it cannot be written, so give a sample")
    with tempfile.TemporaryDirectory() as folder:
        return write_files(form, corpus_for(form.card, seed), Path(folder))


def _check_card(form: Format, who: str) -> None:
    card = form.card
    require_card(card, who, "title", "description")
    require(card.holds <= {*get_args(Feature)}, who, "it holds known features", [*card.holds])
    dotted = all(extension.startswith(".") for extension in card.extensions)
    require(dotted, who, "extensions begin with a dot", card.extensions)


def _check_recognition(form: Format, who: str, files: dict[str, bytes]) -> None:
    """Check that it recognises its own files, and not empty ones or those of other formats."""
    for content in (b"", b"\0" * 64, b"Once upon a time.\n"):
        confidence = form.recognises(content)
        require(0 <= confidence <= 1, who, "its confidence lies between 0 and 1", confidence)
        require(confidence < 0.5, who, "it does not take just anything for its own", content[:20])
    require(form.recognises(b"") == 0, who, "it does not recognise an empty file")
    for content in files.values():
        require(form.recognises(content[: 1 << 16]) > 0, who, "it recognises its own file")
    for name, other, content in _files_of_other_formats(form.card.name):
        confidence, theirs = form.recognises(content), other.recognises(content)
        # Detection stops at a format that is certain, so later ones are not asked.
        apart = confidence <= theirs or theirs >= CERTAIN
        require(apart, who, f"it leaves files in {name} alone", confidence)


def _files_of_other_formats(own: str) -> Iterator[tuple[str, Format, bytes]]:
    """Yield a file in each of the most common other formats."""
    for name in ("conll", "corefud", "jsonlines", "inline"):
        if name != own:
            other = formats[name]()
            yield name, other, _sample(other, 7)["corpus"]


def write_files(form: Format, corpus: Corpus, folder: Path) -> dict[str, bytes]:
    """Write a corpus to a folder; return the files by name."""
    if isinstance(form, FolderWriter) and not form.card.writes:
        form.write_folder(corpus, folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}
    stream = io.BytesIO()
    form.write(corpus, stream)
    (folder / "corpus").write_bytes(stream.getvalue())
    return {"corpus": stream.getvalue()}


def read_files(form: Format, folder: Path) -> Corpus:
    """Read the corpus that ``write_files`` wrote to a folder."""
    single = folder / "corpus"
    source = Source.of(single if single.is_file() else folder)
    return concatenate("corpus", list(form.read(source, Reading())))


def round_trip(form: Format, corpus: Corpus) -> tuple[Corpus, dict[str, bytes]]:
    """Write and read a corpus; return what was read, and the files."""
    with tempfile.TemporaryDirectory() as name:
        files = write_files(form, corpus, Path(name))
        return read_files(form, Path(name)), files


def comparable_content(corpus: Corpus, card: FormatCard) -> list[dict[str, object]]:
    """Return what a format must preserve, document by document, as plain values."""
    return [_document_content(corpus, index, card) for index in range(len(corpus))]


def in_stored_order(documents: list[dict[str, object]], form: Format) -> list[dict[str, object]]:
    """Sort the documents by name if the format writes many files."""
    if isinstance(form, FolderWriter) and not form.card.writes:
        return sorted(documents, key=lambda document: str(document["label"]))
    return documents


def _document_content(corpus: Corpus, index: int, card: FormatCard) -> dict[str, object]:
    view, tokens, holds = corpus[index], corpus.tokens, card.holds
    span = slice(int(tokens.offsets[index]), int(tokens.offsets[index + 1]))
    columns = card.token_columns or ("pos",) if "token attributes" in holds else ()
    content: dict[str, object] = {"words": view.words if "words" in holds else None}
    if "document names" in holds:
        # CoNLL numbers the parts of a document; one that has none is written as part 0.
        part = int(corpus.documents.parts[index])
        content["label"] = f"{view.name}_{max(part, 0)}" if card.name == "conll" else view.label
    if "sentences" in holds:
        content["sentences"] = [(a, b) for a, b in view.sentences if a < b]
    if "document attributes" in holds:
        content["attributes"] = {k: v[index] for k, v in corpus.documents.columns.items() if k in DOCUMENT_ATTRIBUTES}
    for name in [*columns, *(["speaker"] if "speakers" in holds else [])]:
        column = tokens.columns.get(name)
        values = column.slice(span.start, span.stop) if column is not None else []
        if any(value not in ("", "-", "_", "0", "*") for value in values) and name != "id":
            content[name] = values
    if "zeros" in holds:
        content["zeros"] = [] if tokens.empty is None else [i for i, e in enumerate(tokens.empty[span]) if e]
    if "singletons" in holds:
        content["chains"] = sorted(
            (
                chain.label if "chain labels" in holds else "",
                sorted(_mention_content(corpus, mention.index, mention.parts, holds) for mention in chain.mentions),
            )
            for chain in view.chains
            if len(chain)
        )
        content["relations"] = _relation_content(corpus, index, holds)
    return content


def _mention_content(corpus: Corpus, index: int, parts: list[Span], holds: Collection[Feature]) -> tuple[object, ...]:
    mentions = corpus.mentions
    has_minimum = "minimal spans" in holds and mentions.minimum is not None
    is_non_referring = mentions.referring is not None and not mentions.referring[index]
    return (
        parts,
        -1 if "heads" not in holds or mentions.head is None else int(mentions.head[index]),
        mentions.minimum.of(index) if has_minimum and mentions.minimum is not None else [],
        is_non_referring and "non-referring mentions" in holds,
        sorted(
            (name, column[index])
            for name, column in mentions.columns.items()
            if name in ATTRIBUTES and column[index] and "mention attributes" in holds
        ),
    )


def _relation_content(corpus: Corpus, index: int, holds: Collection[Feature]) -> list[tuple[object, ...]]:
    relations, mentions = corpus.relations, corpus.mentions
    content: list[tuple[object, ...]] = []
    if "bridging" in holds:
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            chain = int(relations.bridging_chain[row])
            if chain < 0:
                chain = int(mentions.chain[relations.bridging_mention[row]])
            if mentions.document[anaphor] == index:
                span = (int(mentions.start[anaphor]), int(mentions.end[anaphor]))
                content.append(("bridge", span, _first_span(corpus, chain), relations.bridging_label[row]))
    if "split antecedents" in holds:
        for plural, element in zip(relations.plural.tolist(), relations.element.tolist(), strict=True):
            if corpus.chains.document[plural] == index:
                content.append(("split", _first_span(corpus, plural), _first_span(corpus, element), ""))
    return sorted(content, key=str)


def _first_span(corpus: Corpus, chain: int) -> Span:
    mention = int((corpus.mentions.chain == chain).argmax())
    return int(corpus.mentions.start[mention]), int(corpus.mentions.end[mention])


def damaged(content: bytes, seed: int = 0, flips: int = 25) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a file, each with a description.

    >>> [name for name, _ in damaged(b"abc", flips=0)][:4]
    ['empty', 'blank', 'NUL bytes', 'not UTF-8']
    """
    yield "empty", b""
    yield "blank", b" \n\t\r\n\n"
    yield "NUL bytes", b"\0" * 512
    yield "not UTF-8", content[: len(content) // 2] + b"\xff\xfe\x80" + content[len(content) // 2 :]
    yield "UTF-16", content.decode("utf-8", "replace").encode("utf-16")
    yield "with a byte order mark", b"\xef\xbb\xbf" + content
    yield "with returns", content.replace(b"\n", b"\r\n")
    yield "twice", content + content
    yield "nested brackets", content + b"([{<" * BOMB_SIZE
    yield "a long line", content + b"x" * BOMB_SIZE + b"\n"
    yield "a zip archive", b"PK\x03\x04" + content
    for part in range(1, 10):
        yield f"cut after {part} tenths", content[: len(content) * part // 10]
    generator = random.Random(seed)
    for number in range(flips if content else 0):
        yield f"changed bytes {number}", _change_bytes(content, generator)


def _change_bytes(content: bytes, generator: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(generator.randint(1, 4)):
        position = generator.randrange(len(changed))
        kind = generator.randrange(3)
        if kind == 0:
            changed[position] = generator.randrange(256)
        elif kind == 1:
            changed[position:position] = generator.choice(
                [b"\t", b"\n", b"(", b")", b"<", b'"', b"\\", b"-1", b"9" * 30]
            )
        elif len(changed) > 1:
            del changed[position : position + generator.randint(1, 9)]
        if not changed:
            changed.extend(b"\n")
    return bytes(changed)
