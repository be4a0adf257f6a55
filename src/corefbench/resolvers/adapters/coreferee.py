"""Coreferee on a spaCy pipeline."""

from corefbench.resolvers.adapters.base import Adapter, System
from corefbench.resolvers.adapters.parameters import parameters
from corefbench.resolvers.base import ResolverCard


class Coreferee(Adapter):
    """Rules and a small neural ensemble; its mentions are heads, which become noun phrases here."""

    card = ResolverCard(
        name="coreferee",
        title="Coreferee",
        description="The package coreferee on a spaCy pipeline. It answers with the heads of noun "
        "phrases; the phrases are those of the pre-processing, or of the key in annotated mode.",
        resolves="chains",
        parameters=parameters("en_core_web_lg"),
        cites=("honnibal2020",),
        needs="pip install coreferee",
    )
    system = System(
        script="coreferee",
        package="coreferee",
        download="in that environment: python -m spacy download {model}, "
        "and python -m coreferee install en",
    )
