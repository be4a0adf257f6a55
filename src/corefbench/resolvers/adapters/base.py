"""What all adapters share: parameters, one backend for many documents, and the way back."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import ClassVar

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record
from corefbench.resolvers import signature
from corefbench.resolvers.adapters.exchange import Answer, Backend, Reply, asked
from corefbench.resolvers.adapters.failing import Failing
from corefbench.resolvers.adapters.heads import phrases_of_heads
from corefbench.resolvers.adapters.local import Local
from corefbench.resolvers.adapters.placing import placed
from corefbench.resolvers.adapters.worker import Worker
from corefbench.resolvers.base import ResolverCard
from corefbench.resolvers.chained import Link, resolution_of_chains
from corefbench.resolvers.resolution import Resolution

Option = str | bool


class System(Record, frozen=True):
    """A foreign system: where its code is, and what to do if it is not there."""

    script: str
    """Its file in ``systems``."""
    package: str
    """Its name on PyPI."""
    download: str
    """What brings the data of a model; ``{model}`` and other options are filled in."""


class Adapter:
    """A resolver that is another package, here or under the Python of another environment."""

    card: ResolverCard
    system: ClassVar[System]

    def __init__(
        self,
        *,
        model: str = "",
        python: str = "",
        device: str = "",
        sends: str = "tokens",
        seconds: float = 600,
        batch: int = 8,
        version: str = "",
    ) -> None:
        if sends not in ("tokens", "text"):
            raise UsageError(f"sends cannot be {sends!r}", expected="tokens or text")
        if seconds <= 0 or batch < 1:
            raise UsageError("seconds and batch are more than nothing", found=f"{seconds}, {batch}")
        self.model = str(model) or str(self._default("model"))
        self.python, self.device, self.sends = str(python), str(device), sends
        self.seconds, self.batch = seconds, batch
        self.version = str(version)
        """What is asked for; after the first document, what answered."""

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        return next(self.resolve_many([discourse]))

    def resolve_many(self, discourses: Iterable[Discourse]) -> Iterator[Resolution]:
        """Resolve documents in step, ``batch`` at a time, so memory does not grow with them."""
        backend = _backend(self.system.script, self.python, tuple(self.options().items()))
        waiting = iter(discourses)
        while some := list(islice(waiting, self.batch)):
            self._check(self._good(backend.open(self.seconds), some).version)
            full = [asked(one) for one in some if one.analysis.words]
            reply = backend.ask(full, self.seconds * len(full)) if full else Reply()
            answers = iter(self._good(reply, some).answers or ())
            for one in some:
                answer = next(answers) if one.analysis.words else Answer(unit="tokens", chains=())
                yield self.resolution(one, answer)

    def options(self) -> dict[str, Option]:
        """What the system is loaded with."""
        return {"model": self.model, "device": self.device, "sends": self.sends}

    def resolution(self, discourse: Discourse, answer: Answer) -> Resolution:
        """The answer over our tokens."""
        put = placed(
            answer.chains,
            discourse.analysis,
            characters=answer.unit == "characters",
            whole=phrases_of_heads(discourse) if answer.heads else lambda span: span,
            lost=answer.lost,
        )
        links = {
            put.where[mention]: Link(antecedent=put.where[antecedent], confidence=confidence)
            for mention, antecedent, confidence in answer.links
            if mention in put.where and antecedent in put.where
        }
        return resolution_of_chains(
            signature(self), discourse, put.chains, links=links, findings=put.findings
        )

    def _good(self, reply: Reply, discourses: Sequence[Discourse]) -> Reply:
        about = Failing(
            resolver=self.card.name,
            package=self.system.package,
            python=self.python,
            download=self.system.download.format(**self.options()),
            documents=tuple(one.analysis.name for one in discourses),
        )
        return about.checked(reply)

    def _check(self, found: str) -> None:
        if self.version not in ("", found):
            raise UsageError(
                f"another version of {self.system.package} is asked for",
                found=found,
                expected=self.version,
            )
        self.version = found

    def _default(self, name: str) -> Option | int | float:
        return next(p.default for p in self.card.parameters if p.name == name)


@lru_cache(maxsize=4)
def _backend(script: str, python: str, options: tuple[tuple[str, Option], ...]) -> Backend:
    """One for all resolvers that are made alike: a bench makes them anew for each document."""
    made = dict(options)
    return Worker(python, script, made) if python else Local(script, made)
