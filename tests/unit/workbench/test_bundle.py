"""The static bundle: whole, linked within itself, and free of the machine that made it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.runs import open_run
from corefbench.workbench.bundle import write_bundle
from corefbench.workbench.storage import Workbench

SYSTEMS = ("near", "far & <away>")
KEY = """#begin document (d/one); part 000
d/one\t0\t0\tAnn\t(0)
d/one\t0\t1\tsaw\t-
d/one\t0\t2\tBob\t(1)
d/one\t0\t3\t.\t-

d/one\t0\t0\tShe\t(0)
d/one\t0\t1\tliked\t-
d/one\t0\t2\thim\t(1)
d/one\t0\t3\t.\t-

#end document
"""


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems on one small document; the name of one is not fit for a file."""
    from corefbench.runs.record import save_run

    folder = tmp_path_factory.mktemp("scored")
    (folder / "key.conll").write_text(KEY)
    (folder / "near.conll").write_text(KEY.replace("him\t(1)", "him\t(0)"))
    (folder / "far.conll").write_text(KEY.replace("She\t(0)", "She\t-"))
    responses = {SYSTEMS[0]: folder / "near.conll", SYSTEMS[1]: folder / "far.conll"}
    save_run(folder / "small.corefrun", folder / "key.conll", responses)
    return folder / "small.corefrun"


@pytest.fixture(scope="module")
def pages(run_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    seen: list[tuple[int, int]] = []
    count = write_bundle(
        _workbench(tmp_path_factory.mktemp("home"), run_file),
        "small",
        folder,
        progress=lambda done, known: seen.append((done, known)),
    )
    assert seen[-1] == (count, count)
    assert count == len(list(folder.rglob("*.html")))
    return folder


def _workbench(folder: Path, run_file: Path) -> Workbench:
    return Workbench(folder, {"small": run_file})


class _Links(HTMLParser):
    """Everything that a page leads to or loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "action") and value is not None:
                self.found.append(value)
            if name == "id" and value:
                self.ids.add(value)


def _links(page: Path) -> _Links:
    parser = _Links()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def test_every_kind_of_page_is_there(pages: Path) -> None:
    kinds = {path.relative_to(pages).parts[0].removesuffix(".html") for path in pages.rglob("*.html")}
    assert kinds >= {"index", "reading", "errors", "singletons", "versus"}


def test_every_link_leads_to_a_file_of_the_bundle(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        for link in _links(page).found:
            parts = urlsplit(link)
            assert not parts.scheme or parts.scheme == "data", (page, link)
            assert not link.startswith("/"), (page, link)
            if parts.path:
                there = (page.parent / unquote(parts.path)).resolve()
                assert there.is_file(), (page, link)
                assert there.is_relative_to(pages.resolve()), (page, link)


def test_links_that_only_a_server_answers_are_words(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "absent:" not in text
        assert '<form method="post"' not in text
        assert "htmx" not in text


def test_nothing_names_the_folder_it_was_made_in(pages: Path, run_file: Path) -> None:
    for path in pages.rglob("*"):
        if path.suffix in (".html", ".json", ".svg"):
            assert str(run_file.parent) not in path.read_text(encoding="utf-8"), path


def test_every_page_has_its_twin(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        json.loads(page.with_suffix(".json").read_bytes())


def test_charts_are_files_for_light_and_dark(pages: Path) -> None:
    text = (pages / "index.html").read_text(encoding="utf-8")
    drawn = re.findall(r'src(?:set)?="(drawings/[^"]+)"', text)
    assert {name.rpartition("-")[2] for name in drawn} == {"light.svg", "dark.svg"}
    for name in drawn:
        assert (pages / name).read_text(encoding="utf-8").startswith("<svg")


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path, run_file: Path) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        write_bundle(_workbench(tmp_path / "home", run_file), "small", folder)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    write_bundle(_workbench(tmp_path / "home", run_file), "small", folder, force=True)
    assert (folder / "mine.txt").read_text() == "mine"
    assert (folder / "index.html").is_file()


def test_a_run_that_is_not_there_is_unknown(tmp_path: Path, run_file: Path) -> None:
    with pytest.raises(UnknownName):
        write_bundle(_workbench(tmp_path / "home", run_file), "other", tmp_path / "pages")


def test_all_responses_of_the_run_are_read(pages: Path, run_file: Path) -> None:
    names = [result.name for result in open_run(run_file).header.results]
    assert len(list((pages / "reading").glob("*.html"))) == len(names) == 2
