"""Merge annotations: the form, the merge and its conflicts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.agreement import Agreement
from corefbench.analysis.annotation.annotations import DocumentSpan
from corefbench.analysis.annotation.conflicts import Conflict, format_conflicts, format_grouping, span_text
from corefbench.analysis.annotation.merge import RULES, Merge
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import SCOPES
from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.report import annotation as report
from corefbench.report.charts import can_draw
from corefbench.report.table import Table
from corefbench.web.forms import SubmittedForm, UploadedFile
from corefbench.web.pages import Chart, Page, Query, make_chart, page_number, paginate
from corefbench.web.responses import FileContent
from corefbench.workbench.choices import format_choices
from corefbench.workbench.exports import output_formats, text_file, write_corpus
from corefbench.workbench.inputs import expand_path, unique_names
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench
from corefbench.workbench.stored_merges import (
    AnnotationSource,
    MergeOptions,
    agreement_result,
    create_merge,
    list_merges,
    load_merge,
    merge_commands,
    merge_result,
)

_OPTION_FIELDS = ("rule", "mentions", "links", "ties", "scope", "format")
_MAX_SENTENCES = 6
_LONG_SENTENCE, _CONTEXT_WORDS = 60, 15
_MAX_SPANS = 6
CONFLICT_KINDS = ("mention", "chains")
_CONFLICTS_PER_PAGE = 20
_LARGEST_CHAINS = 15


def describe_conflict(conflict: Conflict, names: Sequence[str], corpus: Corpus) -> dict[str, Any]:
    """Describe a conflict in words."""
    sentences = _conflict_sentences(conflict, corpus)
    has_pieces = conflict.kind == "chains"
    return {
        "number": conflict.number,
        "kind": conflict.kind,
        "document": conflict.document,
        "sentences": sentences[:_MAX_SENTENCES],
        "more": max(0, len(sentences) - _MAX_SENTENCES),
        "pieces": tuple(_span_texts(spans, corpus) for spans in conflict.pieces) if has_pieces else (),
        "says": [{"annotator": name, "words": _statement_words(conflict, number)} for number, name in enumerate(names)],
        "rule": conflict.rule,
        "decision": conflict.decision,
    }


def _statement_words(conflict: Conflict, annotator: int) -> str:
    if annotator in conflict.absent:
        return "does not have the document"
    grouping = conflict.groupings[annotator]
    if conflict.kind == "mention":
        return "does not mark it" if grouping[0] is None else "marks it"
    unmarked = [str(number) for number, group in enumerate(grouping, 1) if group is None]
    missing = f"; does not mark {', '.join(unmarked)}" if unmarked else ""
    return f"{format_grouping(grouping) or 'nothing'}{missing}"


def _span_texts(spans: Sequence[DocumentSpan], corpus: Corpus) -> str:
    shown = ", ".join(span_text(corpus, span) for span in spans[:_MAX_SPANS])
    more = len(spans) - _MAX_SPANS
    return f"{shown}, … {more} more" if more > 0 else shown


def _conflict_sentences(conflict: Conflict, corpus: Corpus) -> list[list[dict[str, Any]]]:
    """Return the sentences with a piece of the conflict, in the order of the text."""
    marks: dict[int, list[tuple[int, int, int]]] = {}
    for piece, spans in enumerate(conflict.pieces, 1):
        for document, parts in spans:
            marks.setdefault(document, []).extend((start, end, piece) for start, end in parts)
    sentences = []
    for document in sorted(marks):
        text = corpus[document]
        for start, end in text.sentences:
            sentence_marks = [mark for mark in marks[document] if mark[0] < end and mark[1] > start]
            if sentence_marks:
                sentences.append(_cut_segments(text.words, *_visible_range(start, end, sentence_marks), sentence_marks))
    return sentences


def _visible_range(start: int, end: int, marks: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """Return the range of a sentence; of a long one only the surroundings of its marks."""
    if end - start <= _LONG_SENTENCE:
        return start, end
    first, last = min(mark[0] for mark in marks), max(mark[1] for mark in marks)
    return max(start, first - _CONTEXT_WORDS), min(end, last + _CONTEXT_WORDS)


def _cut_segments(
    words: Sequence[str], start: int, end: int, marks: Sequence[tuple[int, int, int]]
) -> list[dict[str, Any]]:
    """Group words by piece, 0 for none; where pieces are nested, the shorter one is shown.

    >>> segments = _cut_segments(["her", "dog", "ran"], 0, 3, [(0, 2, 1), (0, 1, 2)])
    >>> [(segment["text"], segment["piece"]) for segment in segments]
    [('her', 2), ('dog', 1), ('ran', 0)]
    """
    pieces = [0] * (end - start)
    for first, last, number in sorted(marks, key=lambda mark: mark[0] - mark[1]):
        for position in range(max(first, start), min(last, end)):
            pieces[position - start] = number
    segments: list[dict[str, Any]] = []
    begin = 0
    for position in range(1, len(pieces) + 1):
        if position == len(pieces) or pieces[position] != pieces[begin]:
            text = " ".join(words[start + begin : start + position])
            segments.append({"text": text, "piece": pieces[begin]})
            begin = position
    return segments


def merge_form_page(workbench: Workbench, query: Query) -> Page:
    """Show the form and the stored merges."""
    return build_merge_form_page(workbench)


def build_merge_form_page(
    workbench: Workbench,
    choices: MergeOptions = MergeOptions(),
    *,
    paths: str = "",
    key_path: str = "",
    error: str = "",
) -> Page:
    """Return the page with the form as it was filled in."""
    model = {
        "merges": [
            {
                "name": merge.name,
                "created": merge.manifest.created,
                "annotations": merge.manifest.annotations,
                "rule": merge.manifest.choices.rule,
                "decided": merge.manifest.decided,
            }
            for merge in list_merges(workbench)
        ],
        "rules": tuple(RULES),
        "scopes": tuple(SCOPES),
        "formats": format_choices(),
        "choices": choices,
        "paths": paths,
        "key_path": key_path,
        "error": error,
    }
    return Page(template="merge_form.html", title="Merge annotations", model=model, status=422 if error else 200)


def merge_page(workbench: Workbench, query: Query) -> Page:
    """Show a merge; ``kind`` and ``page`` select the conflicts that are listed."""
    stored = load_merge(workbench, query["merge"])
    kind, number = query.get("kind", ""), page_number(query)
    if kind and kind not in CONFLICT_KINDS:
        raise UnknownName("kind of disagreement", kind, list(CONFLICT_KINDS))
    merge, agreement = merge_result(stored), agreement_result(stored)
    conflicts = [conflict for conflict in merge.conflicts if not kind or conflict.kind == kind]
    listed, pages = paginate(conflicts, number, _CONFLICTS_PER_PAGE)
    account = report.merge_to_dict(merge)
    findings = dict.fromkeys(map(str, (*agreement.findings, *merge.findings)))
    model = {
        "merge": stored.name,
        "annotations": stored.manifest.annotations,
        "created": stored.manifest.created,
        "choices": stored.manifest.choices,
        "rule": account["rule"],
        "decided": stored.manifest.decided,
        "documents": len(merge.corpus),
        "mentions": len(merge.corpus.mentions),
        "chains": len(merge.corpus.chains),
        "agreement": report.agreement_to_dict(agreement),
        "account": account["accounts"],
        "conflicts": {conflict: sum(c.kind == conflict for c in merge.conflicts) for conflict in CONFLICT_KINDS},
        "kind": kind,
        "page": number,
        "pages": pages,
        "found": len(conflicts),
        "disagreements": [describe_conflict(conflict, merge.names, merge.corpus) for conflict in listed],
        "largest": _largest_chains(merge.corpus),
        "tables": _report_tables(merge, agreement),
        "formats": output_formats(next(iter(stored.annotations().values()))),
        "commands": merge_commands(stored),
        "findings": tuple(findings),
    }
    return Page(
        template="merge.html",
        title=f"Merge of {_join_names(stored.manifest.annotations)}",
        model=model,
        charts=_charts(merge, agreement),
    )


def _join_names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) < 5 else f"{len(names)} files"


def _report_tables(merge: Merge, agreement: Agreement) -> dict[str, Table]:
    tables = {
        "pairs": report.pair_table(agreement),
        "alpha": report.alpha_table(agreement),
        "documents": report.document_alpha_table(agreement),
        "account": report.merge_table(merge),
        "conflicts": report.conflict_table(merge),
    }
    if agreement.quality is not None:
        tables["quality"] = report.quality_table(agreement.quality)
        tables["annotators"] = report.annotator_table(agreement.quality)
    return tables


def _largest_chains(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the largest chains with their first mentions."""
    mentions = corpus.mentions
    sizes = np.bincount(mentions.chain, minlength=len(corpus.chains))
    labels = corpus.documents.labels()
    chains = []
    for chain in np.argsort(-sizes, kind="stable")[:_LARGEST_CHAINS].tolist():
        members = np.flatnonzero(mentions.chain == chain).tolist()
        spans = [(int(mentions.document[m]), ((int(mentions.start[m]), int(mentions.end[m])),)) for m in members[:8]]
        if spans:
            texts = [span_text(corpus, span) for span in spans]
            chains.append({"document": labels[spans[0][0]], "size": len(members), "mentions": texts})
    return chains


