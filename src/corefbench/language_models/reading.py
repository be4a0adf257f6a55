"""Reading one answer: what it says on the words of the document, and what could not be used."""

from collections import Counter

from msgspec.structs import replace

from corefbench.language_models.account import Reply
from corefbench.language_models.alignment import Aligned, align
from corefbench.language_models.answers import Answer
from corefbench.language_models.cleaning import Cleaned, cleaned, likeness
from corefbench.language_models.identity import Identity
from corefbench.language_models.passage import Labelled, Passage
from corefbench.language_models.pronouns import find, is_right, said
from corefbench.record import Record

ENOUGH = 0.5
"""An answer of whose neighbouring words fewer are neighbours in the text is no copy of it."""
_CUT = 10
"""An answer is cut off if more words than this are missing at its end."""


class Read(Record, frozen=True):
    """The mentions of one answer, and the account of it."""

    mentions: tuple[Labelled, ...]
    reply: Reply


def read(identity: Identity, answer: Answer, passage: Passage) -> Read:
    """What an answer says of its window."""
    words = identity.end - identity.start
    blank = Reply(id=answer.id, document=passage.label, state="failed", words=words)
    if answer.text is None:
        return Read(mentions=(), reply=blank)
    if not answer.text.strip():
        return Read(mentions=(), reply=replace(blank, state="empty", unaligned=words))
    if identity.pronoun is not None:
        return _pronoun(identity, answer.text, passage, blank)
    return _copy(identity, answer, passage, blank)


def _copy(identity: Identity, answer: Answer, passage: Passage, blank: Reply) -> Read:
    start, end = identity.start, identity.end
    source = passage.text_of(start, end)
    text = cleaned(answer.text or "", source)
    if likeness(text.text, source) < ENOUGH:
        return Read(mentions=(), reply=replace(blank, state="not a copy"))
    aligned = align(text.text, passage.words[start:end])
    moved = [(a + start, b + start, label) for a, b, label in aligned.mentions]
    dropped = Counter(aligned.dropped)
    if identity.task == "given-mentions":
        moved = _given(moved, passage, identity, dropped)
    reply = _reply(blank, text, aligned, tuple(moved), dropped, answer.cut)
    return Read(mentions=tuple(moved), reply=reply)


def _reply(
    blank: Reply,
    text: Cleaned,
    aligned: Aligned,
    mentions: tuple[Labelled, ...],
    dropped: Counter[str],
    cut: bool,
) -> Reply:
    chains = len({label for *_, label in mentions})
    return replace(
        blank,
        state="used",
        unaligned=aligned.unaligned,
        added=aligned.added,
        changed=aligned.changed,
        cut=cut or aligned.missing_end > _CUT,
        removed=text.removed,
        variants=text.variants,
        marked=aligned.marked,
        mentions=len(mentions),
        dropped=dict(dropped),
        chains=chains,
        lost_chains=aligned.lost_chains + len({m[2] for m in aligned.mentions}) - chains,
    )


def _given(
    found: list[Labelled], passage: Passage, identity: Identity, dropped: Counter[str]
) -> list[Labelled]:
    """The mentions that were given, with the numbers they got; one that was moved a little is the
    given one that ends, or begins, where it does."""
    free = {mention[:2]: None for mention in passage.within(identity.start, identity.end)}
    exact = {mention[:2] for mention in found}
    kept: list[Labelled] = []
    for start, end, label in found:
        near = [(start, end)] if (start, end) in free else []
        near += [s for s in free if s not in exact and (s[1] == end or s[0] == start)]
        if near:
            kept.append((*near[0], label))
            del free[near[0]]
        else:
            dropped["not a given mention"] += 1
    return sorted(kept, key=lambda mention: (mention[0], -mention[1]))


def _pronoun(identity: Identity, answer: str, passage: Passage, blank: Reply) -> Read:
    """The pronoun and its antecedent as a chain of two."""
    place = identity.pronoun or 0
    words = said(answer)
    if not words:
        return Read(mentions=(), reply=replace(blank, state="none", right=False))
    span = find(passage.words, words, place, identity.start, identity.end)
    if span is None:
        return Read(mentions=(), reply=replace(blank, state="not found", right=False))
    asked = [one for one in passage.mentions if one[:2] == (place, place + 1)]
    right = bool(asked) and is_right(passage, span, asked[0])
    mentions: tuple[Labelled, ...] = ((*span, "1"), (place, place + 1, "1"))
    reply = replace(blank, state="used", marked=2, mentions=2, chains=1, right=right)
    return Read(mentions=mentions, reply=reply)
