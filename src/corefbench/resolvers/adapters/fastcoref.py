"""F-coref and LingMess, from the package fastcoref."""

from corefbench.resolvers.adapters.base import Adapter, System
from corefbench.resolvers.adapters.parameters import parameters
from corefbench.resolvers.base import ResolverCard


class FastCoref(Adapter):
    """Otmazgin, Cattan & Goldberg's models; tells how sure it is of each link."""

    card = ResolverCard(
        name="fastcoref",
        title="fastcoref",
        description="F-coref, or LingMess by model=biu-nlp/lingmess-coref, from the package "
        "fastcoref; with a confidence for each link.",
        resolves="chains",
        parameters=parameters("biu-nlp/f-coref"),
        cites=("otmazgin2022", "otmazgin2023"),
        needs="pip install fastcoref",
    )
    system = System(
        script="fastcoref",
        package="fastcoref",
        download="huggingface-cli download {model}, or model= the folder it was saved to",
    )
