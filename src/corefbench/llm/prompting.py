"""Make prompts from a corpus and a template: one for each document, window or pronoun."""

import hashlib
import random
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from corefbench.corpus.corpus import Corpus
from corefbench.errors import DataError, Place, UnknownName, UsageError
from corefbench.formats.source import unreadable_error
from corefbench.llm.passage import (
    UNKNOWN_LABEL,
    LabelledSpan,
    Notation,
    Passage,
    cut_windows,
    escape_brackets,
    find_questions,
    make_passage,
    mark_mentions,
    number_chains,
)
from corefbench.records import Record

Task: TypeAlias = Literal["mark-all", "given-mentions", "answer-pronoun"]

_FOLDER = Path(__file__).with_name("templates")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_LETTERS: dict[Task, str] = {"mark-all": "m", "given-mentions": "g", "answer-pronoun": "p"}
_TASKS = {letter: task for task, letter in _LETTERS.items()}
_ID = re.compile(r"([\w-]*)-([mgp])(\d{1,7})-(\d{1,7})(?:-(\d{1,7}))?-([0-9a-f]{8})", re.ASCII)
_MAX_SLUG = 28
"""Characters of the document's name in an id: batch services take ids of at most 64 characters."""


class Template(Record, frozen=True, forbid_unknown_fields=True):
    """A prompt template.

    ``{{text}}``, ``{{singletons}}``, ``{{pronoun}}`` and ``{{sentence}}`` are replaced.
    """

    name: str
    description: str
    task: Task
    system: str
    user: str
    notation: Notation = "links"
    singletons: Mapping[str, str] = {}
    """The instructions for singletons that are kept (``keep``) or not (``strip``)."""

    def filled(self, pattern: str, /, **values: str) -> str:
        """Fill the placeholders of a pattern; unknown ones are left as they are."""
        return _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), pattern).strip()


