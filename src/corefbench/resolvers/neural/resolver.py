"""The end-to-end resolver behind the interface that all resolvers share."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corefbench.errors import MissingExtra, MissingSystem, UsageError
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.neural.choices import decoding_of, keeps_singletons, scheme_of
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.pair_features import head_of
from corefbench.resolvers.resolution import Candidate, Decision, Resolution

if TYPE_CHECKING:
    from corefbench.resolvers.learned.checkpoint import ModelCard
    from corefbench.resolvers.neural.decode import Decoded, Link
    from corefbench.resolvers.neural.model import Model

SHIPPED = Path(__file__).parent / "weights"
AUTO = "auto"


class Neural:
    """Span ranking over a fine-tuned encoder."""

    card = ResolverCard(
        name="neural",
        title="End-to-end neural resolver",
        description="Scores all spans as mentions and ranks antecedents from coarse to fine, over "
        "a fine-tuned encoder. Its English weights come with the package.",
        resolves="chains",
        parameters=(
            Parameter(
                name="model", default="", meaning="the folder of a trained model; else the shipped"
            ),
            Parameter(
                name="scheme",
                default="",
                meaning="the scheme of annotation to follow; of the shipped weights ontogum (all "
                "that is mentioned twice, as in OntoNotes; if none is named), gum (all that is "
                "mentioned, singletons too) or litbank (people, places, organisations, vehicles "
                "in novels, singletons too)",
            ),
            Parameter(
                name="threshold",
                default=AUTO,
                meaning="the probability from which a span is a mention; auto: the model's own",
            ),
            Parameter(
                name="bias",
                default=AUTO,
                meaning="what is added to the score of having no antecedent; auto: the model's own",
            ),
            Parameter(
                name="singletons",
                default=AUTO,
                meaning="whether mentions without antecedent stay: keep, drop, or auto: as the "
                "scheme has them",
            ),
            Parameter(
                name="device",
                default=AUTO,
                meaning="cpu, cuda, cuda:1 …; auto: a graphics processor if there is one",
                signed=False,
            ),
        ),
        cites=("lee2017", "lee2018", "chen2018", "kirstain2021", "song2020"),
        needs="pip install 'corefbench[neural]'",
        preprocess="en-words",
    )

    def __init__(
        self,
        *,
        model: str = "",
        scheme: str = "",
        threshold: float | str = AUTO,
        bias: float | str = AUTO,
        singletons: str = AUTO,
        device: str = AUTO,
    ) -> None:
        _check("singletons", singletons in (AUTO, "keep", "drop"), singletons, "keep or drop")
        probability = threshold == AUTO or (_is_number(threshold) and 0 <= float(threshold) <= 1)
        _check("threshold", probability, threshold, "a number from 0 to 1")
        _check("bias", bias == AUTO or _is_number(bias), bias, "a number")
        self.model = model
        self.scheme = scheme
        self.threshold = threshold
        self.bias = bias
        self.singletons = singletons
        self.device = device

    def resolve(self, discourse: Discourse) -> Resolution:
        """Find mentions, or take those of the key, and link them."""
        card, network = self._loaded()
        from corefbench.resolvers.neural.decode import decode

        scheme = scheme_of(card, self.scheme)
        chosen = decoding_of(card, scheme)
        given = None
        if discourse.mentions == "gold":
            given = [(phrase.start, phrase.end) for phrase in discourse.phrases]
        usual = chosen.bias if given is None else chosen.given
        found = decode(
            network,
            example_of(discourse),
            scheme,
            threshold=chosen.threshold if self.threshold == AUTO else float(self.threshold),
            bias=usual if self.bias == AUTO else float(self.bias),
            mentions=given,
        )
        as_scheme = self.singletons == AUTO and keeps_singletons(card, scheme)
        keeps = self.singletons == "keep" or as_scheme
        return _resolution(signature(self), discourse, found, keeps=keeps)

    def _loaded(self) -> "tuple[ModelCard, Model]":
        folder = Path(self.model) if self.model else SHIPPED
        if not self.model and not (SHIPPED / "model.json").exists():
            raise MissingSystem(
                "the weights of the neural resolver are not in this copy of corefbench",
                code="CB263",
                remedy="`corefbench train examples/training/neural-english.toml --output MODEL` "
                "makes such weights: neural(model=MODEL)",
            )
        try:
            from corefbench.resolvers.neural.storage import loaded
        except ImportError as error:
            raise MissingExtra("torch", "neural") from error
        return loaded(folder, self.device)


def example_of(discourse: Discourse) -> Example:
    """The words and sentences of a discourse."""
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
        own = discourse_of(discourse.analysis, _with_heads(discourse.analysis, found.spans))
    place = {(phrase.start, phrase.end): phrase.index for phrase in own.phrases}
    number = [place[span] for span in found.spans]
    return Resolution(
        resolver=name,
        discourse=own,
        decisions=tuple(
            _decision(link, number)
            for link in found.links
            if link.antecedent >= 0 or own.phrases[number[link.mention]].anaphoric
        ),
        mentions=tuple(sorted(number)) if keeps else None,
    )


def _with_heads(analysis: Analysis, spans: Sequence[Span]) -> Iterator[tuple[int, int, int | None]]:
    """The spans with their heads: guessed where there is no syntax to tell."""
    flat = all(head < 0 for head in analysis.heads)
    for start, end in spans:
        yield start, end, head_of(analysis.words, (start, end)) if flat else None


def _decision(link: "Link", number: list[int]) -> Decision:
    """How a mention was linked, told in numbers of phrases."""
    linked = link.antecedent >= 0
    candidates = sorted((number[mention], share) for mention, share in link.candidates)
    return Decision(
        anaphor=number[link.mention],
        antecedent=number[link.antecedent] if linked else None,
        candidates=tuple(Candidate(phrase=phrase, score=share) for phrase, share in candidates),
        rule="most probable chain" if linked else "none is more probable",
        confidence=link.confidence,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check(name: str, fits: bool, value: object, expected: str) -> None:
    if not fits:
        raise UsageError(f"{name} cannot be {value!r}", expected=f"auto, {expected}")
