"""Style sheets and scripts: asked for once, and again only where they have changed."""

import pytest

pytest.importorskip("litestar", reason="the extra ui is not installed")
from litestar.testing import TestClient

from corefbench.web.app import make_app
from corefbench.web.assets import STATIC, asset_address, assets
from corefbench.web.workbench import Workbench


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    made = make_app(Workbench(tmp_path_factory.mktemp("w")))
    with TestClient(made, base_url="http://127.0.0.1:8765") as client:
        yield client


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.iterdir()))
def test_every_file_is_sent_as_it_is(client, name):
    answer = client.get(asset_address(name))
    assert answer.status_code == 200
    assert answer.content == (STATIC / name).read_bytes()
    assert "immutable" in answer.headers["cache-control"]


def test_what_is_asked_for_without_its_digest_may_change(client):
    for address in ("/static/reading.css", "/static/reading.css?v=0"):
        assert client.get(address).headers["cache-control"] == "no-cache"


def test_types_are_those_that_browsers_insist_on(client):
    expected = {"reading.css": "text/css", "reading.js": "text/javascript"}
    for name, kind in expected.items():
        assert client.get(asset_address(name)).headers["content-type"].startswith(kind)
    assert client.get(asset_address("icon.svg")).headers["content-type"] == "image/svg+xml"


def test_another_content_has_another_address():
    digests = [one.digest for one in assets().values()]
    assert len(set(digests)) == len(digests)
