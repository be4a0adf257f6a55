"""Style sheets and scripts: fetched once, and again only where they have changed."""

import pytest

pytest.importorskip("litestar", reason="the extra ui is not installed")
from corefbench.workbench.routes import ASSETS
from corefbench.workbench.storage import Workbench
from tests.unit.workbench.samples import connect


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    with connect(Workbench(tmp_path_factory.mktemp("w"))) as client:
        yield client


def test_every_file_is_served_unchanged(client):
    for folder in ASSETS.folders:
        for path in folder.iterdir():
            answer = client.get(ASSETS.url(path.name))
            assert answer.status_code == 200
            assert answer.content == path.read_bytes()
            assert "immutable" in answer.headers["cache-control"]


def test_a_url_without_the_digest_is_not_cached(client):
    for url in ("/static/reading.css", "/static/reading.css?v=0"):
        assert client.get(url).headers["cache-control"] == "no-cache"


def test_media_types_are_those_that_browsers_insist_on(client):
    expected = {"reading.css": "text/css", "reading.js": "text/javascript"}
    for name, kind in expected.items():
        assert client.get(ASSETS.url(name)).headers["content-type"].startswith(kind)
    assert client.get(ASSETS.url("icon.svg")).headers["content-type"] == "image/svg+xml"


def test_different_content_has_a_different_url():
    digests = [asset.digest for asset in ASSETS.by_name.values()]
    assert len(set(digests)) == len(digests)