def _charts(merge: Merge, agreement: Agreement) -> dict[str, Chart]:
    if not can_draw():
        return {}
    from corefbench.report.annotation import agreement_chart, merge_chart

    mean = "" if agreement.conll is None else f" The mean CoNLL F1 is {100 * agreement.conll:.1f} %."
    return {
        "agreement": make_chart(agreement_chart(agreement), f"Agreement of every two annotators, by measure.{mean}"),
        "merge": make_chart(
            merge_chart(merge), "Mentions and links of each annotator that were kept, dropped and added by others."
        ),
    }


def create_merge_form(workbench: Workbench, form: SubmittedForm) -> str | Page:
    """Merge annotations; show the form again if something is wrong."""
    options = _parse_options(form)
    paths, key_path = form.get("paths"), form.get("key_path")
    try:
        merge = create_merge(
            workbench,
            _collect_sources(form.get_files("files"), paths),
            options,
            created=datetime.now(UTC),
            key=_key_source(form.get_files("key"), key_path),
        )
    except CorefbenchError as error:
        return build_merge_form_page(workbench, options, paths=paths, key_path=key_path, error=str(error))
    return url_for("merge", merge=merge)


def decide_merge(workbench: Workbench, form: SubmittedForm) -> str:
    """Merge again with the decisions of a person."""
    decisions = form.get_files("decisions")
    if not decisions:
        raise UsageError("no file is chosen", expected="the file of disagreements, answered")
    stored = load_merge(workbench, form.get("merge"))
    key = stored.manifest.key
    merge = create_merge(
        workbench,
        {name: Path(path) for name, path in stored.annotations().items()},
        stored.manifest.choices,
        created=datetime.now(UTC),
        key=(key, stored.folder / "key" / key) if key else None,
        decisions=decisions[0].content,
    )
    return url_for("merge", merge=merge)


