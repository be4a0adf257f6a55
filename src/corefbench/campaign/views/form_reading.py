"""A form with a file, read piece by piece."""

from collections.abc import Callable

from multipart import MultipartSegment  # type: ignore[import-untyped]

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import Incoming
from corefbench.campaign.views.arrivals import Arrived, Writer
from corefbench.campaign.views.asked import checked
from corefbench.errors import DataError, UsageError

_FIELD = 4_000
_FORM = 1 << 30
"""Bytes of a form with whatever stands around its file."""


class FormReading:
    """Takes a form piece by piece: short fields first, then one file."""

    def __init__(self, incoming: Incoming, ours: Callable[[dict[str, str]], None]) -> None:
        self._writer = Writer(incoming)
        self._ours = ours
        self._fields: dict[str, str] = {}
        self._part: MultipartSegment | None = None
        self._value = b""
        self._size = 0
        self._name = ""
        self._file = False

    def count(self, size: int) -> None:
        """So many bytes more, in the file or around it."""
        self._size += size
        if self._size > _FORM:
            raise UsageError("the form is too large", code="CB309")

    async def take(self, event: MultipartSegment | bytearray | None) -> None:
        """The beginning of a part, a piece of it, or its end."""
        if isinstance(event, MultipartSegment):
            self._begin(event)
        elif event is None:
            self._end()
        elif self._file:
            await self._writer.take(bytes(event))
        else:
            self._value += event
            if len(self._value) > _FIELD:
                raise UsageError("a field of the form is too long", code="CB345")

    def _begin(self, part: MultipartSegment) -> None:
        self._part, self._value, self._file = part, b"", part.filename is not None
        if self._file:
            if self._name:
                raise UsageError("one file is taken at a time", code="CB345")
            self._ours(self._fields)
            self._name = part.filename or "answers"

    def _end(self) -> None:
        if self._part is not None and not self._file:
            self._fields[self._part.name] = self._value.decode("utf-8", "replace")
        self._part = None

    async def end(self, platform: Platform) -> Arrived:
        """All of it is there."""
        if not self._name:
            self._ours(self._fields)
            raise DataError("no file is chosen", code="CB310", expected="a file with answers")
        return await self._writer.end(platform, checked(self._fields), self._name)
