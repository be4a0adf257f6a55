"""A column of strings that is being made: from single ones, and from columns that are there."""

from collections.abc import Iterable

from corefbench.model.strings import Strings


class GrowingStrings:
    """Strings to be appended to; columns are kept as they are until all are joined.

    >>> words = GrowingStrings()
    >>> words.extend(["The", "café"]); words.extend(Strings.of(["is"])); words.extend(["."])
    >>> len(words), list(words.joined())
    (4, ['The', 'café', 'is', '.'])
    """

    def __init__(self) -> None:
        self._columns: list[Strings] = []
        self._before = 0
        self._last: list[str] = []

    def __len__(self) -> int:
        return self._before + len(self._last)

    def extend(self, texts: Iterable[str] | Strings) -> None:
        if isinstance(texts, Strings):
            self._close()
            self._columns.append(texts)
            self._before += len(texts)
        else:
            self._last.extend(texts)

    def joined(self) -> Strings:
        """All of them."""
        if not self._columns:
            return Strings.of(self._last)
        self._close()
        return self._columns[0] if len(self._columns) == 1 else Strings.concatenate(self._columns)

    def _close(self) -> None:
        if self._last:
            self._columns.append(Strings.of(self._last))
            self._before += len(self._last)
            self._last = []
