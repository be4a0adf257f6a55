"""Trees that a CoNLL-U file has, gold or parsed elsewhere."""

from collections.abc import Iterable, Iterator

from corefbench.model.document import Document
from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.annotation import Annotation
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose
from corefbench.preprocess.text import Columns, input_of

_ANNOTATION = Annotation(
    what="trees",
    columns=("upos", "head", "deprel"),
    expected="a corpus in CoNLL-U, with lemma, upos, head and deprel",
)


class Conllu:
    """Reads tags and dependencies from the columns of CoNLL-U.

    ``types`` takes entity types from the annotated mentions: these are part of the key, so
    resolvers that use them know more than syntax tells.
    """

    card = PreprocessorCard(
        name="conllu",
        title="CoNLL-U columns",
        description="Lemmas, tags and Universal Dependencies that the corpus has.",
        raw=False,
        cites=("nivre2020",),
    )

    def __init__(self, types: bool = False) -> None:
        self.types = types

    @property
    def identity(self) -> str:
        return "conllu(types)" if self.types else "conllu"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        documents = map(_ANNOTATION.document, inputs)
        return (analysis_of(one, types=self.types, pipeline=self.identity) for one in documents)


def analysis_of(document: Document, *, types: bool = False, pipeline: str = "conllu") -> Analysis:
    """The analysis of a document that was read from CoNLL-U."""
    columns = _ANNOTATION.of(document)
    given = input_of(document)
    sentences = given.sentences or ()
    return compose(
        given,
        words=columns.words,
        offsets=given.offsets or (),
        sentences=sentences,
        lemmas=columns["lemma"],
        upos=columns["upos"],
        xpos=columns["xpos"],
        features=columns.without_underscore("feats"),
        heads=_heads(columns["head"], columns["id"], sentences),
        relations=columns["deprel"],
        entities=_types(document, columns) if types else (),
        pipeline=pipeline,
    )


def _heads(
    column: tuple[str, ...], ids: tuple[str, ...], sentences: Iterable[tuple[int, int]]
) -> tuple[int, ...]:
    """Governors as token numbers: ids count the words of a sentence from 1."""
    result: list[int] = []
    for start, end in sentences:
        place = {number: token for token, number in enumerate(ids[start:end], start)}
        result.extend(place.get(head, -1) for head in column[start:end])
    return tuple(result)


def _types(document: Document, columns: Columns) -> tuple[Entity, ...]:
    etype = document.corpus.mentions.columns.get("etype")
    if etype is None:
        return ()
    return tuple(
        Entity(start=start, end=end, type=etype[mention.index])
        for mention in document.mentions
        for start, end in [columns.span(mention.start, mention.end)]
        if start < end and etype[mention.index]
    )
