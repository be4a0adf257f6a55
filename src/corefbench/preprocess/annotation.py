"""What readers of annotation need of a corpus, and what they say where it is not there."""

from corefbench.errors import MismatchError, Place
from corefbench.model.document import Document
from corefbench.preprocess.base import Input
from corefbench.preprocess.text import Columns
from corefbench.record import Record


class Annotation(Record, frozen=True):
    """Syntax that documents of a format have: the columns that it stands in."""

    what: str
    columns: tuple[str, ...]
    expected: str
    """The format and its columns, in words."""

    def document(self, given: Input) -> Document:
        """The document that an input was made of; raw text has none."""
        if given.document is None:
            raise self._missing(given.name, "columns")
        return given.document

    def of(self, document: Document) -> Columns:
        """The columns of a document that has them all."""
        columns = Columns(document)
        for name in self.columns:
            if name not in columns:
                raise self._missing(document.label, name)
        return columns

    def _missing(self, name: str, column: str) -> MismatchError:
        return MismatchError(
            f"the document has no {self.what} to read",
            code="CB211",
            place=Place(document=name),
            found=f"no {column}",
            expected=self.expected,
            remedy="take a pipeline that parses text: --preprocess en",
        )
