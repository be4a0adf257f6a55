"""The constituency parses of a CoNLL-2012 file, with dependencies made from them."""

from collections.abc import Iterable, Iterator, Sequence

from corefbench.model.document import Document
from corefbench.preprocess.analysis import Analysis, Constituent, Entity
from corefbench.preprocess.annotation import Annotation
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose
from corefbench.preprocess.constituents import tree_of
from corefbench.preprocess.dependencies import Dependencies
from corefbench.preprocess.entity_labels import entity_type
from corefbench.preprocess.lemma import lemma_of
from corefbench.preprocess.penn import upos_of
from corefbench.preprocess.text import Columns, input_of

_AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})

_ANNOTATION = Annotation(
    what="parses",
    columns=("pos", "parse"),
    expected="a corpus in CoNLL-2012, with part-of-speech tags and a parse column",
)


class Parse:
    """Reads the columns ``pos`` and ``parse``; lemmas are by rule where the column has none."""

    card = PreprocessorCard(
        name="parse",
        title="CoNLL-2012 parses",
        description="Penn tags and phrase structure that the corpus has; dependencies by head "
        "rules.",
        raw=False,
        cites=("pradhan2012",),
    )

    @property
    def identity(self) -> str:
        return "parse"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        documents = map(_ANNOTATION.document, inputs)
        return (analysis_of(one, pipeline=self.identity) for one in documents)


def analysis_of(document: Document, *, pipeline: str = "parse") -> Analysis:
    """The analysis of a document that was read from CoNLL-2012."""
    columns = _ANNOTATION.of(document)
    given = input_of(document)
    words, tags, sentences = columns.words, columns["pos"], given.sentences or ()
    bits = columns["parse"]
    trees = [tree_of(bits[a:b], tags[a:b], a) for a, b in sentences]
    found = Dependencies(words, tags)
    for (start, end), tree in zip(sentences, trees, strict=True):
        if tree is not None:
            found.walk(tree)
        else:
            _flat(found, start, end)
    relations = [found.relations.get(token, "dep") for token in range(len(words))]
    return compose(
        given,
        words=words,
        offsets=given.offsets or (),
        sentences=sentences,
        lemmas=_lemmas(columns, tags),
        upos=_upos(words, tags, relations),
        xpos=tags,
        features=["PronType=Rel" if t in found.relative else "" for t in range(len(words))],
        heads=[found.heads.get(token, -1) for token in range(len(words))],
        relations=relations,
        entities=_entities(columns["ne"]),
        trees=trees,
        pipeline=pipeline,
    )


def _flat(found: Dependencies, start: int, end: int) -> None:
    """A sentence without a parse: every word hangs on the first."""
    tree = Constituent(label="X", start=start, end=end, children=tuple(
        Constituent(label=found.tags[t] or "X", start=t, end=t + 1) for t in range(start, end)
    ))  # fmt: skip
    found.walk(tree)


def _lemmas(columns: Columns, tags: Sequence[str]) -> list[str]:
    """The column's, which has verbs only, else by rule."""
    cells = columns["lemma"]
    return [
        lemma_of(word, tag) if lemma in ("", "-", "_") else lemma
        for lemma, word, tag in zip(cells, columns.words, tags, strict=True)
    ]


def _upos(words: Sequence[str], tags: Sequence[str], relations: Sequence[str]) -> list[str]:
    result = []
    for word, tag, relation in zip(words, tags, relations, strict=True):
        if relation in _AUXILIARIES:
            result.append("AUX")
        elif tag == "IN" and relation == "mark":
            result.append("SCONJ")
        elif tag in ("DT", "WDT") and relation not in ("det", "det:predet"):
            result.append("PRON")
        else:
            result.append(upos_of(tag, word))
    return result


def _entities(cells: Sequence[str]) -> list[Entity]:
    """The named entities of a bracket column: ``(PERSON*``, ``*)``, ``(GPE)``."""
    found: list[Entity] = []
    begun: list[tuple[int, str]] = []
    for token, cell in enumerate(cells):
        for piece in cell.split("(")[1:]:
            begun.append((token, piece.strip("*)")))
        for _ in range(cell.count(")")):
            if begun:
                start, label = begun.pop()
                found.append(Entity(start=start, end=token + 1, type=entity_type(label)))
    return sorted(found, key=lambda entity: (entity.start, -entity.end))
