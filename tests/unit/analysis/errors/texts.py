"""Small corpora with their mentions marked: ``[1 Ann ] saw [2 the [3 mayor ] ] . / [1 She ] left``.

``[1`` opens a mention of chain 1, ``]`` closes the last opened, ``/`` ends a sentence.
"""

from corefbench.analysis.errors import ErrorAnalysis, error_analysis
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus


def corpus(*documents: str, name: str = "texts") -> Corpus:
    build = CorpusBuilder(name)
    for number, text in enumerate(documents):
        build.begin_document(f"d{number}")
        sentence: list[str] = []
        opened: list[tuple[str, int]] = []
        marked: list[tuple[str, int, int]] = []
        position = 0
        for piece in text.split():
            if piece.startswith("["):
                opened.append((piece[1:], position))
            elif piece == "]":
                label, start = opened.pop()
                marked.append((label, start, position))
            elif piece == "/":
                build.sentence(sentence)
                sentence = []
            else:
                sentence.append(piece)
                position += 1
        if sentence:
            build.sentence(sentence)
        for label, start, end in marked:
            build.mention(label, [(start, end)])
    return build.finish()


def analyse(key: str, response: str, profile: str = "conll-2012", **choices: str) -> ErrorAnalysis:
    return error_analysis(corpus(key), corpus(response), profile, **choices)  # type: ignore[arg-type]


def found(analysis: ErrorAnalysis, taxonomy: str) -> list[tuple[str, str]]:
    """(class, text) of every error of a taxonomy, in order."""
    return [(e.kind, e.text) for e in analysis.errors if e.taxonomy == taxonomy]


def chains(corpus: Corpus) -> list[set[tuple[int, int, int]]]:
    """The chains as sets of (document, start, end), sorted."""
    made: dict[int, set[tuple[int, int, int]]] = {}
    mentions = corpus.mentions
    for document, start, end, chain in zip(
        mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), mentions.chain.tolist(), strict=True
    ):
        made.setdefault(chain, set()).add((document, start, end))
    return sorted(made.values(), key=min)
