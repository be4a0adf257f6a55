"""Plain text: documents without mentions, for resolvers to work on.

Sentences and tokens are those of ``tokenise``, or those that are there where the text is tokenised
already. A form feed begins a new document. The format is never guessed: any file would do.
"""

from collections.abc import Iterator
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import read_text
from corefbench.formats.common.tokenize import add_text_documents, detokenize, segment_texts
from corefbench.formats.source import Source

_NEXT = "\f"


class Text:
    """Reads plain text, and writes the text of documents.

    >>> corpus = next(Text().read(Source.of(b"Ann left. She ran."), Reading()))
    >>> corpus, corpus[0].sentences
    (<Corpus 'memory': 1 documents, 6 tokens, 0 mentions, 0 chains>, [(0, 3), (3, 6)])
    """

    card = FormatCard(
        name="text",
        title="Plain text",
        description="Text without annotation; sentences and tokens by a simple rule.",
        extensions=(".txt",),
        holds=frozenset({"text", "words", "sentences"}),
    )

    def recognises(self, head: bytes) -> float:
        """Never: plain text is asked for by name."""
        return 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The file as one document, or as several with form feeds between them."""
        texts = read_text(source, reading).split(_NEXT)
        build = CorpusBuilder(source.stem, words=reading.words)
        numbered = [f"{source.stem}-{number}" for number in range(1, len(texts) + 1)]
        names = [source.stem] if len(texts) == 1 else numbered
        add_text_documents(build, names, texts, segment_texts(texts))
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """The original text, or the words; form feeds between documents."""
        require_words(corpus)
        texts = (detokenize(document, spans=())[0].replace(_NEXT, "\n") for document in corpus)
        stream.write(_NEXT.join(texts).encode())
