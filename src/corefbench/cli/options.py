"""Options that several commands share, and checks of their values."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

METHOD = "Method"
INPUT = "Input"
OUTPUT = "Output"
OVERRIDES = "Overrides of the profile"


def method_option(help: str, *names: str, **settings: Any) -> Any:
    """Return an option about how something is computed."""
    return typer.Option(*names, help=help, rich_help_panel=METHOD, **settings)


def input_option(help: str, *names: str, **settings: Any) -> Any:
    """Return an option about the input."""
    return typer.Option(*names, help=help, rich_help_panel=INPUT, **settings)


def output_option(help: str, *names: str, **settings: Any) -> Any:
    """Return an option about the output."""
    return typer.Option(*names, help=help, rich_help_panel=OUTPUT, **settings)


def require_one_of(value: str, *allowed: str, name: str = "output format") -> None:
    """Raise if an option has none of the allowed values."""
    if value not in allowed:
        from corefbench.errors import UsageError

        raise UsageError(f"there is no {name} {value!r}", expected=" or ".join(allowed))


def is_json(format: str, other: str = "table") -> bool:
    """Whether ``--format`` is json; raise if it is neither that nor the other format."""
    require_one_of(format, other, "json")
    return format == "json"


def is_broken_down(by: str | None, allowed: str = "document") -> bool:
    """Whether ``--by`` is given; raise if it is anything but the allowed value."""
    if by not in (None, allowed):
        from corefbench.errors import UsageError

        raise UsageError(f"cannot report by {by!r}", expected=f"--by {allowed}")
    return by is not None


@contextmanager
def name_missing_extra(extra: str) -> Iterator[None]:
    """Raise a missing package as an error that names the extra to install."""
    try:
        yield
    except ImportError as error:
        from corefbench.errors import MissingExtra

        package = (error.name or extra).partition(".")[0]
        if package == "corefbench":
            raise  # a fault of ours, which no extra repairs
        raise MissingExtra(package, "postgresql" if package == "psycopg" else extra) from error


def make_app(name: str, help: str) -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(
        name=name,
        help=help,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _override(values: str) -> Any:
    """Return an option that replaces a choice of the profile."""
    return typer.Option(help=values, rich_help_panel=OVERRIDES)


Key: TypeAlias = Annotated[
    str, typer.Argument(metavar="KEY", help="The key: a file, a folder, a pattern, or - for standard input.")
]
Responses: TypeAlias = Annotated[list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")]
Annotations: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="A B [C …]", help="Two or more annotations of the same texts.")
]
NamedCorpus: TypeAlias = Annotated[
    str, typer.Argument(metavar="CORPUS", help="A file, a folder, a pattern, or a name: bundled, gum/dev …")
]
RunPath: TypeAlias = Annotated[Path, typer.Argument(metavar="RUN", help="A file written with --run.")]
Resolvers: TypeAlias = Annotated[
    str | None, typer.Option("--resolvers", "-r", help="Comma-separated, such as kb,mitkov,random(seed=1).")
]
Profile: TypeAlias = Annotated[
    str, typer.Option("--profile", "-p", help="The scoring protocol; see `corefbench profiles`.")
]
InputFormat: TypeAlias = Annotated[str | None, input_option("The format of all inputs; detected by default.")]
Lenient: TypeAlias = Annotated[bool, input_option("Repair what can be repaired and report it.", "--lenient")]
Format: TypeAlias = Annotated[str, output_option("table, json, markdown, latex, csv or html.", "--format", "-f")]
JsonFormat: TypeAlias = Annotated[str, output_option("table or json.", "--format", "-f")]
TextFormat: TypeAlias = Annotated[str, output_option("text or json.", "--format", "-f")]
ByDocument: TypeAlias = Annotated[str | None, output_option("`document`: one row per document.", "--by")]
Brief: TypeAlias = Annotated[bool, output_option("Only the first table.", "--brief")]
Output: TypeAlias = Annotated[Path | None, output_option("Write to a file.", "--output", "-o")]
OutputFormat: TypeAlias = Annotated[
    str | None, output_option("The format to write; by default from the name of the output.")
]
Chart: TypeAlias = Annotated[Path | None, output_option("Draw a chart: FILE.svg, .png or .html.")]
RunFile: TypeAlias = Annotated[
    Path | None, output_option("Save everything in a run file, to show, compare and verify later.", "--run")
]
Quiet: TypeAlias = Annotated[bool, output_option("No warnings.", "--quiet", "-q")]
Jobs: TypeAlias = Annotated[int, method_option("Number of worker processes.", "--jobs", "-j", min=1)]
EngineName: TypeAlias = Annotated[
    str,
    method_option(
        "serial, processes, dask, or dask:ADDRESS of a scheduler; by default processes if there are several jobs.",
        "--engine",
    ),
]
LowFrequency: TypeAlias = Annotated[int, method_option("Words with fewer occurrences count as low-frequency.", min=1)]
Cache: TypeAlias = Annotated[bool, method_option("Cache analyses of texts on disk.", "--cache/--no-cache")]
LabelScope: TypeAlias = Annotated[
    str, method_option("Join chains of one label within a document, subtopic, topic or corpus.", "--scope")
]
Preprocess: TypeAlias = Annotated[
    str,
    method_option(
        "en-accurate (the default for raw text), en, en-words, spacy:NAME, stanza, conllu, workbench, parse."
    ),
]

Only: TypeAlias = Annotated[
    list[str] | None,
    input_option(
        "Only such documents or mentions: kind=event, topic=36,37, document=@FILE. May be repeated.",
        "--only",
        metavar="NAME=VALUE,…",
    ),
]
Match: TypeAlias = Annotated[
    str | None, _override("exact, head, partial (all three also with -linear), minimum, craft, mina, semeval.")
]
Singletons: TypeAlias = Annotated[str | None, _override("keep, strip, strip-response, strip-key.")]
Repeats: TypeAlias = Annotated[str | None, _override("drop, keep, last, last-opened, distinct.")]
Twinless: TypeAlias = Annotated[str | None, _override("none, conll-2011, cai-strube, drop-singletons.")]
Zeros: TypeAlias = Annotated[str | None, _override("keep, drop.")]
Scope: TypeAlias = Annotated[str | None, _override("document, subtopic, topic, corpus.")]
ClusteringScope: TypeAlias = Annotated[
    str | None, _override("How far chains of the response reach: labels, document, subtopic, topic, corpus.")
]
Average: TypeAlias = Annotated[str | None, _override("micro, macro.")]
Measures: TypeAlias = Annotated[str | None, _override("Comma-separated, such as muc,lea,blanc(edge=both).")]
RepeatLimit: TypeAlias = Annotated[str | None, _override("none, per-run, perl-global.")]
