"""``corefbench prompts`` and ``corefbench answers``: language models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import load_corpus
from corefbench.cli.output import ReportWriter, write_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable


def prompts(
    corpus: Annotated[
        str | None, typer.Argument(metavar="CORPUS", help="A file, a folder, a pattern, or a name such as bundled.")
    ] = None,
    output: Annotated[str, typer.Argument(metavar="OUT", help="A file of JSON lines, or - to print them.")] = "-",
    template: Annotated[
        str,
        options.method_option(
            "mark-all, mark-all-brackets, given-mentions, answer-pronoun, or FILE.toml.", "--template", "-t"
        ),
    ] = "mark-all",
    window: Annotated[int, options.method_option("Maximum window size in words; 0: whole documents.", min=0)] = 0,
    overlap: Annotated[
        int | None, options.method_option("Words that windows share; by default a fifth.", min=0)
    ] = None,
    examples: Annotated[int, options.method_option("Number of examples in every prompt.", min=0)] = 0,
    train: Annotated[str | None, options.input_option("The corpus to take the examples from.")] = None,
    seed: Annotated[int, options.method_option("Random seed for the choice of examples.")] = 0,
    singletons: Annotated[str, options.method_option("keep or strip: whether singletons are to be marked.")] = "keep",
    shape: Annotated[str, options.output_option("lines, or openai-batch: a batch file of chat completions.")] = "lines",
    model: Annotated[str, options.output_option("The model named in a batch file.")] = "",
    ceiling: Annotated[
        Path | None, options.output_option("Write the answers of the key: the best that such windows allow.")
    ] = None,
    list_all: Annotated[bool, options.output_option("List the templates and exit.", "--list")] = False,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    quiet: options.Quiet = False,
) -> None:
    """Make prompts for a language model, which you run yourself: nothing is sent anywhere.

    `corefbench answers` reads the answers back.

    Example: corefbench prompts gold.conll prompts.jsonl --template mark-all --window 500
    """
    from corefbench.errors import UsageError
    from corefbench.llm import encode_prompts, load_template
    from corefbench.llm import prompts as make_prompts
    from corefbench.llm.prompting import hash_lines, key_answers

    if list_all:
        _print_templates()
        return
    if corpus is None:
        raise UsageError("there is nothing to make prompts from", expected="a corpus")
    options.require_one_of(singletons, "keep", "strip", name="treatment of singletons")
    options.require_one_of(shape, "lines", "openai-batch")
    if shape == "openai-batch" and not model:
        raise UsageError("a batch file names its model", expected="--model NAME")
    source = load_corpus(corpus, input_format, lenient=lenient, quiet=quiet)
    chosen_template = load_template(template)
    keep_singletons = singletons == "keep"
    all_prompts = list(
        make_prompts(
            source,
            chosen_template,
            size=window,
            overlap=overlap,
            examples=examples,
            train=load_corpus(train, lenient=lenient, quiet=quiet) if train else None,
            seed=seed,
            singletons=keep_singletons,
        )
    )
    lines = list(encode_prompts(all_prompts, cast("Any", shape), model))
    if output == "-":
        typer.echo(b"".join(lines), nl=False)
    else:
        _write_lines(Path(output), lines)
    if ceiling is not None:
        import msgspec

        answers = key_answers(source, all_prompts, chosen_template.notation, singletons=keep_singletons)
        _write_lines(ceiling, (msgspec.json.encode({"id": name, "answer": text}) + b"\n" for name, text in answers))
    if not quiet:
        counts = f"{len(lines):,} prompts from {len(source):,} documents"
        typer.echo(f"{counts}, sha256 {hash_lines(lines)}", err=output == "-")


def _write_lines(path: Path, lines: "Iterable[bytes]") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))


def _print_templates() -> None:
    from corefbench.llm.prompting import load_template, template_names

    for name in template_names():
        typer.echo(f"{name:20} {load_template(name).description}")


def answers(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="The corpus that the prompts were made from.")],
    recorded: Annotated[
        str,
        typer.Argument(metavar="ANSWERS", help='JSON lines with "id" and "answer", or the output of a batch service.'),
    ],
    output: Annotated[str, typer.Argument(metavar="OUT", help="A file for the response; - prints it.")],
    prompts: Annotated[Path | None, options.input_option("The prompts, to report missing answers.")] = None,
    score: Annotated[bool, options.method_option("Score the response against the corpus.", "--score")] = False,
    profile: options.Profile = "conll-2012",
    by: Annotated[str | None, options.output_option("`answer`: one row per answer.")] = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    output_format: options.OutputFormat = None,
    format: options.Format = "table",
    quiet: options.Quiet = False,
) -> None:
    """Turn the answers of a language model into a response, and report what could not be used.

    Answers may have changed, dropped or added words, broken brackets, text around them, or be cut
    off: what can be aligned with the source is used, and the rest is reported.

    Example: corefbench answers gold.conll answers.jsonl response.conll --prompts prompts.jsonl
    """
    from corefbench.diagnostics import Finding, Strictness
    from corefbench.llm import read_answers
    from corefbench.report.llm import report_answers
    from corefbench.scoring.api import score as score_response

    writer, by_answer = ReportWriter(format, quiet=quiet), options.is_broken_down(by, "answer")
    key = load_corpus(corpus, input_format, lenient=lenient, quiet=quiet)
    findings: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=findings.append)
    response = read_answers(key, recorded, prompts=prompts, strictness=strictness)
    write_corpus(response.corpus, output, output_format, quiet=True)
    result = score_response(key, response.corpus, profile) if score else None
    writer.print_findings((*findings, *(result.findings if result else ())))
    text = report_answers(response.report, writer.format, by_answer=by_answer, result=result)
    typer.echo(text, err=output == "-")
