"""The columns of a Parquet corpus, and the package that reads and writes them."""

from typing import Any

from corefbench.errors import FormatError, MissingExtra, Place

REQUIRED = ("name", "words", "mention_start", "mention_end", "mention_chain")
"""Columns without which a file is no corpus; all others may be missing, or empty in a row."""


def arrow() -> Any:
    """The package pyarrow, with its module for Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow


def schema() -> Any:
    """The columns in the order in which they are written."""
    pa = arrow()
    text, number, flag = pa.string(), pa.int32(), pa.bool_()
    texts, numbers, flags = pa.list_(text), pa.list_(number), pa.list_(flag)
    spans, attributes = pa.list_(numbers), pa.map_(text, texts)
    return pa.schema(
        {
            "name": text,
            "part": number,
            "attributes": pa.map_(text, text),
            "text": text,
            "words": texts,
            "sentences": numbers,
            "empty": flags,
            "token_begin": numbers,
            "token_end": numbers,
            "token_attributes": attributes,
            "mention_start": numbers,
            "mention_end": numbers,
            "mention_chain": texts,
            "mention_head": numbers,
            "mention_parts": spans,
            "mention_minimum": spans,
            "mention_referring": flags,
            "mention_attributes": attributes,
            "split_plural": texts,
            "split_element": texts,
            "bridging_anaphor": numbers,
            "bridging_mention": numbers,
            "bridging_chain": texts,
            "bridging_label": texts,
        }
    )


def unfit(source: str, found: str, expected: str, document: str = "") -> FormatError:
    """The error for a file that is not as it should be."""
    return FormatError(
        "the file is not Parquet of the expected shape",
        code="CB160",
        place=Place(source=source, document=document),
        found=found[:200],
        expected=expected,
        remedy="the columns are listed under formats in the documentation",
    )
