"""Other programs as resolvers."""

import sys
from pathlib import Path

import pytest

from corefbench.errors import DataError, FormatError, UsageError
from corefbench.resolvers.adapters.command import Command
from tests.trees import discourse

TEXT = """
Ann Ann PROPN NNP 2 nsubj [person]
slept sleep VERB VBD 0 root
. . PUNCT . 2 punct

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
. . PUNCT . 2 punct
"""

ANSWER = '{"doc_key": "x", "sentences": [["Ann", "slept."], ["She", "dreamt", "."]], "clusters": [[[0, 0], [2, 2]]]}'


def program(tmp_path: Path, code: str) -> str:
    """A program that runs the code."""
    path = tmp_path / "program.py"
    path.write_text(code)
    return f"{sys.executable} {path}"


def test_a_program_that_prints_its_answer(tmp_path: Path) -> None:
    run = program(tmp_path, f"import sys; sys.stdin.read(); print({ANSWER!r})")
    resolution = Command(run=run).resolve(discourse(TEXT))
    phrases = resolution.discourse.phrases
    found = [[resolution.discourse.text_of(phrases[n]) for n in c] for c in resolution.chains()]
    assert found == [["Ann", "She"]]
    assert [d.antecedent for d in resolution.decisions] == [0]


def test_a_program_that_works_on_files(tmp_path: Path) -> None:
    code = f"import sys\nassert 'Ann slept' in open(sys.argv[1]).read()\nopen(sys.argv[2], 'w').write({ANSWER!r})\n"
    run = program(tmp_path, code) + " {input} {output}"
    resolution = Command(run=run, answers="jsonlines").resolve(discourse(TEXT))
    assert len(resolution.chains()) == 1


def test_mentions_that_cut_through_our_tokens_are_counted(tmp_path: Path) -> None:
    answer = ANSWER.replace('"Ann"', '"A", "nn"').replace("[2, 2]", "[3, 3]")
    run = program(tmp_path, f"import sys; sys.stdin.read(); print({answer!r})")
    resolution = Command(run=run).resolve(discourse(TEXT))
    assert len(resolution.chains()) == 1
    assert [finding.found for finding in resolution.findings] == ["1 of 2"]


def test_failures_are_reported(tmp_path: Path) -> None:
    text = discourse(TEXT)
    with pytest.raises(UsageError, match="no command"):
        Command()
    with pytest.raises(UsageError, match="program not found"):
        Command(run="no-such-program-anywhere").resolve(text)
    with pytest.raises(DataError, match="exit code 3"):
        Command(run=program(tmp_path, "import sys; sys.exit(3)")).resolve(text)
    slow = program(tmp_path, "import time; time.sleep(9)")
    with pytest.raises(DataError, match="took more than"):
        Command(run=slow, seconds=0.2).resolve(text)
    other = program(tmp_path, f"print({ANSWER.replace('Ann', 'Bob')!r})")
    with pytest.raises(FormatError, match="does not match the text"):
        Command(run=other).resolve(text)
