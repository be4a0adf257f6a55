"""The parts of the pages that are generated, so that they cannot go stale.

A page says ``<!-- generated: profiles -->`` where the text of ``GENERATORS["profiles"]`` shall
stand. The text is Markdown, made from the cards, docstrings and tables of the library itself.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from corefbench.citations import BIBLIOGRAPHY, bibtex
from corefbench.errors import CODES
from corefbench.formats import formats
from corefbench.preprocess import preprocessors
from corefbench.resolvers import Parameter, ResolverCard, resolvers
from corefbench.scoring.matching import matchings
from corefbench.scoring.measures import measures
from corefbench.scoring.profiles import Profile, profiles

_PLACE = re.compile(r"<!-- generated: (\w+) -->")
_FORMULA = re.compile(r"^(?:[RPFΦ]|φ.\(k, r\)|\d+ ·)\s*.*[=·]")


def fill_in(page: str) -> str:
    """The page with every place filled."""
    return _PLACE.sub(lambda place: GENERATORS[place[1]](), page)


def profile_table() -> str:
    """One line a profile."""
    rows = [(f"[`{p.name}`](#{p.name})", p.title, _scores(p)) for p in _profiles()]
    return _table(("profile", "reproduces", "scores"), rows)


def profile_pages() -> str:
    """Every choice of every profile."""
    return "\n\n".join(_profile(profile) for profile in _profiles())


def measure_pages() -> str:
    """The card and the docstring of every measure."""
    return "\n\n".join(_measure(name) for name in measures)


def matching_pages() -> str:
    """The docstring of every matching rule."""
    return "\n\n".join(
        f"## `{name}`\n\n{_aliases(matchings.aliases_of(name))}{_prose(matchings[name].__doc__)}" for name in matchings
    )


def format_pages() -> str:
    """The card of every format."""
    return "\n\n".join(_format(name) for name in formats)


def resolver_pages() -> str:
    """A table of the resolvers, then the card of each."""
    known = {name: resolvers[name].card for name in resolvers}
    rows = [(f"[`{name}`](#{name})", c.title, c.resolves) for name, c in known.items()]
    pages = (_resolver(name, card) for name, card in known.items())
    return "\n\n".join([_table(("resolver", "method", "resolves"), rows), *pages])


def preprocessor_table() -> str:
    """One line a pre-processor."""
    rows = [_preprocessor(name) for name in preprocessors]
    return _table(("name", "what it does", "takes", "needs", "cite"), rows)


def code_table() -> str:
    """Every code of an error or a finding."""
    return _table(("code", "meaning"), [(f"`{code}`", text) for code, text in CODES.items()])


def reference_list() -> str:
    """The works cited, and their BibTeX."""
    rows = [
        f"`{key}`\n: {reference}" + (f" <{reference.url}>" if reference.url else "")
        for key, reference in BIBLIOGRAPHY.items()
    ]
    return "\n\n".join([*rows, "## BibTeX", f"```text\n{bibtex(BIBLIOGRAPHY)}\n```"])


def command_pages() -> str:
    """What the commands say of themselves."""
    import typer
    from typer.main import get_command

    from corefbench.cli.main import app

    group = get_command(app)
    context = typer.Context(group, info_name="corefbench")
    return "\n\n".join(_commands(group, context))


def result_tree() -> str:
    """The pages that the benchmarks have written, if they have."""
    pages = sorted(path.stem for path in Path(__file__).parent.glob("results/*.md"))
    if not pages:
        return ""
    lines = "\n".join(f"results/{page}" for page in pages)
    return f"```{{toctree}}\n:caption: Evidence\n:maxdepth: 1\n\n{lines}\n```"


GENERATORS: dict[str, Callable[[], str]] = {
    "profile_table": profile_table,
    "profiles": profile_pages,
    "measures": measure_pages,
    "matchings": matching_pages,
    "formats": format_pages,
    "resolvers": resolver_pages,
    "preprocessors": preprocessor_table,
    "codes": code_table,
    "references": reference_list,
    "commands": command_pages,
    "results": result_tree,
}


def _profiles() -> list[Profile]:
    return [profiles[name] for name in profiles]


def _scores(profile: Profile) -> str:
    return ", ".join(profile.measures)


def _profile(profile: Profile) -> str:
    settings = {
        **msgspec.to_builtins(profile.choices),
        "scope": profile.scope,
        "average": profile.average,
        "rounding": profile.rounding,
        "repeat-limit": profile.repeat_limit,
    }
    rows = [(name, f"`{value}`") for name, value in settings.items()]
    rows += [
        (f"{name} of {score}", f"`{value}`")
        for score, changed in profile.exceptions.items()
        for name, value in changed.items()
    ]
    rows += [("scores", ", ".join(f"`{text}`" for text in profile.measures.values()))]
    rows += [("CoNLL", "mean F1 of " + ", ".join(profile.conll))] if profile.conll else []
    paragraphs = [
        f"## {profile.name}",
        f"*{profile.title}*",
        _aliases(profiles.aliases_of(profile.name)) + profile.description,
        _table(("choice", "value"), rows),
        *profile.remarks,
        _cites(profile.cites),
    ]
    return "\n\n".join(filter(None, paragraphs))


def _measure(name: str) -> str:
    measure = measures[name]
    paragraphs = [
        f"## {measure.card.title}",
        f"`{name}`. {_aliases(measures.aliases_of(name))}".rstrip(),
        _prose(measure.__doc__),
        _parameters(measure),
        _cites(measure.card.cites),
    ]
    return "\n\n".join(filter(None, paragraphs))


def _parameters(measure: type) -> str:
    fields = msgspec.structs.fields(measure)
    if not fields:
        return ""
    names = ", ".join(f"`{field.name}={field.default}`" for field in fields)
    return f"Parameters and what they are if not given: {names}."


def _format(name: str) -> str:
    card = formats[name]().card
    does = " and ".join(word for word, able in (("read", card.reads), ("written", card.writes)) if able)
    endings = ", ".join(f"`{ending}`" for ending in card.extensions) or "any"
    paragraphs = [
        f"## {card.title}",
        f"`{name}`. {_aliases(formats.aliases_of(name))}{card.description}",
        f"Files are {does}. Usual endings: {endings}.",
        _cites(card.cites),
    ]
    return "\n\n".join(filter(None, paragraphs))


def _resolver(name: str, card: ResolverCard) -> str:
    paragraphs = [
        f"## {name}",
        f"*{card.title}*",
        _aliases(resolvers.aliases_of(name)) + card.description,
        _needs(card),
        _choices(card.parameters),
        _cites(card.cites),
    ]
    return "\n\n".join(filter(None, paragraphs))


def _choices(parameters: Sequence[Parameter]) -> str:
    if not parameters:
        return ""
    rows = [(f"`{p.name}`", f"`{_default(p)}`", p.meaning, p.decision) for p in parameters]
    return _table(("parameter", "if not given", "meaning", "decision"), rows)


def _default(parameter: Parameter) -> str:
    value = parameter.default
    if value == "":
        return "–"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _preprocessor(name: str) -> tuple[str, ...]:
    card = preprocessors[name].card
    names = ", ".join(f"`{one}`" for one in (name, *preprocessors.aliases_of(name)))
    takes = "raw text or tokens" if card.raw else "what the corpus has"
    return names, card.description, takes, card.needs or "–", _works(card.cites)


def _commands(group: Any, context: Any, path: str = "") -> Iterator[str]:
    """The pages of a group's commands, those of groups within it too."""
    import typer

    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            inner = typer.Context(command, info_name=name, parent=context)
            yield from _commands(command, inner, f"{path}{name} ")
        else:
            yield _command(f"{path}{name}", command, context)


