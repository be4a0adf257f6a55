"""The turns of a conversation: instruction, examples, question, and what the key would answer."""

from collections.abc import Iterator, Sequence

from corefbench.language_models.identity import Identity, identify
from corefbench.language_models.marking import UNKNOWN, Notation, escaped, marked
from corefbench.language_models.passage import Labelled, Passage
from corefbench.language_models.prompt import Message
from corefbench.language_models.pronouns import asked
from corefbench.language_models.shots import Shot
from corefbench.language_models.templates import Template


def opening(chosen: Template, singletons: bool) -> list[Message]:
    """The instruction, where the template has one."""
    said = chosen.singletons.get("keep" if singletons else "strip", "")
    system = chosen.filled(chosen.system, singletons=said)
    return [Message(role="system", content=system)] if system else []


def question(
    chosen: Template, passage: Passage, start: int, end: int, pronoun: Labelled | None
) -> Message:
    """What the user says: the text as the task has it, in the template's words."""
    values = {}
    if chosen.task == "given-mentions":
        given = [(first, last, UNKNOWN) for first, last, _ in passage.within(start, end)]
        text = marked(passage, start, end, given, chosen.notation)
    elif pronoun is not None:
        text = marked(passage, start, end, [(*pronoun[:2], UNKNOWN)], chosen.notation)
        values = {
            "pronoun": passage.text_of(*pronoun[:2]),
            "sentence": _sentence(passage, pronoun, chosen),
        }
    else:
        text = escaped(passage.text_of(start, end))
    return Message(role="user", content=chosen.filled(chosen.user, text=text, **values))


def _sentence(passage: Passage, pronoun: Labelled, chosen: Template) -> str:
    around = [span for span in passage.sentences if span[0] <= pronoun[0] < span[1]]
    start, end = around[0]
    return marked(passage, start, end, [(*pronoun[:2], UNKNOWN)], chosen.notation)


def shown(chosen: Template, shot: Shot) -> Iterator[Message]:
    """An example: the question, and the answer of the key."""
    passage, start, end = shot.passage, shot.start, shot.end
    pronoun = None
    if chosen.task == "answer-pronoun":
        pronoun = next(iter(asked(passage, start, end)), None)
        if pronoun is None:
            return
    place = pronoun[0] if pronoun else None
    identity = identify(passage, chosen.task, start, end, place)
    yield question(chosen, passage, start, end, pronoun)
    yield Message(role="assistant", content=answer(passage, identity, chosen.notation))


def answer(passage: Passage, identity: Identity, notation: Notation) -> str:
    """What the key answers: the marked text, or the longest antecedent of a pronoun."""
    start, end, place = identity.start, identity.end, identity.pronoun
    inside = passage.within(start, end)
    if place is None:
        return marked(passage, start, end, _renumbered(inside), notation)
    labels = {label for first, last, label in inside if (first, last) == (place, place + 1)}
    chain = [one for one in inside if one[2] in labels and one[1] <= place]
    return passage.text_of(*max(chain, key=lambda one: one[1] - one[0])[:2])


def _renumbered(mentions: Sequence[Labelled]) -> list[Labelled]:
    numbers: dict[str, str] = {}
    for *_, label in mentions:
        numbers.setdefault(label, str(len(numbers) + 1))
    return [(start, end, numbers[label]) for start, end, label in mentions]
