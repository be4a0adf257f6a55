"""Learning curves: points read, and drawn where they belong."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corefbench.errors import FormatError
from corefbench.report.charts import write_chart
from corefbench.report.learning_curve import Point, curve_chart, read_points

POINTS = (
    Point(system="sieve", size=10, score=0.4, low=0.35, high=0.45),
    Point(system="sieve", size=100, score=0.5, low=0.46, high=0.54),
    Point(system="sieve", size=1000, score=0.6, low=0.58, high=0.62),
    Point(system="<learned>", size=10, score=0.3),
    Point(system="<learned>", size=1000, score=0.7),
)


def test_points_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("system,size,score,low,high\na,10,0.5,0.4,0.6\nb,20,0.25,,\n")
    assert read_points(path) == (
        Point(system="a", size=10, score=0.5, low=0.4, high=0.6),
        Point(system="b", size=20, score=0.25),
    )


def test_points_are_read_from_json(tmp_path: Path) -> None:
    path = tmp_path / "points.json"
    path.write_text('[{"system": "a", "size": 10, "score": 0.5}]')
    assert read_points(path) == (Point(system="a", size=10, score=0.5),)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "system,size\na,10\n",
        "system,size,score\na,ten,0.5\n",
        "system,size,score\na,0,0.5\n",
        "system,size,score\na,10,50\n",
        "[{]",
    ],
)
def test_other_tables_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "points.csv"
    path.write_text(content)
    with pytest.raises(FormatError, match="not a table of points"):
        read_points(path)


def test_scores_are_percentages_and_wide_sizes_logarithmic() -> None:
    pytest.importorskip("altair")
    result = curve_chart(POINTS, unit="Documents").to_dict()
    band, line, dots = result["layer"]
    assert line["encoding"]["x"]["scale"]["type"] == "log"
    assert line["encoding"]["x"]["title"] == "Documents, logarithmic"
    (rows,) = result["datasets"].values()
    assert [row["score"] for row in rows][:2] == [40.0, 50.0]
    assert (rows[0]["low"], rows[0]["high"], rows[3]["low"]) == (35.0, 45.0, None)
    assert band["encoding"]["y2"]["field"] == "high"
    assert dots["encoding"]["shape"]["field"] == "system"


def test_near_sizes_are_drawn_as_they_are() -> None:
    pytest.importorskip("altair")
    result = curve_chart([Point(system="a", size=n, score=n / 10) for n in (1, 2, 3)]).to_dict()
    assert result["layer"][1]["encoding"]["x"]["scale"]["type"] == "linear"


def test_the_drawing_has_a_line_a_system_and_a_point_a_size(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / "curve.svg"
    write_chart(curve_chart(POINTS), path)
    drawing = path.read_text(encoding="utf-8")
    ElementTree.fromstring(drawing)
    assert "&lt;learned&gt;" in drawing
    assert len(re.findall(r'aria-roledescription="line mark"', drawing)) == 2
    assert len(re.findall(r'aria-roledescription="point"', drawing)) == 5
    assert len(re.findall(r'aria-roledescription="area mark"', drawing)) == 1


@pytest.mark.parametrize("name", ["curve.png", "curve.html"])
def test_pictures_and_pages_are_drawn_too(tmp_path: Path, name: str) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / name
    write_chart(curve_chart(POINTS), path)
    assert path.read_bytes()[:8] in (b"\x89PNG\r\n\x1a\n", b"<!DOCTYP")


class Addresses(HTMLParser):
    """What the elements of a page would fetch; the text of scripts is not looked into."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("src", "href", "data")]


def test_a_page_fetches_nothing(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / "curve.html"
    write_chart(curve_chart(POINTS), path)
    text = path.read_text(encoding="utf-8")
    assert Addresses(text).found == []
    assert not re.search(r"cdn|unpkg|jsdelivr|googleapis", text)
    # What is left are names of languages, a remark, and where "open in editor" would lead.
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    assert hosts <= {"www.w3.org", "vega.github.io", "github.com"}
