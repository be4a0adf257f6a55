"""What a local server must refuse, and what it must send."""

from pathlib import Path

import pytest

from corefbench.web.security import SECURITY_HEADERS, hostname
from corefbench.web.server import bind_socket
from corefbench.workbench.storage import Workbench
from tests.unit.workbench.samples import HERE, connect


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    with connect(Workbench(tmp_path_factory.mktemp("w"))) as client:
        yield client


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST"])
def test_the_names_of_this_machine_are_answered(client, host):
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "7f000001.rebind.example:8765",
        "127.0.0.1.nip.io",
        "evil.example@127.0.0.1",
        "127.0.0.1:80@evil.example",
        "127.0.0.1#evil.example",
        "0.0.0.0:8765",
        "[::",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/index.json", "/static/corefbench.css", "/no-such-page"])
def test_a_foreign_name_that_points_here_reads_nothing(client, host, path):
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 403
    assert "corefbench" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9999"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "http://127.0.0.1:8765.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": HERE, "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("path", ["/prepare", "/runs/demo/delete", "/no-such-page"])
def test_forms_of_other_sites_are_not_taken(client, headers, path):
    assert client.post(path, data={"kind": "score"}, headers=headers).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"origin": HERE}, {"origin": HERE, "sec-fetch-site": "same-origin"}])
def test_our_own_forms_are_taken(client, headers):
    sent = client.post("/prepare", data={"kind": "score", "corpus": "upload"}, headers=headers)
    assert sent.status_code == 422  # read, and found to lack a key


def test_links_of_other_sites_lead_to_pages(client):
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/no-such-page", "/index.json", "/static/corefbench.css"])
def test_every_answer_keeps_to_itself(client, path):
    answer = client.get(path)
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


def test_no_page_may_run_what_is_written_in_it():
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy


def test_pages_have_no_script_or_style_in_them(client):
    for path in ("/", "/prepare", "/prepare?kind=score"):
        text = client.get(path).text
        assert "<script>" not in text
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text


def test_a_name_that_is_none_is_no_name():
    assert hostname("[::") == ""
    assert hostname("a b") == ""
    assert hostname("localhost:x") in ("", "localhost")


def test_a_port_in_use_is_said_to_be():
    from corefbench.errors import UsageError

    listening = bind_socket("127.0.0.1", 0)
    port = listening.getsockname()[1]
    try:
        with pytest.raises(UsageError, match=rf"port {port}, cannot be used[\s\S]*--port"):
            bind_socket("127.0.0.1", port)
        with pytest.raises(UsageError, match="cannot be used"):
            bind_socket("127.0.0.1", 70_000)
    finally:
        listening.close()


def test_folders_of_the_workbench_that_cannot_be_made_are_named(tmp_path: Path):
    from corefbench.errors import DataError

    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="--folder"):
        Workbench(tmp_path / "file" / "home")
