"""spaCy's experimental coreference components."""

from corefbench.resolvers.adapters.base import Adapter, System
from corefbench.resolvers.adapters.parameters import parameters
from corefbench.resolvers.base import ResolverCard

_WHEEL = (
    "https://github.com/explosion/spacy-experimental/releases/download/v0.6.1/"
    "en_coreference_web_trf-3.4.0a2-py3-none-any.whl"
)


class SpacyCoref(Adapter):
    """Any spaCy pipeline whose chains are the span groups ``coref_clusters_1`` and so on."""

    card = ResolverCard(
        name="spacy-coref",
        title="spaCy",
        description="A spaCy pipeline with the coreference components of spacy-experimental.",
        resolves="chains",
        parameters=parameters("en_coreference_web_trf"),
        cites=("honnibal2020", "dobrovolskii2021"),
        needs="pip install spacy-experimental",
    )
    system = System(
        script="spacy_coref",
        package="spacy-experimental",
        download=f"pip install {_WHEEL} brings en_coreference_web_trf; model= a path takes others",
    )
