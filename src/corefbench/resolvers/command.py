"""Any program as a resolver: it reads a document and answers in a format that corefbench reads.

The document goes to its standard input, or to a file whose name replaces ``{input}``; the answer
is what it prints, or what it leaves in the file that replaces ``{output}``. Its words may differ
from ours: they are found again in the text, one after another.
"""

import io
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from corefbench.errors import DataError, FormatError, Place, UsageError
from corefbench.formats import make as make_format
from corefbench.formats.base import Reading
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.document import Document
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.adapters.placing import placed
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.chained import resolution_of_chains
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.response import response


class Command:
    """A resolver that is another program, started once for each document."""

    card = ResolverCard(
        name="command",
        title="Another program",
        description="Runs a program that reads a document and writes its chains.",
        resolves="chains",
        needs="the program, by run=COMMAND",
        parameters=(
            Parameter(
                name="run",
                default="",
                meaning="the command; {input} and {output} become the names of files",
            ),
            Parameter(name="sends", default="text", meaning="the format of what it reads"),
            Parameter(name="answers", default="", meaning="the format it writes; else recognised"),
            Parameter(name="seconds", default=600, meaning="how long one document may take"),
        ),
    )

    def __init__(
        self, *, run: str = "", sends: str = "text", answers: str = "", seconds: float = 600
    ) -> None:
        if not run:
            raise UsageError(
                "the command to run is not said", expected="command(run=PROGRAM ARGUMENTS)"
            )
        self.run, self.sends, self.answers, self.seconds = run, sends, answers, seconds

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        empty = Resolution(resolver=signature(self), discourse=discourse, decisions=())
        sent = io.BytesIO()
        make_format(self.sends).write(response([empty]), sent)
        document = self._answer(sent.getvalue(), discourse.analysis.name)
        offsets = _places(document.words, discourse.analysis.text, document.label)
        chains = [
            [(offsets[start][0], offsets[end - 1][1]) for start, end in chain]
            for chain in document.clusters()
        ]
        put = placed(chains, discourse.analysis, characters=True)
        return resolution_of_chains(signature(self), discourse, put.chains, findings=put.findings)

    def _answer(self, sent: bytes, name: str) -> Document:
        with tempfile.TemporaryDirectory() as folder:
            given, left = Path(folder) / "input", Path(folder) / "output"
            given.write_bytes(sent)
            names = {"{input}": str(given), "{output}": str(left)}
            arguments = [names.get(word, word) for word in shlex.split(self.run)]
            printed = self._started(arguments, sent)
            content = left.read_bytes() if left.exists() else printed
        source = Source(name=name, content=content)
        reader = make_format(self.answers) if self.answers else sniff(source)
        for corpus in reader.read(source, Reading()):
            if len(corpus):
                return corpus[0]
        raise DataError("the program answered nothing", code="CB262", place=Place(source=self.run))

    def _started(self, arguments: Sequence[str], sent: bytes) -> bytes:
        try:
            done = subprocess.run(
                arguments, input=sent, capture_output=True, timeout=self.seconds, check=True
            )
        except FileNotFoundError as error:
            raise UsageError("there is no such program", found=arguments[0]) from error
        except subprocess.TimeoutExpired as error:
            raise DataError(
                f"the program took more than {self.seconds} seconds",
                code="CB261",
                place=Place(source=self.run),
                remedy="command(run=…, seconds=…) gives it more",
            ) from error
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip()[-500:]
            raise DataError(
                f"the program failed with exit code {error.returncode}",
                code="CB260",
                place=Place(source=self.run),
                found=said,
            ) from error
        return done.stdout


def _places(words: Sequence[str], text: str, name: str) -> list[tuple[int, int]]:
    """Where the words of an answer stand in the text."""
    found, at = [], 0
    for word in words:
        begin = text.find(word, at)
        if begin < 0:
            raise FormatError(
                "the answer is not about this text",
                code="CB146",
                place=Place(source="answer", document=name),
                found=word,
                expected=text[at : at + 40],
            )
        at = begin + len(word)
        found.append((begin, at))
    return found
