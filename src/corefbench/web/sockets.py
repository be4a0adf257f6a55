"""Asks Linux whose a socket is, by ``sock_diag``: one question costs less than the table of all.

The message is that of ``linux/inet_diag.h``: a header, then family and protocol, then the two ends.
"""

import socket
import struct
from ipaddress import IPv4Address

_SOCK_DIAG = 4
"""The protocol of netlink, which ``socket`` does not name."""
_BY_FAMILY = 20
_REQUEST = 1
_HEADER = struct.Struct("=IHHII")
_WHAT = struct.Struct("=BBBxI")
_ENDS = struct.Struct("!HH4s12x4s12x")
"""Both ports, both addresses: sixteen bytes are for the longer ones of version 6."""
_OWNER = struct.Struct("=I")
_BEFORE_OWNER = 4 + 48 + 12
"""State; the ends with interface and cookie; timer and queues."""
_ANY = b"\0" * 4 + b"\xff" * 8
"""Any interface, and no cookie."""
_EVERY_STATE = 0xFFFFFFFF
_PATIENCE = 0.2


def asked_owner(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """The user whose socket is at the client's end; None where the kernel does not say."""
    family = getattr(socket, "AF_NETLINK", None)
    if family is None:
        return None
    try:
        ends = _ENDS.pack(client[1], server[1], _packed(client[0]), _packed(server[0]))
        with socket.socket(family, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
            kernel.settimeout(_PATIENCE)
            kernel.send(_question(ends))
            return owner_in(kernel.recv(4096), ends)
    except (ValueError, OSError, struct.error):
        return None


def owner_in(answer: bytes, ends: bytes) -> int | None:
    """The user that an answer names, if it is about these ends.

    Where there is no such connection the kernel tells of a socket that listens there.
    """
    if len(answer) < _HEADER.size + _BEFORE_OWNER + _OWNER.size:
        return None
    about = answer[_HEADER.size + 4 :][: len(ends)]
    if _HEADER.unpack_from(answer)[1] != _BY_FAMILY or about != ends:
        return None
    return int(_OWNER.unpack_from(answer, _HEADER.size + _BEFORE_OWNER)[0])


def _question(ends: bytes) -> bytes:
    body = _WHAT.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, _EVERY_STATE) + ends + _ANY
    return _HEADER.pack(_HEADER.size + len(body), _BY_FAMILY, _REQUEST, 1, 0) + body


def _packed(host: str) -> bytes:
    return IPv4Address(host).packed
