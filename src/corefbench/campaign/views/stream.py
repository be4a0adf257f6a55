"""Answers as they arrive: a form with a file, or the bare bytes; never whole in memory."""

from asyncio import timeout
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from math import inf

from litestar.exceptions import InternalServerException
from multipart import (  # type: ignore[import-untyped]
    MultipartError,
    PushMultipartParser,
    parse_options_header,
)

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import Incoming
from corefbench.campaign.views.arrivals import Arrived, Writer
from corefbench.campaign.views.asked import Asked, checked
from corefbench.campaign.views.form_reading import FormReading
from corefbench.errors import UsageError

_SILENCE = 60.0
"""Seconds without a byte after which an upload is given up."""
_DRAINED = 64 << 20
"""Bytes of a refused upload that are still listened to."""


async def receive(
    request: Asked,
    pieces: AsyncIterator[bytes],
    platform: Platform,
    incoming: Incoming,
    ours: Callable[[dict[str, str]], None],
) -> Arrived:
    """Write the answers to ``incoming``; ``ours`` looks at the fields before the file is taken."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "multipart/form-data":
        return await _form(pieces, platform, incoming, options.get("boundary", ""), ours)
    fields = checked({name: str(value) for name, value in request.query_params.items()})
    ours(fields)
    name = fields.pop("file_name", "") or "answers"
    writer = Writer(incoming)
    async for piece in pieces:
        await writer.take(piece)
    return await writer.end(platform, fields, name)


async def arriving(request: Asked) -> AsyncIterator[bytes]:
    """The body as it comes; a line that has gone silent is given up."""
    stream = request.stream()
    said = request.headers.get("content-length", "")
    left = int(said) if said.isdecimal() else inf
    while left > 0:
        try:
            async with timeout(_SILENCE):
                piece = await anext(stream)
        except StopAsyncIteration:
            return
        except (TimeoutError, InternalServerException) as error:
            # The framework's word for a line that was closed from the other end.
            raise UsageError("the upload has broken off", code="CB345") from error
        left -= len(piece)
        yield piece


async def drain(pieces: AsyncIterator[bytes]) -> None:
    """Read on what is still coming: browsers show no answer before they have sent all."""
    left = _DRAINED
    with suppress(UsageError):
        async for piece in pieces:
            left -= len(piece)
            if left < 0:
                return


async def _form(
    pieces: AsyncIterator[bytes],
    platform: Platform,
    incoming: Incoming,
    boundary: str,
    ours: Callable[[dict[str, str]], None],
) -> Arrived:
    reading = FormReading(incoming, ours)
    try:
        with PushMultipartParser(
            boundary.encode(), max_segment_count=20, max_header_size=8192
        ) as parser:
            async for piece in pieces:
                reading.count(len(piece))
                for event in parser.parse(piece):
                    await reading.take(event)
    except (MultipartError, ValueError, AssertionError) as error:
        raise UsageError(
            "the form cannot be understood", code="CB345", found=str(error)[:200]
        ) from error
    return await reading.end(platform)
