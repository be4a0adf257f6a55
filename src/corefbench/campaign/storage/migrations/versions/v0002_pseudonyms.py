"""A pseudonym for every phase, and the key that scores were made against.

Whoever saw a board of one phase with pseudonyms, and later with names, must not know who is who in
the next: all teams are given new ones, another for every phase that they have sent something in.
"""

import sqlalchemy as sa
from alembic import op

from corefbench.campaign.storage.users import draw_pseudonym

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Draw the pseudonyms; those that there were are forgotten."""
    op.create_table(
        "pseudonyms",
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("phase", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["team"], ["teams.id"], name=op.f("fk_pseudonyms_team_teams")),
        sa.PrimaryKeyConstraint("team", "phase", name=op.f("pk_pseudonyms")),
        sa.UniqueConstraint("name", name=op.f("uq_pseudonyms_name")),
    )
    op.add_column("evaluations", sa.Column("key_sha256", sa.String(length=64), nullable=True))
    connection = op.get_bind()
    taken = {row[0].casefold() for row in connection.execute(sa.text("SELECT name FROM teams"))}
    sent = sa.text("SELECT DISTINCT team, phase FROM submissions")
    rows = [{"team": team, "phase": phase, "name": draw_pseudonym(taken)} for team, phase in
            connection.execute(sent).all()]  # fmt: skip
    if rows:
        insert = "INSERT INTO pseudonyms (team, phase, name) VALUES (:team, :phase, :name)"
        connection.execute(sa.text(insert), rows)
    connection.execute(sa.text("UPDATE teams SET pseudonym = id"))
