"""A line of JSON as a record of the expected shape."""

from typing import TypeVar

import msgspec

from corefbench.errors import FormatError, Place

Shape = TypeVar("Shape")


def decoded(
    decoder: "msgspec.json.Decoder[Shape]", text: bytes, place: Place, *, what: str, expected: str
) -> Shape:
    """The record, or the fault with its line: not UTF-8, not JSON, or of another shape."""
    try:
        return decoder.decode(text)
    except UnicodeDecodeError as error:
        raise FormatError(
            "the text is not valid UTF-8",
            code="CB103",
            place=place,
            found=repr(text[error.start : error.end]),
            remedy="convert the file to UTF-8",
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(
            f"the line is not a document {what}",
            code="CB111",
            place=place,
            found=str(error),
            expected=expected,
        ) from error
