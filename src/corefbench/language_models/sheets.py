"""The answers of one document put together: its windows, or its links, as chains."""

from collections.abc import Mapping, Sequence

from corefbench.errors import UsageError
from corefbench.language_models.account import Reply
from corefbench.language_models.answers import Answer
from corefbench.language_models.identity import Identity, parse, slug
from corefbench.language_models.merging import Merged, merge
from corefbench.language_models.passage import Labelled, Passage
from corefbench.language_models.reading import Read, read
from corefbench.record import Record

Span = tuple[int, int]


class Sheet(Record, frozen=True):
    """What was answered about one document."""

    label: str
    words: int
    uncovered: int
    """Words in no window whose answer is used."""
    merged: Merged
    replies: tuple[Reply, ...]


class Sheets:
    """The answers, by the document that their ids name."""

    def __init__(self, given: Mapping[str, Answer], asked: Sequence[str]) -> None:
        """``asked`` are the ids of the prompts, where these are known."""
        self._given = given
        self._named: dict[str, dict[str, Identity]] = {}
        self.unmet: dict[str, None] = {}
        """Ids that no document has met yet."""
        for name in dict.fromkeys((*asked, *given)):
            identity = parse(name)
            if identity is not None:
                self._named.setdefault(identity.name, {})[name] = identity
            if name in given:
                self.unmet[name] = None

    def document(self, passage: Passage) -> Sheet:
        """What was answered about a document."""
        named = self._named.get(slug(passage.label), {})
        own = {name: one for name, one in named.items() if one.is_of(passage)}
        _one_task(own)
        reads: dict[str, Read] = {}
        for name in sorted(own, key=lambda name: (own[name].start, own[name].pronoun or 0)):
            if name in self._given:
                del self.unmet[name]
                reads[name] = read(own[name], self._given[name], passage)
            else:
                reads[name] = _missing(name, own[name], passage)
        return Sheet(
            label=passage.label,
            words=len(passage.words),
            uncovered=_uncovered(passage, own, reads),
            merged=_merged(own, reads),
            replies=tuple(one.reply for one in reads.values()),
        )


def _one_task(own: Mapping[str, Identity]) -> None:
    tasks = sorted({one.task for one in own.values()})
    if len(tasks) > 1:
        raise UsageError(
            "the answers are to prompts of several tasks",
            found=", ".join(tasks),
            expected="one file of answers for each template",
        )


def _missing(name: str, identity: Identity, passage: Passage) -> Read:
    words = identity.end - identity.start
    reply = Reply(id=name, document=passage.label, state="missing", words=words)
    return Read(mentions=(), reply=reply)


def _uncovered(passage: Passage, own: Mapping[str, Identity], reads: Mapping[str, Read]) -> int:
    covered: set[int] = set()
    for name, one in reads.items():
        if one.reply.state in ("used", "none", "not found"):
            covered.update(range(own[name].start, own[name].end))
    return len(passage.words) - len(covered)


def _merged(own: Mapping[str, Identity], reads: Mapping[str, Read]) -> Merged:
    if any(one.pronoun is not None for one in own.values()):
        return Merged(mentions=linked([one.mentions for one in reads.values() if one.mentions]))
    return merge([one.mentions for one in reads.values()])


def linked(pairs: Sequence[Sequence[Labelled]]) -> tuple[Labelled, ...]:
    """Chains of pairs of mentions: what is linked directly or not is one.

    >>> linked([[(0, 1, ""), (4, 5, "")], [(4, 5, ""), (6, 7, "")], [(2, 3, ""), (8, 9, "")]])
    ((0, 1, '1'), (2, 3, '2'), (4, 5, '1'), (6, 7, '1'), (8, 9, '2'))
    """
    chain_of: dict[Span, list[Span]] = {}
    for one, other in pairs:
        first, second = one[:2], other[:2]
        mine, theirs = chain_of.get(first, [first]), chain_of.get(second, [second])
        joined = mine if mine is theirs else mine + theirs
        chain_of.update(dict.fromkeys(joined, joined))
    numbers: dict[int, str] = {}
    found = []
    for span in sorted(chain_of, key=lambda span: (span[0], -span[1])):
        label = numbers.setdefault(id(chain_of[span]), str(len(numbers) + 1))
        found.append((*span, label))
    return tuple(found)
