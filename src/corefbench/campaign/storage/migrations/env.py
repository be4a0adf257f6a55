"""Alembic environment: run the migrations on the connection of the caller."""

from alembic import context

if __name__ == "env_py":  # the name Alembic gives this script; importing it does nothing
    context.configure(connection=context.config.attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()
