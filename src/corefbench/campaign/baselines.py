"""The answers of corefbench's own resolvers to a task of a campaign, as a team would send them.

They read words alone (``en-words``), which needs no model: what counts here is that there are
answers, not how good they are.
"""

import io
from pathlib import Path

from msgspec.structs import replace

from corefbench.campaign.domain.definition import Data, Task
from corefbench.campaign.domain.scores import are_number
from corefbench.formats import make as make_format
from corefbench.formats.fit import fit
from corefbench.formats.load import load
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus
from corefbench.record import Record

BASELINES = ("most-recent", "same-head(pronouns=true)", "all-in-one")
_PREPROCESS = "en-words"


class Answers(Record, frozen=True):
    """A file of answers."""

    file_name: str
    content: bytes


def answers_of(task: Task, data: Data, folder: Path, resolver: str) -> Answers:
    """What a resolver answers, in the format of the key."""
    number = are_number(task)
    key = load(folder / data.key, format=data.format or None)
    if number:
        return Answers(file_name=f"{task.name}.xml", content=_exercise(number, key, resolver))
    named = data.format or sniff(Source.of(folder / data.key)).card.name
    return Answers(file_name=f"{task.name}.{named}", content=_written(key, named, resolver))


def _exercise(number: int, key: Corpus, resolver: str) -> bytes:
    from corefbench.are.files import answers
    from corefbench.are.make import task_corpus
    from corefbench.are.run import run_task

    ran = run_task(number, key, [resolver], preprocess=_PREPROCESS, cache=False)
    (given,) = ran.answers.values()
    return answers(task_corpus(key, number), number, given)


def _written(key: Corpus, format: str, resolver: str) -> bytes:
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import discourses, resolve_each
    from corefbench.resolvers.response import response

    found = discourses(key, preprocess=_PREPROCESS, given="sentences")
    answered = response(resolve_each(make(resolver), found))
    called = replace(answered.documents, names=key.documents.names, parts=key.documents.parts)
    answered = replace(answered, documents=called)  # labels as names would have two numbers
    chosen = make_format(format)
    stream = io.BytesIO()
    chosen.write(fit(answered, chosen.card.holds), stream)
    return stream.getvalue()
