"""Convert chains and resolutions to a response corpus."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Chains, Corpus, Mentions, Relations, split_label
from corefbench.corpus.strings import Strings
from corefbench.preprocess.documents import TokenAlignment, make_input
from corefbench.resolvers.base import Resolution

Span = tuple[int, int]


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
    for start, end in analysis.sentences:
        columns = {"lemma": analysis.lemmas, "upos": analysis.upos, "xpos": analysis.xpos}
        builder.sentence(
            analysis.words[start:end],
            columns={key: values[start:end] for key, values in columns.items()},
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
    compared by these.
    """
    clusters, heads = [], []
    for document, resolution in zip(corpus, resolutions, strict=True):
        offsets = resolution.discourse.analysis.offsets, make_input(document).offsets or ()
        chains, heads_by_span = project_chains(resolution, TokenAlignment(*offsets))
        clusters.append(chains)
        heads.append(heads_by_span)
    return replace_chains(corpus, clusters, heads)


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
