"""Resolutions as a corpus, to be written in any format and scored by any protocol."""

from collections.abc import Iterable

from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from corefbench.model.labels import name_and_part
from corefbench.resolvers.resolution import Resolution


def response(resolutions: Iterable[Resolution], name: str = "response") -> Corpus:
    """One corpus of all the documents: their words, sentences, text and chains."""
    build = CorpusBuilder(name)
    for resolution in resolutions:
        _add(build, resolution)
    return build.finish()


def _add(build: CorpusBuilder, resolution: Resolution) -> None:
    analysis = resolution.discourse.analysis
    # Formats that number the parts of a document must not add a number to one that has it.
    build.begin_document(*name_and_part(analysis.name), text=analysis.text)
    for start, end in analysis.sentences:
        columns = {"lemma": analysis.lemmas, "upos": analysis.upos, "xpos": analysis.xpos}
        build.sentence(
            analysis.words[start:end],
            columns={key: values[start:end] for key, values in columns.items()},
            offsets=analysis.offsets[start:end],
        )
    phrases, taken = resolution.discourse.phrases, set[tuple[int, int]]()
    for label, chain in enumerate(resolution.chains(), 1):
        for number in chain:
            phrase = phrases[number]
            # Two phrases with one span are one mention; the first chain has it.
            if (phrase.start, phrase.end) not in taken:
                taken.add((phrase.start, phrase.end))
                build.mention(str(label), [(phrase.start, phrase.end)], head=phrase.head)
