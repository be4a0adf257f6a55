"""A page of its own for everything that has a name, written when the documentation is built.

``pages()`` gives the text of every page by its path under ``reference/``: commands, measures,
profiles, matching rules, formats, resolvers, pre-processors, taxonomies of errors, error codes. All
of it comes from the cards, docstrings and tables of the library; nothing is kept in the repository.
"""

import importlib
import inspect
import io
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import cards
import error_codes
import typer
from typer.main import get_command

import corefbench as cb
from corefbench.analysis.errors.taxonomy import CLASSES
from corefbench.errors import CODES
from corefbench.formats import formats
from corefbench.formats.capabilities import fit_to_format
from corefbench.preprocess import preprocessors
from corefbench.report.table import percent
from corefbench.resolvers import resolvers
from corefbench.scoring.matching import matchings
from corefbench.scoring.measures import measures
from corefbench.scoring.profiles import profiles

EXAMPLES = Path(__file__).parents[1] / "examples"
KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "steady.response.conll"
SHOWN = "examples/key.conll examples/steady.response.conll"
BINARY = {"parquet"}
TITLES = {
    "commands": "Commands",
    "measures": "Measures",
    "profiles": "Profiles",
    "matchings": "Matching rules",
    "formats": "Formats",
    "resolvers": "Resolvers",
    "preprocessors": "Pre-processors",
    "taxonomies": "Taxonomies of errors",
    "codes": "Error codes",
}


def write(folder: Path) -> None:
    """Write the pages that are new or other than before, and remove those that are no more."""
    made = pages()
    for old in folder.rglob("*.md"):
        if old.relative_to(folder).as_posix() not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """Every page by its path, with an index of each kind and one of all."""
    made: dict[str, str] = {}
    for kind, maker in MAKERS.items():
        some = dict(maker())
        made |= {f"{kind}/{file_name(name)}.md": text for name, text in some.items()}
        made[f"{kind}/index.md"] = _index(TITLES[kind], map(file_name, some))
    made["index.md"] = _index("Reference", (f"{kind}/index" for kind in MAKERS))
    return made


def file_name(name: str) -> str:
    """The name of the page of a thing.

    >>> file_name("campaign dry-run"), file_name("CB101")
    ('campaign-dry-run', 'CB101')
    """
    return name.replace(" ", "-").replace(":", "-")


def _index(title: str, names: Iterator[str] | map) -> str:
    listed = "\n".join(names)
    return f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"


def _commands() -> Iterator[tuple[str, str]]:
    from corefbench.cli.main import app

    group = get_command(app)
    context = typer.Context(group, info_name="corefbench")
    for text in cards._commands(group, context):
        name = text.partition("\n")[0].removeprefix("## corefbench ")
        command = reduce(lambda within, word: within.commands[word], name.split(), group)
        yield name, _page(text, f"Source: `src/{command.callback.__module__.replace('.', '/')}.py`.")


def _measures() -> Iterator[tuple[str, str]]:
    for name in measures:
        example = _scored(f"--measures {name}", measures=name)
        yield name, _page(cards._measure(name), example, _source(measures[name]))


def _profiles() -> Iterator[tuple[str, str]]:
    for name in profiles:
        example = _scored(f"--profile {name}", profile=name)
        yield name, _page(cards._profile(profiles[name]), example)


def _scored(option: str, **how: str) -> str:
    """What the example scores, computed while the page is made."""
    try:
        result = cb.score(KEY, RESPONSE, **how)
    except cb.CorefbenchError as error:
        said = f"{error.code} {error.message}" + (f"; {error.remedy}" if error.remedy else "")
        return f"`corefbench score {SHOWN} {option}` says: {said}."
    rows = [
        (f"`{name}`", *(percent(value, result.profile.rounding) for value in _values(score)))
        for name, score in result.scores.items()
    ]
    table = cards._table(("score", "recall", "precision", "F1"), rows)
    return f"`corefbench score {SHOWN} {option}` gives:\n\n{table}"


