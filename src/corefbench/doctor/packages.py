"""Python packages: those that corefbench requires, and those that its extras bring.

What an extra brings is read from the metadata of the installation, so that nothing is said here
that was not installed. Packages are looked for, not imported, unless everything is to be tried.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from corefbench.doctor.check import Check
from corefbench.doctor.requirement import Requirement, requirement, satisfies

PURPOSES: Mapping[str, str] = {
    "en": "the pre-processors en and spacy:NAME",
    "en-accurate": "the pre-processor en-accurate, the usual one for raw text",
    "stanza": "the pre-processor stanza",
    "charts": "--chart, and the charts of reports",
    "learned": "the resolver ubiu and other trained models",
    "neural": "the neural resolvers, within and across documents",
    "ui": "corefbench ui and bundle",
    "campaign": "corefbench campaign",
    "postgresql": "a campaign on PostgreSQL",
    "parquet": "corpora in Parquet files",
    "dask": "many machines",
    "scale": "clusters of very many mentions across documents",
    "test": "running the tests",
    "check": "style and types of the code",
    "docs": "building the documentation",
    "fuzz": "fuzzing the readers",
    "train-en-accurate": "training the pipeline en-accurate",
}

_MODULES = {
    "scikit-learn": "sklearn",
    "vl-convert-python": "vl_convert",
    "argon2-cffi": "argon2",
    "pytest-xdist": "xdist",
    "import-linter": "importlinter",
    "lxml-stubs": "lxml-stubs",
    "furo": "furo",
}


def requirements() -> list[Requirement]:
    """What the installed corefbench asks for; nothing where it is run without being installed."""
    try:
        return [requirement(line) for line in requires("corefbench") or ()]
    except PackageNotFoundError:
        return []


def required(*, thorough: bool = False) -> Iterator[Check]:
    """The packages without which nothing works."""
    for one in requirements():
        if not one.extra:
            yield package(one, thorough=thorough)


def extras(*, thorough: bool = False) -> Iterator[Check]:
    """The extras, in the order in which they are explained."""
    known = requirements()
    names = {one.extra for one in known if one.extra}
    order = [*(name for name in PURPOSES if name in names), *sorted(names - PURPOSES.keys())]
    for name in order:
        yield _extra(name, _brought(name, known), thorough)


def _brought(extra: str, known: list[Requirement]) -> dict[str, Requirement]:
    """The packages of an extra, and of the extras that it names."""
    found: dict[str, Requirement] = {}
    for one in known:
        if one.extra != extra:
            continue
        if one.name == "corefbench":
            for other in one.extras:
                found |= _brought(other, known)
        else:
            found[one.name] = one
    return found


def _extra(name: str, brought: Mapping[str, Requirement], thorough: bool) -> Check:
    checks = [package(one, thorough=thorough) for one in brought.values()]
    broken = [one for one in checks if one.state == "broken"]
    missing = [one.name for one in checks if one.state == "missing"]
    there = [f"{one.name} {one.version}" for one in checks if one.state == "present"]
    said = [f"{one.name}: {one.found}" for one in broken]
    said += [f"without {', '.join(missing)}"] if missing and len(missing) < len(checks) else []
    return Check(
        name=name,
        state="broken" if broken else "missing" if missing else "present",
        version=", ".join(there),
        purpose=PURPOSES.get(name, ""),
        found="; ".join(said),
        remedy=f"pip install 'corefbench[{name}]'" if broken or missing else "",
    )


def package(one: Requirement, *, thorough: bool = False) -> Check:
    """Whether a package is there, in a version that will do, with its code.

    >>> package(Requirement(name="no-such-package")).state
    'missing'
    >>> package(Requirement(name="numpy", limits=">=99")).found[:11]
    'the version'
    """
    try:
        there = version(one.name)
    except PackageNotFoundError:
        return Check(name=one.name, state="missing", remedy=f"pip install '{one.name}'")
    wrong = _wrong(one, there, thorough)
    return Check(
        name=one.name,
        state="broken" if wrong else "present",
        version=there,
        found=wrong,
        remedy=f"pip install '{one.name}{one.limits}'" if wrong else "",
    )


def _wrong(one: Requirement, there: str, thorough: bool) -> str:
    if not satisfies(there, one.limits):
        return f"the version is {there}, not {one.limits}"
    module = _MODULES.get(one.name, one.name.replace("-", "_"))
    if module.isidentifier() and find_spec(module) is None:
        return f"the module {module} is not there"
    return _import_fault(module) if thorough and module.isidentifier() else ""


def _import_fault(module: str) -> str:
    # What an installed package does when it is imported is beyond us, and what it says is wanted.
    try:
        import_module(module)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
