"""Raise Nonconformance where a rule of the protocol is broken."""

from corefbench.records import Record


class Nonconformance(AssertionError):
    """A rule of the protocol is broken: pytest shows the message as it is."""


def require(holds: bool, who: str, rule: str, found: object = "") -> None:
    """Raise Nonconformance with the rule and what was found, unless the rule holds.

    >>> require(False, "measure mine", "scores are at most 1", "recall 1.2")
    Traceback (most recent call last):
    corefbench.testing.rules.Nonconformance: measure mine: scores are at most 1; found recall 1.2
    """
    if not holds:
        detail = f"; found {found}" if found != "" else ""
        raise Nonconformance(f"{who}: {rule}{detail}")


def require_card(card: object, who: str, *texts: str) -> None:
    """Check that a card is a frozen record with texts, and a name fit for a command line."""
    require(isinstance(card, Record), who, "it has a card, a frozen record", type(card).__name__)
    for name in ("name", *texts):
        value = getattr(card, name)
        require(isinstance(value, str) and bool(value.strip()), who, f"its card has a {name}")
    name = getattr(card, "name", "")
    clean = name == name.strip().lower() and not set(name) & set(" ,()|:")
    require(clean, who, "its name is in lower case, without blanks and punctuation of options", name)
