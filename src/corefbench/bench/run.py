"""Runs a comparison: documents in, a ``Bench`` out, in one process or several."""

from collections.abc import Callable, Sequence
from pathlib import Path

from corefbench.bench.outcome import Outcome, outcome
from corefbench.bench.plan import Plan
from corefbench.bench.prepare import preprocessor_for
from corefbench.bench.result import Bench, performances
from corefbench.engine import map_documents
from corefbench.errors import FormatError, Place
from corefbench.formats.load import stream
from corefbench.model.assemble import single_documents
from corefbench.model.corpus import Corpus
from corefbench.profiles import profiles
from corefbench.resolvers import make
from corefbench.scoring.signature import ContentHash

Where = str | Path | bytes | Corpus


def run_bench(
    corpus: Where,
    plan: Plan = Plan(),
    *,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Bench:
    """Compare resolvers on a corpus.

    ``jobs`` workers of an ``engine`` share the documents; the result does not depend on how many.
    ``begin`` is told how many documents there are, ``advance`` of each that is done.
    """
    plan.check()
    # A name that is not known is said before the work begins.
    for name in plan.resolvers:
        make(name)
    profiles.canonical(plan.profile)
    blocks = [corpus] if isinstance(corpus, Corpus) else list(stream(corpus, format=format))
    content = ContentHash()
    for block in blocks:
        content.add(block)
    pieces = [single for block in blocks for single in single_documents(block)]
    _check(pieces)
    if begin is not None:
        begin(len(pieces))
    done: list[Outcome] = []
    for one in map_documents(Work(plan), pieces, engine=engine, jobs=jobs):
        done.append(one)
        if advance is not None:
            advance(1)
    identity = preprocessor_for(pieces[0], plan).identity
    return Bench(
        corpus=str(content),
        plan=plan,
        preprocessing=identity,
        documents=tuple(one.document for one in done),
        words=tuple(one.words for one in done),
        statistics=tuple(one.statistics for one in done),
        snippets={one.document: one.snippets for one in done},
        performances=performances(done, plan.profile),
        seconds=sum(one.seconds for one in done),
        lost=sum(one.lost for one in done),
        texts=tuple(one.text for one in done),
    )


class Work:
    """What a process does with a document; the pipeline is loaded once in each."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, corpus: Corpus) -> Outcome:
        """What comes of a corpus of one document."""
        resolvers = [make(name) for name in self.plan.resolvers]
        return outcome(corpus, self.plan, preprocessor_for(corpus, self.plan), resolvers)


def _check(pieces: Sequence[Corpus]) -> None:
    """Refuse a corpus that has nothing, or two documents that tables could not tell apart."""
    if not pieces:
        raise FormatError("the corpus has no documents", code="CB102")
    seen: set[str] = set()
    for piece in pieces:
        name = piece[0].label
        if name in seen:
            raise FormatError(
                "two documents have the same name", code="CB109", place=Place(document=name)
            )
        seen.add(name)
