"""Check an installation: what is present, what is missing, what is broken.

What corefbench requires, and what each extra adds, is read from the metadata of the installed
package. Packages are located, not imported, unless the check is to be thorough.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from packaging.requirements import Requirement

from corefbench.paths import cache_folder
from corefbench.records import Record
from corefbench.version import __version__

if TYPE_CHECKING:
    from corefbench.registry import Registry

State: TypeAlias = Literal["present", "missing", "broken"]

_PACKAGE = Path(__file__).parent


class Check(Record, frozen=True):
    """Whether one package, model, data set or program can be used."""

    name: str
    state: State
    version: str = ""
    purpose: str = ""
    found: str = ""
    """Where it is, or what is wrong with it."""
    remedy: str = ""


class Examination(Record, frozen=True):
    """All checks of an installation."""

    version: str
    place: str
    """Where corefbench is installed."""
    editable: bool
    python: str
    executable: str
    platform: str
    required: tuple[Check, ...]
    extras: tuple[Check, ...]
    models: tuple[Check, ...]
    data: tuple[Check, ...]
    cache: tuple[Check, ...]
    plugins: tuple[Check, ...]
    programs: tuple[Check, ...]
    sandbox: tuple[Check, ...] = ()
    """Protections of the processes that score for a campaign."""

    @property
    def broken(self) -> tuple[Check, ...]:
        """What is installed and cannot be used, and what is required and missing."""
        missing = tuple(check for check in self.required if check.state == "missing")
        checks = (*self.required, *self.extras, *self.models, *self.data, *self.cache, *self.plugins, *self.programs)
        return (*missing, *(check for check in checks if check.state == "broken"))


def examine(*, thorough: bool = False, sandbox: Iterable[Check] = ()) -> Examination:
    """Run all checks; ``thorough`` imports the packages and runs the models.

    The checks of the sandbox are passed in: they are made by a package above this one.
    """
    extras = tuple(check_extras(thorough=thorough))
    return Examination(
        version=__version__,
        place=str(_PACKAGE),
        editable=_is_editable(),
        python=platform.python_version(),
        executable=sys.executable,
        platform=platform.platform(),
        required=tuple(check_required(thorough=thorough)),
        extras=extras,
        models=tuple(check_models({extra.name: extra for extra in extras}, thorough=thorough)),
        data=tuple(check_datasets(os.environ)),
        cache=(check_cache(),),
        plugins=tuple(check_plugins()),
        programs=tuple(check_programs()),
        sandbox=tuple(sandbox),
    )


def _is_editable() -> bool:
    try:
        return '"editable": true' in (distribution("corefbench").read_text("direct_url.json") or "")
    except PackageNotFoundError:
        return False


# Packages


EXTRA_PURPOSES: Mapping[str, str] = {
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

_IMPORT_NAMES = {
    "scikit-learn": "sklearn",
    "vl-convert-python": "vl_convert",
    "argon2-cffi": "argon2",
    "pytest-xdist": "xdist",
    "import-linter": "importlinter",
    "lxml-stubs": "lxml-stubs",
}
"""Modules that are not named like their package; lxml-stubs has none that can be imported."""


def check_required(*, thorough: bool = False) -> Iterator[Check]:
    """Check the packages without which nothing works."""
    for requirement in _requirements():
        yield check_package(requirement, thorough=thorough)


def check_extras(*, thorough: bool = False) -> Iterator[Check]:
    """Check the packages of every extra, in the order of ``EXTRA_PURPOSES``."""
    try:
        extras = set(distribution("corefbench").metadata.get_all("Provides-Extra") or ())
    except PackageNotFoundError:
        return
    known = [name for name in EXTRA_PURPOSES if name in extras]
    for name in (*known, *sorted(extras - EXTRA_PURPOSES.keys())):
        yield _check_extra(name, thorough)


def _requirements(extra: str = "") -> list[Requirement]:
    """Return what corefbench requires, or what an extra adds; nothing if it is not installed."""
    try:
        lines = distribution("corefbench").requires or ()
    except PackageNotFoundError:
        return []
    requirements = []
    for requirement in map(Requirement, lines):
        applies = _applies(requirement, extra) and not (extra and _applies(requirement, ""))
        if applies and requirement.name == "corefbench":  # an extra that includes others
            for other in sorted(requirement.extras):
                requirements += _requirements(other)
        elif applies:
            requirements.append(requirement)
    return requirements


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _check_extra(name: str, thorough: bool) -> Check:
    packages = {requirement.name: requirement for requirement in _requirements(name)}
    checks = [check_package(package, thorough=thorough) for package in packages.values()]
    broken = [check for check in checks if check.state == "broken"]
    missing = [check.name for check in checks if check.state == "missing"]
    problems = [f"{check.name}: {check.found}" for check in broken]
    if missing and len(missing) < len(checks):
        problems.append(f"without {', '.join(missing)}")
    return Check(
        name=name,
        state="broken" if broken else "missing" if missing else "present",
        version=", ".join(f"{c.name} {c.version}" for c in checks if c.state == "present"),
        purpose=EXTRA_PURPOSES.get(name, ""),
        found="; ".join(problems),
        remedy=f"pip install 'corefbench[{name}]'" if broken or missing else "",
    )


def check_package(requirement: Requirement, *, thorough: bool = False) -> Check:
    """Check that a package is installed, with its code, in a version that is accepted.

    >>> check_package(Requirement("no-such-package")).state
    'missing'
    >>> check_package(Requirement("numpy>=99")).found[:11]
    'the version'
    """
    name = requirement.name
    try:
        installed = version(name)
    except PackageNotFoundError:
        return Check(name=name, state="missing", remedy=f"pip install '{name}'")
    problem = _package_problem(requirement, installed, thorough)
    return Check(
        name=name,
        state="broken" if problem else "present",
        version=installed,
        found=problem,
        remedy=f"pip install '{name}{requirement.specifier}'" if problem else "",
    )


def _package_problem(requirement: Requirement, installed: str, thorough: bool) -> str:
    if not requirement.specifier.contains(installed, prereleases=True):
        return f"the version is {installed}, not {requirement.specifier}"
    # Located, not imported: importing torch and spaCy alone takes seconds.
    module = _IMPORT_NAMES.get(requirement.name, requirement.name.replace("-", "_"))
    if not module.isidentifier():
        return ""
    if find_spec(module) is None:
        return f"the module {module} is missing"
    return _failure(lambda: import_module(module)) if thorough else ""


def _failure(action: Callable[[], object]) -> str:
    """Return the error that a call raises, or an empty string."""
    # Third-party code may fail in any way, and the way it fails is what the user wants to read.
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


# Models


_TEST_TEXT = "Ann fed her cat. It purred."


def _run_preprocessor(name: str) -> None:
    from corefbench.preprocess import Input, make

    for _ in make(name).analyse([Input(name="doctor", text=_TEST_TEXT)]):
        pass


def _run_neural_resolver() -> None:
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_text

    make("neural").resolve(read_text(_TEST_TEXT, preprocess="en-words"))


class Model(Record, frozen=True):
    """A model that comes with corefbench."""

    folder: str
    largest: str
    """Its largest file."""
    extra: str
    """The extra that it runs on."""
    purpose: str
    run: Callable[[], None]
    """Runs it on two sentences."""


MODELS: Mapping[str, Model] = {
    "en": Model(
        folder="preprocess/models/en",
        largest="tok2vec/model",
        extra="en",
        purpose="the pre-processor en",
        run=partial(_run_preprocessor, "en"),
    ),
    "en-accurate": Model(
        folder="preprocess/models/en_accurate",
        largest="model.onnx",
        extra="en-accurate",
        purpose="the pre-processor en-accurate",
        run=partial(_run_preprocessor, "en-accurate"),
    ),
    "neural": Model(
        folder="resolvers/neural/weights",
        largest="weights.safetensors",
        extra="neural",
        purpose="the resolver neural",
        run=_run_neural_resolver,
    ),
}
_MIN_BYTES = 100_000
"""A model file smaller than this is a Git LFS pointer or a truncated download."""


def check_models(extras: Mapping[str, Check], *, thorough: bool = False) -> Iterator[Check]:
    """Check the models that come with corefbench; ``thorough`` runs each on two sentences."""
    for name, model in MODELS.items():
        yield _check_model(name, model, extras.get(model.extra), thorough)


def _check_model(name: str, model: Model, extra: Check | None, thorough: bool) -> Check:
    path = _PACKAGE / model.folder / model.largest
    size = path.stat().st_size if path.is_file() else 0
    runnable = extra is not None and extra.state == "present"
    problem = "" if size >= _MIN_BYTES else "the files are missing or incomplete"
    if runnable and not problem and thorough:
        problem = _failure(model.run)
    note = "" if runnable else f"needs the extra {model.extra}"
    return Check(
        name=name,
        state="broken" if problem else "present",
        version=f"{size / 1e6:.1f} MB",
        purpose=model.purpose,
        found=problem or note or ("loads" if thorough else ""),
        remedy="pip install --force-reinstall corefbench" if problem else "",
    )


# Plug-ins

_WITHOUT_CARD = frozenset(("corefbench.matchings", "corefbench.profiles"))


def check_plugins() -> Iterator[Check]:
    """Load every entry point of the groups that corefbench looks at."""
    from corefbench.formats import formats
    from corefbench.preprocess import preprocessors
    from corefbench.resolvers import resolvers
    from corefbench.scoring.matching import matchings
    from corefbench.scoring.measures import measures
    from corefbench.scoring.profiles import profiles

    registries: tuple[Registry[Any], ...] = (formats, measures, matchings, profiles, resolvers, preprocessors)
    for registry in registries:
        for point in sorted(entry_points(group=registry.group), key=lambda point: point.name):
            yield _check_plugin(point, registry)


def _check_plugin(point: EntryPoint, registry: "Registry[Any]") -> Check:
    problem = ""
    if failure := _failure(point.load):
        problem = f"{point.value}: {failure}"
    elif point.group not in _WITHOUT_CARD and not hasattr(point.load(), "card"):
        problem = f"{point.value} has no card"
    elif point.name in registry.built_in:
        problem = "corefbench has something of that name, which is used instead"
    package = point.dist
    return Check(
        name=point.name,
        state="broken" if problem else "present",
        version=f"{package.name} {package.version}" if package else "",
        purpose=registry.kind,
        found=problem or point.value,
        remedy="ask the author of the package, or uninstall it" if problem else "",
    )


# Data sets, cache and programs

_PROGRAMS = {
    "chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "pictures of pages, and the tests of the workbench",
        "apt install chromium",
    ),
    "PostgreSQL": (
        ("postgres", "psql"),
        "a campaign on PostgreSQL",
        "apt install postgresql, or give the URL of a server",
    ),
    "TiMBL": (("timbl",), "checking ubiu's memory-based learner", "apt install timbl"),
}


def check_datasets(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yield the corpora found in COREFBENCH_DATA, or one line if it is not set."""
    from corefbench.datasets import CATALOGUE
    from corefbench.datasets.load import DATA_VARIABLE

    folder = environment.get(DATA_VARIABLE, "")
    if not folder or not Path(folder).is_dir():
        yield Check(
            name=DATA_VARIABLE,
            state="broken" if folder else "missing",
            purpose="corpora by name, such as gum/dev",
            found=f"{folder} is not a folder" if folder else "",
            remedy=f"set {DATA_VARIABLE} to the folder that holds the corpora",
        )
        return
    for entry in CATALOGUE.values():
        patterns = (entry.files, *entry.parts.values())
        if entry.files and any(_has_match(Path(folder), pattern) for pattern in patterns):
            yield Check(name=entry.name, state="present", purpose=entry.title, found=entry.files)


