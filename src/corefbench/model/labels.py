"""The label of a document, ``name`` or ``name_part``: what identifies it across formats."""

import re

_PART = re.compile(r"(.+)_(0|[1-9]\d{0,8})")


def name_and_part(label: str) -> tuple[str, int]:
    """The name and the part that a label is made of; -1 where it has no part.

    >>> name_and_part("bn/a_0"), name_and_part("story")
    (('bn/a', 0), ('story', -1))
    """
    split = _PART.fullmatch(label)
    return (split[1], int(split[2])) if split else (label, -1)
