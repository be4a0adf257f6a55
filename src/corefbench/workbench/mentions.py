"""The mentions of key and response in one list, each with its outcome.

A third-person pronoun that neither side has is in the list, too, because readers ask about it.

Pronouns that a comparison of resolvers has judged have the outcome that the success rate counts: by
the antecedent that was chosen. All others have the outcome that the run marks.

Rows are in the order of the text, longer mentions first. A mention that both sides have is one row,
at the position of the key. A response may have other empty nodes than the key: its mentions are
mapped to the tokens that are shown.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.bench.reasons import Reason
from corefbench.preprocess.english.pronouns import THIRD_PERSON, lookup_pronoun
from corefbench.records import Columns, Flags, Longs, Record
from corefbench.runs.matching import SYMBOLS, Mark, MentionMarks, mark_mentions
from corefbench.runs.schema import Layer, LayerMentions, LayerTokens, RunDocument, Span, Twins


class MentionSpans(Columns, frozen=True, eq=False):
    """The mentions of key or response."""

    start: Longs
    end: Longs
    parts: Sequence[tuple[Span, ...]] | None = None
    """None if all are contiguous."""

    def spans(self) -> list[Span]:
        """Return the spans from first to last token."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def locate_mentions(marked: LayerMentions, layer: Layer | None, shown: Layer | None) -> MentionSpans:
    """Return the mentions of a layer in the tokens of the layer that is shown."""
    if layer is not None and shown is not None and layer.tokens.count != shown.tokens.count:
        return _spans_of_parts(_map_parts(marked, layer.tokens, shown.tokens))
    if marked.parts is not None:
        return _spans_of_parts(marked.parts)
    return MentionSpans(start=np.array(marked.start, np.int64), end=np.array(marked.end, np.int64))


def _spans_of_parts(parts: Sequence[tuple[Span, ...]]) -> MentionSpans:
    start = np.array([spans[0][0] for spans in parts], np.int64)
    end = np.array([spans[-1][1] for spans in parts], np.int64)
    return MentionSpans(start=start, end=end, parts=parts)


def _map_parts(marked: LayerMentions, own: LayerTokens, shown: LayerTokens) -> list[tuple[Span, ...]]:
    spans = zip(marked.start, marked.end, strict=True)
    parts = marked.parts if marked.parts is not None else [(span,) for span in spans]
    last = shown.count - 1
    token_of_ordinal = {ordinal: token for token, ordinal in enumerate(_token_ordinals(shown))}
    mapped = [min(token_of_ordinal.get(ordinal, last), last) for ordinal in _token_ordinals(own)]
    return [tuple((mapped[a], mapped[b - 1] + 1) for a, b in spans) for spans in parts]


def _token_ordinals(tokens: LayerTokens) -> list[float]:
    """Return the number of each token among the written ones; empty nodes are between."""
    empty, seen, ordinals = set(tokens.empty or ()), 0, []
    for token in range(tokens.count):
        ordinals.append(seen - 0.5 if token in empty else float(seen))
        seen += token not in empty
    return ordinals


class AlignedMentions(Columns, frozen=True, eq=False):
    """Rows of mentions; all columns have the same length."""

    start: Longs
    end: Longs
    key: Longs
    """Number among the mentions of the key, -1 for none …"""
    response: Longs
    """… and among those of the response."""

    def __len__(self) -> int:
        return len(self.start)

    def of_key(self, size: int) -> Longs:
        """Return the row of each mention of the key; the last element, -1, stands for none."""
        return _inverse(self.key, size)

    def of_response(self, size: int) -> Longs:
        """Return the row of each mention of the response."""
        return _inverse(self.response, size)

    def parts(self, key: MentionSpans, response: MentionSpans) -> dict[int, tuple[Span, ...]]:
        """Return the parts of discontinuous mentions by row."""
        by_row = {}
        if key.parts is not None or response.parts is not None:
            for row, (key_mention, response_mention) in enumerate(zip(self.key, self.response, strict=True)):
                side, mention = (key, key_mention) if key_mention >= 0 else (response, response_mention)
                parts = side.parts[mention] if mention >= 0 and side.parts is not None else ()
                if len(parts) > 1:
                    by_row[row] = parts
        return by_row


