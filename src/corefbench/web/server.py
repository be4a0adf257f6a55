"""Listen on a port."""

import os
import socket

from corefbench.errors import UsageError


def bind_socket(host: str, port: int, *, backlog: int = 128) -> socket.socket:
    """Return a socket that accepts connections from now on; port 0 takes any."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would share a port that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(backlog)
    except (OSError, OverflowError) as error:
        listener.close()
        raise UsageError(
            f"{host}, port {port}, cannot be used",
            found=getattr(error, "strerror", None) or str(error),
            remedy="stop the other server, or give another port with --port; 0 takes any",
        ) from error
    return listener
