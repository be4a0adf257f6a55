"""Read key and responses whole, for studies that score them many times."""

from collections.abc import Callable

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness, ignore_finding
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.scoring.pairing import pair_documents


def read_whole(
    source: CorpusSource,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None] = ignore_finding,
    advance: Callable[[int], None] | None = None,
) -> Corpus:
    """Return a corpus as it is, or all documents of a file or folder as one corpus.

    >>> read_whole(b"#begin document (a); part 000\\na 0 0 Ann (1)\\n#end document\\n")
    <Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>
    """
    if isinstance(source, Corpus):
        return source
    strictness = Strictness(lenient=lenient, report=report)
    reading = Reading(strictness=strictness, words=True, advance=advance)
    blocks = list(stream(source, format=format, reading=reading))
    return concatenate(blocks[0].name if blocks else "", blocks)


def pair_whole(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Return both corpora with the documents of the key, in the same order."""
    pairs = list(pair_documents(iter([key]), iter([response]), ignore_finding))
    keys, responses = zip(*pairs, strict=True)
    return concatenate(key.name, keys), concatenate(response.name, responses)
