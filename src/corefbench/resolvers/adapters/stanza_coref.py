"""Stanza's coreference processor."""

from corefbench.resolvers.adapters.base import Adapter, Option, System
from corefbench.resolvers.adapters.parameters import parameters
from corefbench.resolvers.base import Parameter, ResolverCard


class StanzaCoref(Adapter):
    """Word-level coreference in many languages; finds singletons where its model does."""

    card = ResolverCard(
        name="stanza-coref",
        title="Stanza",
        description="The coreference processor of the package stanza, 1.7 and later.",
        resolves="chains",
        parameters=parameters(
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
            model=model,
            python=python,
            device=device,
            sends=sends,
            seconds=seconds,
            batch=batch,
            version=version,
        )

    def options(self) -> dict[str, Option]:
        """What the system is loaded with."""
        return {**super().options(), "language": self.language}
