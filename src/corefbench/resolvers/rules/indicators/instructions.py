"""Patterns of instructions: what is handled in one step is handled in the next."""

from typing import ClassVar

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.indicators.text import Text

_JOINING = "before after until till when while once if as unless"
_CONNECTIVES = frozenset(_JOINING.split())


class ImmediateReference:
    """Two points for NP in "(you) V1 NP … con (you) V2 it (con (you) V3 it)".

    NP is the object right after its verb; the pronoun is a complement of a verb that is joined to
    V1 by coordination or by *before*, *after*, *until* … (the paper counts "identify the drawer …
    and add paper to it", where *it* does not follow V2 at once). Neither verb has a subject but
    *you*; with ``any_subject``, as in MARS, V1 may have one.
    """

    name: ClassVar[str] = "immediate reference"
    scores: ClassVar[tuple[int, ...]] = (2, 0)

    def __init__(self, text: Text, *, any_subject: bool = False) -> None:
        self._text = text
        self._any_subject = any_subject
        self._found: dict[int, int] = {}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.sentence != anaphor.sentence:
            return 0
        if anaphor.index not in self._found:
            self._found[anaphor.index] = self._referent(anaphor)
        return 2 if self._found[anaphor.index] == candidate.index else 0

    def _referent(self, anaphor: Phrase) -> int:
        """The phrase that the pattern points at, or -1."""
        text = self._text
        verb = text.verb(anaphor)
        while verb >= 0 and text.subject(verb) in ("", "you"):
            verb = self._joined(verb)
            found = text.direct_objects.get(verb, -1)
            if found >= 0 and self._fits(verb):
                phrase = text.discourse.phrases[found]
                if phrase.pronoun is None or not phrase.anaphoric:
                    return found
            elif verb >= 0:
                return -1
        return -1

    def _fits(self, verb: int) -> bool:
        return self._any_subject or self._text.subject(verb) in ("", "you")

    def _joined(self, verb: int) -> int:
        """The earlier verb that a verb is joined to: the conjunct before it, or its main verb."""
        tree = self._text.tree
        head, relation = tree.heads[verb], tree.base[verb]
        if relation == "conj":
            siblings = (c for c in tree.children[head] if c < verb and tree.base[c] == "conj")
            return max(siblings, default=head)
        if relation == "advcl" and head < verb:
            marks = (c for c in tree.children[verb] if tree.base[c] in ("mark", "advmod"))
            return head if any(self._text.lemmas[c] in _CONNECTIVES for c in marks) else -1
        return -1


class SequentialInstructions:
    """Two points for NP1 in "To V1 NP1, … To V2 it, …"."""

    name: ClassVar[str] = "sequential instructions"
    scores: ClassVar[tuple[int, ...]] = (2, 0)

    def __init__(self, text: Text) -> None:
        self._text = text
        self._openers = {
            verb for token in text.first_words() if (verb := _purpose(text, token)) >= 0
        }
        self._objects = {text.direct_objects.get(verb, -1) for verb in self._openers}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.index not in self._objects or candidate.sentence == anaphor.sentence:
            return 0
        return 2 if self._text.verb(anaphor) in self._openers else 0


def _purpose(text: Text, token: int) -> int:
    """The verb of the *To V* that a sentence opens with, else -1."""
    if token < 0 or text.analysis.xpos[token] != "TO" or text.lemmas[token] != "to":
        return -1
    return text.tree.heads[token]
