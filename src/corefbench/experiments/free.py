"""Free data for experiments whose own data is not public: a corpus with singletons, resolved.

GUM's development part has gold trees, so it needs no pipeline; the bundled corpus needs the one
that comes with corefbench, and with it onnxruntime.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from corefbench.bench.plan import Mode
from corefbench.experiments.base import Setting
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from corefbench.preprocess import DEFAULT
from corefbench.preprocess.text import Columns as TokenColumns
from corefbench.record import Columns
from corefbench.resolvers import Resolution, make

GUM = "gum/dev"
RESOLVER = "sieve"
MISSING = "GUM (free) as the folder gum of the data, or the extra en-accurate"
"""What a free experiment lacks where neither corpus can be used."""


class Free(Columns, frozen=True, eq=False):
    """A corpus with singletons, and the pre-processor that its documents take."""

    corpus: Corpus
    key: Corpus
    """What is scored: the corpus without its empty nodes, which resolvers do not see."""
    title: str
    preprocess: str

    @property
    def mode(self) -> Mode:
        """How the workbench takes it: syntax of the corpus, or raw text."""
        return "annotated" if self.preprocess == "conllu" else "automatic"


def free_corpus(setting: Setting) -> Free | None:
    """GUM where it is there, else the bundled corpus; None where that lacks its pipeline."""
    return _free_corpus(setting.data, str(setting.path("gum") or ""))


@lru_cache(maxsize=1)
def _free_corpus(data: str | Path | None, gum: str) -> Free | None:
    found = Setting(data=data).corpus(GUM) if gum else None
    if found is not None:
        return Free(
            corpus=found, key=written(found), title="GUM, development part", preprocess="conllu"
        )
    from importlib.util import find_spec

    from corefbench.bundled import bundled

    if find_spec("onnxruntime") is None:
        return None
    corpus = bundled()
    return Free(corpus=corpus, key=written(corpus), title="the bundled corpus", preprocess=DEFAULT)


def written(corpus: Corpus) -> Corpus:
    """The words that are written, and the mentions that have some."""
    build, referring = CorpusBuilder(corpus.name), corpus.mentions.referring
    for document in corpus:
        columns = TokenColumns(document)
        build.begin_document(document.name)
        for start, end in columns.sentences():
            build.sentence(columns.words[start:end])
        for mention in document.mentions:
            start, end = columns.span(mention.start, mention.end)
            if start < end and (referring is None or referring[mention.index]):
                head = -1 if mention.head is None else columns.span(mention.head, mention.end)[0]
                build.mention(mention.chain.label, [(start, end)], head=head)
    return build.finish()


@lru_cache(maxsize=1)
def resolved(free: Free) -> tuple[Resolution, ...]:
    """The documents resolved, over the noun phrases that pre-processing finds."""
    from corefbench.resolvers.resolve import discourses

    resolver = make(RESOLVER)
    texts = discourses(free.corpus, preprocess=free.preprocess, given="sentences")
    return tuple(resolver.resolve(text) for text in texts)


def chains_only(free: Free) -> Corpus:
    """The response with chains of two and more mentions."""
    from corefbench.resolvers.response import response

    return response(resolved(free))


def with_singletons(free: Free) -> Corpus:
    """The response in which every phrase that was found is a mention."""
    from corefbench.resolvers.response import response

    return response(_all_phrases(resolved(free)))


def _all_phrases(resolutions: tuple[Resolution, ...]) -> Iterator[Resolution]:
    for one in resolutions:
        yield replace(one, mentions=tuple(range(len(one.discourse.phrases))))
