"""A small valid file in every format, for the hostile collection to damage."""

import functools
import io

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats

GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "test-1\tAnn met Beth and she left.\tshe\t17\tAnn\t0\tTRUE\tBeth\t8\tFALSE\thttp://x.org/\n"
)
WINOBIAS = (
    "1 [The farmer] called the clerk because [he] was late.\n2 The farmer called [the clerk] because [he] was early.\n"
)
WINOGENDER = (
    "sentid\tsentence\n"
    "technician.customer.1.male.txt\tThe technician told the customer that he could pay.\n"
    "technician.customer.0.female.txt\tThe technician told the customer that she was done.\n"
)
TEXT = "Ann met Beth. She left.\n\nThe café was closed.\n"
MMAX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<mmax_project><words>d_words.xml</words>'
    "<keyactions/><gestures/></mmax_project>\n"
)
_WRITTEN = {"gap": GAP, "winobias": WINOBIAS, "winogender": WINOGENDER, "text": TEXT, "mmax": MMAX}


def corpus() -> Corpus:
    """Two documents, chains, a nested mention and a singleton."""
    build = CorpusBuilder("sample")
    for name in ("alpha", "beta"):
        build.begin_document(name, 0)
        build.sentence(["Ann", "saw", "the", "owner", "of", "the", "café", "."])
        build.sentence(["She", "greeted", "him", "."])
        build.mention("1", [(0, 1)])
        build.mention("2", [(2, 7)])
        build.mention("3", [(5, 7)])
        build.mention("1", [(8, 9)])
        build.mention("2", [(10, 11)])
    return build.finish()


@functools.cache
def samples() -> dict[str, bytes]:
    """The files, by the name of their format."""
    made = {}
    for name in formats:
        if name in _WRITTEN:
            made[name] = _WRITTEN[name].encode()
        elif formats[name]().card.writes:
            stream = io.BytesIO()
            formats[name]().write(corpus(), stream)
            made[name] = stream.getvalue()
    return made


def extension(name: str) -> str:
    return formats[name]().card.extensions[0]
