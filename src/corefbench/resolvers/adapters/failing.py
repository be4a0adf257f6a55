"""What is said when another system fails: what to install, what to download, what it said."""

from corefbench.errors import DataError, MissingSystem, Place
from corefbench.record import Record
from corefbench.resolvers.adapters.exchange import Reply
from corefbench.resolvers.adapters.process import interpreter


class Failing(Record, frozen=True):
    """Who was asked, about what, and what would help."""

    resolver: str
    package: str
    python: str
    download: str
    documents: tuple[str, ...]

    def checked(self, reply: Reply) -> Reply:
        """The reply, if it is no failure."""
        if reply.failed == "package":
            raise MissingSystem(
                f"{self.resolver} needs a package that is not installed",
                found=reply.said,
                remedy=self._install(reply.package.partition(".")[0]),
            )
        if reply.failed == "model":
            raise MissingSystem(
                f"{self.resolver} does not find the data of its model",
                code="CB263",
                found=reply.said,
                remedy=self.download,
            )
        if reply.failed:
            raise DataError(
                f"{self.resolver} failed",
                code="CB260",
                place=Place(document=", ".join(self.documents)),
                found=reply.said,
                remedy="batch=1 tells which document it is" if len(self.documents) > 1 else "",
            )
        return reply

    def _install(self, module: str) -> str:
        """How to get the package. The system itself may be there and lack another."""
        own = self.package.replace("-", "_")
        package = self.package if not module or own.startswith(module) else module
        if self.python:
            return f"{interpreter(self.python)} -m pip install {package}"
        return f"pip install {package}, or {self.resolver}(python=PATH), the Python that has it"