def align_mentions(
    key: MentionSpans, response: MentionSpans, twins: Sequence[int], uncounted: Flags, words: Longs
) -> AlignedMentions:
    """Align key and response.

    ``uncounted`` are mentions of the key that the profile ignores. ``words`` become rows unless
    they are mentions.
    """
    twin_of_key = _first_twins(len(key.start), twins)
    is_placed = _is_aligned(twin_of_key, len(response.start))
    _align_uncounted(key, response, uncounted, twin_of_key, is_placed)
    response_only = np.flatnonzero(~_is_aligned(twin_of_key, len(response.start)))
    start = np.concatenate((key.start, response.start[response_only]))
    end = np.concatenate((key.end, response.end[response_only]))
    free_words = words[~np.isin(words, start[end - start == 1])]
    none = np.full(len(free_words), -1)
    start, end = np.concatenate((start, free_words)), np.concatenate((end, free_words + 1))
    of_key = np.concatenate((np.arange(len(twin_of_key)), np.full(len(response_only), -1), none))
    of_response = np.concatenate((twin_of_key, response_only, none))
    order = np.lexsort((of_response, of_key, -end, start))
    return AlignedMentions(start=start[order], end=end[order], key=of_key[order], response=of_response[order])


def _first_twins(size: int, twins: Sequence[int]) -> Longs:
    """Return for each mention of the key its first twin in the response, -1 for none."""
    first = np.full(size, -1)
    twin = np.array(twins, np.int64)
    twinned = np.flatnonzero(twin >= 0)[::-1]  # the last assignment wins: the first twin
    first[twin[twinned]] = twinned
    return first


def _is_aligned(twin_of_key: Longs, size: int) -> Flags:
    """Return which mentions of the response are aligned."""
    aligned = np.zeros(size, np.bool_)
    aligned[twin_of_key[twin_of_key >= 0]] = True
    return aligned


def _align_uncounted(
    key: MentionSpans, response: MentionSpans, uncounted: Flags, twin_of_key: Longs, is_placed: Flags
) -> None:
    """Align key singletons that the profile strips with equal spans of the response.

    The scorer never sees them, so that they have no twin.
    """
    numbers = np.flatnonzero(uncounted).tolist()
    if not numbers:
        return
    spans = zip(key.start[uncounted].tolist(), key.end[uncounted].tolist(), strict=True)
    by_span = dict(zip(spans, numbers, strict=True))
    for mention in np.flatnonzero(~is_placed).tolist():
        number = by_span.pop((int(response.start[mention]), int(response.end[mention])), None)
        if number is not None and twin_of_key[number] < 0:
            twin_of_key[number] = mention


def _inverse(mentions: Longs, size: int) -> Longs:
    inverse = np.full(size + 1, -1)
    is_present = mentions >= 0
    inverse[mentions[is_present]] = np.flatnonzero(is_present)
    return inverse


MentionMark: TypeAlias = Literal["right", "wrong", "missed", "spurious", "uncounted", "alone"]

ERROR_MARKS: frozenset[MentionMark] = frozenset(("wrong", "missed", "spurious"))
MARK_SYMBOLS = {**{str(mark): symbol for mark, symbol in SYMBOLS.items()}, "alone": "–"}
"""The marks of runs, and one for a pronoun that nobody links."""


class Case(Record, frozen=True):
    """A way to be right or wrong."""

    name: str
    mark: MentionMark
    words: str
    sign: str


def _make_case(name: str, mark: MentionMark, words: str) -> Case:
    return Case(name=name, mark=mark, words=words, sign=MARK_SYMBOLS[mark])


