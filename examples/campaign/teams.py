"""The teams: resolvers of corefbench, and what each answers to each task."""

from pathlib import Path

from corefbench.are.files import answers
from corefbench.are.make import task_corpus
from corefbench.are.run import run_task
from corefbench.formats.load import load

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
    made = task_corpus(corpus, task)
    return [answers(made, task, given) for given in ran.answers.values()]
