"""The end-to-end neural resolver."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from corefbench.errors import MissingExtra, MissingSystem, UnknownName, UsageError
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import Candidate, Decision, Parameter, Resolution, ResolverCard
from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.pair_features import guess_head

if TYPE_CHECKING:
    from corefbench.resolvers.neural.decoding import DecodedDocument, Link
    from corefbench.resolvers.neural.model import CoreferenceModel


SHIPPED_WEIGHTS = Path(__file__).parent / "weights"
AUTO = "auto"


class DecodingConfig(Record, frozen=True):
    """Decoding parameters, chosen on development data after training."""

    threshold: float = 0.5
    """Probability above which a span is a mention."""
    bias: float = 0.0
    """Added to the score of no antecedent for detected mentions …"""
    given: float = 0.0
    """… and for given mentions."""


def choose_scheme(card: ModelCard, requested: str = "") -> str:
    """Return the requested scheme, else the default of the model, else its first."""
    known = list(card.config["shape"]["schemes"])
    scheme = requested or card.config.get("scheme") or known[0]
    if scheme not in known:
        raise UnknownName("scheme in this model", scheme, known)
    return str(scheme)


def decoding_config(card: ModelCard, scheme: str) -> DecodingConfig:
    """Return the calibrated parameters, or the defaults."""
    return msgspec.convert(card.config.get("decoding", {}).get(scheme, {}), DecodingConfig)


def keeps_singletons(card: ModelCard, scheme: str) -> bool:
    """Return whether the scheme annotates singletons."""
    return scheme in card.config.get("singletons", ())


class NeuralResolver:
    """Span ranking over a fine-tuned encoder."""

    card = ResolverCard(
        name="neural",
        title="End-to-end neural resolver",
        description="Scores all spans as mentions and ranks antecedents from coarse to fine, over "
        "a fine-tuned encoder. Its English weights come with the package.",
        resolves="chains",
        parameters=tuple(
            # The device changes how fast an answer is, not the answer.
            Parameter(name=name, default=default, meaning=meaning, signed=name != "device")
            for name, default, meaning in (
                ("model", "", "folder of a trained model; default: the shipped weights"),
                ("scheme", "",
                 "annotation scheme to follow; of the shipped weights ontogum (all entities that are "
                 "mentioned twice, as in OntoNotes; the default), gum (all entities, singletons too) or "
                 "litbank (people, places, organisations, vehicles in novels, singletons too)"),
                ("threshold", AUTO, "probability above which a span is a mention; auto: that of the model"),
                ("bias", AUTO, "added to the score of no antecedent; auto: that of the model"),
                ("singletons", AUTO, "keep or drop mentions without antecedent; auto: as in the scheme"),
                ("device", AUTO, "cpu, cuda, cuda:1 …; auto: a GPU if there is one"),
            )
        ),
        cites=("lee2017", "lee2018", "chen2018", "kirstain2021", "song2020"),
        needs="pip install 'corefbench[neural]'",
        preprocess="en-words",
    )  # fmt: skip

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
        _require("singletons", singletons in (AUTO, "keep", "drop"), singletons, "keep or drop")
        probability = threshold == AUTO or (_is_number(threshold) and 0 <= float(threshold) <= 1)
        _require("threshold", probability, threshold, "a number from 0 to 1")
        _require("bias", bias == AUTO or _is_number(bias), bias, "a number")
        self.model = model
        self.scheme = scheme
        self.threshold = threshold
        self.bias = bias
        self.singletons = singletons
        self.device = device

    def resolve(self, discourse: Discourse) -> Resolution:
        """Detect mentions, or take given ones, and link them."""
        card, network = self._load()
        from corefbench.resolvers.neural.decoding import decode

        scheme = choose_scheme(card, self.scheme)
        config = decoding_config(card, scheme)
        mentions = None
        if discourse.mentions == "gold":
            mentions = [(phrase.start, phrase.end) for phrase in discourse.phrases]
        bias = config.bias if mentions is None else config.given
        decoded = decode(
            network,
            example_of(discourse),
            scheme,
            threshold=config.threshold if self.threshold == AUTO else float(self.threshold),
            bias=bias if self.bias == AUTO else float(self.bias),
            mentions=mentions,
        )
        keep = self.singletons == "keep"
        keep |= self.singletons == AUTO and keeps_singletons(card, scheme)
        return _build_resolution(signature(self), discourse, decoded, keep_singletons=keep)

    def _load(self) -> "tuple[ModelCard, CoreferenceModel]":
        folder = Path(self.model) if self.model else SHIPPED_WEIGHTS
        if not self.model and not (SHIPPED_WEIGHTS / "model.json").exists():
            raise MissingSystem(
                "the weights of the neural resolver are not in this copy of corefbench",
                code="CB263",
                remedy="`corefbench train examples/training/neural-english.toml --output MODEL` "
                "makes such weights: neural(model=MODEL)",
            )
        try:
            from corefbench.resolvers.neural.model import load_cached
        except ImportError as error:
            raise MissingExtra("torch", "neural") from error
        return load_cached(folder, self.device)


def example_of(discourse: Discourse) -> Example:
    """Return words and sentences of a discourse."""
    analysis = discourse.analysis
    return Example(
        name=analysis.name,
        words=analysis.words,
        sentences=tuple(start for start, _ in analysis.sentences),
        speakers=analysis.speakers,
    )


def _build_resolution(
    name: str, discourse: Discourse, decoded: "DecodedDocument", *, keep_singletons: bool
) -> Resolution:
    if discourse.mentions != "gold":
        heads = _with_heads(discourse.analysis, decoded.spans)
        discourse = build_discourse(discourse.analysis, heads)
    index = {(phrase.start, phrase.end): phrase.index for phrase in discourse.phrases}
    phrases = [index[span] for span in decoded.spans]
    return Resolution(
        resolver=name,
        discourse=discourse,
        decisions=tuple(
            _build_decision(link, phrases)
            for link in decoded.links
            if link.antecedent >= 0 or discourse.phrases[phrases[link.mention]].anaphoric
        ),
        mentions=tuple(sorted(phrases)) if keep_singletons else None,
    )


def _with_heads(analysis: Analysis, spans: Sequence[Span]) -> Iterator[tuple[int, int, int | None]]:
    """Yield spans with their heads, which are guessed if there is no syntax."""
    has_syntax = any(head >= 0 for head in analysis.heads)
    for start, end in spans:
        yield start, end, None if has_syntax else guess_head(analysis.words, (start, end))


def _build_decision(link: "Link", phrases: list[int]) -> Decision:
    """Convert a link to a decision over phrases."""
    is_linked = link.antecedent >= 0
    candidates = sorted((phrases[mention], score) for mention, score in link.candidates)
    return Decision(
        anaphor=phrases[link.mention],
        antecedent=phrases[link.antecedent] if is_linked else None,
        candidates=tuple(Candidate(phrase=phrase, score=score) for phrase, score in candidates),
        rule="most probable chain" if is_linked else "none is more probable",
        confidence=link.confidence,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _require(name: str, fits: bool, value: object, expected: str) -> None:
    if not fits:
        raise UsageError(f"{name} cannot be {value!r}", expected=f"auto, {expected}")
