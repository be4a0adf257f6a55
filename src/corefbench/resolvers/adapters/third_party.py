"""Adapters to fastcoref, Maverick, Stanza, spaCy and Coreferee."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from inspect import Parameter as Argument
from inspect import Signature
from itertools import islice
from typing import ClassVar

from corefbench.errors import DataError, MissingSystem, Place, UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.adapters.backends import (
    Answer,
    Backend,
    LocalBackend,
    Reply,
    WorkerBackend,
    find_interpreter,
    make_request,
)
from corefbench.resolvers.adapters.chains import Link, align_chains, expand_heads, resolution_from_chains
from corefbench.resolvers.base import Parameter, Resolution, ResolverCard

Option = str | bool

_SPACY_MODEL_WHEEL = (
    "https://github.com/explosion/spacy-experimental/releases/download/v0.6.1/"
    "en_coreference_web_trf-3.4.0a2-py3-none-any.whl"
)


class Adapter:
    """A resolver that runs another package, here or in another Python environment."""

    card: ResolverCard
    """Its name is also that of the system in ``worker.py``."""
    package: ClassVar[str]
    """Name on PyPI."""
    download: ClassVar[str]
    """How to get the data of a model; ``{model}`` and other options are filled in."""
    option_names: ClassVar[tuple[str, ...]] = ("model", "device", "sends")
    """Parameters that the system is loaded with."""
    model: str
    python: str
    device: str
    sends: str = "tokens"
    seconds: float
    batch: int
    version: str
    """The requested version; after the first document, the version that answered."""
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls) -> None:
        # The card declares the parameters once: this is how ``resolvers.make`` learns of them.
        cls.__signature__ = Signature(
            [
                Argument(p.name, Argument.KEYWORD_ONLY, default=p.default, annotation=type(p.default))
                for p in cls.card.parameters
            ]
        )

    def __init__(self, **values: Option | float) -> None:
        self.__signature__.bind(**values)
        for parameter in self.card.parameters:
            value = values.get(parameter.name, parameter.default)
            if isinstance(parameter.default, str):
                # A version such as 2.1 is parsed as a number; an empty text stands for the default.
                value = str(value) or parameter.default
            setattr(self, parameter.name, value)
        if self.sends not in ("tokens", "text"):
            raise UsageError(f"sends cannot be {self.sends!r}", expected="tokens or text")
        if self.seconds <= 0 or self.batch < 1:
            raise UsageError("seconds and batch must be positive", found=f"{self.seconds}, {self.batch}")

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        return next(self.resolve_many([discourse]))

    def resolve_many(self, discourses: Iterable[Discourse]) -> Iterator[Resolution]:
        """Resolve documents in order, ``batch`` at a time, so memory does not grow with them."""
        backend = _get_backend(self.card.name, self.python, tuple(self.options().items()))
        remaining = iter(discourses)
        while batch := list(islice(remaining, self.batch)):
            self._check_version(self._check_reply(backend.open(self.seconds), batch).version)
            # Packages fail on documents without words in different ways, so none is sent.
            requests = [make_request(each) for each in batch if each.analysis.words]
            reply = backend.ask(requests, self.seconds * len(requests)) if requests else Reply()
            answers = iter(self._check_reply(reply, batch).answers or ())
            for discourse in batch:
                is_empty = not discourse.analysis.words
                answer = Answer(unit="tokens", chains=()) if is_empty else next(answers)
                yield self.resolution(discourse, answer)

    def options(self) -> dict[str, Option]:
        """Return the options that the system is loaded with."""
        return {name: getattr(self, name) for name in self.option_names}

    def resolution(self, discourse: Discourse, answer: Answer) -> Resolution:
        """Convert an answer to a resolution over our tokens."""
        aligned = align_chains(
            answer.chains,
            discourse.analysis,
            characters=answer.unit == "characters",
            whole=expand_heads(discourse) if answer.heads else lambda span: span,
            lost=answer.lost,
        )
        links = {
            aligned.where[mention]: Link(antecedent=aligned.where[antecedent], confidence=confidence)
            for mention, antecedent, confidence in answer.links
            if mention in aligned.where and antecedent in aligned.where
        }
        return resolution_from_chains(
            signature(self), discourse, aligned.chains, links=links, findings=aligned.findings
        )

    def _check_reply(self, reply: Reply, discourses: Sequence[Discourse]) -> Reply:
        """Return the reply; raise if it is a failure."""
        name = self.card.name
        if reply.failed == "package":
            raise MissingSystem(
                f"{name} needs a package that is not installed",
                found=reply.said,
                remedy=self._install_hint(reply.package.partition(".")[0]),
            )
        if reply.failed == "model":
            raise MissingSystem(
                f"{name} cannot find the data of its model",
                code="CB263",
                found=reply.said,
                remedy=self.download.format(**self.options()),
            )
        if reply.failed:
            raise DataError(
                f"{name} failed",
                code="CB260",
                place=Place(document=", ".join(each.analysis.name for each in discourses)),
                found=reply.said,
                remedy="batch=1 shows which document it is" if len(discourses) > 1 else "",
            )
        return reply

    def _install_hint(self, module: str) -> str:
        """Return how to install what is missing: the package itself or one of its requirements."""
        is_own = self.package.replace("-", "_").startswith(module)
        package = self.package if is_own else module
        if self.python:
            return f"{find_interpreter(self.python)} -m pip install {package}"
        return f"pip install {package}, or {self.card.name}(python=PATH), the Python that has it"

    def _check_version(self, version: str) -> None:
        if self.version not in ("", version):
            raise UsageError(f"another version of {self.package} was requested", found=version, expected=self.version)
        self.version = version


@lru_cache(maxsize=4)
def _get_backend(system: str, python: str, options: tuple[tuple[str, Option], ...]) -> Backend:
    """Return the backend of all adapters with the same options.

    It is cached because a bench makes the adapter anew for each document.
    """
    values = dict(options)
    return WorkerBackend(python, system, values) if python else LocalBackend(system, values)


def adapter_parameters(model: str, *more: Parameter, sends: bool = True) -> tuple[Parameter, ...]:
    """Return the parameters of an adapter's card."""
    text = Parameter(
        name="sends", default="tokens", meaning="tokens: it keeps our tokens and sentences; text: it finds its own"
    )
    unsigned = (
        ("python", "", "the Python, or the folder, of the environment that has it; else this one"),
        ("device", "", "such as cpu or cuda:0"),
        ("seconds", 600, "how long it may take to load, and for each document, in another process"),
        ("batch", 8, "how many documents go at a time"),
    )
    return (
        Parameter(name="model", default=model, meaning="the name or path of its model"),
        *([text] if sends else []),
        *more,
        *(Parameter(name=name, default=default, meaning=meaning, signed=False) for name, default, meaning in unsigned),
        Parameter(name="version", default="", meaning="its version, if only that will do"),
    )


