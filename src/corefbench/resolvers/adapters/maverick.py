"""Maverick, from the package maverick-coref."""

from corefbench.resolvers.adapters.base import Adapter, Option, System
from corefbench.resolvers.adapters.parameters import parameters
from corefbench.resolvers.base import Parameter, ResolverCard


class Maverick(Adapter):
    """Martinelli, Barba & Navigli's models; takes the mentions of the key in annotated mode."""

    card = ResolverCard(
        name="maverick",
        title="Maverick",
        description="The models of the package maverick-coref (CC BY-NC); takes speakers and, in "
        "annotated mode, the mentions of the key.",
        resolves="chains",
        parameters=parameters(
            "sapienzanlp/maverick-mes-ontonotes",
            Parameter(
                name="singletons", default=False, meaning="whether it answers with singletons too"
            ),
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
        super().__init__(
            model=model, python=python, device=device, seconds=seconds, batch=batch, version=version
        )

    def options(self) -> dict[str, Option]:
        """What the system is loaded with."""
        return {**super().options(), "singletons": self.singletons}
