"""What a new folder says of itself."""

from corefbench.campaign.domain.definition import Campaign

GITIGNORE = """\
# What the server keeps: accounts, submissions, scores. `corefbench campaign backup` saves it.
/state/
"""

_README = """\
# {title}

A campaign of corefbench. `campaign.toml` says what participants are asked, when, and who sees what;
the rest are its data.

- `*/inputs/` participants download
- `*/keys/` are secret: keep this repository private until the results are published
- `state/` is made by the server and is not under version control

| phase | opens (UTC) | closes (UTC) |
| --- | --- | --- |
{phases}

```sh
corefbench campaign validate .            # is everything in order?
corefbench campaign dry-run .             # play it through, with baselines as teams
corefbench campaign organiser . you@example.org
corefbench campaign serve .
corefbench campaign backup . backup.tar
corefbench campaign export . site         # what is published, as pages
```
"""


def readme(campaign: Campaign) -> str:
    """The README of a folder."""
    rows = [
        f"| {phase.title} | {phase.opens:%Y-%m-%d %H:%M} | {phase.closes:%Y-%m-%d %H:%M} |"
        for phase in campaign.phases
    ]
    return _README.format(title=campaign.title, phases="\n".join(rows))
