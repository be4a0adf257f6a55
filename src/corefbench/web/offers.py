"""What a run can be made of on this machine: resolvers, pre-processing, data sets, profiles.

What is not installed is offered too, with what it needs.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires

from corefbench.record import Record


class Parameter(Record, frozen=True):
    """A parameter of a resolver."""

    name: str
    default: str
    meaning: str


class Offer(Record, frozen=True):
    """Something that can be chosen."""

    name: str
    title: str
    description: str = ""
    group: str = ""
    install: str = ""
    """What is missing here, as a command or in words; empty where it can be chosen."""
    parameters: tuple[Parameter, ...] = ()


class Corpus(Record, frozen=True):
    """A data set of the catalogue."""

    name: str
    title: str
    what: str
    size: str
    licence: str
    where: str
    here: bool
    parts: tuple[str, ...] = ()
    how: str = ""


_PARTS = {
    "listed": ("train", "dev", "test", "test2"),
    "by topic": ("train", "dev", "test"),
    "folds": tuple(f"{fold}/{part}" for fold in range(10) for part in ("train", "dev", "test")),
}


@cache
def resolvers() -> tuple[Offer, ...]:
    """All that are registered."""
    from corefbench.resolvers import resolvers as registry

    made = []
    for name in registry:
        card = getattr(registry[name], "card", None)
        if card is None:
            made.append(Offer(name=name, title=name, group="chains"))
            continue
        parameters = tuple(
            Parameter(name=p.name, default=str(p.default), meaning=p.meaning)
            for p in card.parameters
        )
        made.append(
            Offer(
                name=name,
                title=card.title,
                description=card.description,
                group=card.resolves,
                install=missing(card.needs),
                parameters=parameters,
            )
        )
    return tuple(made)


@cache
def preprocessors() -> tuple[Offer, ...]:
    """All that are registered; those that read what a corpus has are a group of their own."""
    from corefbench.preprocess import preprocessors as registry

    made = []
    for name in registry:
        card = registry[name].card  # type: ignore[attr-defined]
        lacking = [p for p in re.split(r",\s*", card.needs) if p and not _installed(p)]
        install = f"pip install '{_extra(lacking[0])}'" if lacking else ""
        made.append(
            Offer(
                name=name,
                title=card.title,
                description=card.description,
                group="text" if card.raw else "annotation",
                install=install,
            )
        )
    return tuple(made)


def profiles() -> tuple[Offer, ...]:
    """All that are registered."""
    from corefbench.profiles import profiles as registry

    known = [registry[name] for name in registry]
    return tuple(Offer(name=p.name, title=p.title, description=p.description) for p in known)


def formats() -> tuple[Offer, ...]:
    """All that can be read."""
    from corefbench.formats import formats as registry

    cards = [registry[name]().card for name in registry]
    return tuple(Offer(name=card.name, title=card.title) for card in cards)


def corpora() -> tuple[Corpus, ...]:
    """The catalogue, with what of it is on this machine now."""
    from corefbench.datasets import CATALOGUE
    from corefbench.datasets.load import is_here

    return tuple(
        Corpus(
            name=entry.name,
            title=entry.title,
            what=entry.what,
            size=entry.size,
            licence=entry.licence,
            where=entry.where,
            here=is_here(entry.name),
            parts=(*entry.parts, *_PARTS.get(entry.split, ())),
            how=entry.how,
        )
        for entry in CATALOGUE.values()
    )


def missing(needs: str) -> str:
    """What of the needs of a card is not here; empty if nothing is.

    Words that are no ``pip install`` are what a user has to bring, such as a trained model.

    >>> missing("pip install msgspec"), missing("pip install no-such-package")
    ('', 'pip install no-such-package')
    """
    if not needs.startswith("pip install "):
        return needs
    wanted = needs.removeprefix("pip install ").replace("'", "").split()
    return "" if all(map(_installed, wanted)) else needs


def _installed(requirement: str) -> bool:
    """Whether a distribution is installed, with everything that its extra brings."""
    name, _, extra = requirement.partition("[")
    name = re.split(r"[<>=!~; ]", name, maxsplit=1)[0]
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return all(map(_installed, _brought(extra.partition("]")[0]))) if extra else True


def _brought(extra: str) -> Iterator[str]:
    """What an extra of corefbench brings."""
    for line in requires("corefbench") or ():
        requirement, _, marker = line.partition(";")
        if re.search(rf"extra == ['\"]{re.escape(extra)}['\"]", marker):
            yield requirement.strip()


def _extra(package: str) -> str:
    """The requirement that brings a package: an extra of corefbench if one does."""
    for extra in ("en", "en-accurate", "stanza", "learned", "neural"):
        if any(re.match(rf"{re.escape(package)}\b", one) for one in _brought(extra)):
            return f"corefbench[{extra}]"
    return package