CASES: tuple[Case, ...] = (
    _make_case("first", "right", "begins a chain, as in the key"),
    _make_case("link", "right", "linked within its chain of the key"),
    _make_case("false-new", "wrong", "begins a chain, but the key has an antecedent"),
    _make_case("false-link", "wrong", "linked, but the key begins a chain here"),
    _make_case("wrong-link", "wrong", "linked outside its chain of the key"),
    _make_case("missed", "missed", "the response does not have it"),
    _make_case("spurious", "spurious", "the key does not have it"),
    _make_case("single", "spurious", "the key has it alone, which the profile does not count"),
    _make_case("uncounted", "uncounted", "the profile does not count it"),
    _make_case("alone", "alone", "neither key nor response links this pronoun"),
)
"""Wrong decisions have the names of the error analysis."""
CASE_NUMBERS: dict[str, int] = {case.name: number for number, case in enumerate(CASES)}
_MARKS: tuple[Mark, ...] = ("right", "wrong", "missed", "spurious", "uncounted")
_MARK_CODES = {mark: code for code, mark in enumerate(_MARKS)}
_LINK, _SINGLE = CASE_NUMBERS["link"], CASE_NUMBERS["single"]
_FALSE_LINK, _WRONG_LINK = CASE_NUMBERS["false-link"], CASE_NUMBERS["wrong-link"]
_CASES_BY_MARK = {
    "right": (("first", "link"), ("first", "link")),
    "wrong": (("false-new", "false-link"), ("false-new", "wrong-link")),
}
"""Cases by whether the key has an antecedent, and whether the response has one."""
# A table looks up the cases of all mentions at once: a novel has tens of thousands of them.
_CASE_TABLE = np.array(
    [
        [[CASE_NUMBERS[name] for name in names] for names in _CASES_BY_MARK.get(mark, ((mark,) * 2,) * 2)]
        for mark in (*_MARKS, "alone")
    ]
)
_MARK_CLASSES = {"right": "r", "wrong": "w", "missed": "o", "spurious": "s", "uncounted": "u", "alone": "a"}
"""Single letters: a long text has a hundred thousand of them."""
_CSS_CLASSES = tuple((f"m {_MARK_CLASSES[c.mark]}", f"m {_MARK_CLASSES[c.mark]} p") for c in CASES)
_ERROR_CASES = frozenset(number for number, case in enumerate(CASES) if case.mark in ERROR_MARKS)
_MAX_PRONOUN_WORDS = 2
"""Words of a pronoun, as in *each other*."""


def third_person_tokens(words: Sequence[str]) -> Longs:
    """Return the positions of third-person pronouns.

    >>> third_person_tokens(["She", "saw", "it"]).tolist()
    [0, 2]
    """
    forms = {word for word in set(words) if word.lower() in THIRD_PERSON}
    return np.array([token for token, word in enumerate(words) if word in forms], np.int64)


