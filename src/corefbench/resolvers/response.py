"""Convert chains and resolutions to a response corpus."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Chains, Corpus, Mentions, Relations, split_label
from corefbench.corpus.strings import Strings
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import TokenAlignment, make_input
from corefbench.resolvers.base import Resolution

Span = tuple[int, int]
_TREES = frozenset({"head", "deprel", "dep", "gfun", "parse"})
"""Columns of a source that has its own syntax."""
_SYNTAX = ("id", "lemma", "upos", "xpos", "feats", "head", "deprel", "np")


def to_corpus(resolutions: Iterable[Resolution], name: str = "response") -> Corpus:
    """Return one corpus with the words, sentences, text and chains that the pipeline and the resolver found.

    It is for raw text. A source with tokens of its own keeps them: see ``answer_corpus``.
    """
    builder = CorpusBuilder(name)
    for resolution in resolutions:
        _add_document(builder, resolution)
    return builder.finish()


def _add_document(builder: CorpusBuilder, resolution: Resolution) -> None:
    analysis = resolution.discourse.analysis
    # Formats that number the parts of a document must not add a number to one that has it.
    builder.begin_document(*split_label(analysis.name), text=analysis.text)
    columns = _syntax_columns(resolution.discourse, analysis.offsets, analysis.sentences)
    for start, end in analysis.sentences:
        builder.sentence(
            analysis.words[start:end],
            columns={name: cells[start:end] for name, cells in columns.items()},
            offsets=analysis.offsets[start:end],
        )
    phrases, taken = resolution.discourse.phrases, set[Span]()
    for label, chain in enumerate(resolution.chains(), 1):
        for number in chain:
            phrase = phrases[number]
            # Two phrases with one span are one mention, of the first chain.
            if (phrase.start, phrase.end) not in taken:
                taken.add((phrase.start, phrase.end))
                builder.mention(str(label), [(phrase.start, phrase.end)], head=phrase.head)


def answer_corpus(corpus: Corpus, resolutions: Iterable[Resolution]) -> Corpus:
    """Return the documents with the chains that a resolver found, over their own tokens.

    Nodes, empty nodes and columns stay, whatever tokens the pipeline made of the text: a key is
    compared by these. A corpus without syntax gets that of the pipeline.
    """
    clusters, heads = [], []
    columns: dict[str, list[str]] = {name: [""] * len(corpus.tokens) for name in _SYNTAX}
    for document, resolution in zip(corpus, resolutions, strict=True):
        discourse, source = resolution.discourse, make_input(document)
        offsets = source.offsets or ()
        chains, heads_by_span = project_chains(resolution, TokenAlignment(discourse.analysis.offsets, offsets))
        clusters.append(chains)
        heads.append(heads_by_span)
        first = int(corpus.tokens.offsets[document.index])
        positions = _token_positions(corpus, document.index)
        for name, cells in _syntax_columns(discourse, offsets, source.sentences or ()).items():
            for position, cell in zip(positions, cells, strict=True):
                columns[name][first + position] = cell
    known = corpus.tokens.columns
    if not _TREES.isdisjoint(known):
        columns = {"np": columns["np"]}
    added = {name: Strings.of(cells) for name, cells in columns.items() if name == "id" or name not in known}
    tokens = replace(corpus.tokens, columns={**known, **added})
    return replace_chains(replace(corpus, tokens=tokens), clusters, heads)


def _syntax_columns(discourse: Discourse, offsets: Sequence[Span], sentences: Sequence[Span]) -> dict[str, list[str]]:
    """Return the syntax and the noun phrases of a discourse as columns of the words at ``offsets``.

    A word that the pipeline divides has the syntax of the piece that governs the others; where one
    of its tokens is several words here, the last has its syntax, as heads are last in English.
    """
    analysis = discourse.analysis
    to_words, to_tokens = TokenAlignment(analysis.offsets, offsets), TokenAlignment(offsets, analysis.offsets)
    word_of = [to_words.token(token) for token in range(len(analysis.words))]
    columns: dict[str, list[str]] = {name: [""] * len(offsets) for name in _SYNTAX}
    for start, end in sentences:
        for word in range(start, end):
            columns["id"][word], columns["head"][word] = str(word - start + 1), "0"
            span = to_tokens.span((word, word + 1))
            if span is None:
                continue
            pieces = range(*span)
            top = next((token for token in pieces if analysis.heads[token] not in pieces), pieces[0])
            governor = word_of[top]
            head = analysis.heads[top]
            if governor == word:
                governor = word_of[head] if head >= 0 else None
            for name, cells in (
                ("lemma", analysis.lemmas), ("upos", analysis.upos), ("xpos", analysis.xpos),
                ("feats", analysis.features), ("deprel", analysis.relations),
            ):  # fmt: skip
                columns[name][word] = cells[top]
            if governor is not None and governor != word and start <= governor < end:
                columns["head"][word] = str(governor - start + 1)
    spans = {to_words.span((phrase.start, phrase.end)) for phrase in discourse.phrases}
    opened, closed = Counter(span[0] for span in spans if span), Counter(span[1] - 1 for span in spans if span)
    columns["np"] = ["(" * opened[word] + "*" + ")" * closed[word] for word in range(len(offsets))]
    return columns


def project_chains(resolution: Resolution, alignment: TokenAlignment) -> tuple[list[list[Span]], dict[Span, int]]:
    """Return the chains of an answer over other tokens, every span once, and the heads of these spans."""
    # Two phrases may align with the same words: they are one mention, of the first chain.
    phrases, heads = resolution.discourse.phrases, dict[Span, int]()
    clusters: list[list[Span]] = []
    for chain in resolution.chains():
        spans = []
        for number in chain:
            phrase = phrases[number]
            span = alignment.span((phrase.start, phrase.end))
            if span is not None and span not in heads:
                head = alignment.token(phrase.head)
                heads[span] = -1 if head is None else head
                spans.append(span)
        if spans:
            clusters.append(spans)
    return clusters, heads


def replace_chains(
    corpus: Corpus, clusters: Sequence[Sequence[Sequence[Span]]], heads: Sequence[Mapping[Span, int]] = ()
) -> Corpus:
    """Return the corpus with these chains: for each document, spans of its words.

    Words are counted without empty nodes. Of two mentions with one span the first is kept; one that
    the corpus marks, too, keeps its id. ``heads`` has the heads of spans, by document.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann -\\na 0 1 she -\\n#end document\\n"
    >>> replace_chains(load(text), [[[(0, 1), (1, 2)]]])[0].clusters()
    [[(0, 1), (1, 2)]]
    """
    rows: list[tuple[int, int, int, int, int]] = []
    number = 0
    for document, chains in enumerate(clusters):
        positions, taken = _token_positions(corpus, document), set[Span]()
        head_of = heads[document] if heads else {}
        for chain in chains:
            for start, end in chain:
                if (start, end) not in taken:
                    taken.add((start, end))
                    head = head_of.get((start, end), -1)
                    head = positions[head] if head >= 0 else -1
                    rows.append((document, positions[start], positions[end - 1] + 1, number, head))
            number += 1
    return _replace_mentions(corpus, np.array(rows, np.int32).reshape(-1, 5))


def _token_positions(corpus: Corpus, document: int) -> list[int]:
    """Return the index of each word of a document among its tokens with empty nodes."""
    first, last = corpus.tokens.offsets[document : document + 2].tolist()
    empty = corpus.tokens.empty
    if empty is None:
        return list(range(last - first))
    positions: list[int] = np.flatnonzero(~empty[first:last]).tolist()
    return positions


def _replace_mentions(corpus: Corpus, rows: np.ndarray) -> Corpus:
    """Sort mentions by where they open, and number chains by first appearance."""
    rows = rows[np.lexsort((rows[:, 3], -rows[:, 2], rows[:, 1], rows[:, 0]))]
    document, start, end, chain, head = (np.ascontiguousarray(column) for column in rows.T)
    first, number = number_by_appearance(chain)
    return replace(
        corpus,
        mentions=Mentions(
            document=document,
            start=start,
            end=end,
            chain=number,
            head=head if (head >= 0).any() else None,
            columns=_mention_ids(corpus, rows),
        ),
        chains=Chains(document=document[first], labels=np.arange(1, len(first) + 1)),
        relations=Relations.none(),
    )


def _mention_ids(corpus: Corpus, rows: np.ndarray) -> dict[str, Strings]:
    """Return the ids that the corpus has for these spans: answers to a task refer to them."""
    mentions, ids = corpus.mentions, corpus.mentions.columns.get("id")
    if ids is None:
        return {}
    spans = zip(mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True)
    id_of = dict(reversed(list(zip(spans, ids, strict=True))))
    return {"id": Strings.of(id_of.get((document, start, end), "") for document, start, end, *_ in rows.tolist())}
