"""Progress bars and logs: when they appear, what they show, and that results stay clear of them."""

import io
import subprocess
import sys

import pytest

from corefbench import progress
from corefbench.progress import ProgressBar, ProgressLog, listen, report_progress, track_documents

ERASED = "\x1b[1A\x1b[2K"
"""Up a line, which is erased."""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Replace standard error when called; before the test itself pytest does so, too."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")

    def install(stream=None):
        stream = stream or Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return install


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def long_work(clock, documents=1):
    for number in range(documents):
        for done in (1, 2):
            clock[0] += 1
            report_progress("encoding", done, 4)
        yield number


def test_a_long_document_has_a_bar_that_is_removed(terminal, clock):
    stream = terminal()
    assert list(track_documents(long_work(clock), are_printed=True)) == [0]
    assert "encoding" in stream.getvalue()
    assert "2/4" in stream.getvalue()
    assert stream.getvalue().endswith(ERASED)


def test_a_short_document_has_no_bar(terminal, clock):
    def short_work():
        report_progress("encoding", 1, 2)
        yield 1

    stream = terminal()
    assert list(track_documents(short_work(), are_printed=True)) == [1]
    assert stream.getvalue() == ""


def test_later_documents_are_numbered(terminal, clock):
    stream = terminal()
    assert list(track_documents(long_work(clock, documents=2), are_printed=False)) == [0, 1]
    assert "document 2: encoding" in stream.getvalue()


def test_the_bar_is_hidden_while_a_result_is_printed(terminal, clock):
    stream = terminal()
    for _ in track_documents(long_work(clock, documents=3), are_printed=True):
        assert stream.getvalue().endswith("\x1b[2K")
        stream.truncate(0)


def test_the_bar_is_removed_when_the_work_fails(terminal, clock):
    def failing_work():
        yield from long_work(clock)
        clock[0] += 1
        report_progress("encoding", 1, 4)
        raise ZeroDivisionError

    stream = terminal()
    with pytest.raises(ZeroDivisionError):
        list(track_documents(failing_work(), are_printed=False))
    assert stream.getvalue().endswith("\x1b[2K")


def test_nothing_is_shown_if_standard_error_is_no_terminal(terminal, clock):
    stream = terminal(io.StringIO())
    assert list(track_documents(long_work(clock), are_printed=True)) == [0]
    assert stream.getvalue() == ""


def test_a_bar_counts_bytes_and_changes_its_description(terminal, clock):
    stream = terminal()
    with ProgressBar("reading", unit="bytes") as bar:
        clock[0] += 1
        bar.begin(4_000_000)
        bar.advance(1_000_000)
        bar.advance(1_000_000)
        bar.describe("writing")
        bar._bar.refresh()
    shown = stream.getvalue()
    assert "2.0/4.0 MB" in shown
    assert "writing" in shown
    assert shown.endswith(ERASED)


def test_a_bar_without_delay_appears_at_once_and_needs_no_total(terminal):
    stream = terminal()
    with ProgressBar("repairing", delay=0):
        pass
    assert "repairing" in stream.getvalue()


def test_a_log_has_a_line_every_few_seconds_and_at_the_end(clock):
    lines = []
    log = ProgressLog("document", 10, lines.append)
    for _ in range(10):
        clock[0] += 2
        log.step()
    assert lines == [
        "document 3/10, 14 s left",
        "document 6/10, 8 s left",
        "document 9/10, 2 s left",
        "document 10/10, 0 s left",
    ]


def test_a_resumed_log_has_notes_and_counts_from_where_it_stopped(clock):
    lines = []
    log = ProgressLog("document", 8, lines.append, done=4)
    clock[0] += 3
    log.step("loss 0.500", is_logged=True)
    assert lines == ["document 5/8 loss 0.500, 9 s left"]


def test_the_encoder_reports_its_progress():
    pytest.importorskip("torch", reason="needs the extra neural")
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_text

    reports = []
    discourse = read_text("Ann met Tom. She thanked him. " * 120, preprocess="en-words")
    with listen(lambda *report: reports.append(report)):
        make("neural").resolve(discourse)
    descriptions, done, totals = zip(*reports, strict=True)
    assert set(descriptions) == {"encoding"}
    assert len(set(totals)) == 1
    assert list(done) == list(range(1, totals[0] + 1))
    assert totals[0] > 2


@pytest.mark.parametrize(
    ("pipeline", "package"), [("en-accurate", "onnxruntime"), ("en", "spacy")], ids=["en-accurate", "en"]
)
def test_pipelines_report_their_progress(pipeline, package):
    pytest.importorskip(package)
    from corefbench.resolvers.resolve import read_text

    reports = []
    with listen(lambda *report: reports.append(report)):
        read_text("Ann met Tom. She thanked him.\n\n" * 400, preprocess=pipeline)
    assert {description for description, _, _ in reports} == {"analysing"}
    assert len(reports) > 2
    shares = [done / total for _, done, total in reports]
    assert 0 < shares[0] < 0.9
    assert shares == sorted(shares)
    assert 0.99 < shares[-1] <= 1


def test_rich_is_not_imported_without_a_bar():
    code = (
        "import sys\n"
        "from corefbench.progress import ProgressBar\n"
        "with ProgressBar('reading') as bar: bar.advance(1)\n"
        "sys.exit('rich' in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stderr=subprocess.DEVNULL)
