"""Pre-processors that read the annotation of a corpus, and the one for CoNLL-U."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from corefbench.corpus.views import Document
from corefbench.errors import MismatchError, Place
from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.documents import TokenColumns, make_input


class AnnotationReader:
    """Base class of pre-processors that read the annotation of a corpus."""

    card: PreprocessorCard
    annotation: ClassVar[str]
    """What is read, for error messages."""
    columns: ClassVar[tuple[str, ...]]
    """The columns that a document must have."""
    expected: ClassVar[str]
    """The format and its columns, in words."""

    @property
    def identity(self) -> str:
        return self.card.name

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs; raise for raw text."""
        for source in inputs:
            if source.document is None:
                raise self._missing(source.name, "columns")
            yield self.analyse_document(source.document)

    def analyse_document(self, document: Document) -> Analysis:
        """Convert the annotation of a document to an analysis."""
        raise NotImplementedError

    def required_columns(self, document: Document) -> TokenColumns:
        """Return the columns of a document; raise if one is missing."""
        columns = TokenColumns(document)
        for name in self.columns:
            if name not in columns:
                raise self._missing(document.label, name)
        return columns

    def _missing(self, name: str, column: str) -> MismatchError:
        return MismatchError(
            f"the document has no {self.annotation} to read",
            code="CB211",
            place=Place(document=name),
            found=f"no {column}",
            expected=self.expected,
            remedy="take a pipeline that parses text: --preprocess en",
        )


class Conllu(AnnotationReader):
    """Reads tags and dependencies from the columns of CoNLL-U.

    ``types`` takes entity types from the annotated mentions: these are part of the key, so that
    resolvers then know more than syntax.
    """

    card = PreprocessorCard(
        name="conllu",
        title="CoNLL-U columns",
        description="Lemmas, tags and Universal Dependencies that the corpus has.",
        raw=False,
        cites=("nivre2020",),
    )
    annotation = "trees"
    columns = ("upos", "head", "deprel")
    expected = "a corpus in CoNLL-U, with lemma, upos, head and deprel"

    def __init__(self, types: bool = False) -> None:
        self.types = types

    @property
    def identity(self) -> str:
        return "conllu(types)" if self.types else "conllu"

    def analyse_document(self, document: Document) -> Analysis:
        """Convert the columns of CoNLL-U to an analysis."""
        columns = self.required_columns(document)
        source = make_input(document)
        sentences = source.sentences or ()
        return compose_analysis(
            source,
            words=columns.words,
            offsets=source.offsets or (),
            sentences=sentences,
            lemmas=columns["lemma"],
            upos=columns["upos"],
            xpos=columns["xpos"],
            features=columns.without_underscore("feats"),
            heads=_head_indices(columns["head"], columns["id"], sentences),
            relations=columns["deprel"],
            entities=_mention_types(document, columns) if self.types else (),
            pipeline=self.identity,
        )


def _head_indices(
    column: tuple[str, ...], ids: tuple[str, ...], sentences: Iterable[tuple[int, int]]
) -> tuple[int, ...]:
    """Convert governors to token numbers; ids count the words of a sentence from 1."""
    result: list[int] = []
    for start, end in sentences:
        # An empty node (``8.1``) is not in the table: its dependents become roots.
        token_of_id = {number: token for token, number in enumerate(ids[start:end], start)}
        result.extend(token_of_id.get(head, -1) for head in column[start:end])
    return tuple(result)


def _mention_types(document: Document, columns: TokenColumns) -> tuple[Entity, ...]:
    etype = document.corpus.mentions.columns.get("etype")
    if etype is None:
        return ()
    return tuple(
        Entity(start=start, end=end, type=etype[mention.index])
        for mention in document.mentions
        for start, end in [columns.span(mention.start, mention.end)]
        if start < end and etype[mention.index]
    )
