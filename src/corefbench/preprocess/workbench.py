"""The words of workbench XML, which a functional dependency grammar has parsed.

``DEP`` counts the words of a sentence from 1, ``GFUN`` is the grammar's function without marks of
direction. Its prepositions and copulas govern, as in ClearNLP, so it takes the same way to
Universal Dependencies.
"""

from collections.abc import Iterable, Iterator, Sequence

from corefbench.model.document import Document
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.annotation import Annotation
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.clearnlp import ClearNLP
from corefbench.preprocess.compose import compose
from corefbench.preprocess.functional import label_of, tags_of
from corefbench.preprocess.text import Columns, input_of

_ANNOTATION = Annotation(
    what="parsed words",
    columns=("pos", "gfun", "dep"),
    expected="a corpus in workbench XML, with POS, GFUN and DEP",
)


class Workbench:
    """Reads the columns lemma, dep, gfun, pos and nr."""

    card = PreprocessorCard(
        name="workbench",
        title="Workbench XML",
        description="Lemmas, tags, functions and dependencies of the workbench's own files.",
        raw=False,
        cites=("barbu2001",),
    )

    @property
    def identity(self) -> str:
        return "workbench"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        documents = map(_ANNOTATION.document, inputs)
        return (analysis_of(one, pipeline=self.identity) for one in documents)


def analysis_of(document: Document, *, pipeline: str = "workbench") -> Analysis:
    """The analysis of a document that was read from workbench XML."""
    columns = _ANNOTATION.of(document)
    given = input_of(document)
    words, sentences = columns.words, given.sentences or ()
    functions = columns["gfun"]
    tags = [
        tags_of(*row) for row in zip(words, columns["pos"], functions, columns["nr"], strict=True)
    ]
    upos, xpos = [tag for tag, _ in tags], [tag for _, tag in tags]
    lemmas = [lemma or word.lower() for lemma, word in zip(columns["lemma"], words, strict=True)]
    heads = _heads(columns["dep"], upos, sentences)
    labels = [
        label_of(function, upos[token], words[token], upos[head] if head >= 0 else "")
        for token, (function, head) in enumerate(zip(functions, heads, strict=True))
    ]
    _main_verbs(heads, labels, lemmas, xpos)
    heads, relations = ClearNLP(lemmas, upos, heads, labels).universal()
    return compose(
        given,
        words=words,
        offsets=given.offsets or (),
        sentences=sentences,
        lemmas=lemmas,
        upos=upos,
        xpos=xpos,
        features=[""] * len(words),
        heads=heads,
        relations=relations,
        pipeline=pipeline,
    )


def _main_verbs(
    heads: list[int], labels: list[str], lemmas: Sequence[str], xpos: Sequence[str]
) -> None:
    """Hang on the main verb what hangs on its auxiliary, and tell passives."""
    for token, head in enumerate(heads):
        if labels[token] == "aux" and lemmas[token] == "be" and xpos[head] == "VBN":
            labels[token] = "auxpass"
    passive = {heads[token] for token, label in enumerate(labels) if label == "auxpass"}
    for token, head in enumerate(heads):
        for _ in heads:
            if head < 0 or labels[head] not in ("aux", "auxpass") or heads[head] == token:
                break
            head = heads[head]
        heads[token] = head
        if labels[token] == "nsubj" and head in passive:
            labels[token] = "nsubjpass"


def noun_phrases_of(document: Document) -> list[tuple[int, int, int | None]]:
    """The noun phrases that the file marks, as ``discourse_of`` takes mentions."""
    found: list[tuple[int, int, int | None]] = []
    begun: list[int] = []
    for token, cell in enumerate(Columns(document)["np"]):
        begun += [token] * cell.count("(")
        found += [(begun.pop(), token + 1, None) for _ in range(cell.count(")")) if begun]
    return sorted(found, key=lambda span: (span[0], -span[1]))


def _heads(
    column: Sequence[str], upos: Sequence[str], sentences: Iterable[tuple[int, int]]
) -> list[int]:
    """Governors as token numbers; what hangs on nothing, hangs on the sentence's first root."""
    result: list[int] = []
    for start, end in sentences:
        heads = []
        for token in range(start, end):
            cell = column[token]
            head = start + int(cell) - 1 if cell.isascii() and cell.isdigit() else -1
            heads.append(head if start <= head < end and head != token else -1)
        roots = [t for t in range(start, end) if column[t] == "0"] or [
            t for t in range(start, end) if heads[t - start] < 0 and upos[t] != "PUNCT"
        ]
        root = roots[0] if roots else start
        result += [root if h < 0 and t != root else h for t, h in enumerate(heads, start)]
    return result
