"""Key and response read and matched, block after block, for those who look at mentions."""

from collections.abc import Callable, Iterator
from pathlib import Path

from corefbench.findings import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.matching import Alignment
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.scoring.choosing import customised
from corefbench.scoring.evaluate import align
from corefbench.scoring.pairing import paired

Where = str | Path | bytes | Corpus


def alignments(
    key: Where,
    response: Where,
    profile: str | Profile = "conll-2012",
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None] | None = None,
    advance: Callable[[int], None] | None = None,
    **choices: str | None,
) -> Iterator[Alignment]:
    """The documents that key and response share, with the twins that the profile's choices make.

    Words and columns are read too; a document that the response lacks is there without mentions.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> [alignment.twins.key.tolist() for alignment in alignments(text, text)]
    [[0, 1]]
    """
    chosen = customised(profile, choices)
    hear = report or (lambda finding: None)
    reading = Reading(
        strictness=Strictness(lenient=lenient, report=hear), words=True, advance=advance
    )

    def pieces(where: Where) -> Iterator[Corpus]:
        if isinstance(where, Corpus):
            return iter([where])
        return stream(where, format=format, reading=reading)

    for some_key, some_response in paired(pieces(key), pieces(response), hear):
        yield align(some_key, some_response, chosen.choices)
