"""The parameters that every adapter has, as its card tells them."""

from corefbench.resolvers.base import Parameter


def parameters(model: str, *more: Parameter, sends: bool = True) -> tuple[Parameter, ...]:
    """The parameters of an adapter's card."""
    text = Parameter(
        name="sends",
        default="tokens",
        meaning="tokens: it keeps our tokens and sentences; text: it finds its own",
    )
    return (
        Parameter(name="model", default=model, meaning="the name or path of its model"),
        *([text] if sends else []),
        *more,
        Parameter(
            name="python",
            default="",
            meaning="the Python, or the folder, of the environment that has it; else this one",
            signed=False,
        ),
        Parameter(name="device", default="", meaning="such as cpu or cuda:0", signed=False),
        Parameter(
            name="seconds",
            default=600,
            meaning="how long it may take to load, and for each document, in another process",
            signed=False,
        ),
        Parameter(name="batch", default=8, meaning="how many documents go at a time", signed=False),
        Parameter(name="version", default="", meaning="its version, if only that will do"),
    )
