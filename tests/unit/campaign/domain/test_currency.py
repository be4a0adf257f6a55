"""Scores of an earlier profile are known from their signature."""

import corefbench
from corefbench.campaign.domain.currency import is_current
from corefbench.campaign.domain.definition import Task

CLUSTERS = [[(0, 0), (3, 3)], [(5, 5)]]


def task(scored: str, **choices: str) -> Task:
    return Task(name="t", title="T", scored=scored, choices=choices)


def signature(profile: str, **choices: str) -> str:
    return str(corefbench.score_clusters(CLUSTERS, CLUSTERS, profile, **choices).signature)


def test_what_was_scored_as_the_task_says_is_current():
    assert is_current(task("conll-2012"), signature("conll-2012"))
    assert is_current(
        task("conll-2012", singletons="strip"), signature("conll-2012", singletons="strip")
    )


def test_another_profile_choice_or_version_is_not():
    made = signature("conll-2012")
    assert not is_current(task("semeval-2010"), made)
    assert not is_current(task("conll-2012", singletons="strip"), made)
    assert not is_current(task("conll-2012"), made.rsplit(":", 1)[0] + ":0.0.0")
    assert not is_current(task("conll-2012"), "nonsense")


def test_the_exercise_is_held_against_its_own_choices():
    from corefbench.version import __version__

    made = f"are-3|average:macro|weighting:mean|key:k@1|version:{__version__}"
    assert is_current(task("are-3"), made)
    assert not is_current(task("are-4"), made)
    assert not is_current(task("are-3", average="micro"), made)
    assert not is_current(task("are-3", weighting="product"), made)
