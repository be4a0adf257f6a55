"""Resolvers with detected, gold and non-singleton gold mentions, scored side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from corefbench.analysis.movement import shown
from corefbench.analysis.oracle.work import GIVEN, Given, Resolved, Work
from corefbench.analysis.reading import Where, read_whole
from corefbench.bench.plan import Mode, Plan
from corefbench.bench.prepare import preprocessor_for
from corefbench.engine import map_documents
from corefbench.errors import FormatError, UnknownName
from corefbench.model.assemble import single_documents
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.resolvers import make
from corefbench.scoring.api import score_clusters
from corefbench.scoring.choosing import customised
from corefbench.scoring.result import Result

RESOLVERS = ("sieve", "same-head")
"""What is run unless resolvers are named: those that make chains of any mentions."""
_OWN = 0.1
"""A resolver more of whose mentions than this were not given brings mentions of its own."""


class Oracle(Columns, frozen=True, eq=False):
    """Scores by resolver and by the mentions it was given: ``made["sieve"]["gold"].conll.f1``."""

    corpus: str
    mode: Mode
    preprocessing: str
    results: Mapping[str, Mapping[Given, Result]]
    mentions: Mapping[Given, int]
    """How many mentions were given; of ``detected``, none."""
    strangers: tuple[str, ...]
    """Resolvers that answer with mentions of their own whatever they are given."""

    def __getitem__(self, resolver: str) -> Mapping[Given, Result]:
        if resolver not in self.results:
            raise UnknownName("resolver of this study", resolver, list(self.results))
        return self.results[resolver]

    def signature(self, resolver: str, given: Given) -> str:
        """All that a number depends on, in one line."""
        head = f"{resolver}|given:{given}|mode:{self.mode}|preprocess:{self.preprocessing}"
        return f"{head}|{self.results[resolver][given].signature}"

    def explanation(self) -> tuple[str, ...]:
        """What the gold mentions are worth to each resolver, and to know the singletons."""
        return tuple(sentence for name in self.results for sentence in self._explain(name))

    def _explain(self, name: str) -> Iterator[str]:
        if name in self.strangers:
            yield f"{name} answers with mentions of its own: what it is given changes little."
        figures = {given: _figure(result) for given, result in self.results[name].items()}
        detected, gold, chained = (figures[given] for given in GIVEN)
        yield (
            f"Given all gold mentions, {name} {_gains(detected, gold)}; given only those that are "
            f"in chains, it {_gains(gold, chained)}."
        )
        total, detection = chained - detected, gold - detected
        if total > 0 and 0 <= detection <= total:
            yield (
                f"Of the {total:.2f} points between detected and non-singleton gold mentions, "
                f"{detection:.2f} are due to finding the mentions, {total - detection:.2f} to "
                "being told which of them are in chains."
            )


def oracle(
    corpus: Where,
    resolvers: Sequence[str] = RESOLVERS,
    profile: str | Profile = "conll-2012",
    *,
    mode: Mode = "automatic",
    preprocess: str = "",
    singletons: str = "strip",
    cache: bool = True,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Oracle:
    """Run resolvers with detected, all gold and non-singleton gold mentions, and score all three.

    Every answer is scored against the same key, without its singletons unless ``singletons`` is
    ``keep``: else a resolver would be charged for the singletons that it is not given.
    """
    plan = Plan(resolvers=tuple(resolvers), mode=mode, preprocess=preprocess, cache=cache)
    plan.check()
    for name in resolvers:
        make(name)
    chosen = customised(profile, {"singletons": singletons})
    whole = read_whole(corpus, format=format)
    pieces = list(single_documents(whole))
    if not pieces:
        raise FormatError("the corpus has no documents", code="CB102")
    if begin is not None:
        begin(len(pieces))
    done: list[Resolved] = []
    for one in map_documents(Work(plan), pieces, engine=engine, jobs=jobs):
        done.append(one)
        if advance is not None:
            advance(1)
    return Oracle(
        corpus=whole.name,
        mode=mode,
        preprocessing=preprocessor_for(pieces[0], plan).identity,
        results={name: _scores(done, name, chosen) for name in done[0].answers},
        mentions=_given(done),
        strangers=tuple(name for name in done[0].answers if _brings_its_own(done, name)),
    )


def _scores(done: Sequence[Resolved], resolver: str, profile: Profile) -> dict[Given, Result]:
    key = {one.document: one.key for one in done}
    return {
        given: score_clusters(
            key, {one.document: one.answers[resolver][given] for one in done}, profile
        )
        for given in GIVEN
    }


def _given(done: Sequence[Resolved]) -> dict[Given, int]:
    sizes = np.array([len(chain) for one in done for chain in one.key], np.int64)
    return {
        "detected": 0,
        "gold": int(sizes.sum()),
        "non-singleton gold": int(sizes[sizes > 1].sum()),
    }


def _brings_its_own(done: Sequence[Resolved], resolver: str) -> bool:
    strange = sum(one.strange[resolver] for one in done)
    return strange > _OWN * sum(one.answered[resolver] for one in done)


def _figure(result: Result) -> float:
    f1 = result.conll.f1 if result.conll is not None else result[next(iter(result))].f1
    return shown(f1)


def _gains(old: float, new: float) -> str:
    points = round(new - old, 2)
    if not points:
        return f"stays at {new:.2f}"
    return f"{'gains' if points > 0 else 'loses'} {abs(points):.2f} points ({old:.2f} → {new:.2f})"
