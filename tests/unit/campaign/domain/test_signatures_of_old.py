"""Signatures that are not ours, or not of today, are not current."""

from corefbench.campaign.domain.currency import is_current
from corefbench.campaign.domain.definition import Task
from corefbench.version import __version__

CONLL = Task(name="t", title="T", scored="conll-2012")
EXERCISE = Task(name="t", title="T", scored="are-1")


def test_what_cannot_be_read_as_a_signature_is_not_current():
    assert is_current(CONLL, f"nonsense|version:{__version__}") is False


def test_an_older_version_is_current_where_versions_do_not_matter():
    made = "are-1|version:0.0.0"
    assert is_current(EXERCISE, made) is False
    assert is_current(EXERCISE, made, any_version=True)