def classify_pronouns(words: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> Iterator[int]:
    """Yield for each span 0 for no pronoun, 1 for a third-person pronoun, 2 for another.

    >>> list(classify_pronouns(["They", "met", "each", "other"], [0, 1, 2], [1, 4, 4]))
    [1, 0, 2]
    """
    classes: dict[str, int] = {}  # a text repeats few forms, and looking them up is slow
    for start, end in zip(starts, ends, strict=True):
        if end - start > _MAX_PRONOUN_WORDS or not words:
            yield 0
            continue
        form = words[start] if end - start == 1 else " ".join(words[start:end])
        if form not in classes:
            classes[form] = _pronoun_class(form, end - start)
        yield classes[form]


def _pronoun_class(form: str, size: int) -> int:
    if size == 1 and form.lower() in THIRD_PERSON:
        return 1
    return 2 if lookup_pronoun(form) is not None else 0


class Decisions(Columns, frozen=True, eq=False):
    """Decisions by row; antecedents are rows, -1 for none."""

    case: Longs
    chosen: Longs
    expected: Longs


def classify_decisions(
    rows: AlignedMentions, key_chains: Sequence[int], chains: Sequence[int], marks: MentionMarks
) -> Decisions:
    """Return the cases as the run marks them."""
    expected = _previous_in_chain(key_chains)[rows.key]
    chosen = _previous_in_chain(chains)[rows.response]
    response_codes = _mark_codes(marks.response)[rows.response]
    mark = np.where(rows.key >= 0, _mark_codes(marks.key)[rows.key], response_codes)
    case = _CASE_TABLE[mark, (expected >= 0).astype(np.int64), (chosen >= 0).astype(np.int64)]
    # The key has it as a singleton that the profile strips, so that the response is charged for it.
    stripped = (mark == _MARK_CODES["uncounted"]) & (response_codes == _MARK_CODES["spurious"])
    case[stripped] = _SINGLE
    return Decisions(
        case=case, chosen=rows.of_response(len(chains))[chosen], expected=rows.of_key(len(key_chains))[expected]
    )


def apply_reasons(
    rows: AlignedMentions, decisions: Decisions, reasons: Mapping[Span, Reason], responses: Sequence[Span]
) -> None:
    """Correct decisions by the reasons of a resolver; ``responses`` are its spans."""
    row_of_response = rows.of_response(len(responses))
    row_of_span: dict[Span, int] = {}
    spans = list(zip(rows.start.tolist(), rows.end.tolist(), strict=True))
    for row, span in enumerate(spans):
        row_of_span.setdefault(span, row)
    for mention, span in enumerate(responses):
        row_of_span.setdefault(span, int(row_of_response[mention]))
    for row, (span, mention) in enumerate(zip(spans, rows.response.tolist(), strict=True)):
        reason = reasons.get(span)
        if reason is None and mention >= 0:
            reason = reasons.get(responses[mention])
        if reason is not None:
            _apply_reason(rows, decisions, row, reason, row_of_span)


def _apply_reason(
    rows: AlignedMentions, decisions: Decisions, row: int, reason: Reason, row_of_span: Mapping[Span, int]
) -> None:
    if reason.correct:
        decisions.case[row] = _LINK
    elif reason.correct is not None and reason.antecedent is not None and rows.key[row] >= 0:
        decisions.case[row] = _WRONG_LINK if decisions.expected[row] >= 0 else _FALSE_LINK
    if reason.antecedent is not None:
        decisions.chosen[row] = row_of_span.get(reason.antecedent, decisions.chosen[row])


def _mark_codes(marks: Sequence[Mark]) -> Longs:
    """Return marks as numbers; the last element stands for a mention that is missing."""
    codes = np.full(len(marks) + 1, len(_MARKS))
    codes[:-1] = [_MARK_CODES[mark] for mark in marks]
    return codes


def _previous_in_chain(chains: Sequence[int]) -> Longs:
    """Return the previous mention in the chain of each, -1 for none; the last stands for none.

    >>> _previous_in_chain([0, 1, 0, 0]).tolist()
    [-1, -1, 0, 2, -1]
    """
    chain = np.array(chains, np.int64)
    order = np.argsort(chain, kind="stable")
    same = np.flatnonzero(chain[order[1:]] == chain[order[:-1]])
    previous = np.full(len(chain) + 1, -1)
    previous[order[same + 1]] = order[same]
    return previous


class Mentions(Record, frozen=True):
    """Mentions in the order of the text, longer ones first, as parallel lists."""

    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    case: tuple[int, ...] = ()
    """An index of ``CASES``."""
    key: tuple[int, ...] = ()
    """Chain of the key, -1 for none."""
    response: tuple[int, ...] = ()
    """Chain of the response, -1 for none."""
    chosen: tuple[int, ...] = ()
    """Antecedent in the response: a mention of this list, -1 for none."""
    expected: tuple[int, ...] = ()
    """Nearest antecedent in the key."""
    pronoun: tuple[int, ...] = ()
    """0 for no pronoun, 1 for a third-person pronoun, 2 for another."""
    parts: dict[int, tuple[Span, ...]] = {}  # noqa: RUF012
    """Spans of discontinuous mentions."""
    key_mention: tuple[int, ...] = ()
    """Number among the mentions of the key, -1 for none …"""
    response_mention: tuple[int, ...] = ()
    """… and among those of the response."""

    def __len__(self) -> int:
        return len(self.start)

    def by_span(self) -> dict[Span, int]:
        """Return the number of the first mention of each span."""
        spans = list(zip(self.start, self.end, strict=True))
        # The last assignment wins, so the first mention comes last.
        return {span: number for number, span in reversed(list(enumerate(spans)))}

    def classes(self) -> list[str]:
        """Return CSS classes: ``m w p`` is a mention, wrong, a third-person pronoun."""
        return [_CSS_CLASSES[case][pronoun == 1] for case, pronoun in zip(self.case, self.pronoun, strict=True)]

    def is_error(self, mention: int) -> bool:
        """Whether a mention is an error."""
        return self.case[mention] in _ERROR_CASES

    def errors(self, *, pronouns: bool = False) -> list[int]:
        """Return the errors, or the third-person pronouns among them."""
        wrong = [number for number, case in enumerate(self.case) if case in _ERROR_CASES]
        return [number for number in wrong if self.pronoun[number] == 1] if pronouns else wrong

    def counts(self, *, pronouns: bool = False) -> dict[str, int]:
        """Count mentions, or third-person pronouns, by mark."""
        counts_by_case = Counter(zip(self.case, self.pronoun, strict=True))
        by_mark: dict[str, int] = {case.mark: 0 for case in CASES}
        for (case, pronoun), count in counts_by_case.items():
            if pronoun == 1 or not pronouns:
                by_mark[CASES[case].mark] += count
        return by_mark


def list_mentions(document: RunDocument, response: str) -> Mentions:
    """Return all mentions of a document in its key and one response."""
    layer = document.responses.get(response)
    shown = document.key or layer
    key = document.key.mentions if document.key is not None else LayerMentions()
    response_mentions = layer.mentions if layer is not None else LayerMentions()
    words = (shown.tokens.words if shown is not None else None) or ()
    key_spans = locate_mentions(key, document.key, shown)
    response_spans = locate_mentions(response_mentions, layer, shown)
    marks = mark_mentions(document, response)
    uncounted = np.array([mark == "uncounted" for mark in marks.key], np.bool_)
    twins = document.matched.get(response, Twins()).twins
    rows = align_mentions(key_spans, response_spans, twins, uncounted, third_person_tokens(words))
    decisions = classify_decisions(rows, key.chain, response_mentions.chain, marks)
    reasons = {reason.anaphor: reason for reason in document.reasons.get(response, ())}
    if reasons:
        apply_reasons(rows, decisions, reasons, response_spans.spans())
    return Mentions(
        start=_to_tuple(rows.start),
        end=_to_tuple(rows.end),
        case=_to_tuple(decisions.case),
        key=_chain_of_each(key, rows.key),
        response=_chain_of_each(response_mentions, rows.response),
        chosen=_to_tuple(decisions.chosen),
        expected=_to_tuple(decisions.expected),
        pronoun=tuple(classify_pronouns(words, rows.start.tolist(), rows.end.tolist())),
        parts=rows.parts(key_spans, response_spans),
        key_mention=_to_tuple(rows.key),
        response_mention=_to_tuple(rows.response),
    )


def _to_tuple(numbers: Longs) -> tuple[int, ...]:
    return tuple(numbers.tolist())


def _chain_of_each(marked: LayerMentions, mentions: Longs) -> tuple[int, ...]:
    """Return the chain of each mention, -1 for none."""
    return _to_tuple(np.array((*marked.chain, -1), np.int64)[mentions])
