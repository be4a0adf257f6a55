"""Plug-ins: what other packages register by entry point, and whether it loads."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

from corefbench.doctor.check import Check
from corefbench.formats import formats
from corefbench.matching import matchings
from corefbench.measures import measures
from corefbench.preprocess import preprocessors
from corefbench.profiles import profiles
from corefbench.registry import Registry
from corefbench.resolvers import resolvers

KINDS: dict[str, Registry[object]] = {
    "corefbench.formats": formats,  # type: ignore[dict-item]
    "corefbench.measures": measures,  # type: ignore[dict-item]
    "corefbench.matchings": matchings,  # type: ignore[dict-item]
    "corefbench.profiles": profiles,  # type: ignore[dict-item]
    "corefbench.resolvers": resolvers,  # type: ignore[dict-item]
    "corefbench.preprocessors": preprocessors,  # type: ignore[dict-item]
}
_WITHOUT_CARD = frozenset(("corefbench.matchings", "corefbench.profiles"))


def plugins() -> Iterator[Check]:
    """Every entry point of the groups that corefbench looks at."""
    for group, registry in KINDS.items():
        for point in sorted(entry_points(group=group), key=lambda one: one.name):
            yield _plugin(point, registry)


def _plugin(point: EntryPoint, registry: Registry[object]) -> Check:
    wrong = _load_fault(point)
    if not wrong and point.name in registry.built_in:
        wrong = "corefbench has something of that name, which is used instead"
    package = point.dist
    return Check(
        name=point.name,
        state="broken" if wrong else "present",
        version=f"{package.name} {package.version}" if package else "",
        purpose=registry.kind,
        found=wrong or point.value,
        remedy="ask the author of the package, or uninstall it" if wrong else "",
    )


def _load_fault(point: EntryPoint) -> str:
    # The code of others may fail in any way; how it does is what is asked.
    try:
        entry = point.load()
    except Exception as error:
        return f"{point.value}: {type(error).__name__}: {error}"
    if point.group not in _WITHOUT_CARD and not hasattr(entry, "card"):
        return f"{point.value} has no card"
    return ""
