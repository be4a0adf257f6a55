"""Resolvers, preprocessors, profiles, formats and datasets to choose from.

What is not installed is listed, too, with the command that installs it.
"""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires

from packaging.requirements import Requirement

from corefbench.records import Record

_SPLIT_PARTS = {
    "listed": ("train", "dev", "test", "test2"),
    "by topic": ("train", "dev", "test"),
    "folds": tuple(f"{fold}/{part}" for fold in range(10) for part in ("train", "dev", "test")),
}
_EXTRAS = ("en", "en-accurate", "stanza", "learned", "neural")
"""Extras of corefbench that bring preprocessors and resolvers."""


class Parameter(Record, frozen=True):
    """A parameter of a resolver."""

    name: str
    default: str
    meaning: str


class Choice(Record, frozen=True):
    """A resolver, preprocessor, profile or format."""

    name: str
    title: str
    description: str = ""
    group: str = ""
    install: str = ""
    """The command that installs it, or what else is missing; empty if it can be chosen."""
    parameters: tuple[Parameter, ...] = ()


class DatasetChoice(Record, frozen=True):
    """A dataset of the catalogue."""

    name: str
    title: str
    what: str
    size: str
    licence: str
    where: str
    here: bool
    parts: tuple[str, ...] = ()
    how: str = ""


@cache
def resolver_choices() -> tuple[Choice, ...]:
    """Return all registered resolvers."""
    from corefbench.resolvers import resolvers as registry

    choices = []
    for name in registry:
        card = getattr(registry[name], "card", None)
        if card is None:  # a plug-in may have none
            choices.append(Choice(name=name, title=name, group="chains"))
            continue
        choices.append(
            Choice(
                name=name,
                title=card.title,
                description=card.description,
                group=card.resolves,
                install=missing_requirement(card.needs),
                parameters=tuple(
                    Parameter(name=p.name, default=str(p.default), meaning=p.meaning) for p in card.parameters
                ),
            )
        )
    return tuple(choices)


@cache
def preprocessor_choices() -> tuple[Choice, ...]:
    """Return all registered preprocessors, grouped by whether they read raw text."""
    from corefbench.preprocess import preprocessors as registry

    choices = []
    for name in registry:
        card = registry[name].card  # type: ignore[attr-defined]
        needed = [Requirement(text) for text in card.needs.split(",") if text.strip()]
        missing = next((requirement for requirement in needed if not _is_installed(requirement)), None)
        choices.append(
            Choice(
                name=name,
                title=card.title,
                description=card.description,
                group="text" if card.raw else "annotation",
                install=f"pip install '{_providing_requirement(missing.name)}'" if missing else "",
            )
        )
    return tuple(choices)


def profile_choices() -> tuple[Choice, ...]:
    """Return all registered profiles."""
    from corefbench.scoring.profiles import profiles as registry

    profiles = (registry[name] for name in registry)
    return tuple(Choice(name=p.name, title=p.title, description=p.description) for p in profiles)


def format_choices() -> tuple[Choice, ...]:
    """Return all registered formats."""
    from corefbench.formats import formats as registry

    cards = [registry[name]().card for name in registry]
    return tuple(Choice(name=card.name, title=card.title) for card in cards)


def dataset_choices() -> tuple[DatasetChoice, ...]:
    """Return the catalogue, and which datasets are on this machine."""
    from corefbench.datasets import CATALOGUE
    from corefbench.datasets.load import is_available

    return tuple(
        DatasetChoice(
            name=entry.name,
            title=entry.title,
            what=entry.what,
            size=entry.size,
            licence=entry.licence,
            where=entry.where,
            here=is_available(entry.name),
            parts=(*entry.parts, *_SPLIT_PARTS.get(entry.split, ())),
            how=entry.how,
        )
        for entry in CATALOGUE.values()
    )


def missing_requirement(needs: str) -> str:
    """Return the command that installs what is missing; empty if nothing is.

    Needs that are not a ``pip install`` are what users have to provide, such as a trained model.

    >>> missing_requirement("pip install msgspec")
    ''
    >>> missing_requirement("pip install no-such-package")
    'pip install no-such-package'
    """
    if not needs.startswith("pip install "):
        return needs
    requirements = needs.removeprefix("pip install ").replace("'", "").split()
    return "" if all(_is_installed(Requirement(text)) for text in requirements) else needs


def _is_installed(requirement: Requirement) -> bool:
    """Whether a distribution is installed, with the requirements of its extras."""
    try:
        distribution(requirement.name)
    except PackageNotFoundError:
        return False
    return all(map(_is_installed, _extra_requirements(*requirement.extras)))


def _extra_requirements(*extras: str) -> Iterator[Requirement]:
    """Yield the requirements of extras of corefbench."""
    for requirement in map(Requirement, requires("corefbench") or ()):
        marker = requirement.marker
        if marker and any(f'extra == "{extra}"' in str(marker) for extra in extras):
            yield requirement


def _providing_requirement(package: str) -> str:
    """Return the extra of corefbench that brings a package, or the package itself."""
    for extra in _EXTRAS:
        if any(requirement.name == package for requirement in _extra_requirements(extra)):
            return f"corefbench[{extra}]"
    return package
