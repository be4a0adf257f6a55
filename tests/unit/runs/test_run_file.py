"""The file: the same bytes for the same run, whole or not at all, and nothing taken on trust."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from corefbench.bench.plan import Plan
from corefbench.bench.run import run_bench
from corefbench.errors import CorefbenchError, DataError, FormatError, UsageError, VerificationFailed
from corefbench.runs import archive, is_run, open_run, write_run
from corefbench.runs.verify import verify_run
from corefbench.workbench.routes import build_page
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import KEY, run
from tests.unit.workbench.samples import workbench


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "made" / "x.corefrun"
    write_run(run(), place)
    return place


def entries(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def rewritten(path: Path, changed: dict[str, bytes]) -> None:
    archive.write_archive(path, (entries(path) | changed).items())


def test_the_same_run_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "y"
    write_run(run(), other)
    assert other.read_bytes() == path.read_bytes()
    write_run(open_run(path), other)
    assert other.read_bytes() == path.read_bytes()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_runs_are_recognised_among_other_files(path: Path, tmp_path: Path) -> None:
    assert is_run(path)
    assert not is_run(KEY)
    assert not is_run(tmp_path)
    assert not is_run(tmp_path / "none")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as packed:
        packed.writestr("a.txt", "a")
    assert not is_run(tmp_path / "other.zip")


def test_header_and_results_need_no_documents(path: Path) -> None:
    damaged = {name: b"{" for name in entries(path) if name.startswith("documents/")}
    rewritten(path, damaged)
    opened = open_run(path)
    assert opened.header.results[0].name == "cautious"
    assert round(opened.results["steady"].conll.f1, 4) == 0.7746
    with pytest.raises(FormatError, match="damaged") as refused:
        opened.document(0)
    assert "documents/00000.json" in refused.value.found


def test_the_header_has_the_scores_without_the_tallies(path: Path) -> None:
    rewritten(path, {name: b"[]" for name in entries(path) if name.startswith("results/")})
    opened = open_run(path)
    assert round(opened.header.results[2].conll, 4) == 0.7746
    with pytest.raises(FormatError, match="damaged"):
        _ = opened.results


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\x00", b'{"schema": 1, "kind": "bench"}'])
def test_other_files_raise(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "run.json"
    place.write_bytes(content)
    with pytest.raises(FormatError, match="not a run file") as refused:
        open_run(place)
    assert refused.value.code == "CB101"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file cannot be read") as error:
        open_run(tmp_path / "none.corefrun")
    assert (error.value.code, error.value.found) == ("CB006", "no such file")


def test_a_file_cut_anywhere_is_refused_with_a_code(path: Path) -> None:
    content = path.read_bytes()
    for size in range(0, len(content) - 1, 97):
        path.write_bytes(content[:size])
        with pytest.raises(DataError) as refused:
            open_run(path)
        assert refused.value.code in ("CB101", "CB118")


def test_a_flipped_byte_is_noticed_or_changes_nothing(path: Path) -> None:
    content = path.read_bytes()
    whole = msgspec.json.encode(run().header)
    for place in range(0, len(content), 41):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            opened = open_run(path)
            verify_run(opened)
        except CorefbenchError:
            continue
        assert msgspec.json.encode(opened.header) == whole


def test_a_run_file_of_another_schema_raises(path: Path) -> None:
    header = json.loads(entries(path)["run.json"])
    rewritten(path, {"run.json": json.dumps({**header, "schema": 99, "inputs": "new"}).encode()})
    with pytest.raises(FormatError, match="another version") as refused:
        open_run(path)
    assert refused.value.code == "CB245"
    assert "newer" in refused.value.remedy


def test_fields_of_later_versions_do_not_matter(path: Path) -> None:
    header = json.loads(entries(path)["run.json"])
    rewritten(path, {"run.json": json.dumps({**header, "weather": "fine"}).encode()})
    assert open_run(path).header == run().header


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "documents/../../x.json", "documents/1.json"])
def test_names_that_a_run_does_not_have_are_refused(path: Path, name: str) -> None:
    rewritten(path, {name: b"{}"})
    with pytest.raises(FormatError, match="damaged") as refused:
        open_run(path)
    assert refused.value.code == "CB118"


def test_an_entry_that_is_there_twice_is_refused(path: Path) -> None:
    content = list(entries(path).items())
    with pytest.warns(UserWarning, match="Duplicate"):
        archive.write_archive(path, [*content, content[1]])
    with pytest.raises(FormatError, match="damaged"):
        open_run(path)


@pytest.mark.parametrize(
    ("entry", "keys", "value"),
    [
        ("run.json", ("results", 0, "profile", "conll", 1), "no_such_score"),
        ("run.json", ("results", 0, "profile", "conll"), []),
        ("run.json", ("results", 0, "name"), "somebody else"),
        ("results/00000.json", ("tallies", "muc", "columns", 0), "others"),
        ("results/00001.json", ("tallies", "blanc", "columns", 1), "others"),
        ("bench.json", ("statistics", 0, "kinds", "personal"), None),
        ("bench.json", ("statistics",), []),
        ("bench.json", ("words",), [1] * 9),
        ("bench.json", ("performances", 0, "resolver"), "somebody else"),
    ],
)
def test_contents_that_do_not_fit_together_end_in_a_code(
    tmp_path: Path, entry: str, keys: tuple, value: object
) -> None:
    bench = workbench(tmp_path)
    for path in (tmp_path / "runs").iterdir():
        contents = entries(path)
        if entry in contents:
            changed = json.loads(contents[entry])
            *parents, last = keys
            node = changed
            for key in parents:
                node = node[key]
            node[last] = value
            rewritten(path, {entry: json.dumps(changed).encode()})
            with pytest.raises(CorefbenchError) as error:
                build_page("results", bench, {"run": path.stem})
            assert error.value.code == "CB246"


@pytest.mark.slow
def test_seven_hundred_mutated_run_files_end_in_codes(tmp_path: Path) -> None:
    bench = workbench(tmp_path)
    values = (None, -1, 2**70, 1e308, "", "x", [], {}, [[]], True, [0], [1, 2, 3], {"a": 1})
    originals = {path.name: entries(path) for path in (tmp_path / "runs").iterdir()}
    for seed in range(700):
        rng = random.Random(seed)
        contents = dict(originals[rng.choice(sorted(originals))])
        entry = rng.choice(sorted(contents))
        changed = json.loads(contents[entry])
        *parents, last = rng.choice([keys for keys in paths_of(changed) if keys])
        node = changed
        for key in parents:
            node = node[key]
        node[last] = rng.choice(values)
        if rng.random() < 0.3:
            del node[last]
        archive.write_archive(
            tmp_path / "runs" / "mutated.corefrun", (contents | {entry: json.dumps(changed).encode()}).items()
        )
        for view in (
            lambda: build_page("results", bench, {"run": "mutated"}),
            lambda: build_page("errors", bench, {"run": "mutated"}),
            lambda: build_page("reading", bench, {"run": "mutated", "document": bench.run("mutated").documents[0]}),
            lambda: verify_run(bench.run("mutated")),
        ):
            with suppress(CorefbenchError):  # any other error fails the test
                view()


def paths_of(value: object, keys: tuple = ()) -> Iterator[tuple]:
    """The keys that lead to every value of a JSON document."""
    yield keys
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths_of(item, (*keys, key))


def test_a_bomb_is_refused_before_it_is_unpacked(path: Path) -> None:
    rewritten(path, {"documents/00001.json": b" " * (80 << 20)})
    assert path.stat().st_size < 1 << 20
    with pytest.raises(DataError, match="unpacks to too much") as refused:
        open_run(path)
    assert refused.value.code == "CB118"


def test_an_entry_that_lies_about_its_size_is_not_unpacked_beyond_it(path: Path) -> None:
    rewritten(path, {"documents/00001.json": b" " * (8 << 20)})
    content = path.read_bytes()
    declared, lie = (8 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little")
    assert content.count(declared) == 2
    path.write_bytes(content.replace(declared, lie))
    with pytest.raises(FormatError, match="damaged"):
        open_run(path).document(1)


def test_a_directory_of_too_many_entries_is_not_read(path: Path, monkeypatch) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 5)
    with pytest.raises(FormatError, match="damaged"):
        open_run(path)
    with pytest.raises(UsageError, match="too large for a run file"):
        write_run(run(), path)


def test_a_zip_of_the_unlimited_kind_is_refused(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-22] + b"PK\x06\x07" + bytes(16) + content[-22:])
    with pytest.raises(FormatError, match="damaged"):
        open_run(path)


def test_nesting_without_end_is_refused(path: Path) -> None:
    deep = b'{"label": "x", "weather": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    rewritten(path, {"documents/00001.json": deep})
    with pytest.raises(FormatError, match="damaged"):
        open_run(path).document(1)


def test_a_writer_that_is_killed_leaves_the_old_file(path: Path) -> None:
    before = path.read_bytes()
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from corefbench.runs.archive import write_archive\n"
        "def entries():\n"
        "    yield 'run.json', b'{}'\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_archive(Path(sys.argv[1]), entries())\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == before


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(path: Path) -> None:
    before = path.read_bytes()

    def failing():
        yield "run.json", b"{}"
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        archive.write_archive(path, failing())
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_an_unwritable_path_raises(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DataError, match="cannot be written") as refused:
        write_run(run(), tmp_path / "file" / "x.corefrun")
    assert refused.value.code == "CB006"


def test_verification_notices_another_mention(path: Path) -> None:
    content = json.loads(entries(path)["documents/00000.json"])
    content["key"]["mentions"]["chain"][0] = 1
    rewritten(path, {"documents/00000.json": json.dumps(content).encode()})
    with pytest.raises(VerificationFailed, match="contents"):
        verify_run(open_run(path))


@pytest.mark.parametrize("entry", ["documents/00000.json", "results/00000.json", "run.json"])
def test_verification_notices_what_was_sealed_again(path: Path, entry: str) -> None:
    content = json.loads(entries(path)[entry])
    if entry == "run.json":
        content["results"][0]["scores"]["muc"]["f1"] = 0.99
    elif "tallies" in content:
        content["tallies"]["muc"]["rows"][0][0] += 1
    else:
        content["responses"]["cautious"]["mentions"]["chain"][0] = 1
    rewritten(path, {entry: json.dumps(content).encode()})
    header = json.loads(entries(path)["run.json"])
    header["contents"] = open_run(path).checksum()
    rewritten(path, {"run.json": json.dumps(header).encode()})
    with pytest.raises(VerificationFailed, match="did not come out again"):
        verify_run(open_run(path))


def test_comparisons_of_the_first_schema_are_still_opened(tmp_path: Path) -> None:
    bench = run_bench(corpus(), Plan(resolvers=("most-recent", "random"), mode="annotated"))
    place = tmp_path / "run.json"
    place.write_bytes(msgspec.json.encode({"schema": 1, "kind": "bench", "bench": bench}))
    assert is_run(place)
    opened = open_run(place)
    assert opened.kind == "bench"
    assert opened.bench == bench
    assert opened.results == {}
    with pytest.raises(VerificationFailed, match="nothing to score"):
        verify_run(opened)


def test_plain_json_of_another_schema_raises(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    place.write_bytes(b'{"schema":99,"kind":"bench"}')
    with pytest.raises(FormatError, match="another version"):
        open_run(place)


def test_the_archive_is_a_zip_that_other_programs_read(path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as packed:
        assert packed.testzip() is None
        assert packed.namelist()[0] == "run.json"