def _values(score: Any) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def _matchings() -> Iterator[tuple[str, str]]:
    for name in matchings:
        text = f"## {name}\n\n{cards._prose(matchings[name].__doc__)}"
        example = _scored(f"--match {name}", match=name)
        yield name, _page(text, example, _source(matchings[name]))


def _formats() -> Iterator[tuple[str, str]]:
    for name in formats:
        made = formats[name]()
        holds = ", ".join(sorted(made.card.holds)) or "nothing but what its task is about"
        text = f"A written file holds: {holds}." if made.card.writes else ""
        yield name, _page(cards._format(name), text, _written(name), _source(type(made)))


def _written(name: str) -> str:
    """How the example looks in a format, as far as it is text and holds it."""
    made = formats[name]()
    if not made.card.writes or name in BINARY or made.card.selects:
        return ""
    stream = io.BytesIO()
    try:
        made.write(fit_to_format(cb.load(KEY), made.card.holds), stream)
        lines = stream.getvalue().decode().splitlines()
    except (cb.CorefbenchError, UnicodeDecodeError):
        return ""
    if any("\0" in line for line in lines[:12]):
        return ""
    shown = "\n".join(line[:100] + ("…" if len(line) > 100 else "") for line in lines[:12])
    return f"So `examples/key.conll` begins in it:\n\n````text\n{shown}\n````"


def _resolvers() -> Iterator[tuple[str, str]]:
    for name in resolvers:
        card = resolvers[name].card
        text = cards._resolver(name, card).replace("](training.md)", "](../../training.md)")
        text = text.replace("](adapters.md)", "](../../adapters.md)")
        run = f"`corefbench resolve story.txt --resolver {name}` runs it on {card.resolves}."
        yield name, _page(text, run, _source(resolvers[name]))


def _preprocessors() -> Iterator[tuple[str, str]]:
    for name in preprocessors:
        card = preprocessors[name].card
        takes = "raw text or tokens" if card.raw else "the annotation that a corpus has"
        needs = f"It needs {card.needs}." if card.needs else ""
        text = f"## {name}\n\n*{card.title}*\n\n{card.description}\n\nIt takes {takes}. {needs}"
        cites = cards._cites(card.cites)
        yield name, _page(text, cites, _source(preprocessors[name]))


def _taxonomies() -> Iterator[tuple[str, str]]:
    for name, classes in CLASSES.items():
        # Decisions and links of spanning trees share a module.
        module = importlib.import_module(f"corefbench.analysis.errors.{'decisions' if name == 'links' else name}")
        listed = "\n".join(f"- `{one}`" for one in classes)
        text = f"## {name}\n\n{cards._prose(module.__doc__)}\n\nIts classes:\n\n{listed}"
        run = f"`corefbench errors {SHOWN} --taxonomy {name}` counts them; see"
        yield name, _page(text, f"{run} [error analysis](../../error-analysis.md).")


def _codes() -> Iterator[tuple[str, str]]:
    raised = error_codes.raised()
    for code, meaning in CODES.items():
        more = error_codes.MORE.get(code, "")
        said = error_codes.described(raised.get(code, ()))
        yield code, _page(f"## {code}\n\n{meaning}.", more, said)


def _page(text: str, *more: str) -> str:
    """A section as a page of its own."""
    return "\n\n".join(filter(None, (text.replace("## ", "# ", 1), *more))) + "\n"


def _source(thing: Any) -> str:
    """Where in the sources a thing is."""
    entry = thing if inspect.isclass(thing) or inspect.isfunction(thing) else type(thing)
    return f"Source: `src/{entry.__module__.replace('.', '/')}.py`."


MAKERS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "commands": _commands,
    "measures": _measures,
    "profiles": _profiles,
    "matchings": _matchings,
    "formats": _formats,
    "resolvers": _resolvers,
    "preprocessors": _preprocessors,
    "taxonomies": _taxonomies,
    "codes": _codes,
}
