"""Who is at the other end: on a machine of many users, each one's workbench is his own.

Every user of a machine reaches its loopback address. Where the kernel tells whose socket a
connection comes from (Linux), requests of other users are refused.
"""

import os
from ipaddress import IPv4Address
from pathlib import Path

from corefbench.web.sockets import asked_owner

_TABLE = Path("/proc/net/tcp")
_ROOT = 0
"""May do anything anyway, and is who some systems forward connections as."""


def is_foreign(client: tuple[str, int] | None, server: tuple[str, int | None] | None) -> bool:
    """Whether a connection is known to come from another user."""
    if client is None or server is None or server[1] is None or not hasattr(os, "getuid"):
        return False
    found = owner(client, (server[0], server[1]))
    return found is not None and found not in (os.getuid(), _ROOT)


def owner(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """The user whose socket is at the other end of a connection; None where it is not told."""
    found = asked_owner(client, server)
    return listed_owner(client, server) if found is None else found


def listed_owner(
    client: tuple[str, int], server: tuple[str, int], table: Path = _TABLE
) -> int | None:
    """The same by the table of all connections, for kernels that cannot be asked about one."""
    try:
        wanted = (_hexadecimal(*client), _hexadecimal(*server))
        lines = table.read_text("ascii").splitlines()[1:]
    except (ValueError, OSError):
        return None
    for line in lines:
        fields = line.split()
        if (fields[1], fields[2]) == wanted:
            return int(fields[7])
    return None


def _hexadecimal(host: str, port: int) -> str:
    """An address as the table has it.

    >>> _hexadecimal("127.0.0.1", 8765)
    '0100007F:223D'
    """
    return f"{IPv4Address(host).packed[::-1].hex().upper()}:{port:04X}"