class FastCoref(Adapter):
    """Otmazgin, Cattan & Goldberg's models; tells how sure it is of each link."""

    card = ResolverCard(
        name="fastcoref",
        title="fastcoref",
        description="F-coref, or LingMess by model=biu-nlp/lingmess-coref, from the package "
        "fastcoref; with a confidence for each link.",
        resolves="chains",
        parameters=adapter_parameters("biu-nlp/f-coref"),
        cites=("otmazgin2022", "otmazgin2023"),
        needs="pip install fastcoref",
    )
    package = "fastcoref"
    download = "huggingface-cli download {model}, or model= the folder it was saved to"


class Maverick(Adapter):
    """Martinelli, Barba & Navigli's models; takes the mentions of the key in annotated mode."""

    card = ResolverCard(
        name="maverick",
        title="Maverick",
        description="The models of the package maverick-coref (CC BY-NC); takes speakers and, in "
        "annotated mode, the mentions of the key.",
        resolves="chains",
        parameters=adapter_parameters(
            "sapienzanlp/maverick-mes-ontonotes",
            Parameter(name="singletons", default=False, meaning="whether it answers with singletons too"),
            sends=False,
        ),
        cites=("martinelli2024",),
        needs="pip install maverick-coref",
    )
    package = "maverick-coref"
    download = "huggingface-cli download {model}, or model= the path of a weights.ckpt"
    option_names = (*Adapter.option_names, "singletons")


class StanzaCoref(Adapter):
    """Word-level coreference in many languages; finds singletons where its model does."""

    card = ResolverCard(
        name="stanza-coref",
        title="Stanza",
        description="The coreference processor of the package stanza, 1.7 and later.",
        resolves="chains",
        parameters=adapter_parameters(
            "", Parameter(name="language", default="en", meaning="the language of its pipeline")
        ),
        cites=("qi2020", "dobrovolskii2021"),
        needs="pip install stanza transformers peft",
    )
    package = "stanza"
    download = (
        "let stanza download it once, in that environment: python -c "
        "\"import stanza; stanza.Pipeline('{language}', processors='tokenize,coref')\""
    )
    option_names = (*Adapter.option_names, "language")


class SpacyCoref(Adapter):
    """Any spaCy pipeline whose chains are the span groups ``coref_clusters_1`` and so on."""

    card = ResolverCard(
        name="spacy-coref",
        title="spaCy",
        description="A spaCy pipeline with the coreference components of spacy-experimental.",
        resolves="chains",
        parameters=adapter_parameters("en_coreference_web_trf"),
        cites=("honnibal2020", "dobrovolskii2021"),
        needs="pip install spacy-experimental",
    )
    package = "spacy-experimental"
    download = f"pip install {_SPACY_MODEL_WHEEL} brings en_coreference_web_trf; model= a path takes others"


class Coreferee(Adapter):
    """Rules and a small neural ensemble; its mentions are heads, which become noun phrases here."""

    card = ResolverCard(
        name="coreferee",
        title="Coreferee",
        description="The package coreferee on a spaCy pipeline. It answers with the heads of noun "
        "phrases; the phrases are those of the pre-processing, or of the key in annotated mode.",
        resolves="chains",
        parameters=adapter_parameters("en_core_web_lg"),
        cites=("honnibal2020",),
        needs="pip install coreferee",
    )
    package = "coreferee"
    download = "in that environment: python -m spacy download {model}, and python -m coreferee install en"
