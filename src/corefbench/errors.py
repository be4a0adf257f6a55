"""The exceptions, with the table of error codes.

CorefbenchError
├── UsageError              exit 2   the command or call is not valid
│   └── UnknownName                  a name that is not registered ("did you mean")
├── DataError               exit 3   the input is not valid
│   ├── FormatError                  a file breaks the rules of its format
│   └── MismatchError                key and response do not belong together
├── MissingExtra            exit 4   an optional package is not installed
│   └── MissingSystem                another system, or its model, is not installed
└── VerificationFailed      exit 1   a result does not verify

An error carries a code that never changes its meaning, the place, what was found, what was
expected, and the next step. The documentation prints ``CODES``.
"""

from typing import ClassVar

from corefbench.records import Record

CODES: dict[str, str] = {
    "CB001": "Something failed inside corefbench",
    "CB002": "The command or call is not valid",
    "CB003": "Unknown name",
    "CB004": "An optional package is missing",
    "CB005": "A result does not verify",
    "CB006": "The file cannot be read",
    "CB007": "The signature cannot be read",
    "CB101": "The format of the file is not recognised",
    "CB102": "The file is empty",
    "CB103": "The text is not valid UTF-8",
    "CB104": "A bracket is closed that was never opened",
    "CB105": "A bracket is opened and never closed",
    "CB106": "A coreference cell is neither empty nor brackets",
    "CB107": "A document is not ended before the next begins",
    "CB108": "A token stands outside every document",
    "CB109": "A document name occurs twice",
    "CB110": "A line has too few columns",
    "CB111": "A line is not valid JSON of the expected shape",
    "CB112": "A span lies outside its document",
    "CB113": "A mention occurs twice",
    "CB114": "A head or minimum lies outside its mention",
    "CB115": "A reference points to nothing",
    "CB116": "Parts of a discontinuous mention are missing",
    "CB117": "The field declaration is missing or wrong",
    "CB118": "A compressed file is broken or too large",
    "CB119": "The file has a DTD or entities",
    "CB120": "The file is too large to be read whole",
    "CB121": "The file is not well-formed XML",
    "CB122": "Elements are nested too deep or have too many attributes",
    "CB123": "A tag is closed that was never opened",
    "CB124": "A tag is opened and never closed",
    "CB125": "A tag lacks an attribute it must have",
    "CB126": "An id occurs twice",
    "CB127": "The minimal string is not in its mention",
    "CB128": "The answers do not fit the task or its input",
    "CB129": "A mention has no words",
    "CB130": "A project names a file that is not there",
    "CB131": "A project names a file outside its folder",
    "CB132": "The file lacks an element that its format requires",
    "CB133": "No level of the project holds coreference",
    "CB134": "The list of curated sentences is missing or broken",
    "CB135": "The ends of spans are inclusive",
    "CB136": "Annotation that is not used is left out",
    "CB140": "The text that belongs to the annotation is missing",
    "CB141": "A line of annotation has the wrong shape",
    "CB142": "The text at a span is not what the annotation says",
    "CB143": "An answer is neither TRUE nor FALSE",
    "CB144": "A sentence does not have its two bracketed mentions",
    "CB145": "A sentence does not have the mentions its name promises",
    "CB146": "A marked text could not be aligned with its source",
    "CB147": "A bracket has no chain label",
    "CB150": "The output format cannot hold everything",
    "CB151": "A document has no tokens",
    "CB152": "Mentions of one chain cross",
    "CB153": "Every chain is a singleton",
    "CB154": "There are no mentions",
    "CB155": "A sentence is very long",
    "CB156": "A word is empty or has white space in it",
    "CB157": "A span belongs to two chains",
    "CB158": "The data set is not available",
    "CB159": "Nothing matches the pattern",
    "CB160": "The file is not Parquet of the expected shape",
    "CB201": "Key and response have no document in common",
    "CB202": "A document of the key is missing from the response",
    "CB203": "A document of the response is not in the key",
    "CB204": "The number of tokens differs",
    "CB205": "The tokens differ",
    "CB206": "The response repeats mentions",
    "CB207": "The key repeats mentions",
    "CB208": "The profile strips the key's singletons",
    "CB209": "The response has many twinless mentions",
    "CB210": "The key has no mentions",
    "CB211": "The corpus lacks what the measure or matching rule needs",
    "CB212": "Too many repeated mentions",
    "CB213": "A document of the response is shorter than the key's",
    "CB214": "Key and response have different kinds of mentions",
    "CB215": "A score is above 1",
    "CB220": "Results that were not scored alike cannot be compared",
    "CB221": "Results of different keys cannot be compared",
    "CB222": "Results of different documents cannot be compared",
    "CB235": "A file of decisions cannot be parsed",
    "CB236": "Decisions were made for other annotations",
    "CB237": "Conflicts between annotations are not resolved",
    "CB238": "Relations of annotations are not merged",
    "CB245": "The run file is of another version",
    "CB246": "The run file contradicts itself",
    "CB250": "The configuration of a training cannot be used",
    "CB251": "The trained model cannot be read",
    "CB260": "Another program failed",
    "CB261": "Another program took too long",
    "CB262": "The output of another program cannot be parsed",
    "CB263": "The data of a model are missing",
    "CB264": "Mentions of another program do not fit the tokens",
    "CB265": "A prompt template cannot be used",
    "CB266": "A line is not an answer of a language model",
    "CB270": "A worker was lost",
    "CB271": "The cluster cannot be reached",
    "CB301": "The team is not approved",
    "CB302": "The phase has not opened",
    "CB303": "The phase has closed",
    "CB304": "The download window is not open",
    "CB305": "The quota is used",
    "CB306": "The campaign is frozen",
    "CB307": "The submission is in a state that does not allow it",
    "CB308": "The folder of the campaign cannot be used",
    "CB309": "The upload exceeds its limits",
    "CB310": "The upload is not a file that is accepted",
    "CB311": "The platform failed to score a submission",
    "CB312": "Permission denied",
    "CB313": "The receipt is not genuine",
    "CB314": "The server refused or could not be reached",
    "CB315": "The phase is not over",
    "CB316": "The database is of a later version",
    "CB317": "The name or the e-mail address is taken",
    "CB318": "The request number was used for something else",
    "CB319": "The sandbox of scoring processes is not complete",
    "CB320": "The disk of the server is full",
    "CB330": "The backup cannot be read",
    "CB331": "There is a campaign already",
    "CB332": "The backup was made by another version",
    "CB341": "An account is needed",
    "CB342": "The e-mail address or the password is wrong",
    "CB343": "There were too many attempts",
    "CB344": "The form is too old or comes from another site",
    "CB345": "The request is not valid",
}