def export_merge(workbench: Workbench, query: Query) -> FileContent:
    """Return the merged corpus or the list of conflicts as a file."""
    merge, what = merge_result(load_merge(workbench, query["merge"])), query["what"]
    if what == "conflicts":
        lines = format_conflicts(merge.conflicts, merge.names, merge.corpus, merge.digest)
        return text_file("conflicts.txt", "\n".join(lines))
    if what != "corpus":
        raise UnknownName("export", what, ["corpus", "conflicts"])
    suffix, content = write_corpus(merge.corpus, query.get("format", "conll"))
    return FileContent(body=content, name=f"merged{suffix}")


def _parse_options(form: SubmittedForm) -> MergeOptions:
    values = {name: form.get(name).strip() for name in _OPTION_FIELDS}
    options = MergeOptions(lenient=bool(form.get("lenient")))
    return replace(options, **{name: value for name, value in values.items() if value})


def _collect_sources(files: list[UploadedFile], paths: str) -> dict[str, AnnotationSource]:
    """Return files and paths by unique names."""
    sources: list[tuple[str, AnnotationSource]] = [(Path(file.name).name, file.content) for file in files]
    for line in filter(None, (line.strip() for line in paths.splitlines())):
        path = Path(expand_path(line))
        sources.append((path.name, path))
    names = unique_names([name for name, _ in sources])
    return dict(zip(names, (source for _, source in sources), strict=True))


def _key_source(files: list[UploadedFile], path: str) -> tuple[str, AnnotationSource] | None:
    if files:
        return files[0].name, files[0].content
    return (Path(path).name, Path(expand_path(path))) if path.strip() else None
