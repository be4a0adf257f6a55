"""Addresses with places for values, and what comes of them."""

from re import findall
from urllib.parse import quote, urlencode

from corefbench.record import Record


class Addressed(Record, frozen=True):
    """What has an address."""

    path: str
    """As in ``/runs/{run}``."""

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return findall(r"\{(\w+)\}", self.path)

    def address(self, **values: object) -> str:
        """With these values: those of the path in it, all others behind a question mark.

        >>> Addressed(path="/runs/{run}").address(run="a b", by="document", page=None)
        '/runs/a%20b?by=document'
        """
        made = self.path
        for name in self.parameters:
            made = made.replace(f"{{{name}}}", quote(str(values.pop(name)), safe=""))
        rest = {name: str(value) for name, value in values.items() if value not in (None, "")}
        return f"{made}?{urlencode(rest)}" if rest else made
