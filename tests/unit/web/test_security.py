"""What a local server must refuse, and what it must send."""

import os
import socket
from pathlib import Path

import pytest
from litestar.testing import TestClient

from corefbench.web.app import make_app
from corefbench.web.peers import is_foreign, listed_owner, owner
from corefbench.web.security import HEADERS, hostname
from corefbench.web.serve import listen
from corefbench.web.sockets import asked_owner, owner_in
from corefbench.web.workbench import Workbench

HERE = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    with TestClient(make_app(Workbench(tmp_path_factory.mktemp("w"))), base_url=HERE) as client:
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


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": HERE}, {"origin": HERE, "sec-fetch-site": "same-origin"}],
)
def test_our_own_forms_are_taken(client, headers):
    sent = client.post("/prepare", data={"kind": "score", "corpus": "upload"}, headers=headers)
    assert sent.status_code == 422  # read, and found to lack a key


def test_links_of_other_sites_lead_to_pages(client):
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/no-such-page", "/index.json", "/static/corefbench.css"])
def test_every_answer_keeps_to_itself(client, path):
    answer = client.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_no_page_may_run_what_is_written_in_it():
    policy = HEADERS["content-security-policy"]
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


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the kernel does not tell")
def test_the_kernel_says_who_is_at_the_other_end():
    with listen(0) as listening, socket.create_connection(listening.getsockname()) as client:
        ends = (client.getsockname(), listening.getsockname())
        assert owner(*ends) == listed_owner(*ends) == os.getuid()
        assert not is_foreign(*ends)


@pytest.mark.skipif(
    not hasattr(os, "seteuid") or os.getuid() != 0, reason="only root can be others"
)
def test_a_socket_of_another_user_is_foreign():
    with listen(0) as listening:
        os.seteuid(65_534)
        try:
            client = socket.create_connection(listening.getsockname())
        finally:
            os.seteuid(0)
        with client:
            ends = (client.getsockname(), listening.getsockname())
            assert owner(*ends) == listed_owner(*ends) == 65_534
            assert is_foreign(*ends)


def test_an_answer_about_another_socket_names_nobody():
    """Where there is no such connection the kernel tells of the socket that listens there."""
    with listen(0) as listening:
        here = listening.getsockname()
        assert asked_owner(here, ("127.0.0.1", 9)) is None
        assert asked_owner(("127.0.0.1", 9), here) is None
    assert asked_owner(("testclient", 1), here) is None
    assert asked_owner(("127.0.0.1", 70_000), here) is None
    assert owner_in(b"", b"") is None


def test_other_users_of_the_machine_are_refused(client, tmp_path, monkeypatch):
    table = tmp_path / "tcp"
    table.write_text(
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
        "   0: 0100007F:C350 0100007F:223D 01 00000000:00000000 00:00000000 00000000  4321 0 1\n"
    )
    ends = (("127.0.0.1", 50_000), ("127.0.0.1", 8765))
    assert listed_owner(*ends, table) == 4321
    assert listed_owner(("127.0.0.1", 50_001), ends[1], table) is None
    assert listed_owner(("testclient", 50_000), ends[1], table) is None
    assert listed_owner(*ends, tmp_path / "none") is None
    monkeypatch.setattr("corefbench.web.peers.owner", lambda client, server: 4321)
    answer = client.get("/")
    assert (answer.status_code, "another user" in answer.text) == (403, True)


def test_a_name_that_is_none_is_no_name():
    assert hostname("[::") == ""
    assert hostname("a b") == ""
    assert hostname("localhost:x") in ("", "localhost")


def test_only_loopback_is_listened_on():
    listening = listen(0)
    try:
        assert listening.getsockname()[0] == "127.0.0.1"
    finally:
        listening.close()


def test_a_port_in_use_is_said_to_be():
    from corefbench.errors import UsageError

    listening = listen(0)
    port = listening.getsockname()[1]
    try:
        with pytest.raises(UsageError, match=rf"port {port} cannot be used[\s\S]*--port"):
            listen(port)
        with pytest.raises(UsageError, match="cannot be used"):
            listen(70_000)
    finally:
        listening.close()


def test_folders_of_the_workbench_that_cannot_be_made_are_named(tmp_path: Path):
    from corefbench.errors import DataError

    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="--folder"):
        Workbench(tmp_path / "file" / "home")
