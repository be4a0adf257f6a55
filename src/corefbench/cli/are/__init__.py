"""``corefbench are``: the Anaphora Resolution Exercise."""

import typer

from corefbench.cli.are import make, run, score

app = typer.Typer(
    name="are",
    help="The Anaphora Resolution Exercise: its tasks made, scored, and run.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("make")(make.make)
app.command("score")(score.score)
app.command("run")(run.run)
