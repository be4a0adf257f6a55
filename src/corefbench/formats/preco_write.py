"""A line of PreCo, made from a document."""

from corefbench.formats.preco_spots import Spot
from corefbench.model.document import Document

PARAGRAPH = [" "]
"""The sentence that marks a paragraph."""


def document_line(document: Document, inclusive: bool) -> dict[str, object]:
    """The members of the line; a mention across sentences is left out."""
    words, sentences = document.words, document.sentences
    sentence_of = [number for number, (a, b) in enumerate(sentences) for _ in range(a, b)]
    clusters: dict[int, list[Spot]] = {}
    for mention in document.mentions:
        sentence = sentence_of[mention.start]
        first, past = sentences[sentence]
        if mention.end <= past:
            spot = (sentence, mention.start - first, mention.end - first - inclusive)
            number = int(document.corpus.mentions.chain[mention.index])
            clusters.setdefault(number, []).append(spot)
    return {
        "id": document.label,
        # A word that is one blank, alone in its sentence, would be taken for a paragraph.
        "sentences": [[""] if words[a:b] == PARAGRAPH else words[a:b] for a, b in sentences],
        "mention_clusters": [clusters[number] for number in sorted(clusters)],
    }
