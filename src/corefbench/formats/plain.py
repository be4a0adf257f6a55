"""How a reader of columns says that it has met something that is not plain.

Such a reader takes whole blocks, and only what it has proved to be well formed. At anything else it
gives up, and the block is read again line by line, by the reader that knows what is wrong where.
"""


class NotPlain(Exception):
    """A block must be read line by line."""


def require(plain: object) -> None:
    """Give up unless something holds.

    >>> require(1 < 2)
    """
    if not plain:
        raise NotPlain
