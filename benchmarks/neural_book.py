"""A book of 100,000 words through the neural resolver, in a process of its own on one core."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_WORDS = 100_000
_RUN = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Book(NamedTuple):
    """What resolving it took."""

    words: int
    seconds: float
    """Of the processor, from the start of the command to its end."""
    peak: float
    """In megabytes."""

    @property
    def speed(self) -> float:
        """Words a second."""
        return self.words / self.seconds if self.seconds else 0.0


def resolved_book(model: Path, words: int = _WORDS) -> Book:
    """Resolve the book and write its chains."""
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "book.txt"
        text, count = book_text(words)
        path.write_text(text, encoding="utf-8")
        command = [
            sys.executable, "-m", "corefbench", "resolve", str(path), "--resolver",
            f"neural(model={model})", "--output", str(Path(scratch) / "book.conll"),
        ]  # fmt: skip
        one_core = os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
        said = subprocess.run(
            [sys.executable, "-c", _RUN, *command], env=one_core, capture_output=True, check=True
        )
    seconds, peak = map(float, said.stdout.split())
    return Book(words=count, seconds=seconds, peak=peak / 1024)


def book_text(words: int = _WORDS) -> tuple[str, int]:
    """The openings of LitBank's training novels as one text, and how many words it has."""
    from corefbench.preprocess.text import input_of
    from corefbench.training.data import corpus_of

    parts, count = [], 0
    for document in corpus_of("litbank/0/train"):
        if count >= words:
            break
        given = input_of(document)
        parts.append(given.text)
        count += len(given.offsets or ())
    return "\n\n".join(parts) + "\n", count
