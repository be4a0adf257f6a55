"""Pre-processor that reads the functional dependency parses of workbench XML.

``DEP`` counts the words of a sentence from 1, ``GFUN`` is the grammatical function without marks of
direction. Prepositions and copulas govern, as in ClearNLP, so that the same conversion leads to
Universal Dependencies.
"""

from collections.abc import Iterable, Sequence

from corefbench.corpus.views import Document
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.documents import TokenColumns, make_input
from corefbench.preprocess.english.word_lists import word_set
from corefbench.preprocess.pipelines.annotated import AnnotationReader
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

    def analyse_document(self, document: Document) -> Analysis:
        """Convert the parses of workbench XML to an analysis."""
        columns = self.required_columns(document)
        source = make_input(document)
        words, sentences = columns.words, source.sentences or ()
        functions = columns["gfun"]
        tags = [convert_tags(*row) for row in zip(words, columns["pos"], functions, columns["nr"], strict=True)]
        upos, xpos = [tag for tag, _ in tags], [tag for _, tag in tags]
        lemmas = [lemma or word.lower() for lemma, word in zip(columns["lemma"], words, strict=True)]
        heads = _head_indices(columns["dep"], upos, sentences)
        labels = [
            convert_function(function, upos[token], words[token], upos[head] if head >= 0 else "")
            for token, (function, head) in enumerate(zip(functions, heads, strict=True))
        ]
        _attach_to_main_verbs(heads, labels, lemmas, xpos)
        heads, relations = ClearNLPConverter(lemmas, upos, heads, labels).universal()
        return compose_analysis(
            source,
            words=words,
            offsets=source.offsets or (),
            sentences=sentences,
            lemmas=lemmas,
            upos=upos,
            xpos=xpos,
            features=[""] * len(words),
            heads=heads,
            relations=relations,
            pipeline=self.identity,
        )


def marked_noun_phrases(document: Document) -> list[tuple[int, int, int | None]]:
    """Return the noun phrases that the file marks, as mentions for ``build_discourse``."""
    spans: list[tuple[int, int, int | None]] = []
    open_brackets: list[int] = []
    for token, cell in enumerate(TokenColumns(document)["np"]):
        open_brackets += [token] * cell.count("(")
        spans += [(open_brackets.pop(), token + 1, None) for _ in range(cell.count(")")) if open_brackets]
    return sorted(spans, key=lambda span: (span[0], -span[1]))


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


def _head_indices(column: Sequence[str], upos: Sequence[str], sentences: Iterable[tuple[int, int]]) -> list[int]:
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
        if word[:1].isupper() and function.strip("<>") not in ("", "A"):
            return ("PROPN", "NNPS" if plural else "NNP") if _is_name(word) else (upos, xpos)
        return upos, "NNS" if plural else xpos
    if upos == "PRON":
        return upos, "PRP$" if low in _POSSESSIVE else "WP" if low in _RELATIVE else xpos
    if upos == "DET" and low in _POSSESSIVE:
        return "PRON", "PRP$"
    if "FAUXV" in function:
        return "AUX", xpos if low in _BE_HAVE_DO else "MD"
    return (upos, word) if upos == "PUNCT" else (upos, xpos)


def _is_name(word: str) -> bool:
    """Capitals inside or at the beginning; a common noun that begins a sentence passes too."""
    return word[:1].isupper()


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
