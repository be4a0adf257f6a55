"""Run any program as a resolver.

The document goes to the standard input of the program, or to a file whose name replaces
``{input}``; the answer, in any format that corefbench reads, is its standard output, or the file
whose name replaces ``{output}``. Its tokens may differ from ours: they are located in the text.
"""

import io
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from corefbench.corpus.views import Document
from corefbench.errors import DataError, FormatError, Place, UsageError
from corefbench.formats import make as make_format
from corefbench.formats.base import Reading
from corefbench.formats.load import detect_format
from corefbench.formats.source import Source
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.adapters.chains import align_chains, resolution_from_chains
from corefbench.resolvers.base import Parameter, Resolution, ResolverCard
from corefbench.resolvers.response import to_corpus


class Command:
    """A resolver that runs another program, once for each document."""

    card = ResolverCard(
        name="command",
        title="Another program",
        description="Runs a program that reads a document and writes its chains.",
        resolves="chains",
        needs="the program, by run=COMMAND",
        parameters=(
            Parameter(name="run", default="", meaning="the command; {input} and {output} become the names of files"),
            Parameter(name="sends", default="text", meaning="the format of what it reads"),
            Parameter(name="answers", default="", meaning="the format it writes; else recognised"),
            Parameter(name="seconds", default=600, meaning="how long one document may take"),
        ),
    )

    def __init__(self, *, run: str = "", sends: str = "text", answers: str = "", seconds: float = 600) -> None:
        if not run:
            raise UsageError("no command to run given", expected="command(run=PROGRAM ARGUMENTS)")
        self.run, self.sends, self.answers, self.seconds = run, sends, answers, seconds

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        empty = Resolution(resolver=signature(self), discourse=discourse, decisions=())
        document = io.BytesIO()
        make_format(self.sends).write(to_corpus([empty]), document)
        answer = self._answer(document.getvalue(), discourse.analysis.name)
        offsets = _locate_words(answer.words, discourse.analysis.text, answer.label)
        chains = [[(offsets[start][0], offsets[end - 1][1]) for start, end in chain] for chain in answer.clusters()]
        aligned = align_chains(chains, discourse.analysis, characters=True)
        return resolution_from_chains(signature(self), discourse, aligned.chains, findings=aligned.findings)

    def _answer(self, document: bytes, name: str) -> Document:
        with tempfile.TemporaryDirectory() as folder:
            input_path, output_path = Path(folder) / "input", Path(folder) / "output"
            input_path.write_bytes(document)
            names = {"{input}": str(input_path), "{output}": str(output_path)}
            arguments = [names.get(word, word) for word in shlex.split(self.run)]
            output = self._run(arguments, document)
            content = output_path.read_bytes() if output_path.exists() else output
        source = Source(name=name, content=content)
        reader = make_format(self.answers) if self.answers else detect_format(source)
        for corpus in reader.read(source, Reading()):
            if len(corpus):
                return corpus[0]
        raise DataError("the program returned no document", code="CB262", place=Place(source=self.run))

    def _run(self, arguments: Sequence[str], document: bytes) -> bytes:
        try:
            process = subprocess.run(arguments, input=document, capture_output=True, timeout=self.seconds, check=True)
        except FileNotFoundError as error:
            raise UsageError("program not found", found=arguments[0]) from error
        except subprocess.TimeoutExpired as error:
            raise DataError(
                f"the program took more than {self.seconds} seconds",
                code="CB261",
                place=Place(source=self.run),
                remedy="increase seconds: command(run=…, seconds=…)",
            ) from error
        except subprocess.CalledProcessError as error:
            message = error.stderr.decode("utf-8", "replace").strip()[-500:]
            raise DataError(
                f"the program failed with exit code {error.returncode}",
                code="CB260",
                place=Place(source=self.run),
                found=message,
            ) from error
        return process.stdout


def _locate_words(words: Sequence[str], text: str, name: str) -> list[tuple[int, int]]:
    """Return the character offsets of the words of an answer in the text."""
    offsets, position = [], 0
    for word in words:
        begin = text.find(word, position)
        if begin < 0:
            raise FormatError(
                "the answer does not match the text",
                code="CB146",
                place=Place(source="answer", document=name),
                found=word,
                expected=text[position : position + 40],
            )
        position = begin + len(word)
        offsets.append((begin, position))
    return offsets
