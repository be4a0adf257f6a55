"""What of a corpus must come back from a format, as plain values that can be compared."""

from collections.abc import Collection

from corefbench.formats.base import Feature, Format, FormatCard
from corefbench.formats.convert import FolderWriter
from corefbench.model.builder import Span
from corefbench.model.corpus import Corpus
from corefbench.testing.corpora import ATTRIBUTES, DOCUMENT_ATTRIBUTES


def told(corpus: Corpus, card: FormatCard) -> list[dict[str, object]]:
    """What a format that holds this much must give back, document by document."""
    return [_document(corpus, index, card) for index in range(len(corpus))]


def in_order(documents: list[dict[str, object]], form: Format) -> list[dict[str, object]]:
    """The documents; those of a format of many files in the order of their names."""
    if isinstance(form, FolderWriter) and not form.card.writes:
        return sorted(documents, key=lambda document: str(document["label"]))
    return documents


def _document(corpus: Corpus, index: int, card: FormatCard) -> dict[str, object]:
    view, tokens, holds = corpus[index], corpus.tokens, card.holds
    some = slice(int(tokens.offsets[index]), int(tokens.offsets[index + 1]))
    columns = card.token_columns or ("pos",) if "token attributes" in holds else ()
    facts: dict[str, object] = {"words": view.words if "words" in holds else None}
    if "document names" in holds:
        # CoNLL numbers the parts of a document; one that has none is written as part 0.
        part = int(corpus.documents.parts[index])
        facts["label"] = f"{view.name}_{max(part, 0)}" if card.name == "conll" else view.label
    if "sentences" in holds:
        facts["sentences"] = [(a, b) for a, b in view.sentences if a < b]
    if "document attributes" in holds:
        facts["attributes"] = {
            k: v[index] for k, v in corpus.documents.columns.items() if k in DOCUMENT_ATTRIBUTES
        }
    for name in [*columns, *(["speaker"] if "speakers" in holds else [])]:
        column = tokens.columns.get(name)
        values = column.slice(some.start, some.stop) if column is not None else []
        if any(value not in ("", "-", "_", "0", "*") for value in values) and name != "id":
            facts[name] = values
    if "zeros" in holds:
        facts["zeros"] = (
            [] if tokens.empty is None else [i for i, e in enumerate(tokens.empty[some]) if e]
        )
    if "singletons" in holds:
        facts["chains"] = sorted(
            (
                chain.label if "chain labels" in holds else "",
                sorted(
                    _mention(corpus, mention.index, mention.parts, holds)
                    for mention in chain.mentions
                ),
            )
            for chain in view.chains
            if len(chain)
        )
        facts["relations"] = _relations(corpus, index, holds)
    return facts


def _mention(
    corpus: Corpus, index: int, parts: list[Span], holds: Collection[Feature]
) -> tuple[object, ...]:
    mentions = corpus.mentions
    has_minimum = "minimal spans" in holds and mentions.minimum is not None
    silent = mentions.referring is not None and not mentions.referring[index]
    return (
        parts,
        -1 if "heads" not in holds or mentions.head is None else int(mentions.head[index]),
        mentions.minimum.of(index) if has_minimum and mentions.minimum is not None else [],
        silent and "non-referring mentions" in holds,
        sorted(
            (name, column[index])
            for name, column in mentions.columns.items()
            if name in ATTRIBUTES and column[index] and "mention attributes" in holds
        ),
    )


def _relations(corpus: Corpus, index: int, holds: Collection[Feature]) -> list[tuple[object, ...]]:
    relations, mentions, found = corpus.relations, corpus.mentions, list[tuple[object, ...]]()
    if "bridging" in holds:
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            chain = int(relations.bridging_chain[row])
            if chain < 0:
                chain = int(mentions.chain[relations.bridging_mention[row]])
            if mentions.document[anaphor] == index:
                span = (int(mentions.start[anaphor]), int(mentions.end[anaphor]))
                found.append(("bridge", span, _first(corpus, chain), relations.bridging_label[row]))
    if "split antecedents" in holds:
        for plural, element in zip(
            relations.plural.tolist(), relations.element.tolist(), strict=True
        ):
            if corpus.chains.document[plural] == index:
                found.append(("split", _first(corpus, plural), _first(corpus, element), ""))
    return sorted(found, key=str)


def _first(corpus: Corpus, chain: int) -> Span:
    where = int((corpus.mentions.chain == chain).argmax())
    return int(corpus.mentions.start[where]), int(corpus.mentions.end[where])
