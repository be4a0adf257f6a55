"""``corefbench campaign``: evaluation campaigns, for those who run them and those who take part."""

import typer

from corefbench.cli.campaign import (
    backup,
    download,
    dry_run,
    export,
    init,
    organiser,
    password,
    restore,
    serve,
    status,
    submit,
    validate,
    verify_receipt,
    worker,
)

app = typer.Typer(
    name="campaign",
    help="Evaluation campaigns: made, checked, served, saved, and taken part in.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
ORGANISE = "For organisers"
TAKE_PART = "For participants"
app.command("init", rich_help_panel=ORGANISE)(init.init)
app.command("validate", rich_help_panel=ORGANISE)(validate.validate)
app.command("dry-run", rich_help_panel=ORGANISE)(dry_run.dry_run)
app.command("organiser", rich_help_panel=ORGANISE)(organiser.organiser)
app.command("password", rich_help_panel=ORGANISE)(password.password)
app.command("serve", rich_help_panel=ORGANISE)(serve.serve)
app.command("worker", rich_help_panel=ORGANISE)(worker.worker)
app.command("export", rich_help_panel=ORGANISE)(export.export)
app.command("backup", rich_help_panel=ORGANISE)(backup.backup)
app.command("restore", rich_help_panel=ORGANISE)(restore.restore)
app.command("download", rich_help_panel=TAKE_PART)(download.download)
app.command("submit", rich_help_panel=TAKE_PART)(submit.submit)
app.command("status", rich_help_panel=TAKE_PART)(status.status)
app.command("verify-receipt", rich_help_panel=TAKE_PART)(verify_receipt.verify_receipt)
