"""The fields of an opening bracket of CorefUD, as ``# global.Entity`` declares them."""

from collections.abc import Mapping, Sequence

from corefbench.errors import Place
from corefbench.findings import Strictness
from corefbench.formats.corefud_place import joined
from corefbench.model.builder import Span
from corefbench.record import Record

DEFAULT_FIELDS = "eid-etype-head-other"
IDENTITY = ("eid", "GRP")


class Attributes(Record, frozen=True):
    """What an opening bracket says beside its entity; numbers count the mention's words from 1."""

    head: str | None
    """Empty where the head is not said; None where the fields have no head, so that it is to be
    taken from the tree."""
    minimum: "Minimum"
    columns: Mapping[str, str]


class Minimum(Record, frozen=True):
    """A minimal span: its text, and the spans of the words that it counts, now from 0; a span
    from -1 stands for what is no number.

    >>> Minimum.of("1,2,4").spans
    [(0, 2), (3, 4)]
    """

    text: str
    spans: list[Span]

    @classmethod
    def of(cls, text: str) -> "Minimum":
        numbers = sorted({natural(number) for number in text.split(",")}) if text else []
        return cls(text=text, spans=joined([(number - 1, number) for number in numbers]))


class Fields:
    """The declared fields of an opening bracket, and the brackets already understood.

    >>> label, attributes = Fields(["eid", "etype", "head"]).parse("e1-person-2")
    >>> label, attributes.head, attributes.columns
    ('e1', '2', {'etype': 'person'})
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.identity = next(i for i, name in enumerate(names) if name in IDENTITY)
        self.others = [name for name in names if name not in IDENTITY]
        self._known: dict[str, Attributes] = {}
        self._minima: dict[str, Minimum] = {}

    def parse(self, body: str) -> tuple[str, Attributes]:
        """The entity and the attributes; hyphens in the last field are its own."""
        if self.identity:
            values = body.split("-", len(self.names) - 1)
            label = values.pop(self.identity) if self.identity < len(values) else ""
            return label, self._attributes(values)
        label, _, rest = body.partition("-")
        return label, self.after_entity(rest)

    def after_entity(self, rest: str) -> Attributes:
        """The attributes where the entity comes first and ``rest`` follows it."""
        attributes = self._known.get(rest)
        if attributes is None:
            attributes = self._attributes(rest.split("-", len(self.others) - 1))
            self._known[rest] = attributes
        return attributes

    def _attributes(self, values: list[str]) -> Attributes:
        values += [""] * (len(self.others) - len(values))
        columns = dict(zip(self.others, values, strict=False))
        head, text = columns.pop("head", None), columns.pop("minspan", "")
        minimum = self._minima.get(text)
        if minimum is None:
            minimum = self._minima[text] = Minimum.of(text)
        return Attributes(head=head, minimum=minimum, columns=columns)

    def forget(self) -> None:
        """Give the memory back."""
        self._known.clear()
        self._minima.clear()


class Declaration:
    """The fields as last declared; a missing declaration is said once."""

    def __init__(self, strictness: Strictness) -> None:
        self._strictness = strictness
        self.text: str | None = None
        self.fields = Fields(DEFAULT_FIELDS.split("-"))

    def declare(self, text: str, place: Place, misc: str) -> None:
        """Take in a declaration; ``place`` and ``misc`` are those of the first entity after it."""
        self.text = text
        names = [name.strip() for name in text.split("-")]
        if not set(IDENTITY) & set(names):
            self._strictness.fault(
                "CB117",
                "the fields of Entity are not declared",
                place=place,
                found=f"# global.Entity = {text}" if text else misc,
                expected=f"# global.Entity = {DEFAULT_FIELDS}",
                repair=f"read as {DEFAULT_FIELDS}",
            )
            names = DEFAULT_FIELDS.split("-")
        self.fields = Fields(names)


def natural(text: str) -> int:
    """The number, 0 where it is none.

    >>> natural("12"), natural("x"), natural("")
    (12, 0, 0)
    """
    return int(text) if text.isascii() and text.isdigit() else 0