def _has_match(folder: Path, pattern: str) -> bool:
    return bool(pattern) and next(folder.glob(pattern), None) is not None


def check_cache(most: int = 50_000) -> Check:
    """Check the folder of cached analyses and its size, counting at most so many files."""
    folder = cache_folder("analyses")
    purpose = "analyses of pre-processors"
    if not folder.is_dir():
        return Check(name=str(folder), state="missing", purpose=purpose, found="empty so far")
    sizes = [path.stat().st_size for path in islice(_walk_files(folder), most)]
    more = "more than " if len(sizes) == most else ""
    writable = os.access(folder, os.W_OK)
    return Check(
        name=str(folder),
        state="present" if writable else "broken",
        version=f"{more}{sum(sizes) / 1e6:.1f} MB",
        purpose=purpose,
        found=f"{more}{len(sizes):,} entries" if writable else "cannot be written to",
        remedy="" if writable else "set COREFBENCH_CACHE to a folder of your own",
    )


def _walk_files(folder: Path) -> Iterator[os.DirEntry[str]]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _walk_files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield entry


def check_programs() -> Iterator[Check]:
    """Locate the optional programs that some features use."""
    for name, (commands, purpose, remedy) in _PROGRAMS.items():
        path = next(filter(None, map(shutil.which, commands)), None)
        yield Check(
            name=name,
            state="present" if path else "missing",
            purpose=purpose,
            found=path or "",
            remedy="" if path else remedy,
        )
