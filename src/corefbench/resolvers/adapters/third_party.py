"""Adapters to fastcoref, Maverick, Stanza, spaCy and Coreferee."""

from corefbench.resolvers.adapters.base import Adapter, Option, System, adapter_parameters
from corefbench.resolvers.base import Parameter, ResolverCard

_SPACY_MODEL_WHEEL = (
    "https://github.com/explosion/spacy-experimental/releases/download/v0.6.1/"
    "en_coreference_web_trf-3.4.0a2-py3-none-any.whl"
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
    system = System(
        script="fastcoref",
        package="fastcoref",
        download="huggingface-cli download {model}, or model= the folder it was saved to",
    )


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
    system = System(
        script="maverick",
        package="maverick-coref",
        download="huggingface-cli download {model}, or model= the path of a weights.ckpt",
    )

    def __init__(
        self,
        *,
        model: str = "",
        singletons: bool = False,
        python: str = "",
        device: str = "",
        seconds: float = 600,
        batch: int = 8,
        version: str = "",
    ) -> None:
        self.singletons = bool(singletons)
        super().__init__(model=model, python=python, device=device, seconds=seconds, batch=batch, version=version)

    def options(self) -> dict[str, Option]:
        """Return the options that the system is loaded with."""
        return {**super().options(), "singletons": self.singletons}


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
    system = System(
        script="stanza_coref",
        package="stanza",
        download="let stanza download it once, in that environment: python -c "
        "\"import stanza; stanza.Pipeline('{language}', processors='tokenize,coref')\"",
    )

    def __init__(
        self,
        *,
        model: str = "",
        language: str = "en",
        python: str = "",
        device: str = "",
        sends: str = "tokens",
        seconds: float = 600,
        batch: int = 8,
        version: str = "",
    ) -> None:
        self.language = language
        super().__init__(
            model=model, python=python, device=device, sends=sends, seconds=seconds, batch=batch, version=version
        )

    def options(self) -> dict[str, Option]:
        """Return the options that the system is loaded with."""
        return {**super().options(), "language": self.language}


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
    system = System(
        script="spacy_coref",
        package="spacy-experimental",
        download=f"pip install {_SPACY_MODEL_WHEEL} brings en_coreference_web_trf; model= a path takes others",
    )


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
    system = System(
        script="coreferee",
        package="coreferee",
        download="in that environment: python -m spacy download {model}, and python -m coreferee install en",
    )
