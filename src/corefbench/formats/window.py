"""Some bytes of a file as a stream of their own."""

import io
from pathlib import Path
from typing import Any


class Window(io.RawIOBase):
    """The bytes of a file from one place to before another, after some that are put before them.

    Bytes go from the file into the buffer of who reads; they are not kept.
    """

    def __init__(self, path: Path, start: int, end: int, before: bytes = b"") -> None:
        super().__init__()
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._start, self._end, self._before = start, end, before
        self.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """To the beginning or to any place behind it, counted from there."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("a window is not measured from elsewhere")
        self._place = offset
        self._file.seek(self._start + max(offset - len(self._before), 0))
        return offset

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        """As many bytes as there is room for and the file gives at once."""
        view = memoryview(buffer).cast("B")
        said = self._before[self._place : self._place + len(view)]
        view[: len(said)] = said
        left = self._end - self._start - max(self._place - len(self._before), 0)
        room = view[len(said) : len(said) + max(left, 0)]
        got = len(said) + (self._file.readinto(room) or 0)
        self._place += got
        return got

    def close(self) -> None:
        self._file.close()
        super().close()
