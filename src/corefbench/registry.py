"""The registry of named components: formats, measures, matching rules, profiles, resolvers.

Built-in entries are import targets (``"package.module:attribute"``) that are imported on first use.
Other packages add entries by entry point; these are looked up only if a name is not built in, or
if all names are listed.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from corefbench.errors import UnknownName, UsageError

T = TypeVar("T")


class Registry(Generic[T]):
    """A mapping from names to components, with aliases, lazy imports and "did you mean".

    >>> numbers: Registry[int] = Registry("number", built_in={"one": 1}, aliases={"1": "one"})
    >>> numbers["1"]
    1
    >>> sorted(numbers)
    ['one']
    """

    def __init__(
        self,
        kind: str,
        *,
        built_in: Mapping[str, str | T],
        aliases: Mapping[str, str] | None = None,
        entry_points: str = "",
    ) -> None:
        self.kind = kind
        self.built_in = frozenset(built_in)
        self._entries: dict[str, str | T] = dict(built_in)
        self._aliases: dict[str, str] = dict(aliases or {})
        self.group = entry_points
        """The group of entry points by which other packages add entries."""
        self._is_complete = not entry_points

    def register(self, name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[T], T]:
        """Return a decorator that adds an entry at run time."""

        def add(entry: T) -> T:
            self._entries[name] = entry
            self._aliases.update(dict.fromkeys(aliases, name))
            return entry

        return add

    def canonical(self, name: str) -> str:
        """Return the registered name of a name or an alias; raise ``UnknownName`` if unknown."""
        folded = name.strip().lower()
        # Names with hyphens and names with underscores are easily confused: either is accepted.
        for candidate in (folded, folded.replace("-", "_"), folded.replace("_", "-")):
            candidate = self._aliases.get(candidate, candidate)
            if candidate in self._entries:
                return candidate
        self._load_entry_points()
        # Names of other packages may have capitals.
        for known in self._entries:
            if known.lower() == folded:
                return known
        for alias, target in self._aliases.items():
            if alias.lower() == folded:
                return target
        raise UnknownName(self.kind, name, sorted({*self._entries, *self._aliases}))

    def __getitem__(self, name: str) -> T:
        name = self.canonical(name)
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = cast(T, getattr(import_module(module), attribute))
            self._entries[name] = entry
        return entry

    def __contains__(self, name: str) -> bool:
        try:
            self.canonical(name)
        except UnknownName:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        self._load_entry_points()
        return iter(self._entries)

    def built_in_first(self) -> Iterator[str]:
        """Yield the known names, then those of entry points, which are looked up only then."""
        known = list(self._entries)
        yield from known
        yield from (name for name in self if name not in known)

    def aliases_of(self, name: str) -> tuple[str, ...]:
        return tuple(alias for alias, target in self._aliases.items() if target == name)

    def make(self, text: str) -> Any:
        """Call the entry of a name with the parameters that follow it in parentheses.

        >>> shapes = Registry("shape", built_in={"box": lambda width, open=False: (width, open)})
        >>> shapes.make("box(width=2, open=true)")
        (2, True)
        """
        name, _, rest = text.partition("(")
        items = [item.partition("=")[::2] for item in rest.rstrip(") ").split(",") if item.strip()]
        values = {key.strip(): parse_parameter(value.strip()) for key, value in items}
        entry = cast(Callable[..., Any], self[name])
        try:
            inspect.signature(entry).bind(**values)
        except TypeError as error:
            raise UsageError(
                f"the {self.kind} {self.canonical(name)} does not accept these parameters",
                found=rest.rstrip(") "),
                expected=str(inspect.signature(entry)),
            ) from error
        return entry(**values)

    def _load_entry_points(self) -> None:
        if not self._is_complete:
            from importlib.metadata import entry_points

            for point in entry_points(group=self.group):
                self._entries.setdefault(point.name, point.value)
            self._is_complete = True


def parse_parameter(text: str) -> str | bool | int | float:
    """Convert the text of a parameter to a bool, an int, a float or a string.

    >>> parse_parameter("true"), parse_parameter("3"), parse_parameter("events")
    (True, 3, 'events')
    """
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
