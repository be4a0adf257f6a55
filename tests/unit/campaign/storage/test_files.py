import hashlib
from pathlib import Path

import pytest

from corefbench.campaign.storage.files import FileStore
from corefbench.errors import DataError


def test_a_file_is_kept_under_the_name_of_its_content(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    stored = store.put(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2
    assert (stored.sha256, stored.bytes) == (expected, 3)
    assert store.path(expected) == tmp_path / "ba" / expected[2:]
    assert store.read(expected) == b"abc"


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    assert store.put(b"abc") == store.put(b"abc")
    assert len(list(store.all())) == 1


def test_a_file_arrives_in_pieces(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.incoming(10) as incoming:
        for piece in (b"abc", b"", b"defg"):
            incoming.write(piece)
        stored = incoming.commit()
    assert stored.sha256 == hashlib.sha256(b"abcdefg").hexdigest()
    assert list(store.all()) == [stored.sha256]
    assert list(store.list_incoming()) == []


def test_what_is_not_committed_does_not_stay(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.incoming(10) as incoming:
        incoming.write(b"abc")
    assert list(store.all()) == list(store.list_incoming()) == []


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.incoming(3) as incoming:
        incoming.write(b"abc")
        with pytest.raises(DataError) as raised:
            incoming.write(b"d")
    assert raised.value.code == "CB309"
    assert list(store.all()) == list(store.list_incoming()) == []


def test_what_has_arrived_can_be_read_before_it_is_kept(tmp_path: Path) -> None:
    with FileStore(tmp_path).incoming(3) as incoming:
        incoming.write(b"abc")
        incoming.flush()
        assert incoming.path.read_bytes() == b"abc"


def test_only_the_server_may_read_the_files(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "files")
    stored = store.put(b"abc")
    assert store.path(stored.sha256).stat().st_mode & 0o077 == 0
    assert store.path(stored.sha256).parent.stat().st_mode & 0o077 == 0
