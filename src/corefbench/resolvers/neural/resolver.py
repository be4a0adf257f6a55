"""The end-to-end resolver behind the interface that all resolvers share."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corefbench.errors import MissingExtra, UsageError
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Candidate, Decision, Resolution

if TYPE_CHECKING:
    from corefbench.resolvers.learned.checkpoint import ModelCard
    from corefbench.resolvers.neural.decode import Decoded
    from corefbench.resolvers.neural.example import Example
    from corefbench.resolvers.neural.model import Model

SHIPPED = Path(__file__).parent / "weights"


class Neural:
    """Span ranking over a fine-tuned encoder."""

    card = ResolverCard(
        name="neural",
        title="End-to-end neural resolver",
        description="Scores all spans as mentions and ranks antecedents from coarse to fine, over "
        "a small fine-tuned encoder. Its weights come with the package.",
        resolves="chains",
        parameters=(
            Parameter(
                name="model", default="", meaning="the folder of a trained model; else the shipped"
            ),
            Parameter(
                name="scheme",
                default="",
                meaning="the scheme of annotation whose mentions it finds; else the model's first",
            ),
            Parameter(
                name="threshold",
                default=0.5,
                meaning="the probability from which a span is a mention",
            ),
            Parameter(
                name="singletons",
                default="auto",
                meaning="whether mentions without antecedent stay: keep, drop, or auto: as the "
                "scheme has them",
            ),
        ),
        cites=("lee2017", "lee2018", "chen2018", "kirstain2021"),
    )

    def __init__(
        self,
        *,
        model: str = "",
        scheme: str = "",
        threshold: float = 0.5,
        singletons: str = "auto",
    ) -> None:
        if singletons not in ("auto", "keep", "drop"):
            raise UsageError(f"singletons cannot be {singletons!r}", expected="auto, keep or drop")
        self.model = model
        self.scheme = scheme
        self.threshold = threshold
        self.singletons = singletons

    @cached_property
    def _loaded(self) -> "tuple[ModelCard, Model]":
        try:
            from corefbench.resolvers.neural.storage import load
        except ImportError as error:
            raise MissingExtra("torch", "neural") from error
        return load(Path(self.model) if self.model else SHIPPED)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Find mentions, or take those of the key, and link them."""
        card, model = self._loaded
        from corefbench.resolvers.neural.decode import decode

        scheme = self.scheme or model.shape.schemes[0]
        if scheme not in model.shape.schemes:
            raise UsageError(
                f"the model knows no scheme {scheme!r}", expected=", ".join(model.shape.schemes)
            )
        given = None
        if discourse.mentions == "gold":
            given = [(phrase.start, phrase.end) for phrase in discourse.phrases]
        found = decode(
            model, example_of(discourse), scheme, threshold=self.threshold, mentions=given
        )
        keeps = self.singletons == "keep" or (
            self.singletons == "auto" and scheme in card.config.get("singletons", ())
        )
        return _resolution(signature(self), discourse, found, keeps=keeps)


def example_of(discourse: Discourse) -> "Example":
    """The words and sentences of a discourse."""
    from corefbench.resolvers.neural.example import Example

    analysis = discourse.analysis
    return Example(
        name=analysis.name,
        words=analysis.words,
        sentences=tuple(start for start, _ in analysis.sentences),
        speakers=analysis.speakers,
    )


def _resolution(name: str, discourse: Discourse, found: "Decoded", *, keeps: bool) -> Resolution:
    own = discourse
    if discourse.mentions != "gold":
        own = discourse_of(discourse.analysis, [(*span, None) for span in found.spans])
    place = {(phrase.start, phrase.end): phrase.index for phrase in own.phrases}
    number = [place[span] for span in found.spans]
    decisions = []
    for link in found.links:
        candidates = tuple(
            sorted(
                (Candidate(phrase=number[c], score=p) for c, p in link.candidates),
                key=lambda candidate: candidate.phrase,
            )
        )
        linked = link.antecedent >= 0
        if linked or own.phrases[number[link.mention]].anaphoric:
            decisions.append(
                Decision(
                    anaphor=number[link.mention],
                    antecedent=number[link.antecedent] if linked else None,
                    candidates=candidates,
                    rule="most probable antecedent" if linked else "none is more probable",
                    confidence=link.confidence,
                )
            )
    return Resolution(
        resolver=name,
        discourse=own,
        decisions=tuple(decisions),
        mentions=tuple(sorted(number)) if keeps else None,
    )
