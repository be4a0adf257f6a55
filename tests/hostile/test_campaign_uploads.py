"""Hostile uploads: a coded error within 5 s and 512 MB, no traceback, no word of the key."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.config import Data, Task
from corefbench.campaign.domain.evaluation import Invalid, Outcome, Scored, Valid
from corefbench.campaign.jobs.scoring import CHECKING_LIMITS, Job, run_job
from corefbench.errors import CODES
from corefbench.formats.load import load
from corefbench.tasks.are.files import key_file as exercise_key
from corefbench.tasks.are.make import make_tasks
from tests.campaign import answers
from tests.hostile.uploads import FAMILIES, Upload, uploads

CANARIES = ("zebra", "quagga", "okapi")
"""Words of the key that the input does not have."""
KEYS = {"conll": "test.key.conll", "are": "test.key.xml"}
LARGE = 1 << 20
"""What is larger was refused at the door for its size."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A campaign whose key can be told from its input; nothing may be added to it."""
    made = tmp_path_factory.mktemp("hostile") / "tiny"
    (made / "data").mkdir(parents=True)
    key = answers("key")
    for number, word in enumerate(CANARIES):
        key = key.replace(f"\tw{number}\t".encode(), f"\t{word}\t".encode())
    (made / "data" / "test.key.conll").write_bytes(key)
    (made / "data" / "key.txt").write_text("zebra quagga okapi\n")
    exercise = make_tasks(load(key)).tasks[2]
    (made / "data" / "test.key.xml").write_bytes(exercise_key(exercise, 2))
    before = sorted(made.rglob("*"))
    yield made
    assert sorted(made.rglob("*")) == before


def job(folder: Path, path: Path, upload: Upload) -> Job:
    return Job(
        kind="check",
        path=str(path),
        file_name=upload.file_name,
        task=Task(name="t", title="T", scored="are-2" if upload.format == "are" else "conll-2012"),
        data=Data(task="t", key=f"data/{KEYS.get(upload.format, '')}", format=upload.format),
        folder=str(folder),
    )


def is_scored(upload: Upload) -> bool:
    """Whether scoring would be told something that checking was not."""
    return upload.format in KEYS and len(upload.content) < LARGE


def wrong(upload: Upload, outcome: Outcome) -> str:
    """What is wrong with how an upload was answered."""
    told = msgspec.json.encode(outcome).decode()
    if any(word in told for word in CANARIES):
        return f"tells the key: {told}"
    if "Traceback" in told or "/tmp" in told:
        return f"tells of the inside: {told}"
    if isinstance(outcome, Invalid):
        codes = {finding.code for finding in outcome.findings}
        known = codes <= set(CODES) and "CB001" not in codes
        return "" if known else f"has no code of its own: {told}"
    if isinstance(outcome, Valid | Scored) and (upload.harmless or isinstance(outcome, Valid)):
        return ""
    return f"was answered with {told[:500]}"


def test_the_collection_is_large_enough():
    names = [(family, upload.name) for family in FAMILIES for upload in uploads(family)]
    assert len(names) == len(set(names)) >= 200
    assert len(FAMILIES) >= 10


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_uploads_are_scored_or_refused_with_a_code(family, folder, tmp_path):
    failures = {}
    for number, upload in enumerate(uploads(family)):
        path = tmp_path / str(number)
        path.write_bytes(upload.content)
        asked = job(folder, path, upload)
        checked = run_job(asked, CHECKING_LIMITS)
        found = wrong(upload, checked)
        if not found and is_scored(upload):
            found = wrong(upload, run_job(replace(asked, kind="score"), CHECKING_LIMITS))
        if found:
            failures[upload.name] = found
        assert path.read_bytes() == upload.content
    assert failures == {}, "\n".join(f"{name}: {what}" for name, what in failures.items())
