"""How the kit says that something does not keep the rules."""

from corefbench.record import Record


class Nonconformance(AssertionError):
    """A rule of the protocol is broken: pytest shows the message as it is."""


def require(holds: bool, who: str, rule: str, found: object = "") -> None:
    """Refuse what breaks a rule, and say who, which rule, and what was found.

    >>> require(False, "measure mine", "scores are at most 1", "recall 1.2")
    Traceback (most recent call last):
    corefbench.testing.rule.Nonconformance: measure mine: scores are at most 1; found recall 1.2
    """
    if not holds:
        said = f"; found {found}" if found != "" else ""
        raise Nonconformance(f"{who}: {rule}{said}")


def require_card(card: object, who: str, *texts: str) -> None:
    """A card is a frozen record whose texts are not empty; its name is fit for a command line."""
    require(isinstance(card, Record), who, "it has a card, a frozen record", type(card).__name__)
    for name in ("name", *texts):
        value = getattr(card, name)
        require(isinstance(value, str) and bool(value.strip()), who, f"its card has a {name}")
    name = getattr(card, "name", "")
    clean = name == name.strip().lower() and not set(name) & set(" ,()|:")
    require(clean, who, "its name is in small letters, without blanks and signs of options", name)
