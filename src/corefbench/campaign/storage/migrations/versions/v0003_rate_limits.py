"""A table for rate limits, which were kept in memory before."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "rate_limit_attempts",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("attempted_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rate_limit_attempts")),
    )
    op.create_index("ix_rate_limit_attempts_key", "rate_limit_attempts", ["key_hash", "attempted_at"])
    op.create_index(op.f("ix_rate_limit_attempts_attempted_at"), "rate_limit_attempts", ["attempted_at"])
