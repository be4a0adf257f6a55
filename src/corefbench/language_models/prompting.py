"""From a corpus to prompts: one for each document, window, or pronoun."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from corefbench.errors import UsageError
from corefbench.language_models.asking import answer, opening, question, shown
from corefbench.language_models.identity import identify, parse
from corefbench.language_models.marking import Notation
from corefbench.language_models.passage import Labelled, Passage, passage_of
from corefbench.language_models.prompt import Message, Prompt, Window
from corefbench.language_models.pronouns import asked
from corefbench.language_models.shots import WORDS, shots
from corefbench.language_models.templates import Template, template
from corefbench.language_models.windows import windows
from corefbench.model.corpus import Corpus


def prompts(
    corpus: Corpus,
    given: str | Template = "mark-all",
    *,
    size: int = 0,
    overlap: int | None = None,
    examples: int = 0,
    train: Corpus | None = None,
    seed: int = 0,
    singletons: bool = True,
) -> Iterator[Prompt]:
    """The prompts of a corpus, in its order.

    ``size`` is the longest window in words, 0 for whole documents; windows overlap by a fifth of
    that unless told. ``examples`` are taken from ``train``, the same for every prompt.

    >>> from corefbench.formats.load import load
    >>> one = next(prompts(load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")))
    >>> one.id, one.messages[-1].content
    ('memory-m0-5-d5e1beee', 'Ann fed her cat.')
    """
    chosen = template(given) if isinstance(given, str) else given
    if examples and train is None:
        raise UsageError("examples need a training corpus", remedy="--train CORPUS")
    before = opening(chosen, singletons)
    if examples and train is not None:
        labels = frozenset(corpus.documents.labels())
        length = min(size, WORDS) if size else WORDS
        drawn = shots(
            train, examples, seed=seed, size=length, singletons=singletons, without=labels
        )
        before += [message for shot in drawn for message in shown(chosen, shot)]
    shared = size // 5 if overlap is None else overlap
    for document in corpus:
        passage = passage_of(document, singletons=singletons)
        yield from _of_passage(chosen, passage, before, size, shared)


def _of_passage(
    chosen: Template, passage: Passage, before: Sequence[Message], size: int, overlap: int
) -> Iterator[Prompt]:
    spans = windows(len(passage.words), passage.sentences, size, overlap)
    done: set[Labelled] = set()
    for number, (start, end) in enumerate(spans, 1):
        window = Window(number=number, of=len(spans), start=start, end=end)
        pronouns: Sequence[Labelled | None] = [None]
        if chosen.task == "answer-pronoun":
            # In the first window that has it a pronoun has most of the text before it.
            pronouns = [one for one in asked(passage, start, end) if one not in done]
            done.update(one for one in pronouns if one)
        for pronoun in pronouns:
            place = pronoun[0] if pronoun else None
            yield Prompt(
                id=str(identify(passage, chosen.task, start, end, place)),
                document=passage.label,
                window=window,
                task=chosen.task,
                template=chosen.name,
                messages=(*before, question(chosen, passage, start, end, pronoun)),
            )


def key_answers(
    corpus: Corpus,
    made: Iterable[Prompt],
    notation: Notation = "links",
    *,
    singletons: bool = True,
) -> Iterator[tuple[str, str]]:
    """What a model that knows the key would answer: what is lost then is lost to the windows.

    >>> from corefbench.formats.load import load
    >>> ann = load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")
    >>> dict(key_answers(ann, prompts(ann)))
    {'memory-m0-5-d5e1beee': '[Ann](#1) fed [[her](#1) cat](#2).'}
    """
    numbers = {label: number for number, label in enumerate(corpus.documents.labels())}
    for label, some in groupby(made, key=lambda prompt: prompt.document):
        passage = passage_of(corpus[numbers[label]], singletons=singletons)
        for prompt in some:
            identity = parse(prompt.id)
            if identity is not None:
                yield prompt.id, answer(passage, identity, notation)
