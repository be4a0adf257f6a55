"""Sets of words written as text."""


def words(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(words("two  one"))
    ['one', 'two']
    """
    return frozenset(text.split())
