"""The corpus of a task: the entities that it gives and speaks of, and the pronouns to resolve.

Task 1 marks every noun phrase that could be an antecedent, and lists the third-person pronouns that
are in a chain with another mention. Task 2 marks the noun phrases that are in chains of two and
more; so do the keys of tasks 3 and 4, whose input is the numbered words alone.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.are.filters import Dropped, filtered
from corefbench.are.said_words import without_empty_nodes
from corefbench.are.tasks import task_of
from corefbench.formats.nesting import needs_words, nesting
from corefbench.language.pronouns import THIRD_PERSON
from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus, Mentions
from corefbench.model.document import Document
from corefbench.model.strings import Strings
from corefbench.policy.singletons import without_singletons
from corefbench.record import Flags, Record


class Made(Record, frozen=True):
    """The corpora of all tasks, and what was left out of them."""

    tasks: dict[int, Corpus]
    dropped: Dropped
    crossing: int
    """Mentions that tasks 1 and 2 cannot mark, for they cross another or a sentence."""

    def pronouns(self, task: int) -> int:
        """How many pronouns are to be resolved."""
        return sum(map(bool, self.tasks[task].mentions.columns["anaphoric"]))


def make(corpus: Corpus) -> Made:
    """The corpora of the four tasks."""
    kept, dropped = filtered(corpus)
    tasks = {task: _of_task(kept, task) for task in (1, 2, 3, 4)}
    crossing = len(without_empty_nodes(kept).mentions) - len(tasks[1].mentions)
    return Made(tasks=tasks, dropped=dropped, crossing=crossing)


def task_corpus(corpus: Corpus, task: int) -> Corpus:
    """A coreference corpus as one task sees it: mentions have ``id`` and ``anaphoric``.

    A corpus made for the task before stays as it is.
    """
    return _of_task(filtered(corpus)[0], task)


def _of_task(kept: Corpus, task: int) -> Corpus:
    needs_words(kept)
    corpus = without_empty_nodes(kept)
    corpus = replace(corpus, mentions=_bare(corpus))
    if task_of(task).gives_entities:
        corpus = keep_mentions(corpus, _nested(corpus))
    if task != 1:
        corpus = without_singletons(corpus)
    columns = {"id": corpus.mentions.columns["id"], "anaphoric": _anaphoric(corpus)}
    return replace(corpus, mentions=replace(corpus.mentions, columns=columns))


def _bare(corpus: Corpus) -> Mentions:
    """Spans and chains alone: participants are told neither heads nor attributes."""
    known = corpus.mentions.columns
    columns = {"id": Strings.of(_ids(corpus))}
    if "anaphoric" in known:
        columns["anaphoric"] = known["anaphoric"]
    return replace(
        corpus.mentions, head=None, parts=None, minimum=None, referring=None, columns=columns
    )


def _ids(corpus: Corpus) -> Iterator[str]:
    """The ids that mentions have, or numbers in documents where they do not tell them apart."""
    given = corpus.mentions.columns.get("id")
    for document in corpus:
        numbers = [mention.index for mention in document.mentions]
        own = [given[number] for number in numbers] if given is not None else []
        if own and all(own) and len(set(own)) == len(own):
            yield from own
        else:
            yield from (str(place + 1) for place in range(len(numbers)))


def _nested(corpus: Corpus) -> Flags:
    """Which mentions tags can mark."""
    keep = np.zeros(len(corpus.mentions), np.bool_)
    for document in corpus:
        mentions = document.mentions
        spans = [(m.start, m.end) for m in mentions]
        for place in nesting(spans, [start for start, _ in document.sentences]):
            keep[mentions[place].index] = True
    return keep


def _anaphoric(corpus: Corpus) -> Strings:
    """``yes`` for the pronouns to resolve: those that the corpus names, or else finds."""
    if "anaphoric" in corpus.mentions.columns:
        return corpus.mentions.columns["anaphoric"]
    sizes = corpus.chain_sizes()[corpus.mentions.chain].tolist()
    return Strings.of(
        "yes" if sizes[number] > 1 and is_third_person(words, start, end) else ""
        for document in corpus
        for words in [document.words]
        for number, start, end in _spans(document)
    )


def _spans(document: Document) -> Iterator[tuple[int, int, int]]:
    return ((m.index, m.start, m.end) for m in document.mentions)


def is_third_person(words: list[str], start: int, end: int) -> bool:
    """Whether a span is one of the pronouns that the exercise is about.

    >>> is_third_person(["He", "left"], 0, 1), is_third_person(["I", "left"], 0, 1)
    (True, False)
    """
    return end - start == 1 and words[start].lower() in THIRD_PERSON
