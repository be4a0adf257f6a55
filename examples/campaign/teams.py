"""The teams: resolvers of corefbench, and what each answers to each task."""

from pathlib import Path

from corefbench.formats.load import load
from corefbench.tasks.are.files import answers_file
from corefbench.tasks.are.make import make_task_corpus
from corefbench.tasks.are.run import run_task

RESOLVERS = [
    "most-recent",
    "most-recent-subject",
    "kennedy-boguraev",
    "cogniac",
    "cogniac-robust",
    "mitkov",
    "same-head(pronouns=true)",
    "all-in-one",
    "sieve",
    "singletons",
    *(f"random(seed={seed})" for seed in range(1, 41)),
]


def answers_of(key: Path, task: int, count: int) -> list[bytes]:
    """A file of answers for each of so many teams."""
    corpus = load(key)
    ran = run_task(task, corpus, RESOLVERS[:count], preprocess="en-words", cache=False)
    made = make_task_corpus(corpus, task)
    return [answers_file(made, task, given) for given in ran.answers.values()]