def template_names() -> list[str]:
    """Return the names of the built-in templates.

    >>> template_names()
    ['answer-pronoun', 'given-mentions', 'mark-all', 'mark-all-brackets']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_template(name: str) -> Template:
    """Load a built-in template by name, or a file that ends in ``.toml``.

    >>> load_template("mark-all").task
    'mark-all'
    """
    path = Path(name) if name.endswith(".toml") else _FOLDER / f"{name}.toml"
    if not name.endswith(".toml") and name not in template_names():
        raise UnknownName("template", name, template_names())
    try:
        content = path.read_bytes()
        return msgspec.convert(tomllib.loads(content.decode()), Template)
    except OSError as error:
        raise unreadable_error(name, error) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DataError(
            "the template cannot be used",
            code="CB265",
            place=Place(source=name),
            found=str(error),
            expected="TOML with name, description, task, system, user, and perhaps notation and singletons",
        ) from error


class PromptId(Record, frozen=True):
    """The id of a prompt, which identifies the words that it is about: ``NAME-m0-350-1f3a9c02``.

    It has the document's name, as far as every service takes it; the task and the window, in words;
    for a question on a pronoun its word; and a hash of the document's label and of the window's
    words, so that answers to another text are not taken. It has letters, digits, ``-`` and ``_``
    only, and at most 64 of them.
    """

    name: str
    task: Task
    start: int
    end: int
    digest: str
    pronoun: int | None = None

    def __str__(self) -> str:
        window = f"{_LETTERS[self.task]}{self.start}-{self.end}"
        pronoun = "" if self.pronoun is None else f"-{self.pronoun}"
        return f"{self.name}-{window}{pronoun}-{self.digest}"

    def is_of(self, passage: Passage) -> bool:
        """Whether it identifies a window of this passage, with unchanged words."""
        words = passage.words
        fits = self.start < self.end <= len(words)
        inside = self.pronoun is None or self.start <= self.pronoun < self.end
        return fits and inside and self.digest == _digest(passage.label, words[self.start : self.end])


def make_prompt_id(passage: Passage, task: Task, start: int, end: int, pronoun: int | None = None) -> PromptId:
    """Return the id of the prompt for a window."""
    return PromptId(
        name=make_slug(passage.label),
        task=task,
        start=start,
        end=end,
        digest=_digest(passage.label, passage.words[start:end]),
        pronoun=pronoun,
    )


def parse_prompt_id(text: str) -> PromptId | None:
    """Parse a prompt id; return None for other ids.

    >>> parse_prompt_id("news-ferry-p0-120-17-0a1b2c3d").pronoun, parse_prompt_id("request-1")
    (17, None)
    """
    match = _ID.fullmatch(text)
    if match is None:
        return None
    name, letter, start, end, pronoun, digest = match.groups()
    return PromptId(
        name=name,
        task=_TASKS[letter],
        start=int(start),
        end=int(end),
        digest=digest,
        pronoun=None if pronoun is None else int(pronoun),
    )


def make_slug(label: str) -> str:
    """Return the end of a name, in characters that every service accepts.

    >>> make_slug("bn/abc/00/abc_0010_0")
    'bn-abc-00-abc_0010_0'
    """
    return re.sub(r"[^\w-]+", "-", label, flags=re.ASCII)[-_MAX_SLUG:]


def _digest(label: str, words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join((label, *words)).encode()).hexdigest()[:8]


PromptFormat: TypeAlias = Literal["lines", "openai-batch"]
EXAMPLE_WORDS = 150
"""How long an example is at most, where windows are not shorter."""


class Window(Record, frozen=True):
    """The words of a document that a prompt is about: window ``number`` of ``of``."""

    number: int
    of: int
    start: int
    end: int


class Message(Record, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(Record, frozen=True):
    """One request to a model."""

    id: str
    document: str
    window: Window
    task: Task
    template: str
    messages: tuple[Message, ...]


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
    """Yield the prompts of a corpus, in its order.

    ``size`` is the maximum window in words, 0 for whole documents; by default windows overlap by a
    fifth of it. ``examples`` are drawn from ``train``, the same for every prompt.

    >>> from corefbench.formats.load import load
    >>> one = next(prompts(load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")))
    >>> one.id, one.messages[-1].content
    ('memory-m0-5-d5e1beee', 'Ann fed her cat.')
    """
    used_template = load_template(given) if isinstance(given, str) else given
    if examples and train is None:
        raise UsageError("examples need a training corpus", remedy="--train CORPUS")
    before = system_messages(used_template, singletons)
    if examples and train is not None:
        labels = frozenset(corpus.documents.labels())
        length = min(size, EXAMPLE_WORDS) if size else EXAMPLE_WORDS
        drawn = draw_examples(train, examples, seed=seed, size=length, singletons=singletons, without=labels)
        before += [message for shot in drawn for message in example_messages(used_template, shot)]
    shared = size // 5 if overlap is None else overlap
    for document in corpus:
        passage = make_passage(document, singletons=singletons)
        yield from _prompts_of_passage(used_template, passage, before, size, shared)


def _prompts_of_passage(
    template: Template, passage: Passage, before: Sequence[Message], size: int, overlap: int
) -> Iterator[Prompt]:
    spans = cut_windows(len(passage.words), passage.sentences, size, overlap)
    asked: set[LabelledSpan] = set()
    for number, (start, end) in enumerate(spans, 1):
        window = Window(number=number, of=len(spans), start=start, end=end)
        pronouns: Sequence[LabelledSpan | None] = [None]
        if template.task == "answer-pronoun":
            # In the first window that has it a pronoun has most of the text before it.
            pronouns = [question for question in find_questions(passage, start, end) if question not in asked]
            asked.update(question for question in pronouns if question)
        for pronoun in pronouns:
            pronoun_word = pronoun[0] if pronoun else None
            yield Prompt(
                id=str(make_prompt_id(passage, template.task, start, end, pronoun_word)),
                document=passage.label,
                window=window,
                task=template.task,
                template=template.name,
                messages=(*before, user_message(template, passage, start, end, pronoun)),
            )


def key_answers(
    corpus: Corpus, prompts_made: Iterable[Prompt], notation: Notation = "links", *, singletons: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield the answers of a perfect model, whose errors are those of windowing alone.

    >>> from corefbench.formats.load import load
    >>> ann = load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")
    >>> dict(key_answers(ann, prompts(ann)))
    {'memory-m0-5-d5e1beee': '[Ann](#1) fed [[her](#1) cat](#2).'}
    """
    numbers = {label: number for number, label in enumerate(corpus.documents.labels())}
    for label, own_prompts in groupby(prompts_made, key=lambda prompt: prompt.document):
        passage = make_passage(corpus[numbers[label]], singletons=singletons)
        for prompt in own_prompts:
            identity = parse_prompt_id(prompt.id)
            if identity is not None:
                yield prompt.id, answer_from_key(passage, identity, notation)


def encode_prompts(prompts: Iterable[Prompt], shape: PromptFormat = "lines", model: str = "") -> Iterator[bytes]:
    """Encode prompts as JSON lines: our own, or those of a batch file of chat completions."""
    for prompt in prompts:
        content: Any = prompt
        if shape == "openai-batch":
            body = {"model": model, "messages": prompt.messages}
            content = {"custom_id": prompt.id, "method": "POST", "url": "/v1/chat/completions", "body": body}
        yield msgspec.json.encode(content) + b"\n"


def hash_lines(lines: Iterable[bytes]) -> str:
    """Return a short hash of the lines, which identifies the prompts of answers."""
    sha256 = hashlib.sha256()
    for line in lines:
        sha256.update(line)
    return sha256.hexdigest()[:12]


class PromptExample(Record, frozen=True):
    """The beginning of a document that serves as an example."""

    passage: Passage
    start: int
    end: int


def draw_examples(
    train: Corpus,
    count: int,
    *,
    seed: int = 0,
    size: int = EXAMPLE_WORDS,
    singletons: bool = True,
    without: Collection[str] = (),
) -> list[PromptExample]:
    """Draw the beginnings of documents that have a chain of two mentions.

    >>> from corefbench.datasets.bundled import load_bundled
    >>> [shot.passage.label for shot in draw_examples(load_bundled(), 2, seed=0)]
    ['instructions-paper-jam', 'story-lighthouse']
    """
    order = list(range(len(train)))
    # Its own generator: the examples do not depend on other random numbers.
    random.Random(seed).shuffle(order)
    examples: list[PromptExample] = []
    for number in order:
        if len(examples) == count:
            break
        if train[number].label in without:
            continue
        passage = make_passage(train[number], singletons=singletons)
        for start, end in cut_windows(len(passage.words), passage.sentences, size, 0)[:1]:
            sizes = Counter(label for *_, label in passage.within(start, end))
            if any(size > 1 for size in sizes.values()):
                examples.append(PromptExample(passage=passage, start=start, end=end))
    if len(examples) < count:
        raise UsageError(
            "the training corpus has too few documents for so many examples",
            found=f"{len(examples)} that can be used",
            expected=f"{count}, none of them in the corpus of the prompts",
        )
    return examples


def system_messages(template: Template, singletons: bool) -> list[Message]:
    """Return the system message, if the template has one."""
    singleton_rule = template.singletons.get("keep" if singletons else "strip", "")
    system = template.filled(template.system, singletons=singleton_rule)
    return [Message(role="system", content=system)] if system else []


def user_message(template: Template, passage: Passage, start: int, end: int, pronoun: LabelledSpan | None) -> Message:
    """Return the user message: the text of the task in the template."""
    values = {}
    if template.task == "given-mentions":
        unnumbered = [(first, last, UNKNOWN_LABEL) for first, last, _ in passage.within(start, end)]
        text = mark_mentions(passage, start, end, unnumbered, template.notation)
    elif pronoun is not None:
        text = mark_mentions(passage, start, end, [(*pronoun[:2], UNKNOWN_LABEL)], template.notation)
        values = {"pronoun": passage.text_of(*pronoun[:2]), "sentence": _marked_sentence(passage, pronoun, template)}
    else:
        text = escape_brackets(passage.text_of(start, end))
    return Message(role="user", content=template.filled(template.user, text=text, **values))


def _marked_sentence(passage: Passage, pronoun: LabelledSpan, template: Template) -> str:
    around = [span for span in passage.sentences if span[0] <= pronoun[0] < span[1]]
    start, end = around[0]
    return mark_mentions(passage, start, end, [(*pronoun[:2], UNKNOWN_LABEL)], template.notation)


def example_messages(template: Template, shot: PromptExample) -> Iterator[Message]:
    """Yield the messages of an example: the question, and the answer of the key."""
    passage, start, end = shot.passage, shot.start, shot.end
    pronoun = None
    if template.task == "answer-pronoun":
        pronoun = next(iter(find_questions(passage, start, end)), None)
        if pronoun is None:
            return
    pronoun_word = pronoun[0] if pronoun else None
    identity = make_prompt_id(passage, template.task, start, end, pronoun_word)
    yield user_message(template, passage, start, end, pronoun)
    yield Message(role="assistant", content=answer_from_key(passage, identity, template.notation))


def answer_from_key(passage: Passage, identity: PromptId, notation: Notation) -> str:
    """Return the answer of the key: the marked text, or the longest antecedent of a pronoun."""
    start, end, pronoun = identity.start, identity.end, identity.pronoun
    inside = passage.within(start, end)
    if pronoun is None:
        return mark_mentions(passage, start, end, number_chains(inside), notation)
    labels = {label for first, last, label in inside if (first, last) == (pronoun, pronoun + 1)}
    chain = [mention for mention in inside if mention[2] in labels and mention[1] <= pronoun]
    return passage.text_of(*max(chain, key=lambda mention: mention[1] - mention[0])[:2])
