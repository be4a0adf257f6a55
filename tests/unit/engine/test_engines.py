"""Every engine gives what the serial one gives, also when a worker is killed."""

import os
import signal
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest
from distributed.client import FutureCancelledError
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.engine import base, map_documents, open_engine
from corefbench.errors import CorefbenchError, DataError, MissingExtra, UnknownName, UsageError

KEY = str(Path(__file__).parents[3] / "examples" / "key.conll")
ENGINES = [("serial", 1), ("processes", 1), ("processes", 3), ("dask", 2)]


@pytest.fixture(scope="module", params=ENGINES, ids=lambda params: "-".join(map(str, params)))
def engine(request):
    """One engine for all tests of its kind: a Dask cluster takes seconds to start."""
    with open_engine(*request.param) as engine:
        yield engine


@pytest.fixture(scope="module")
def cluster():
    with open_engine("dask", 2) as engine:
        yield engine


def square(number: int) -> int:
    return number * number


def fail_at_five(number: int) -> int:
    if number == 5:
        raise DataError("five is not taken", code="CB102")
    return number


def die_once(marks: Path, number: int) -> int:
    """Kill the worker the first time that it meets seven."""
    if number == 7:
        try:
            (marks / "killed").touch(exist_ok=False)
        except FileExistsError:
            return number
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_results_come_in_the_order_of_the_documents(engine):
    assert list(engine.map(square, range(50))) == [n * n for n in range(50)]


def test_no_more_documents_are_taken_in_than_workers_need(engine):
    endless = engine.map(square, count())
    assert list(islice(endless, 20)) == [n * n for n in range(20)]
    endless.close() if hasattr(endless, "close") else None


def test_an_error_of_the_work_is_the_same_as_here(engine):
    results = engine.map(fail_at_five, range(9))
    assert list(islice(results, 5)) == [0, 1, 2, 3, 4]
    with pytest.raises(DataError, match="CB102 five is not taken"):
        next(results)


@pytest.mark.parametrize(("name", "jobs"), [("processes", 2), ("dask", 2)])
def test_a_killed_worker_costs_no_document_and_doubles_none(name, jobs, tmp_path):
    results = list(map_documents(partial(die_once, tmp_path), range(30), engine=name, jobs=jobs))
    assert (tmp_path / "killed").exists()
    assert results == list(range(30))


def test_a_document_that_kills_every_worker_is_given_up():
    with pytest.raises(CorefbenchError, match="CB270"):
        list(map_documents(die, [1], engine="processes", jobs=2))


def test_several_jobs_mean_processes():
    assert os.getpid() not in set(map_documents(process_number, range(4), jobs=2))


def process_number(_: int) -> int:
    return os.getpid()


def test_an_engine_that_does_not_exist_is_not_taken_for_another():
    with pytest.raises(UnknownName, match="did you mean dask"):
        open_engine("dusk")


def test_there_must_be_a_worker():
    with pytest.raises(UsageError, match="at least one worker"):
        open_engine("processes", 0)


@pytest.mark.parametrize("command", [["score", KEY], ["stats"], ["check"]])
def test_a_wrong_engine_is_refused_however_little_there_is_to_do(command):
    refused = CliRunner().invoke(app, [*command, KEY, "--engine", "dusk"])
    assert isinstance(refused.exception, UnknownName)


@pytest.mark.parametrize("command", [["score", KEY], ["stats"], ["check"]])
def test_without_dask_its_extra_is_named_however_little_there_is_to_do(command, monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda _: None)
    refused = CliRunner().invoke(app, [*command, KEY, "--engine", "dask"])
    assert isinstance(refused.exception, MissingExtra)
    assert "corefbench[dask]" in str(refused.exception)


class Cancelled:
    """What is left of a document whose work was lost with a worker."""

    def result(self) -> int:
        raise FutureCancelledError("document", "the work is nowhere")


@pytest.mark.parametrize("lost", [1, 7])
def test_work_that_is_lost_with_a_worker_is_sent_again(cluster, monkeypatch, lost):
    """Of six that are taken in at once one is lost; or all six, and the first of the next."""
    submit, calls = cluster.client.submit, count()

    def losing(*arguments, **how):
        return Cancelled() if next(calls) < lost else submit(*arguments, **how)

    monkeypatch.setattr(cluster.client, "submit", losing)
    assert list(cluster.map(square, range(9))) == list(map(square, range(9)))


def test_work_that_is_lost_repeatedly_is_given_up(cluster, monkeypatch):
    monkeypatch.setattr(cluster.client, "submit", lambda *_, **__: Cancelled())
    with pytest.raises(CorefbenchError, match="lost repeatedly"):
        list(cluster.map(square, range(9)))
