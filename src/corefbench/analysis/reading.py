"""Key and responses read whole, with their words, for studies that score them many times."""

from collections.abc import Callable
from pathlib import Path

from corefbench.findings import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus

Where = str | Path | bytes | Corpus


def read_whole(
    where: Where,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None] = lambda finding: None,
    advance: Callable[[int], None] | None = None,
) -> Corpus:
    """A corpus as it is, or all documents of a file or folder as one corpus.

    >>> read_whole(b"#begin document (a); part 000\\na 0 0 Ann (1)\\n#end document\\n")
    <Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>
    """
    if isinstance(where, Corpus):
        return where
    reading = Reading(
        strictness=Strictness(lenient=lenient, report=report), words=True, advance=advance
    )
    pieces = list(stream(where, format=format, reading=reading))
    return concatenate(pieces[0].name if pieces else "", pieces)