def _command(name: str, command: Any, parent: Any) -> str:
    import typer

    context = typer.Context(command, info_name=name, parent=parent)
    rows = [_parameter(parameter, context) for parameter in command.get_params(context)]
    table = _table(("argument or option", "what it is"), rows)
    return f"## corefbench {name}\n\n{cleandoc(command.help or '')}\n\n{table}"


def _parameter(parameter: Any, context: Any) -> tuple[str, str]:
    option = parameter.param_type_name == "option"
    names = parameter.opts if option else [parameter.make_metavar(context)]
    text = parameter.help or ""
    if option and parameter.default not in (None, False, ""):
        text += f" If not given: `{parameter.default}`."
    return ", ".join(f"`{name}`" for name in names), text


def _aliases(names: Sequence[str]) -> str:
    return f"Also {', '.join(f'`{name}`' for name in names)}. " if names else ""


def _cites(keys: Iterable[str]) -> str:
    works = _works(keys)
    return f"Cite: {works}." if works else ""


def _needs(card: ResolverCard) -> str:
    """What a resolver wants before it runs: another program, or a training."""
    if not card.needs:
        return ""
    page = "training" if "train" in card.needs or "corefbench[" in card.needs else "adapters"
    return f"Needs: `{card.needs}`; see [{page}]({page}.md)."


def _works(keys: Iterable[str]) -> str:
    """The works, each linked where it has an address."""
    works = (BIBLIOGRAPHY[key] for key in keys)
    return ", ".join(f"[{w.short}]({w.url})" if w.url else w.short for w in works)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ([cell.replace("|", r"\|") for cell in line] for line in rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines))


def _prose(docstring: str | None) -> str:
    """A docstring as Markdown: formulas set apart, doctests left out."""
    paragraphs = cleandoc(docstring or "").split("\n\n")
    return "\n\n".join(
        f"```text\n{text}\n```" if _FORMULA.match(text) else text for text in paragraphs if not text.startswith(">>>")
    )
