"""The app as a whole: addresses, twins, pages that are not there."""

import pytest

from corefbench.workbench.storage import Workbench
from tests.unit.workbench.samples import connect


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    with connect(Workbench(tmp_path_factory.mktemp("w"))) as client:
        yield client


@pytest.mark.parametrize("path", ["/nothing", "/runs/none", "/jobs/none", "/static/none.css"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_not_there_is_a_page_that_says_so(client, path, method):
    answer = client.request(method, path)
    assert answer.status_code == 404
    if method == "HEAD":
        assert answer.content == b""
    else:
        assert answer.headers["content-type"].startswith("text/html")
        assert "Not found" in answer.text
        assert 'href="/"' in answer.text


@pytest.mark.parametrize("path", ["/nothing.json", "/runs/none.json", "/jobs/none.json"])
def test_as_json_it_says_so_in_json(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["status"] == 404


@pytest.mark.parametrize("path", ["/", "/prepare", "/prepare?kind=score"])
def test_head_is_get_without_its_body(client, path):
    head, get = client.head(path), client.get(path)
    assert head.status_code == get.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


@pytest.mark.parametrize("path", ["/index.json", "/prepare.json", "/prepare.json?kind=score"])
def test_pages_have_twins(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()


def test_bad_values_of_an_address_are_explained(client):
    answer = client.get("/prepare?kind=race")
    assert answer.status_code == 422
    assert "CB002" in answer.text


def test_names_in_addresses_lead_nowhere_else(client):
    for path in ("/static/..%2f..%2fapp.py", "/runs/..%2f..%2fx", "/jobs/..%2f..%2fx"):
        assert client.get(path).status_code == 404


def test_the_command_opens_a_run_a_corpus_or_the_first_page(tmp_path):
    from corefbench.cli.commands.workbench import _start_page
    from corefbench.errors import FormatError, UnknownName
    from corefbench.runs.record import save_run

    workbench = Workbench(tmp_path / "home")
    key = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"
    path = tmp_path / "my run.corefrun"
    save_run(path, key, {"same": key})
    assert _start_page(workbench, None) == "/"
    assert _start_page(workbench, str(path)) == "/runs/my%20run"
    assert workbench.run("my run").documents == ("a",)
    assert _start_page(workbench, "gum/dev") == "/prepare?corpus=gum%2Fdev"
    assert _start_page(workbench, str(tmp_path)).startswith("/prepare?corpus=%2F")
    with pytest.raises(UnknownName):
        _start_page(workbench, "no-such-thing")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FormatError):
        _start_page(workbench, str(path))
