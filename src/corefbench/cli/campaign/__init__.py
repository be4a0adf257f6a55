"""``corefbench campaign``: evaluation campaigns, for organisers and participants."""

from corefbench.cli.campaign import organise, participate
from corefbench.cli.options import make_app

app = make_app("campaign", "Evaluation campaigns: create, check, serve, back up, and take part.")
ORGANISE = "For organisers"
TAKE_PART = "For participants"
app.command("init", rich_help_panel=ORGANISE)(organise.init)
app.command("validate", rich_help_panel=ORGANISE)(organise.validate)
app.command("dry-run", rich_help_panel=ORGANISE)(organise.dry_run)
app.command("organiser", rich_help_panel=ORGANISE)(organise.organiser)
app.command("password", rich_help_panel=ORGANISE)(organise.password)
app.command("serve", rich_help_panel=ORGANISE)(organise.serve)
app.command("worker", rich_help_panel=ORGANISE)(organise.worker)
app.command("export", rich_help_panel=ORGANISE)(organise.export)
app.command("backup", rich_help_panel=ORGANISE)(organise.backup)
app.command("restore", rich_help_panel=ORGANISE)(organise.restore)
app.command("download", rich_help_panel=TAKE_PART)(participate.download)
app.command("submit", rich_help_panel=TAKE_PART)(participate.submit)
app.command("status", rich_help_panel=TAKE_PART)(participate.status)
app.command("verify-receipt", rich_help_panel=TAKE_PART)(participate.verify_receipt)
