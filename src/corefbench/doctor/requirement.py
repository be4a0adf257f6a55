"""What a line of the metadata of a package asks for, and whether a version will do."""

import re

from corefbench.record import Record

_REQUIREMENT = re.compile(
    r"""(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[^\]]*)\])?\s*(?P<limits>[^;]*)
        (?:;.*?extra\s*==\s*['"](?P<extra>[\w.-]+)['"])?""",
    re.VERBOSE,
)
_LIMIT = re.compile(r"(>=|<=|==|!=|<|>|~=)\s*([\d.]+)")


class Requirement(Record, frozen=True):
    """A package, the versions that will do, and the extra that brings it."""

    name: str
    limits: str = ""
    extra: str = ""
    extras: tuple[str, ...] = ()


def requirement(text: str) -> Requirement:
    """What a line of the metadata says.

    >>> requirement("spacy<3.9,>=3.8; extra == 'en'")
    Requirement(name='spacy', limits='<3.9,>=3.8', extra='en', extras=())
    """
    found = _REQUIREMENT.match(text)
    if found is None:
        return Requirement(name=text)
    return Requirement(
        name=found["name"],
        limits=found["limits"].strip(" ()"),
        extra=found["extra"] or "",
        extras=tuple(one.strip() for one in (found["extras"] or "").split(",") if one.strip()),
    )


def satisfies(there: str, limits: str) -> bool:
    """Whether a version is within limits, as far as numbers go.

    >>> satisfies("3.8.2", ">=3.8,<3.9"), satisfies("3.10", "<3.9"), satisfies("2.0rc1", ">=2")
    (True, False, True)
    """
    here = _numbers(there)
    for sign, text in _LIMIT.findall(limits):
        limit = _numbers(text)
        size = max(len(here), len(limit))
        mine, theirs = (n + (0,) * (size - len(n)) for n in (here, limit))
        fits = {
            ">=": mine >= theirs,
            "<=": mine <= theirs,
            "==": mine == theirs,
            "!=": mine != theirs,
            "<": mine < theirs,
            ">": mine > theirs,
            "~=": mine >= theirs and here[: len(limit) - 1] == limit[:-1],
        }
        if not fits[sign]:
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
