"""Structured log: one JSON object per line, with the time in UTC and the fields of the event.

>>> import io
>>> stream = io.StringIO()
>>> with log_to(stream):
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

from corefbench.campaign.domain.times import format_time

LOGGER_NAME = "corefbench"
"""Also of ``corefbench.web``, which logs the traceback of every request that failed."""
_STANDARD_FIELDS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Formats a log record as a line of JSON; ``extra`` values become fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "timestamp": format_time(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD_FIELDS}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


@contextmanager
def log_to(stream: IO[str], level: int = logging.INFO) -> Iterator[None]:
    """Log to a stream, such as standard error, while the block runs."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger(LOGGER_NAME)
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
