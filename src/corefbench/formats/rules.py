"""What is worth saying of a corpus that its format allows: the rules that ``check`` adds."""

from collections.abc import Callable, Iterator

import numpy as np

from corefbench.errors import Place
from corefbench.findings import Finding, Severity
from corefbench.formats.crossing import crossing_in_chains
from corefbench.formats.features import repeated_mentions
from corefbench.matching.spans import mention_codes
from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.record import Flags, Longs

LONG_SENTENCE = 1_000
"""A sentence of more tokens is more likely a missing empty line."""

_BLANKS = np.frombuffer(b" \t\n\r\v\f\0", np.uint8)


def remarks(corpus: Corpus, source: str) -> Iterator[Finding]:
    """The findings on the documents of one piece of a source."""
    for rule in (_empty_documents, _repeats, _crossing, _two_chains, _long_sentences, _odd_words):
        yield from rule(corpus, source)


def _empty_documents(corpus: Corpus, source: str) -> Iterator[Finding]:
    for document in np.flatnonzero(corpus.token_counts() == 0).tolist():
        yield Finding(
            code="CB151",
            severity="warning",
            message="the document has no tokens",
            place=_place(corpus, source, document),
            remedy="leave it out, or look for lost lines",
        )


def _repeats(corpus: Corpus, source: str) -> Iterator[Finding]:
    yield from _on_mentions(
        corpus, source, repeated_mentions, "CB113", "warning", "the chain has the mention twice",
        "leave one out; scorers count it twice or refuse the file",
    )  # fmt: skip


def _crossing(corpus: Corpus, source: str) -> Iterator[Finding]:
    yield from _on_mentions(
        corpus, source, crossing_in_chains, "CB152", "warning",
        "the mention crosses another of its chain",
        "check both spans: formats with brackets cannot tell them apart",
    )  # fmt: skip


def _two_chains(corpus: Corpus, source: str) -> Iterator[Finding]:
    yield from _on_mentions(
        corpus, source, _shared_spans, "CB157", "warning", "the span belongs to another chain too",
        "keep it in one chain; scorers differ in which of them they believe",
    )  # fmt: skip


def _shared_spans(corpus: Corpus) -> Flags:
    """The mentions whose words a mention of an earlier chain has."""
    codes, chain = mention_codes(corpus), corpus.mentions.chain
    order = np.lexsort((chain, codes))
    same_span = codes[order][1:] == codes[order][:-1]
    other_chain = chain[order][1:] != chain[order][:-1]
    flags = np.zeros(len(order), np.bool_)
    flags[order[1:][same_span & other_chain]] = True
    return flags


def _on_mentions(
    corpus: Corpus,
    source: str,
    rule: Callable[[Corpus], Flags],
    code: str,
    severity: Severity,
    message: str,
    remedy: str,
) -> Iterator[Finding]:
    mentions = corpus.mentions
    for mention in np.flatnonzero(rule(corpus)).tolist():
        start, last = int(mentions.start[mention]), int(mentions.end[mention]) - 1
        yield Finding(
            code=code,
            severity=severity,
            message=message,
            place=_place(corpus, source, int(mentions.document[mention])),
            found=f"tokens {start}–{last} of chain {corpus.chains.label(mentions.chain[mention])}",
            remedy=remedy,
        )


def _long_sentences(corpus: Corpus, source: str) -> Iterator[Finding]:
    tokens = corpus.tokens
    edges = np.append(tokens.sentences, len(tokens))
    for sentence in np.flatnonzero(np.diff(edges) > LONG_SENTENCE).tolist():
        first = int(tokens.sentences[sentence])
        document = _document_of(corpus, first)
        yield Finding(
            code="CB155",
            severity="note",
            message=f"a sentence has more than {LONG_SENTENCE:,} tokens",
            place=_place(corpus, source, document),
            found=f"{int(edges[sentence + 1]) - first:,} tokens from token "
            f"{first - int(tokens.offsets[document])}",
            remedy="look for lost ends of sentences",
        )


def _odd_words(corpus: Corpus, source: str) -> Iterator[Finding]:
    words, offsets = corpus.tokens.words, corpus.tokens.offsets
    if words is None:
        return
    for token in _odd(words).tolist():
        document = _document_of(corpus, token)
        yield Finding(
            code="CB156",
            severity="note",
            message="a word is empty or has white space in it",
            place=_place(corpus, source, document),
            found=f"{words[token][:40]!r}, token {token - int(offsets[document])}",
            remedy="column formats cannot hold it as it is",
        )


def _odd(words: Strings) -> Longs:
    blank = np.flatnonzero(np.isin(np.frombuffer(words.blob, np.uint8), _BLANKS))
    spaced = np.searchsorted(words.offsets, blank, "right") - 1
    empty = np.flatnonzero(np.diff(words.offsets) == 0)
    return np.union1d(spaced, empty)


def _document_of(corpus: Corpus, token: int) -> int:
    return int(np.searchsorted(corpus.tokens.offsets, token, "right")) - 1


def _place(corpus: Corpus, source: str, document: int) -> Place:
    return Place(source=source, document=corpus[document].label)