_CONTROL_PICTURES: dict[int, int | None] = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"}
_CONTROL_PICTURES |= {127: 0x2421, 13: None} | dict.fromkeys(range(128, 160), 0xFFFD)


def escape_controls(text: str) -> str:
    """Make control characters visible, so that none reaches a terminal.

    >>> escape_controls("a\\x1b[31mb")
    'a␛[31mb'
    """
    return text.translate(_CONTROL_PICTURES)


class Place(Record, frozen=True):
    """A position in a file or in a corpus."""

    source: str = ""
    line: int = 0
    column: int = 0
    document: str = ""

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        position = ":".join(parts)
        if self.document:
            position += f" (document {self.document})" if position else f"document {self.document}"
        # Names come from the data; a line break in one would look like another message.
        return escape_controls(position).replace("\n", "␊")


class CorefbenchError(Exception):
    """Base class of all errors that corefbench raises on purpose."""

    exit_code: ClassVar[int] = 1
    default_code: ClassVar[str] = "CB001"

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        place: Place | None = None,
        found: str = "",
        expected: str = "",
        remedy: str = "",
    ) -> None:
        self.message = message
        self.code = code or self.default_code
        self.place = place or Place()
        self.found = found
        self.expected = expected
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        place = str(self.place)
        lines = [f"{place}: {self.code} {self.message}" if place else f"{self.code} {self.message}"]
        for label, text in (("found", self.found), ("expected", self.expected), ("try", self.remedy)):
            if text:
                lines.append(f"  {label}: {text}")
        return escape_controls("\n".join(lines))


class UsageError(CorefbenchError):
    """The command or call is not valid."""

    exit_code = 2
    default_code = "CB002"


class UnknownName(UsageError):
    """A name is not registered; suggests the nearest names that are."""

    default_code = "CB003"

    def __init__(self, kind: str, name: str, known: list[str]) -> None:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=3, cutoff=0.5)
        remedy = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
        super().__init__(f"there is no {kind} named {name!r}", remedy=remedy)


class DataError(CorefbenchError):
    """The input is not valid."""

    exit_code = 3
    default_code = "CB006"


class FormatError(DataError):
    """A file breaks the rules of its format."""

    default_code = "CB101"


class MismatchError(DataError):
    """Key and response do not belong together."""

    default_code = "CB201"


class MissingExtra(CorefbenchError):
    """An optional package is missing; names the extra that installs it."""

    exit_code = 4
    default_code = "CB004"

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package}", remedy=f"pip install 'corefbench[{extra}]'")


class MissingSystem(MissingExtra):
    """Another system, or its model, is missing; says what to install or download."""

    def __init__(self, message: str, *, remedy: str, found: str = "", code: str = "") -> None:
        CorefbenchError.__init__(self, message, code=code, found=found, remedy=remedy)


class VerificationFailed(CorefbenchError):
    """A result does not verify."""

    exit_code = 1
    default_code = "CB005"
