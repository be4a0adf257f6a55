"""The bar of a long document: when it is there, what it says, and that results stay clear of it."""

import io
import sys

import pytest

from corefbench.cli import told
from corefbench.cli.told import Told, watched
from corefbench.hearing import tell


class Screen(io.StringIO):
    """A terminal that remembers."""

    def isatty(self):
        return True


@pytest.fixture
def screen(monkeypatch):
    """What is put in place of standard error in the test itself: before, pytest has its own."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")

    def put(made):
        monkeypatch.setattr(sys, "stderr", made)
        return made

    return put


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""
    now = [100.0]
    monkeypatch.setattr(told.time, "monotonic", lambda: now[0])
    return now


def long_work(clock, documents=1):
    for number in range(documents):
        for done in (1, 2):
            clock[0] += 1
            tell("encoding", done, 4)
        yield number


def test_a_long_document_has_a_bar_that_goes_away(screen, clock):
    terminal = screen(Screen())
    assert list(watched(long_work(clock), printed=True)) == [0]
    shown = terminal.getvalue()
    assert "encoding" in shown
    assert " 50%" in shown
    assert shown.endswith("\x1b[1A\x1b[2K")  # up a line, which is erased


def test_a_short_document_has_none(screen, clock):
    def short():
        tell("encoding", 1, 2)
        yield 1

    terminal = screen(Screen())
    assert list(watched(short(), printed=True)) == [1]
    assert terminal.getvalue() == ""


def test_the_second_document_says_that_it_is_the_second(screen, clock):
    terminal = screen(Screen())
    assert list(watched(long_work(clock, documents=2), printed=False)) == [0, 1]
    assert "document 2: encoding" in terminal.getvalue()


def test_no_bar_is_there_while_a_result_is_printed(screen, clock):
    terminal = screen(Screen())
    for _ in watched(long_work(clock, documents=3), printed=True):
        assert terminal.getvalue().endswith("\x1b[2K")
        terminal.truncate(0)


def test_it_goes_away_when_the_work_fails(screen, clock):
    def failing():
        yield from long_work(clock)
        clock[0] += 1
        tell("encoding", 1, 4)
        raise ZeroDivisionError

    terminal = screen(Screen())
    with pytest.raises(ZeroDivisionError):
        list(watched(failing(), printed=False))
    assert terminal.getvalue().endswith("\x1b[2K")


def test_where_nobody_looks_nothing_is_shown(screen, clock):
    plain = screen(io.StringIO())
    assert list(watched(long_work(clock), printed=True)) == [0]
    assert plain.getvalue() == ""


def test_it_can_be_stopped_before_it_began():
    Told().stop()


def test_the_encoder_tells_how_far_it_has_come():
    pytest.importorskip("torch", reason="needs the extra neural")
    from corefbench.hearing import listening
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_text

    seen = []
    discourse = read_text("Ann met Tom. She thanked him. " * 120, preprocess="en-words")
    with listening(lambda *row: seen.append(row)):
        make("neural").resolve(discourse)
    whats, done, totals = zip(*seen, strict=True)
    assert set(whats) == {"encoding"}
    assert len(set(totals)) == 1
    assert list(done) == list(range(1, totals[0] + 1))
    assert totals[0] > 2


@pytest.mark.parametrize(
    ("pipeline", "needs"), [("en-accurate", "onnxruntime"), ("en", "spacy")], ids=["accurate", "en"]
)
def test_pipelines_tell_how_far_they_have_come(pipeline, needs):
    pytest.importorskip(needs)
    from corefbench.hearing import listening
    from corefbench.resolvers.resolve import read_text

    seen = []
    with listening(lambda *row: seen.append(row)):
        read_text("Ann met Tom. She thanked him.\n\n" * 400, preprocess=pipeline)
    assert {what for what, _, _ in seen} == {"analysing"}
    assert len(seen) > 2
    shares = [done / total for _, done, total in seen]
    assert 0 < shares[0] < 0.9
    assert shares == sorted(shares)
    assert 0.99 < shares[-1] <= 1
