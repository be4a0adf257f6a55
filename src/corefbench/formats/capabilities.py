"""What a format can hold, what a corpus has beyond it, and how to cut it down."""

import re
from collections.abc import Callable, Collection, Mapping

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.combine import keep_mentions, take_mentions
from corefbench.corpus.corpus import Chains, Corpus, Relations
from corefbench.corpus.spans import mention_codes
from corefbench.corpus.strings import Strings
from corefbench.formats.base import Feature, FormatCard
from corefbench.records import Flags, Ints, Longs

_SPEAKER = "speaker"
_DERIVED_COLUMNS = frozenset({"id"})
"""Token columns that every writer makes anew: the number of the token in its sentence."""
_USUAL_NAME = re.compile(r"[\w./+-]+")
_UNUSUAL_CHARACTER = re.compile(
    rb"[\0- \x7f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)
"""Control characters and everything that Unicode calls white space, in UTF-8."""
_EMPTY_VALUES = np.frombuffer(b"-_*", np.uint8)
"""What column formats write for nothing."""


def crossing_mentions(corpus: Corpus) -> Flags:
    """Flag the mentions to drop so that those of a document, or their parts, nest."""
    mentions = corpus.mentions
    if mentions.parts is None:
        return crossing_spans(mentions.document, mentions.start, mentions.end)
    owner = np.repeat(np.arange(len(mentions)), np.diff(mentions.parts.offsets))
    flags = np.zeros(len(mentions), np.bool_)
    flags[owner[crossing_spans(mentions.document[owner], mentions.parts.start, mentions.parts.end)]] = True
    return flags


def crossing_in_chains(corpus: Corpus) -> Flags:
    """Flag the mentions to drop so that labelled brackets tell the mentions of a chain apart.

    Those cross another mention of their chain, or interleave with a discontinuous one.
    """
    mentions = corpus.mentions
    crossing = crossing_spans(mentions.chain, mentions.start, mentions.end)
    return crossing | _interleaving_mentions(corpus)


def repeated_mentions(corpus: Corpus) -> Flags:
    """Flag mentions that have the same words as an earlier mention of their chain."""
    flags = np.ones(len(corpus.mentions), np.bool_)
    code = np.stack([mention_codes(corpus), corpus.mentions.chain.astype(np.int64)], axis=1)
    flags[np.unique(code, axis=0, return_index=True)[1]] = False
    return flags


def mentions_across_sentences(corpus: Corpus) -> Flags:
    """Flag mentions whose first and last token are in different sentences."""
    mentions, sentences = corpus.mentions, corpus.tokens.sentences
    base = corpus.tokens.offsets[mentions.document]
    first = np.searchsorted(sentences, base + mentions.start, "right")
    return np.asarray(np.searchsorted(sentences, base + mentions.end - 1, "right") != first)


def _non_referring(corpus: Corpus) -> Flags:
    referring = corpus.mentions.referring
    return np.zeros(len(corpus.mentions), np.bool_) if referring is None else ~referring


def _singletons(corpus: Corpus) -> Flags:
    return np.asarray(corpus.chain_sizes()[corpus.mentions.chain] == 1)


_MENTION_FILTERS: tuple[tuple[Feature, Callable[[Corpus], Flags]], ...] = (
    ("non-referring mentions", _non_referring),
    ("mentions across sentences", mentions_across_sentences),
    ("repeated mentions", repeated_mentions),
    ("crossing mentions of one chain", crossing_in_chains),
    ("crossing mentions", crossing_mentions),
    ("singletons", _singletons),
)


def crossing_spans(group: Ints, start: Ints, end: Ints) -> Flags:
    """Flag the spans that do not nest in those before them, within each group.

    Of two spans that cross the earlier is kept, of two that begin together the longer. Spans are in
    opening order within their group.

    >>> spans = np.array([(0, 3), (1, 2), (2, 5), (3, 6)])
    >>> crossing_spans(np.zeros(4, np.int32), spans[:, 0], spans[:, 1]).tolist()
    [False, False, True, False]
    """
    flags = np.zeros(len(start), np.bool_)
    order = np.lexsort((-end, start, group))
    # Few groups have crossing spans; the loop below is slow and sees only those.
    candidates = np.isin(group, np.unique(group[_sample_crossing(group, start, end)]))
    last, open_ends = -1, [0]
    for span in order[candidates[order]].tolist():
        if group[span] != last:
            last, open_ends = int(group[span]), []
        while open_ends and open_ends[-1] <= start[span]:
            open_ends.pop()
        if open_ends and end[span] > open_ends[-1]:
            flags[span] = True
        else:
            open_ends.append(int(end[span]))
    return flags


def _sample_crossing(group: Ints, start: Ints, end: Ints) -> Longs:
    """Return some spans of every group that has crossing ones, and none of other groups.

    Edges are paired like brackets on a stack; where nothing crosses every span gets its own end.
    """
    count = len(start)
    span = np.tile(np.arange(count), 2)
    edge = np.concatenate([start, end]).astype(np.int64)
    opens = np.repeat([1, 0], count)
    longest = np.concatenate([-end, np.zeros_like(end)])
    order = np.lexsort((longest, opens, edge, group[span]))
    step = np.where(opens[order] == 1, 1, -1)
    level = np.cumsum(step) - (step == 1)
    paired = order[np.lexsort((level,))]
    opening, closing = span[paired[0::2]], span[paired[1::2]]
    return np.asarray(opening[end[opening] != end[closing]])


def _interleaving_mentions(corpus: Corpus) -> Flags:
    """Flag discontinuous mentions whose hull meets that of an earlier one of their chain."""
    mentions = corpus.mentions
    flags = np.zeros(len(mentions), np.bool_)
    if mentions.parts is None:
        return flags
    split = np.diff(mentions.parts.offsets) > 1
    in_split_chains = np.flatnonzero(np.isin(mentions.chain, mentions.chain[split]))
    order = in_split_chains[np.lexsort((in_split_chains, mentions.chain[in_split_chains]))]
    reach: dict[int, tuple[int, bool]] = {}
    for mention in order.tolist():
        end, is_split = reach.get(int(mentions.chain[mention]), (0, False))
        if mentions.start[mention] < end and (split[mention] or is_split):
            flags[mention] = True
        elif mentions.end[mention] > end:
            reach[int(mentions.chain[mention])] = (int(mentions.end[mention]), bool(split[mention]))
    return flags


def count_features(corpus: Corpus, *, known: Collection[str] = ()) -> dict[Feature, int]:
    """Count how often each feature occurs; those that do not occur are left out.

    Documents are counted for names, attributes and text; tokens for words, speakers, attributes and
    zeros; mentions for what mentions have; chains for labels and singletons. Of the mentions that
    cross those are counted that must go for the others to nest. ``known`` are token columns that
    are not counted.

    >>> from corefbench.formats.load import load
    >>> corpus = load(b"#begin document (a);\\nAnn (1)\\nleft -\\n\\n#end document\\n")
    >>> counts = count_features(corpus)
    >>> counts["words"], counts["singletons"], "heads" in counts
    (2, 1, False)
    """
    counts = _count_in_documents(corpus) | _count_in_tokens(corpus, known) | _count_in_mentions(corpus)
    relations = corpus.relations
    counts["bridging"] = len(relations.bridging_anaphor)
    counts["split antecedents"] = len(relations.plural)
    return {feature: count for feature, count in counts.items() if count}


def unsupported_features(corpus: Corpus, card: FormatCard) -> dict[Feature, int]:
    """Count the features of a corpus that a file in the format cannot hold."""
    counts = count_features(corpus, known=card.token_columns)
    if "discontinuous mentions" not in card.holds and corpus.mentions.parts is not None:
        # Written without their gaps, mentions may cross others.
        hulls = replace(corpus, mentions=replace(corpus.mentions, parts=None))
        counts["crossing mentions"] = int(crossing_mentions(hulls).sum())
    held = card.holds if not card.token_columns else card.holds - {"token attributes"}
    return {feature: count for feature, count in counts.items() if count and feature not in held}


def find_unusual_strings(
    corpus: Corpus, card: FormatCard, *, is_folder: bool = False
) -> dict[int, list[tuple[Feature, str, list[int]]]]:
    """Find the strings that a format may not be able to write, though it holds others of their kind.

    These are document names with anything but letters, digits and common marks, words that are
    empty or have white space or control characters in them, and token attributes that have these.
    With ``is_folder``, where names become those of files, a slash is unusual too.
    Returns, by document, the feature, the token column and the rows within the document.

    >>> from corefbench.formats.load import load
    >>> from corefbench.formats.jsonlines import JsonLines
    >>> corpus = load(b'{"doc_key": "a", "sentences": [["New York", "fell"]], "clusters": []}')
    >>> find_unusual_strings(corpus, JsonLines.card)
    {0: [('words', '', [0])]}
    """
    unusual: dict[int, list[tuple[Feature, str, list[int]]]] = {}
    if "document names" in card.holds:
        for document, name in enumerate(corpus.documents.names):
            if name and (not _USUAL_NAME.fullmatch(name) or (is_folder and "/" in name)):
                unusual[document] = [("document names", "", [0])]
    columns: list[tuple[Feature, str, Strings]] = []
    if "words" in card.holds and corpus.tokens.words is not None:
        columns.append(("words", "", corpus.tokens.words))
    for name, column in corpus.tokens.columns.items():
        feature: Feature = "speakers" if name == _SPEAKER else "token attributes"
        is_known = name == _SPEAKER or not card.token_columns or name in card.token_columns
        if feature in card.holds and is_known and name not in _DERIVED_COLUMNS:
            columns.append((feature, name, column))
    offsets = corpus.tokens.offsets
    for feature, name, strings in columns:
        rows = _unusual_rows(strings, empty=feature == "words")
        documents = np.searchsorted(offsets, rows, "right") - 1
        for index in np.unique(documents).tolist():
            within = (rows[documents == index] - offsets[index]).tolist()
            unusual.setdefault(index, []).append((feature, name, within))
    return unusual


def _unusual_rows(strings: Strings, *, empty: bool) -> Longs:
    first = int(strings.offsets[0])
    blob = strings.blob[first : int(strings.offsets[-1])]
    position = np.fromiter((match.start() for match in _UNUSUAL_CHARACTER.finditer(blob)), np.int64) + first
    rows = np.searchsorted(strings.offsets, position, "right") - 1
    if empty:
        rows = np.append(rows, np.flatnonzero(np.diff(strings.offsets) == 0))
    return np.unique(rows)


def _count_in_documents(corpus: Corpus) -> dict[Feature, int]:
    documents = corpus.documents
    columns = list(documents.columns.values())
    return {
        "document names": sum(map(bool, documents.names)),
        "document attributes": sum(any(values) for values in zip(*columns, strict=True)),
        "text": len(corpus) if documents.texts is not None else 0,
    }


def _count_in_tokens(corpus: Corpus, known: Collection[str]) -> dict[Feature, int]:
    tokens = corpus.tokens
    speakers = tokens.columns.get(_SPEAKER)
    attributes = {
        name: column
        for name, column in tokens.columns.items()
        if name != _SPEAKER and name not in _DERIVED_COLUMNS and name not in known
    }
    return {
        "words": len(tokens.words) if tokens.words is not None else 0,
        "sentences": len(tokens.sentences),
        "speakers": int(has_value(speakers).sum()) if speakers is not None else 0,
        "speakers within sentences": _count_speaker_changes(corpus, speakers) if speakers is not None else 0,
        "token attributes": _count_with_values(attributes, len(tokens)),
        "zeros": int(tokens.empty.sum()) if tokens.empty is not None else 0,
    }


def _count_speaker_changes(corpus: Corpus, speakers: Strings) -> int:
    """Count the tokens whose speaker is not that of the first token of their sentence."""
    begins = corpus.tokens.sentences
    if not len(begins):
        return 0
    first = np.repeat(begins, np.diff(np.append(begins, len(speakers))))
    if len(first) < len(speakers):  # tokens before the first sentence
        return 0
    where = np.flatnonzero(np.diff(speakers.offsets) + np.diff(speakers.offsets)[first])
    pairs = zip(speakers.take(where), speakers.take(first[where]), strict=True)
    return sum(speaker != first_speaker for speaker, first_speaker in pairs)


def _count_in_mentions(corpus: Corpus) -> dict[Feature, int]:
    mentions = corpus.mentions
    sizes = corpus.chain_sizes()
    return {
        "chain labels": int((sizes > 0).sum()),
        "singletons": int((sizes == 1).sum()),
        "crossing mentions": int(crossing_mentions(corpus).sum()),
        "crossing mentions of one chain": int(crossing_in_chains(corpus).sum()),
        "repeated mentions": int(repeated_mentions(corpus).sum()),
        "discontinuous mentions": int((np.diff(mentions.parts.offsets) > 1).sum()) if mentions.parts is not None else 0,
        "mentions across sentences": int(mentions_across_sentences(corpus).sum()),
        "heads": int((mentions.head >= 0).sum()) if mentions.head is not None else 0,
        "minimal spans": int((np.diff(mentions.minimum.offsets) > 0).sum()) if mentions.minimum is not None else 0,
        "mention attributes": _count_with_values(mentions.columns, len(mentions)),
        "non-referring mentions": int((~mentions.referring).sum()) if mentions.referring is not None else 0,
    }


def has_value(column: Strings) -> Flags:
    """Flag the cells of a column that are not empty, ``-``, ``_`` or ``*``."""
    length = np.diff(column.offsets)
    flags = np.asarray(length > 0)
    single = np.flatnonzero(length == 1)
    byte = np.frombuffer(column.blob, np.uint8)[column.offsets[:-1][single]]
    flags[single] = ~np.isin(byte, _EMPTY_VALUES)
    return flags


def _count_with_values(columns: Mapping[str, Strings], count: int) -> int:
    flags = np.zeros(count, np.bool_)
    for column in columns.values():
        flags |= has_value(column)
    return int(flags.sum())


def fit_to_format(corpus: Corpus, holds: Collection[Feature]) -> Corpus:
    """Drop from a corpus what a format that holds only ``holds`` cannot express.

    Discontinuous mentions become their hull and empty nodes become tokens. Mentions that do not
    refer, cross the end of a sentence, repeat one of their chain or do not nest are dropped; of two
    that cross the earlier is kept, of two that begin together the longer. Which chains are
    singletons is decided last.
    """
    corpus = _drop_unsupported(sort_mentions(corpus), holds)
    for feature, flagged in _MENTION_FILTERS:
        if feature not in holds:
            corpus = keep_mentions(corpus, ~flagged(corpus))
    return _drop_empty_chains(corpus)


def sort_mentions(corpus: Corpus) -> Corpus:
    """Sort the mentions by beginning, the longest first.

    A file may open mentions in another order, but writers of nested brackets rely on this one.
    """
    mentions, relations = corpus.mentions, corpus.relations
    order = np.lexsort((-mentions.end, mentions.start, mentions.document))
    if (order == np.arange(len(order))).all():
        return corpus
    # The last entry is what -1, no mention, is mapped to: itself.
    number = np.full(len(order) + 1, -1, np.int32)
    number[order] = np.arange(len(order))
    return replace(
        corpus,
        mentions=take_mentions(mentions, order),
        relations=replace(
            relations,
            bridging_anaphor=number[relations.bridging_anaphor],
            bridging_mention=number[relations.bridging_mention],
        ),
    )


def _drop_unsupported(corpus: Corpus, holds: Collection[Feature]) -> Corpus:
    mentions, tokens, relations = corpus.mentions, corpus.tokens, corpus.relations
    none = Relations.none()
    if "discontinuous mentions" not in holds:
        mentions = replace(mentions, parts=None)
    if "heads" not in holds:
        mentions = replace(mentions, head=None)
    if "minimal spans" not in holds:
        mentions = replace(mentions, minimum=None)
    if "zeros" not in holds:
        tokens = replace(tokens, empty=None)
    if "split antecedents" not in holds:
        relations = replace(relations, plural=none.plural, element=none.element)
    if "bridging" not in holds:
        relations = replace(none, plural=relations.plural, element=relations.element)
    return replace(corpus, mentions=mentions, tokens=tokens, relations=relations)


def _drop_empty_chains(corpus: Corpus) -> Corpus:
    """Drop chains that have no mentions, and relations to them."""
    is_used = corpus.chain_sizes() > 0
    if is_used.all():
        return corpus
    number = np.full(len(is_used) + 1, -1, np.int32)
    number[:-1][is_used] = np.arange(is_used.sum())
    relations = corpus.relations
    plural = (number[relations.plural] >= 0) & (number[relations.element] >= 0)
    anchored = (relations.bridging_mention >= 0) | (number[relations.bridging_chain] >= 0)
    return replace(
        corpus,
        mentions=replace(corpus.mentions, chain=number[corpus.mentions.chain]),
        chains=Chains(document=corpus.chains.document[is_used], labels=corpus.chains.labels[is_used]),
        relations=Relations(
            plural=number[relations.plural[plural]],
            element=number[relations.element[plural]],
            bridging_anaphor=relations.bridging_anaphor[anchored],
            bridging_mention=relations.bridging_mention[anchored],
            bridging_chain=number[relations.bridging_chain[anchored]],
            bridging_label=tuple(
                label for label, kept in zip(relations.bridging_label, anchored.tolist(), strict=True) if kept
            ),
        ),
    )
