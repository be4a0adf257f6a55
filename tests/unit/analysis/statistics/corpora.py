"""Small corpora for tests of statistics, short enough to count by hand."""

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus

Mention = tuple[str, int, int]


def corpus(
    *sentences: str, mentions: list[Mention] = (), name: str = "d", **columns: str
) -> Corpus:  # fmt: skip
    """One document of blank-separated words; mentions are (label, start, end)."""
    build = CorpusBuilder("made")
    build.begin_document(name, columns=columns)
    for sentence in sentences:
        build.sentence(sentence.split())
    for label, start, end in mentions:
        build.mention(label, [(start, end)])
    return build.finish()


def ann_and_the_dog(name: str = "d", **columns: str) -> Corpus:
    """21 tokens, 4 sentences, 10 mentions; chains Ann 4, dog 3, Bob 2, home 1.

    0 Ann saw the dog of Bob .     [Ann] saw [the dog of [Bob]]
    7 It barked at her .           [It] … [her]
    12 She hurt herself .          [She] hurt [herself]
    16 His dog ran home .          [[His] dog] ran [home]
    """
    return corpus(
        "Ann saw the dog of Bob .",
        "It barked at her .",
        "She hurt herself .",
        "His dog ran home .",
        mentions=[
            ("ann", 0, 1), ("dog", 2, 6), ("bob", 5, 6),
            ("dog", 7, 8), ("ann", 10, 11),
            ("ann", 12, 13), ("ann", 14, 15),
            ("dog", 16, 18), ("bob", 16, 17), ("home", 19, 20),
        ],
        name=name,
        **columns,
    )  # fmt: skip
