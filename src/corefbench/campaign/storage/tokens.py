"""Tokens for programs: shown once, kept as SHA-256, revoked at will."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.among import among
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.digests import digest as digest_of
from corefbench.campaign.storage.digests import new_secret
from corefbench.campaign.storage.people import Person, Team, with_teams
from corefbench.campaign.storage.tables import tokens
from corefbench.record import Record

PREFIX = "cb_"
"""So that people and programs that look for leaked secrets know one."""


class Token(Record, frozen=True):
    """A token, without what opens the door."""

    id: str
    label: str
    created: datetime
    revoked: datetime | None


def make_token(connection: Connection, person: str, label: str, now: datetime) -> str:
    """A new token in clear text, which is never seen again."""
    clear, number = new_secret(PREFIX), secrets.token_hex(8)
    connection.execute(
        insert(tokens).values(
            id=number,
            digest=digest_of(clear),
            person=person,
            label=label,
            created=microseconds(now),
        )
    )
    note(connection, person=person, action="token", subject=number, now=now)
    return clear


def people_of_tokens(
    connection: Connection, digests: Iterable[str]
) -> dict[str, tuple[Person, Team | None]]:
    """Whose tokens have these digests, with their teams; not those that were revoked."""
    query = select(tokens.c.digest, tokens.c.person).where(
        among(connection, tokens.c.digest, digests), tokens.c.revoked.is_(None)
    )
    owners = {row.digest: row.person for row in connection.execute(query)}
    known = with_teams(connection, owners.values())
    return {digest: known[person] for digest, person in owners.items()}


def tokens_of(connection: Connection, person: str) -> list[Token]:
    """All tokens of a person, the newest first."""
    query = select(tokens).where(tokens.c.person == person)
    return [
        Token(
            id=row.id,
            label=row.label,
            created=moment(row.created),
            revoked=None if row.revoked is None else moment(row.revoked),
        )
        for row in connection.execute(query.order_by(tokens.c.created.desc(), tokens.c.id))
    ]


def revoke(connection: Connection, id: str, *, person: str, now: datetime) -> bool:
    """Let a token of this person open nothing any more; whether it was theirs and did."""
    change = update(tokens).where(
        tokens.c.id == id, tokens.c.person == person, tokens.c.revoked.is_(None)
    )
    if not connection.execute(change.values(revoked=microseconds(now))).rowcount:
        return False
    note(connection, person=person, action="revoke token", subject=id, now=now)
    return True
