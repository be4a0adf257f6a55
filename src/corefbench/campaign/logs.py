"""The log: one JSON object a line, with the time in UTC and whatever belongs to the event.

>>> import io
>>> stream = io.StringIO()
>>> with logging_to(stream):
...     logging.getLogger("corefbench.campaign").warning("late", extra={"submission": "s1"})
>>> line = msgspec.json.decode(stream.getvalue())
>>> line["event"], line["level"], line["submission"]
('late', 'warning', 's1')
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Any

import msgspec

from corefbench.campaign.domain.times import written

NAME = "corefbench.campaign"
_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """A record as a line of JSON; what was given as ``extra`` are fields of their own."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": written(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _OWN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


@contextmanager
def logging_to(stream: IO[str], level: int = logging.INFO) -> Iterator[None]:
    """Log to a stream, such as standard error, as long as this lasts."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger(NAME)
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]
