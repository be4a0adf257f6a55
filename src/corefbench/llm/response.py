"""Turn recorded answers into a response: the words of the source with the model's chains."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.strings import Strings
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import DataError, UsageError
from corefbench.formats.source import Source
from corefbench.llm.answers import Answer, AnswerReport, Reply, read_answers_file, read_ids
from corefbench.llm.marked_copy import align_copy, clean_answer, copy_similarity
from corefbench.llm.passage import (
    LabelledSpan,
    Passage,
    extract_answer,
    find_answer,
    is_correct_antecedent,
    make_passage,
    number_chains,
    text_order,
)
from corefbench.llm.prompting import PromptId, hash_lines, make_slug, parse_prompt_id
from corefbench.records import Columns, Record
from corefbench.resolvers.response import replace_chains

Span = tuple[int, int]
MIN_SIMILARITY = 0.5
"""An answer with a smaller share of bigrams of the text is not a copy of it."""
_MAX_MISSING_END = 10
"""An answer is cut off if more words than this are missing at its end."""
_BLANK = ("", "_", "-")
AnswerSource = str | Path | bytes


class Response(Columns, frozen=True, eq=False):
    """The answers of a model as a corpus, and a report of what could be used."""

    corpus: Corpus
    report: AnswerReport


def read_answers(
    corpus: Corpus, answers: AnswerSource, *, prompts: AnswerSource | None = None, strictness: Strictness = Strictness()
) -> Response:
    """Read answers to the prompts of a corpus as a response.

    The response has every document of the corpus; one without answers has no mentions, and is
    scored as such. ``prompts`` is used to find missing answers.

    >>> from corefbench.formats.load import load
    >>> ann = load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")
    >>> line = b'{"id": "memory-m0-5-d5e1beee", "answer": "[Ann](#1) fed [her](#1) cat."}'
    >>> read_answers(ann, line).corpus[0].clusters()
    [[(0, 1), (2, 3)]]
    """
    last_answers, repeated, unread = _last_answers(answers, strictness)
    asked = read_ids(prompts, strictness) if prompts is not None else []
    ids_by_name: dict[str, dict[str, PromptId]] = {}
    unknown: dict[str, None] = {}
    for text in dict.fromkeys((*asked, *last_answers)):
        identity = parse_prompt_id(text)
        if identity is not None:
            ids_by_name.setdefault(identity.name, {})[text] = identity
        if text in last_answers:
            unknown[text] = None
    documents: list[DocumentAnswers] = []
    for document in corpus:
        passage = make_passage(document)
        named = ids_by_name.get(make_slug(passage.label), {})
        own_ids = {text: identity for text, identity in named.items() if identity.is_of(passage)}
        for text in own_ids:
            unknown.pop(text, None)
        documents.append(_read_document(passage, own_ids, last_answers))
    if last_answers and len(unknown) == len(last_answers):
        raise DataError(
            "none of the answers is to a prompt of this corpus",
            code="CB128",
            found=f"the id {next(iter(last_answers))!r}",
            expected="ids as `corefbench prompts` makes them from the corpus as it is",
            remedy="give the corpus that the prompts were made from, unchanged",
        )
    report = AnswerReport(
        replies=tuple(reply for document in documents for reply in document.replies),
        documents=len(documents),
        silent=tuple(document.label for document in documents if not document.merged.mentions),
        words=sum(document.words for document in documents),
        uncovered=sum(document.uncovered for document in documents),
        unknown=tuple(unknown),
        repeated=repeated,
        unread=unread,
        joined=sum(document.merged.joined for document in documents),
        refused=sum(document.merged.refused for document in documents),
        prompts=hash_lines([_read_bytes(prompts)]) if prompts is not None else "",
    )
    return Response(
        corpus=replace_mentions(corpus, [document.merged.mentions for document in documents]), report=report
    )


class MergedWindows(Record, frozen=True):
    """The mentions of a document with labels ``1``, ``2`` …, and counts of merged chains."""

    mentions: tuple[LabelledSpan, ...]
    joined: int = 0
    """Pairs of chains of neighbouring windows that were joined."""
    refused: int = 0
    """Pairs that share a mention but were not joined, because one of them already was."""


def merge_windows(parts: Sequence[Sequence[LabelledSpan]]) -> MergedWindows:
    """Merge the mentions of overlapping windows.

    A chain of one window and a chain of the next are joined if they share mentions. Each is joined
    with at most one other, pairs that share most mentions first, so that one wrong link in a window
    does not join two long chains of the window before. A mention that two windows have in different
    chains belongs to the chain of the earlier window, which has more of the preceding text.

    >>> merge_windows([[(0, 1, "1"), (4, 5, "1")], [(4, 5, "7"), (8, 9, "7")]]).mentions
    ((0, 1, '1'), (4, 5, '1'), (8, 9, '1'))
    """
    names: dict[tuple[int, str], int] = {}
    before: dict[Span, int] = {}
    chains: dict[Span, int] = {}
    joined = refused = count = 0
    for number, part in enumerate(parts):
        shared = Counter((before[start, end], label) for start, end, label in part if (start, end) in before)
        pairs, refused_here = _pair_chains(shared)
        joined, refused = joined + len(pairs), refused + refused_here
        current: dict[Span, int] = {}
        for start, end, label in part:
            if (number, label) not in names:
                count += label not in pairs
                names[number, label] = pairs.get(label, count)
            current[start, end] = names[number, label]
            chains.setdefault((start, end), names[number, label])
        before = current
    mentions = number_chains((*span, chains[span]) for span in sorted(chains, key=text_order))
    return MergedWindows(mentions=tuple(mentions), joined=joined, refused=refused)


def _pair_chains(shared: Counter[tuple[int, str]]) -> tuple[dict[str, int], int]:
    """Return the chain of the previous window for each label, and the number of refused pairs."""
    chain_of_label: dict[str, int] = {}
    for chain, label in sorted(shared, key=lambda pair: -shared[pair]):
        if label not in chain_of_label and chain not in chain_of_label.values():
            chain_of_label[label] = chain
    return chain_of_label, len(shared) - len(chain_of_label)


class ReadAnswer(Record, frozen=True):
    """The mentions of one answer, and the report on it."""

    reply: Reply
    mentions: tuple[LabelledSpan, ...] = ()


def read_answer(identity: PromptId, answer: Answer, passage: Passage, blank: Reply) -> ReadAnswer:
    """Read an answer to the prompt of a window; ``blank`` is the report to complete."""
    if answer.text is None:
        return ReadAnswer(reply=replace(blank, state="failed"))
    if not answer.text.strip():
        return ReadAnswer(reply=replace(blank, state="empty", unaligned=blank.words))
    if identity.pronoun is not None:
        return _read_pronoun_answer(identity.pronoun, identity, answer.text, passage, blank)
    start, end = identity.start, identity.end
    source = passage.text_of(start, end)
    cleaned = clean_answer(answer.text, source)
    if copy_similarity(cleaned.text, source) < MIN_SIMILARITY:
        return ReadAnswer(reply=replace(blank, state="not a copy"))
    aligned = align_copy(cleaned.text, passage.words[start:end])
    mentions = [(a + start, b + start, label) for a, b, label in aligned.mentions]
    dropped = Counter(aligned.dropped)
    if identity.task == "given-mentions":
        mentions = _match_given_mentions(mentions, passage, identity, dropped)
    chains = len({label for *_, label in mentions})
    reply = replace(
        blank,
        state="used",
        unaligned=aligned.unaligned,
        added=aligned.added,
        changed=aligned.changed,
        cut=answer.cut or aligned.missing_end > _MAX_MISSING_END,
        removed=cleaned.removed,
        variants=cleaned.variants,
        marked=aligned.marked,
        mentions=len(mentions),
        dropped=dict(dropped),
        chains=chains,
        lost_chains=aligned.lost_chains + len({label for *_, label in aligned.mentions}) - chains,
    )
    return ReadAnswer(reply=reply, mentions=tuple(mentions))


def _match_given_mentions(
    marked: list[LabelledSpan], passage: Passage, identity: PromptId, dropped: Counter[str]
) -> list[LabelledSpan]:
    """Return the given mentions with their numbers.

    A mention that was moved is taken for the given one with the same end or start.
    """
    free = {mention[:2]: None for mention in passage.within(identity.start, identity.end)}
    exact = {mention[:2] for mention in marked}
    kept: list[LabelledSpan] = []
    for start, end, label in marked:
        # A given mention that another mark has exactly is not free for one that was moved.
        near = [(start, end)] if (start, end) in free else []
        near += [s for s in free if s not in exact and (s[1] == end or s[0] == start)]
        if near:
            kept.append((*near[0], label))
            del free[near[0]]
        else:
            dropped["not a given mention"] += 1
    return sorted(kept, key=text_order)


def _read_pronoun_answer(pronoun: int, identity: PromptId, answer: str, passage: Passage, blank: Reply) -> ReadAnswer:
    """Read the answer to a question about a pronoun: a chain of two."""
    words = extract_answer(answer)
    span = find_answer(passage.words, words, pronoun, identity.start, identity.end) if words else None
    if span is None:
        return ReadAnswer(reply=replace(blank, state="not found" if words else "none", right=False))
    asked = [mention for mention in passage.mentions if mention[:2] == (pronoun, pronoun + 1)]
    right = bool(asked) and is_correct_antecedent(passage, span, asked[0])
    reply = replace(blank, state="used", marked=2, mentions=2, chains=1, right=right)
    return ReadAnswer(reply=reply, mentions=((*span, "1"), (pronoun, pronoun + 1, "1")))


class DocumentAnswers(Record, frozen=True):
    """The answers on one document."""

    label: str
    words: int
    uncovered: int
    """Words outside the windows of used answers."""
    merged: MergedWindows
    replies: tuple[Reply, ...]


def _read_document(passage: Passage, ids: Mapping[str, PromptId], answers: Mapping[str, Answer]) -> DocumentAnswers:
    """Read the answers to the prompts of one document."""
    tasks = sorted({identity.task for identity in ids.values()})
    if len(tasks) > 1:
        raise UsageError(
            "the answers are to prompts of several tasks",
            found=", ".join(tasks),
            expected="one file of answers for each template",
        )
    reads: list[ReadAnswer] = []
    covered: set[int] = set()
    for text, identity in sorted(ids.items(), key=lambda item: (item[1].start, item[1].pronoun or 0)):
        words = identity.end - identity.start
        read = ReadAnswer(reply=Reply(id=text, document=passage.label, state="missing", words=words))
        if text in answers:
            read = read_answer(identity, answers[text], passage, read.reply)
        if read.reply.state in ("used", "none", "not found"):
            covered.update(range(identity.start, identity.end))
        reads.append(read)
    if any(identity.pronoun is not None for identity in ids.values()):
        merged = MergedWindows(mentions=link_pairs([read.mentions for read in reads if read.mentions]))
    else:
        merged = merge_windows([read.mentions for read in reads])
    return DocumentAnswers(
        label=passage.label,
        words=len(passage.words),
        uncovered=len(passage.words) - len(covered),
        merged=merged,
        replies=tuple(read.reply for read in reads),
    )


def link_pairs(pairs: Sequence[Sequence[LabelledSpan]]) -> tuple[LabelledSpan, ...]:
    """Return the chains of linked pairs: the connected components.

    >>> link_pairs([[(0, 1, ""), (4, 5, "")], [(4, 5, ""), (6, 7, "")], [(2, 3, ""), (8, 9, "")]])
    ((0, 1, '1'), (2, 3, '2'), (4, 5, '1'), (6, 7, '1'), (8, 9, '2'))
    """
    chain_of: dict[Span, list[Span]] = {}
    for anaphor, antecedent in pairs:
        first, second = anaphor[:2], antecedent[:2]
        first_chain, second_chain = chain_of.get(first, [first]), chain_of.get(second, [second])
        joined = first_chain if first_chain is second_chain else first_chain + second_chain
        chain_of.update(dict.fromkeys(joined, joined))
    return tuple(number_chains((*span, id(chain_of[span])) for span in sorted(chain_of, key=text_order)))


def find_heads(source: Corpus, spans: Iterable[tuple[int, int, int]]) -> list[int] | None:
    """Return heads for spans (document, start, end), or None if the source has no heads.

    Some profiles match mentions by head, but marks have none. A span that is a mention of the
    source has its head, another one the first word whose governor is outside, or without a tree
    the last word.

    >>> from corefbench.formats.load import load
    >>> find_heads(load(b"[Ann]1 ran.", format="inline"), [(0, 0, 1)]) is None
    True
    """
    if source.mentions.head is None:
        return None
    mentions = source.mentions
    known_spans = zip(mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True)
    known = dict(zip(known_spans, source.mentions.head.tolist(), strict=True))
    columns = [source.tokens.columns.get(name) for name in ("id", "head", "deprel")]
    heads = []
    for document, start, end in spans:
        head = known.get((document, start, end), -1)
        if head < 0 and None not in columns:
            first = int(source.tokens.offsets[document])
            head = _head_in_tree(columns, first + start, first + end) - first  # type: ignore[arg-type]
        heads.append(head if start <= head < end else end - 1)
    return heads


def _head_in_tree(columns: list[Strings], start: int, end: int) -> int:
    """Return the first word whose governor is outside the span, or -1."""
    ids, governors, relations = (column.slice(start, end) for column in columns)
    inside = set(ids)
    for index, (governor, relation) in enumerate(zip(governors, relations, strict=True)):
        if governor not in _BLANK and relation not in _BLANK and governor not in inside:
            return start + index
    return -1


def _last_answers(answers: AnswerSource, strictness: Strictness) -> tuple[dict[str, Answer], int, int]:
    """Return the last answer to every prompt, and counts of replaced answers and other lines."""
    unread: list[Finding] = []

    def report(finding: Finding) -> None:
        unread.append(finding)
        strictness.report(finding)

    read = list(read_answers_file(answers, Strictness(lenient=strictness.lenient, report=report)))
    last = {answer.id: answer for answer in read}
    return last, len(read) - len(last), len(unread)


def _read_bytes(source: AnswerSource) -> bytes:
    with Source.of(source).open() as stream:
        return stream.read()


def replace_mentions(corpus: Corpus, rows: Sequence[Sequence[LabelledSpan]]) -> Corpus:
    """Return the corpus with new mentions, given by document over its words without empty nodes."""
    clusters = []
    for labelled_spans in rows:
        chains: dict[str, list[Span]] = {}
        for start, end, label in labelled_spans:
            chains.setdefault(label, []).append((start, end))
        clusters.append(list(chains.values()))
    response = replace_chains(corpus, clusters)
    mentions = response.mentions
    spans = zip(mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True)
    heads = find_heads(corpus, spans)
    head = None if heads is None else np.array(heads, np.int32)
    return replace(response, name="response", mentions=replace(mentions, head=head))
