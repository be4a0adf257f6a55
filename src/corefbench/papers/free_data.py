"""Free corpora for experiments whose own data is not public.

GUM's development part has gold trees, so it needs no pipeline; the bundled corpus needs the one
that comes with corefbench, and with it onnxruntime.
"""

from functools import cached_property, lru_cache
from pathlib import Path

from msgspec.structs import replace

from corefbench.bench.plan import Mode
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.papers.reproduction import DataFolder, RebuiltTable
from corefbench.preprocess import DEFAULT
from corefbench.preprocess.documents import TokenColumns
from corefbench.records import Columns
from corefbench.resolvers import Resolution, make

GUM = "gum/dev"
RESOLVER = "sieve"
MISSING_DATA = "GUM (free) as the folder gum of the data, or the extra en-accurate"
"""What a free experiment lacks where neither corpus can be used."""


class FreeCorpus(Columns, frozen=True, eq=False, dict=True):
    """A free corpus with singletons, and its pre-processor."""

    corpus: Corpus
    title: str
    preprocess: str

    @cached_property
    def key(self) -> Corpus:
        """The corpus without empty nodes, which resolvers do not see."""
        return drop_empty_nodes(self.corpus)

    @property
    def mode(self) -> Mode:
        """The mode of the bench: annotated syntax, or raw text."""
        return "annotated" if self.preprocess == "conllu" else "automatic"


def load_free_corpus(data: DataFolder) -> FreeCorpus | None:
    """Load GUM if available, else the bundled corpus; None if that lacks its pipeline."""
    return _load_free_corpus(data.folder, str(data.path("gum") or ""))


@lru_cache(maxsize=1)
def _load_free_corpus(folder: str | Path | None, gum: str) -> FreeCorpus | None:
    # ``gum`` is only a part of the cache key: the corpus may be added between two calls.
    gum_corpus = DataFolder(folder=folder).corpus(GUM) if gum else None
    if gum_corpus is not None:
        return FreeCorpus(corpus=gum_corpus, title="GUM, development part", preprocess="conllu")
    from importlib.util import find_spec

    from corefbench.datasets.bundled import load_bundled

    if find_spec("onnxruntime") is None:
        return None
    return FreeCorpus(corpus=load_bundled(), title="the bundled corpus", preprocess=DEFAULT)


def drop_empty_nodes(corpus: Corpus) -> Corpus:
    """Return the corpus without empty nodes, and without mentions that consist of them."""
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


def missing_table(number: str, title: str) -> RebuiltTable:
    """Return the table of an experiment for which there is no free corpus."""
    return RebuiltTable(number=number, title=title, how="", cells=(), needs=MISSING_DATA)


@lru_cache(maxsize=1)
def resolve_corpus(free: FreeCorpus) -> tuple[Resolution, ...]:
    """Resolve the documents over the noun phrases of the pre-processor."""
    from corefbench.resolvers.resolve import read_discourses

    resolver = make(RESOLVER)
    texts = read_discourses(free.corpus, preprocess=free.preprocess, keep="sentences")
    return tuple(resolver.resolve(text) for text in texts)


def response_without_singletons(free: FreeCorpus) -> Corpus:
    """Return the response with chains of two and more mentions."""
    from corefbench.resolvers.response import to_corpus

    return to_corpus(resolve_corpus(free))


def response_with_singletons(free: FreeCorpus) -> Corpus:
    """Return the response in which every noun phrase is a mention."""
    from corefbench.resolvers.response import to_corpus

    return to_corpus(
        replace(resolution, mentions=tuple(range(len(resolution.discourse.phrases))))
        for resolution in resolve_corpus(free)
    )
