"""The models that come with corefbench: whether their files are there, and whether they load."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corefbench.doctor.check import Check
from corefbench.record import Record

_PACKAGE = Path(__file__).parents[1]
_TEXT = "Ann fed her cat. It purred."


class Shipped(Record, frozen=True):
    """A model: the folder of its files, the largest of them, and the extra that it runs on."""

    folder: str
    largest: str
    extra: str
    purpose: str


SHIPPED: Mapping[str, Shipped] = {
    "en": Shipped(
        folder="preprocess/models/en",
        largest="tok2vec/model",
        extra="en",
        purpose="the pre-processor en",
    ),
    "en-accurate": Shipped(
        folder="preprocess/models/en_accurate",
        largest="model.onnx",
        extra="en-accurate",
        purpose="the pre-processor en-accurate",
    ),
    "neural": Shipped(
        folder="resolvers/neural/weights",
        largest="weights.safetensors",
        extra="neural",
        purpose="the resolver neural",
    ),
}
_LEAST = 100_000
"""A large file that is smaller than this is a pointer to the file, or half of it."""


def models(extras: Mapping[str, Check], *, thorough: bool = False) -> Iterator[Check]:
    """The shipped models; ``thorough`` runs each of them on two sentences."""
    for name, model in SHIPPED.items():
        yield _model(name, model, extras.get(model.extra), thorough)


def _model(name: str, model: Shipped, extra: Check | None, thorough: bool) -> Check:
    path = _PACKAGE / model.folder / model.largest
    size = path.stat().st_size if path.is_file() else 0
    ready = extra is not None and extra.state == "present"
    wrong = "" if size >= _LEAST else "the files are not there, or not whole"
    if ready and not wrong and thorough:
        wrong = _load_fault(name)
    needs = "" if ready else f"needs the extra {model.extra}"
    return Check(
        name=name,
        state="broken" if wrong else "present",
        version=f"{size / 1e6:.1f} MB",
        purpose=model.purpose,
        found=wrong or needs or ("loads" if thorough else ""),
        remedy="pip install --force-reinstall corefbench" if wrong else "",
    )


def _load_fault(name: str) -> str:
    # Whatever a model does instead of loading is what the user wants to read.
    try:
        _LOADERS[name]()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _analyse(name: str) -> None:
    from corefbench.preprocess import Input, make

    for _ in make(name).analyse([Input(name="doctor", text=_TEXT)]):
        pass


def _resolve() -> None:
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_text

    make("neural").resolve(read_text(_TEXT, preprocess="en-words"))


_LOADERS: Mapping[str, Callable[[], None]] = {
    "en": lambda: _analyse("en"),
    "en-accurate": lambda: _analyse("en-accurate"),
    "neural": _resolve,
}
