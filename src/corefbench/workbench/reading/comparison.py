"""Compare the responses of one document mention by mention."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from corefbench.analysis.errors.decisions import classify_decisions
from corefbench.analysis.errors.pair import Pair, SideName, read_pair
from corefbench.diagnostics import ignore_finding
from corefbench.records import Record
from corefbench.runs.layers import layer_to_corpus
from corefbench.runs.schema import RunDocument, Span
from corefbench.scoring.profiles import Profile
from corefbench.workbench.reading.mentions import CASES, ERROR_MARKS, Mentions
from corefbench.workbench.reading.text import DocumentText

_MentionKey = tuple[int, int, int]
"""A span, and the number of the key's mention, or -1."""

STRATA = ("type", "pronoun", "sentences")
"""Strata that mentions can be filtered by."""


class MentionStrata(Record, frozen=True):
    """The strata of a mention."""

    type: str = "unknown"
    pronoun: str = ""
    sentences: str = ""


class DocumentStrata(Record, frozen=True):
    """Strata and errors of the mentions of key and response, by span."""

    mentions: dict[Span, MentionStrata]
    """The strata of the key where both have a mention."""
    errors: dict[Span, str]
    """Classes of wrong decisions."""


def read_strata(document: RunDocument, response: str, profile: Profile) -> DocumentStrata:
    """Return strata and errors of a response; none if one side lacks the document."""
    layer = document.responses.get(response)
    if document.key is None or layer is None:
        return DocumentStrata(mentions={}, errors={})
    pair = read_pair(layer_to_corpus(document.key), layer_to_corpus(layer), profile, report=ignore_finding)
    _, errors = classify_decisions(pair)
    return DocumentStrata(
        mentions=_strata_by_span(pair, "response") | _strata_by_span(pair, "key"),
        errors={pair.side(error.side).span(error.mention): error.kind for error in errors},
    )


def _strata_by_span(pair: Pair, name: SideName) -> dict[Span, MentionStrata]:
    side = pair.side(name)
    columns = (side.strata[stratum] for stratum in STRATA)
    return {
        side.span(mention): MentionStrata(type=kind, pronoun=pronoun, sentences=sentences)
        for mention, (kind, pronoun, sentences) in enumerate(zip(*columns, strict=True))
    }


class ResponseOutcome(Record, frozen=True):
    """The outcome of one response for one mention."""

    mention: int
    """Its number among the mentions of the response; -1 if it has none."""
    case: int
    """Index of ``CASES``; -1 if only other responses have the mention."""
    right: bool
    kind: str
    """The class of its error."""
    chosen: str


class ComparedMention(Record, frozen=True):
    """A mention of the key, or a span that only responses have."""

    span: Span
    text: str
    sentence: int
    expected: str
    type: str
    pronoun: str
    distance: str
    stands: tuple[ResponseOutcome, ...]
    shown: bool = True
    """Whether it matches the filters; the page hides the others."""

    @property
    def pattern(self) -> tuple[bool, ...]:
        """Which responses are right."""
        return tuple(stand.right for stand in self.stands)


class OutcomeGroup(Record, frozen=True):
    """Mentions for which the same responses are right."""

    name: str
    title: str
    places: tuple[ComparedMention, ...]
    total: int
    """How many match the filters; the list may be shorter."""


def compare_mentions(
    text: DocumentText, mentions: Sequence[Mentions], strata: Sequence[DocumentStrata]
) -> tuple[ComparedMention, ...]:
    """Return all mentions that count for at least one response, in text order."""
    rows = [dict(_mention_keys(mentions_of_response)) for mentions_of_response in mentions]
    names = sorted({name for keys in rows for name in keys}, key=lambda name: (name[0], -name[1]))
    compared = (_Comparer(text, mentions, strata, rows).compare(name) for name in names)
    return tuple(mention for mention in compared if mention is not None)


def _mention_keys(mentions: Mentions) -> Iterator[tuple[_MentionKey, int]]:
    columns = zip(mentions.start, mentions.end, mentions.key_mention, strict=True)
    yield from ((key, number) for number, key in enumerate(columns))


class _Comparer:
    def __init__(
        self,
        text: DocumentText,
        mentions: Sequence[Mentions],
        strata: Sequence[DocumentStrata],
        rows: Sequence[Mapping[_MentionKey, int]],
    ) -> None:
        self._text, self._mentions, self._strata, self._rows = text, mentions, strata, rows

    def compare(self, name: _MentionKey) -> ComparedMention | None:
        """Return the outcomes for a mention; None if it counts for no response."""
        stands = tuple(self._outcome(number, name) for number in range(len(self._mentions)))
        if not any(_is_counted(stand) for stand in stands):
            return None
        span = name[:2]
        unknown = MentionStrata()
        strata = next((known.mentions[span] for known in self._strata if span in known.mentions), unknown)
        return ComparedMention(
            span=span,
            text=self._text.excerpt(*span),
            sentence=self._text.sentence(span[0]),
            expected=self._expected(name),
            type=strata.type,
            pronoun=strata.pronoun,
            distance=strata.sentences,
            stands=stands,
        )

    def _outcome(self, number: int, name: _MentionKey) -> ResponseOutcome:
        mentions = self._mentions[number]
        mention = self._rows[number].get(name, -1)
        case = mentions.case[mention] if mention >= 0 else -1
        right = case < 0 or CASES[case].mark not in ERROR_MARKS
        kind = "" if right else self._strata[number].errors.get(name[:2], CASES[case].name)
        chosen = mentions.chosen[mention] if mention >= 0 else -1
        chosen_text = self._text.excerpt(mentions.start[chosen], mentions.end[chosen]) if chosen >= 0 else ""
        return ResponseOutcome(mention=mention, case=case, right=right, kind=kind, chosen=chosen_text)

    def _expected(self, name: _MentionKey) -> str:
        for mentions, rows in zip(self._mentions, self._rows, strict=True):
            other = mentions.expected[rows[name]] if name in rows else -1
            if other >= 0:
                return self._text.excerpt(mentions.start[other], mentions.end[other])
        return ""


def _is_counted(stand: ResponseOutcome) -> bool:
    return stand.case >= 0 and CASES[stand.case].mark not in ("uncounted", "alone")


def group_by_outcome(mentions: Sequence[ComparedMention], names: Sequence[str], limit: int) -> tuple[OutcomeGroup, ...]:
    """Group mentions by who is right: the first but not all, others, nobody, everybody."""
    first, is_pair = names[0], len(names) == 2
    rest = names[1] if is_pair else "another"
    all_of = "both" if is_pair else "all"
    tests: tuple[tuple[str, str, Callable[[tuple[bool, ...]], bool]], ...] = (
        ("first", f"{first} right, {rest} wrong", lambda p: p[0] and not all(p)),
        ("second", f"{first} wrong, {rest} right", lambda p: not p[0] and any(p)),
        ("none", f"{all_of} wrong", lambda p: not any(p)),
        ("every", f"{all_of} right", all),
    )
    groups = []
    for name, title, test in tests:
        members = [mention for mention in mentions if test(mention.pattern)]
        total = sum(mention.shown for mention in members)
        groups.append(OutcomeGroup(name=name, title=title, places=tuple(members[:limit]), total=total))
    return tuple(groups)
