"""Pre-processors that read the annotation of a corpus: CoNLL-U and workbench XML.

In workbench XML ``DEP`` counts the words of a sentence from 1, and ``GFUN`` is the grammatical
function without marks of direction. Prepositions and copulas govern, as in ClearNLP, so that the
same conversion leads to Universal Dependencies.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from corefbench.corpus.views import Document
from corefbench.errors import MismatchError, Place
from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.documents import TokenColumns, make_input
from corefbench.preprocess.english.word_lists import word_set
from corefbench.preprocess.pipelines.clearnlp import ClearNLPConverter

_BE_HAVE_DO = word_set("be am is are was were been being have has had do does did")
_POSSESSIVE = word_set("my your his her its our their whose")
_RELATIVE = word_set("who whom which that whose")
_TAGS = {
    "N": ("NOUN", "NN"), "PRON": ("PRON", "PRP"), "V": ("VERB", "VBZ"), "EN": ("VERB", "VBN"),
    "ING": ("VERB", "VBG"), "INF": ("VERB", "VB"), "A": ("ADJ", "JJ"), "ADJ": ("ADJ", "JJ"),
    "DET": ("DET", "DT"), "PREP": ("ADP", "IN"), "ADV": ("ADV", "RB"), "CC": ("CCONJ", "CC"),
    "CS": ("SCONJ", "IN"), "NUM": ("NUM", "CD"), "INFMARK": ("PART", "TO"),
    "INTERJ": ("INTJ", "UH"), "PUNCT": ("PUNCT", "."), "NEG": ("PART", "RB"),
    "ABBR": ("PROPN", "NNP"),
}  # fmt: skip
_FUNCTIONS = {
    "SUBJ": "nsubj", "F-SUBJ": "expl", "OBJ": "dobj", "F-OBJ": "expl", "I-OBJ": "dative",
    "PCOMPL": "attr", "PCOMPL-S": "attr", "PCOMPL-O": "oprd", "DN": "det", "QN": "quantmod",
    "CC": "cc", "CS": "mark", "INFMARK": "mark", "NEG": "neg", "APP": "appos", "O-ADVL": "npadvmod",
    "+FAUXV": "aux", "-FAUXV": "aux", "DUMMY": "dep", "VOC": "vocative", "AN": "amod",
}  # fmt: skip
_COMPLEMENTS = frozenset({"PCOMP", "P"})
_NOUNS = frozenset({"NOUN", "PROPN", "PRON"})


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
        """Convert the annotation of a document to an analysis; raise if a column is missing."""
        columns = TokenColumns(document)
        for name in self.columns:
            if name not in columns:
                raise self._missing(document.label, name)
        return self.convert(make_input(document), columns)

    def convert(self, source: Input, columns: TokenColumns) -> Analysis:
        """Convert the columns of a document to an analysis."""
        raise NotImplementedError

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

    def convert(self, source: Input, columns: TokenColumns) -> Analysis:
        """Convert the columns of a document to an analysis."""
        return compose_analysis(
            source,
            words=columns.words,
            lemmas=columns["lemma"],
            upos=columns["upos"],
            xpos=columns["xpos"],
            features=columns.without_underscore("feats"),
            heads=_head_indices(columns["head"], columns["id"], source.sentences or ()),
            relations=columns["deprel"],
            entities=_mention_types(columns) if self.types else (),
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


def _mention_types(columns: TokenColumns) -> tuple[Entity, ...]:
    document = columns.document
    etype = document.corpus.mentions.columns.get("etype")
    if etype is None:
        return ()
    return tuple(
        Entity(start=start, end=end, type=etype[mention.index])
        for mention in document.mentions
        for start, end in [columns.span(mention.start, mention.end)]
        if start < end and etype[mention.index]
    )


class Workbench(AnnotationReader):
    """Reads the columns lemma, dep, gfun, pos and nr."""

    card = PreprocessorCard(
        name="workbench",
        title="Workbench XML",
        description="Lemmas, tags, functions and dependencies of the workbench's own files.",
        raw=False,
        cites=("barbu2001",),
    )
    annotation = "parsed words"
    columns = ("pos", "gfun", "dep")
    expected = "a corpus in workbench XML, with POS, GFUN and DEP"

    def convert(self, source: Input, columns: TokenColumns) -> Analysis:
        """Convert the columns of a document to an analysis."""
        words, sentences = columns.words, source.sentences or ()
        functions = columns["gfun"]
        tags = [convert_tags(*row) for row in zip(words, columns["pos"], functions, columns["nr"], strict=True)]
        upos, xpos = [tag for tag, _ in tags], [tag for _, tag in tags]
        lemmas = [lemma or word.lower() for lemma, word in zip(columns["lemma"], words, strict=True)]
        heads = _workbench_heads(columns["dep"], upos, sentences)
        labels = [
            convert_function(function, upos[token], words[token], upos[head] if head >= 0 else "")
            for token, (function, head) in enumerate(zip(functions, heads, strict=True))
        ]
        _attach_to_main_verbs(heads, labels, lemmas, xpos)
        heads, relations = ClearNLPConverter(lemmas, upos, heads, labels).universal()
        return compose_analysis(
            source,
            words=words,
            lemmas=lemmas,
            upos=upos,
            xpos=xpos,
            features=[""] * len(words),
            heads=heads,
            relations=relations,
            pipeline=self.identity,
        )


def _attach_to_main_verbs(heads: list[int], labels: list[str], lemmas: Sequence[str], xpos: Sequence[str]) -> None:
    """Move dependents of an auxiliary to its main verb, and label passives."""
    for token, head in enumerate(heads):
        if labels[token] == "aux" and lemmas[token] == "be" and xpos[head] == "VBN":
            labels[token] = "auxpass"
    passive = {heads[token] for token, label in enumerate(labels) if label == "auxpass"}
    # Chains of auxiliaries are followed to the main verb; the bound guards against cycles.
    for token, head in enumerate(heads):
        for _ in heads:
            if head < 0 or labels[head] not in ("aux", "auxpass") or heads[head] == token:
                break
            head = heads[head]
        heads[token] = head
        if labels[token] == "nsubj" and head in passive:
            labels[token] = "nsubjpass"


def _workbench_heads(column: Sequence[str], upos: Sequence[str], sentences: Iterable[tuple[int, int]]) -> list[int]:
    """Convert governors to token numbers; other roots attach to the first root of a sentence."""
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


def convert_tags(word: str, pos: str, function: str, number: str) -> tuple[str, str]:
    """Return the universal and the Penn tag of a word.

    >>> convert_tags("cats", "N", "SUBJ", "PL"), convert_tags("its", "PRON", "DN", "SG")
    (('NOUN', 'NNS'), ('PRON', 'PRP$'))
    """
    upos, xpos = _TAGS.get(pos.upper().strip("<>"), ("X", "FW"))
    low = word.lower()
    if upos == "X" and word and not any(map(str.isalnum, word)):
        return "PUNCT", word
    if upos == "NOUN":
        plural = number.upper() == "PL"
        # A common noun that begins a sentence passes for a name, too.
        if word[:1].isupper() and function.strip("<>") not in ("", "A"):
            return "PROPN", "NNPS" if plural else "NNP"
        return upos, "NNS" if plural else xpos
    if upos == "PRON":
        return upos, "PRP$" if low in _POSSESSIVE else "WP" if low in _RELATIVE else xpos
    if upos == "DET" and low in _POSSESSIVE:
        return "PRON", "PRP$"
    if "FAUXV" in function:
        return "AUX", xpos if low in _BE_HAVE_DO else "MD"
    return (upos, word) if upos == "PUNCT" else (upos, xpos)


def convert_function(function: str, upos: str, word: str, governor: str) -> str:
    """Return the ClearNLP relation of a word by its function, its tag and its governor's tag."""
    function = function.upper().strip("<>")
    if not governor:
        return "ROOT"
    if upos == "PUNCT":
        return "punct"
    if function in _COMPLEMENTS:
        return "pcomp" if upos == "VERB" else "pobj"
    if upos == "PRON" and function in ("DN", "A", "GN") and word.lower() in _POSSESSIVE:
        return "poss"
    if function == "DN":
        return "poss" if upos in _NOUNS else "det"
    if function in _FUNCTIONS:
        return _FUNCTIONS[function]
    if function in ("+FMAINV", "-FMAINV"):
        return "relcl" if governor in _NOUNS else "ccomp"
    return _relation_by_tag(function, upos, governor)


def _relation_by_tag(function: str, upos: str, governor: str) -> str:
    """Return the relation of adverbials and attributes, which may have any tag."""
    if upos == "ADP":
        return "prep"
    if upos in _NOUNS:
        return "compound" if governor in _NOUNS and function == "A" else "npadvmod"
    if upos == "VERB":
        return "acl" if governor in _NOUNS else "advcl"
    return {"ADJ": "amod", "ADV": "advmod", "NUM": "nummod", "DET": "det"}.get(upos, "dep")
