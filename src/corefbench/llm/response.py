"""Turn recorded answers into a response: the words of the source with the model's chains."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Chains, Corpus, Mentions, Relations
from corefbench.corpus.strings import Strings
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import DataError, UsageError
from corefbench.formats.source import Source
from corefbench.llm.answers import Answer, AnswerReport, Reply, read_answers_file, read_ids
from corefbench.llm.marked_copy import AlignedCopy, CleanedAnswer, align_copy, clean_answer, copy_similarity
from corefbench.llm.passage import LabelledSpan, Passage, make_passage
from corefbench.llm.prompting import PromptId, hash_lines, make_slug, parse_prompt_id
from corefbench.llm.pronoun_questions import extract_answer, find_answer, is_correct_antecedent
from corefbench.records import Columns, Ints, Record

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
    by_document = AnswersByDocument(last_answers, asked)
    rows: list[list[LabelledSpan]] = []
    documents: list[DocumentAnswers] = []
    for document in corpus:
        passage = make_passage(document)
        document_answers = by_document.document(passage)
        numbers, mentions = passage.tokens, document_answers.merged.mentions
        rows.append([(numbers[a], numbers[b - 1] + 1, label) for a, b, label in mentions])
        documents.append(document_answers)
    if last_answers and len(by_document.unmet) == len(last_answers):
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
        unknown=tuple(by_document.unmet),
        repeated=repeated,
        unread=unread,
        joined=sum(document.merged.joined for document in documents),
        refused=sum(document.merged.refused for document in documents),
        prompts=hash_lines([_read_bytes(prompts)]) if prompts is not None else "",
    )
    return Response(corpus=replace_mentions(corpus, rows), report=report)


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
    order = sorted(chains, key=lambda span: (span[0], -span[1]))
    renamed: dict[int, str] = {}
    for span in order:
        renamed.setdefault(chains[span], str(len(renamed) + 1))
    return MergedWindows(
        mentions=tuple((*span, renamed[chains[span]]) for span in order), joined=joined, refused=refused
    )


def _pair_chains(shared: Counter[tuple[int, str]]) -> tuple[dict[str, int], int]:
    """Return the chain of the previous window for each label, and the number of refused pairs."""
    chain_of_label: dict[str, int] = {}
    for chain, label in sorted(shared, key=lambda pair: -shared[pair]):
        if label not in chain_of_label and chain not in chain_of_label.values():
            chain_of_label[label] = chain
    return chain_of_label, len(shared) - len(chain_of_label)


class ReadAnswer(Record, frozen=True):
    """The mentions of one answer, and the report on it."""

    mentions: tuple[LabelledSpan, ...]
    reply: Reply


def read_answer(identity: PromptId, answer: Answer, passage: Passage) -> ReadAnswer:
    """Read an answer to the prompt of a window."""
    words = identity.end - identity.start
    blank = Reply(id=answer.id, document=passage.label, state="failed", words=words)
    if answer.text is None:
        return ReadAnswer(mentions=(), reply=blank)
    if not answer.text.strip():
        return ReadAnswer(mentions=(), reply=replace(blank, state="empty", unaligned=words))
    if identity.pronoun is not None:
        return _read_pronoun_answer(identity, answer.text, passage, blank)
    return _read_copy(identity, answer, passage, blank)


def _read_copy(identity: PromptId, answer: Answer, passage: Passage, blank: Reply) -> ReadAnswer:
    start, end = identity.start, identity.end
    source = passage.text_of(start, end)
    text = clean_answer(answer.text or "", source)
    if copy_similarity(text.text, source) < MIN_SIMILARITY:
        return ReadAnswer(mentions=(), reply=replace(blank, state="not a copy"))
    aligned = align_copy(text.text, passage.words[start:end])
    moved = [(a + start, b + start, label) for a, b, label in aligned.mentions]
    dropped = Counter(aligned.dropped)
    if identity.task == "given-mentions":
        moved = _match_given_mentions(moved, passage, identity, dropped)
    reply = _make_reply(blank, text, aligned, tuple(moved), dropped, answer.cut)
    return ReadAnswer(mentions=tuple(moved), reply=reply)


def _make_reply(
    blank: Reply,
    text: CleanedAnswer,
    aligned: AlignedCopy,
    mentions: tuple[LabelledSpan, ...],
    dropped: Counter[str],
    cut: bool,
) -> Reply:
    chains = len({label for *_, label in mentions})
    return replace(
        blank,
        state="used",
        unaligned=aligned.unaligned,
        added=aligned.added,
        changed=aligned.changed,
        cut=cut or aligned.missing_end > _MAX_MISSING_END,
        removed=text.removed,
        variants=text.variants,
        marked=aligned.marked,
        mentions=len(mentions),
        dropped=dict(dropped),
        chains=chains,
        lost_chains=aligned.lost_chains + len({m[2] for m in aligned.mentions}) - chains,
    )


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
        near = [(start, end)] if (start, end) in free else []
        near += [s for s in free if s not in exact and (s[1] == end or s[0] == start)]
        if near:
            kept.append((*near[0], label))
            del free[near[0]]
        else:
            dropped["not a given mention"] += 1
    return sorted(kept, key=lambda mention: (mention[0], -mention[1]))


def _read_pronoun_answer(identity: PromptId, answer: str, passage: Passage, blank: Reply) -> ReadAnswer:
    """Read the answer to a question about a pronoun: a chain of two."""
    pronoun = identity.pronoun or 0
    words = extract_answer(answer)
    if not words:
        return ReadAnswer(mentions=(), reply=replace(blank, state="none", right=False))
    span = find_answer(passage.words, words, pronoun, identity.start, identity.end)
    if span is None:
        return ReadAnswer(mentions=(), reply=replace(blank, state="not found", right=False))
    asked = [mention for mention in passage.mentions if mention[:2] == (pronoun, pronoun + 1)]
    right = bool(asked) and is_correct_antecedent(passage, span, asked[0])
    mentions: tuple[LabelledSpan, ...] = ((*span, "1"), (pronoun, pronoun + 1, "1"))
    reply = replace(blank, state="used", marked=2, mentions=2, chains=1, right=right)
    return ReadAnswer(mentions=mentions, reply=reply)


class DocumentAnswers(Record, frozen=True):
    """The answers on one document."""

    label: str
    words: int
    uncovered: int
    """Words outside the windows of used answers."""
    merged: MergedWindows
    replies: tuple[Reply, ...]


class AnswersByDocument:
    """Answers by the document of their ids."""

    def __init__(self, answers: Mapping[str, Answer], asked: Sequence[str]) -> None:
        """``asked`` are the ids of the prompts, where these are known."""
        self._given = answers
        self._named: dict[str, dict[str, PromptId]] = {}
        self.unmet: dict[str, None] = {}
        """Ids that no document has been found for yet."""
        for name in dict.fromkeys((*asked, *answers)):
            identity = parse_prompt_id(name)
            if identity is not None:
                self._named.setdefault(identity.name, {})[name] = identity
            if name in answers:
                self.unmet[name] = None

    def document(self, passage: Passage) -> DocumentAnswers:
        """Return the answers on a document."""
        named = self._named.get(make_slug(passage.label), {})
        own_ids = {name: prompt_id for name, prompt_id in named.items() if prompt_id.is_of(passage)}
        _check_one_task(own_ids)
        reads: dict[str, ReadAnswer] = {}
        for name in sorted(own_ids, key=lambda name: (own_ids[name].start, own_ids[name].pronoun or 0)):
            if name in self._given:
                del self.unmet[name]
                reads[name] = read_answer(own_ids[name], self._given[name], passage)
            else:
                reads[name] = _missing_answer(name, own_ids[name], passage)
        return DocumentAnswers(
            label=passage.label,
            words=len(passage.words),
            uncovered=_count_uncovered(passage, own_ids, reads),
            merged=_merge_answers(own_ids, reads),
            replies=tuple(prompt_id.reply for prompt_id in reads.values()),
        )


def _check_one_task(ids: Mapping[str, PromptId]) -> None:
    tasks = sorted({prompt_id.task for prompt_id in ids.values()})
    if len(tasks) > 1:
        raise UsageError(
            "the answers are to prompts of several tasks",
            found=", ".join(tasks),
            expected="one file of answers for each template",
        )


def _missing_answer(name: str, identity: PromptId, passage: Passage) -> ReadAnswer:
    words = identity.end - identity.start
    reply = Reply(id=name, document=passage.label, state="missing", words=words)
    return ReadAnswer(mentions=(), reply=reply)


def _count_uncovered(passage: Passage, ids: Mapping[str, PromptId], reads: Mapping[str, ReadAnswer]) -> int:
    covered: set[int] = set()
    for name, answer in reads.items():
        if answer.reply.state in ("used", "none", "not found"):
            covered.update(range(ids[name].start, ids[name].end))
    return len(passage.words) - len(covered)


def _merge_answers(ids: Mapping[str, PromptId], reads: Mapping[str, ReadAnswer]) -> MergedWindows:
    if any(answer.pronoun is not None for answer in ids.values()):
        return MergedWindows(mentions=link_pairs([answer.mentions for answer in reads.values() if answer.mentions]))
    return merge_windows([answer.mentions for answer in reads.values()])


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
    numbers: dict[int, str] = {}
    mentions = []
    for span in sorted(chain_of, key=lambda span: (span[0], -span[1])):
        label = numbers.setdefault(id(chain_of[span]), str(len(numbers) + 1))
        mentions.append((*span, label))
    return tuple(mentions)


def find_heads(source: Corpus, spans: list[tuple[int, int, int]]) -> list[int] | None:
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
    known = _known_heads(source, source.mentions.head)
    columns = [source.tokens.columns.get(name) for name in ("id", "head", "deprel")]
    heads = []
    for document, start, end in spans:
        head = known.get((document, start, end), -1)
        if head < 0 and None not in columns:
            first = int(source.tokens.offsets[document])
            head = _head_in_tree(columns, first + start, first + end) - first  # type: ignore[arg-type]
        heads.append(head if start <= head < end else end - 1)
    return heads


def _known_heads(source: Corpus, heads: Ints) -> dict[tuple[int, int, int], int]:
    mentions = source.mentions
    spans = zip(mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True)
    return dict(zip(spans, heads.tolist(), strict=True))


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

    def hear(finding: Finding) -> None:
        unread.append(finding)
        strictness.report(finding)

    tolerant = Strictness(lenient=strictness.lenient, report=hear)
    read = list(read_answers_file(answers, tolerant))
    given = {answer.id: answer for answer in read}
    return given, len(read) - len(given), len(unread)


def _read_bytes(source: AnswerSource) -> bytes:
    with Source.of(source).open() as stream:
        return stream.read()


def replace_mentions(corpus: Corpus, rows: Sequence[Sequence[LabelledSpan]]) -> Corpus:
    """Return the corpus with new mentions, given as (start, end, label) by document.

    Chains are numbered over the corpus: equal labels in two documents would be one entity, but no
    answer is about two documents.
    """
    chains: dict[tuple[int, str], int] = {}
    table = [
        (document, start, end, chains.setdefault((document, label), len(chains)))
        for document, mentions in enumerate(rows)
        for start, end, label in mentions
    ]
    columns = np.array(table, np.int32).reshape(-1, 4).T
    document, start, end, chain = (np.ascontiguousarray(column) for column in columns)
    heads = find_heads(corpus, [row[:3] for row in table])
    return Corpus(
        name="response",
        documents=corpus.documents,
        tokens=corpus.tokens,
        mentions=Mentions(
            document=document,
            start=start,
            end=end,
            chain=chain,
            head=None if heads is None else np.array(heads, np.int32),
        ),
        chains=Chains(
            document=np.array([number for number, _ in chains], np.int32),
            labels=np.arange(1, len(chains) + 1, dtype=np.int64),
        ),
        relations=Relations.none(),
    )
