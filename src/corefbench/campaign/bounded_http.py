"""HTTP as the server reads it: the quick parser, with the bound on heads that it lacks."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = 1 << 20
"""Bytes of a request before its body: more than any head, and than what is read at a time."""


class BoundedHttp(HttpToolsProtocol):
    """Refuses a request whose head does not end: it would be collected in memory for ever."""

    _in_head = False
    _fed = 0

    def on_message_begin(self) -> None:
        """The first byte of a request has come."""
        self._in_head, self._fed = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head has ended."""
        self._in_head = False
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """More has come."""
        super().data_received(data)
        self._fed += len(data)
        if self._in_head and self._fed > HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")
