"""Conformance checks for pre-processors: words are in the text, sentences cover them, trees are trees."""

from collections.abc import Callable

from corefbench.corpus.corpus import Corpus
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.documents import make_input
from corefbench.testing.corpora import EMPTY, TEXTS, marked_corpus
from corefbench.testing.rules import require, require_card

_COLUMNS = ("offsets", "lemmas", "upos", "xpos", "features", "heads", "relations")


def check_preprocessor(
    preprocessor: Preprocessor | Callable[[], Preprocessor], *, corpus: Corpus | None = None
) -> None:
    """Check the card, the identity, and every analysis of raw text and of given tokens.

    ``corpus`` has the documents for one that reads the annotation of a corpus (``raw=False``).

    >>> from corefbench.preprocess.pipelines.plain import PlainEnglish
    >>> check_preprocessor(PlainEnglish)
    """
    instance = preprocessor() if callable(preprocessor) else preprocessor
    who = f"pre-processor {instance.card.name}"
    require_card(instance.card, who, "title", "description")
    require(bool(instance.identity.strip()), who, "its identity is not empty")
    require(instance.identity == instance.identity, who, "its identity is always the same")
    inputs = [make_input(document) for document in (marked_corpus() if corpus is None else corpus)]
    if instance.card.raw:
        inputs = [*(Input(name=name, text=text) for name, text in {**TEXTS, **EMPTY}.items()), *inputs]
    analyses = list(instance.analyse(iter(inputs)))
    require(len(analyses) == len(inputs), who, "analyses are in step with the inputs", len(analyses))
    for given, analysis in zip(inputs, analyses, strict=True):
        check_analysis(analysis, given, f"{who}, {given.name}")
    same = list(instance.analyse(reversed(inputs))) == analyses[::-1]
    require(same, who, "an analysis is the same in any order and every time")
    require(list(instance.analyse([])) == [], who, "nothing is made of nothing")


def check_analysis(analysis: Analysis, given: Input, who: str) -> None:
    """Check one analysis against its input."""
    count = len(analysis.words)
    require(analysis.name == given.name, who, "the analysis has the name of its input")
    require(analysis.text == given.text, who, "the text is not changed")
    for name in _COLUMNS:
        size = len(getattr(analysis, name))
        require(size == count, who, f"there are as many {name} as words", f"{size} and {count}")
    require(bool(analysis.pipeline), who, "the analysis names its pipeline")
    _check_offsets(analysis, given, who)
    _check_sentences(analysis, given, who)
    _check_heads(analysis, who)
    build_discourse(analysis)


def _check_offsets(analysis: Analysis, given: Input, who: str) -> None:
    end = 0
    for word, (begin, finish) in zip(analysis.words, analysis.offsets, strict=True):
        require(end <= begin <= finish <= len(given.text), who, "words stand one after another", word)
        require(given.text[begin:finish] == word, who, "a word stands at its offsets", word)
        end = finish
    if given.offsets is not None:
        require(analysis.offsets == given.offsets, who, "tokens that are given are kept")


def _check_sentences(analysis: Analysis, given: Input, who: str) -> None:
    edges = [0, *(end for _, end in analysis.sentences)]
    starts = [start for start, _ in analysis.sentences]
    cover = edges[:-1] == starts and edges[-1] == len(analysis.words)
    filled = all(start < end for start, end in analysis.sentences)
    require(cover and filled, who, "sentences cover all words in order, and none is empty", analysis.sentences)
    if given.sentences is not None:
        require(analysis.sentences == given.sentences, who, "sentences that are given are kept")
    for name in ("paragraphs", "headings"):
        size = len(getattr(analysis, name))
        require(size == len(starts), who, f"there are as many {name} as sentences", size)


def _check_heads(analysis: Analysis, who: str) -> None:
    for start, end in analysis.sentences:
        for token in range(start, end):
            head = analysis.heads[token]
            inside = head == -1 or start <= head < end
            require(inside, who, "a governor is in the same sentence, -1 at a root", head)
            ancestor = token
            for _ in range(start, end):
                ancestor = analysis.heads[ancestor] if ancestor >= 0 else -1
            require(ancestor == -1, who, "every word hangs from a root, without circles", token)
