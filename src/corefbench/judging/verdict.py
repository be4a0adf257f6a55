"""What a resolver did with one pronoun, and whether it was right."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from corefbench.judging.key import Key, KeyMention, KeyPronoun
from corefbench.record import Record
from corefbench.resolvers.resolution import Candidate, Decision, Resolution
from corefbench.resolvers.rules.candidates import reference_candidates

Anchor: TypeAlias = Literal["right", "wrong", "unknown", "none"]
"""Where following a pronoun's links ends: at a mention of its chain, of another chain, at a phrase
that the key does not have, or at no name or noun at all."""


class Verdict(Record, frozen=True, gc=False):
    """One third-person pronoun of the text under one resolver."""

    document: str
    token: int
    form: str
    kind: str
    anaphoric: bool
    """Whether the key has an antecedent for it: it is one of the gold anaphors."""
    mention: bool
    """Whether it is a mention of the key at all."""
    identified: bool
    """Whether the resolver took it to be anaphoric …"""
    attempted: bool
    """… and gave an antecedent …"""
    correct: bool
    """… that is in the pronoun's chain."""
    chosen: int
    """The antecedent's phrase, -1 for none."""
    phrase: int
    """The pronoun's phrase, -1 where pre-processing has none."""
    answer: str
    """The antecedent as it stands in the text …"""
    expected: str
    """… and the nearest one of the key; empty for none."""
    rule: str
    """What decided."""
    anchor: Anchor
    distance: int
    """Sentences back to the nearest antecedent of the key; 0 is intrasentential, -1 none."""
    candidates: int
    """Candidates of the resolver's own window before the agreement filter …"""
    agreeing: int
    """… and after it."""
    shared_candidates: int
    """The same with the reference window, current and two previous sentences …"""
    shared_agreeing: int
    """… and after agreement."""


def judge(
    document: str, key: Key, resolution: Resolution, *, exhaustive: bool = True
) -> list[Verdict]:
    """A verdict for every third-person pronoun of the text.

    Where the key is not ``exhaustive`` (GAP annotates one pronoun a text), pronouns that it does
    not mention are left out.
    """
    discourse = resolution.discourse
    phrase_at = {p.head: p.index for p in discourse.phrases if p.pronoun is not None}
    decisions = {decision.anaphor: decision for decision in resolution.decisions}
    anchors = _Anchors(key, resolution, decisions)
    verdicts = []
    for pronoun in key.pronouns:
        if pronoun.mention < 0 and not exhaustive:
            continue
        phrase = phrase_at.get(pronoun.token, -1)
        decision = decisions.get(phrase)
        chosen = -1 if decision is None or decision.antecedent is None else decision.antecedent
        own = decision.candidates if decision is not None else ()
        shared = reference_candidates(discourse, discourse.phrases[phrase]) if phrase >= 0 else ()
        verdicts.append(
            Verdict(
                document=document,
                token=pronoun.token,
                form=pronoun.form,
                kind=pronoun.kind,
                anaphoric=pronoun.anaphoric,
                mention=pronoun.mention >= 0,
                identified=decision is not None,
                attempted=chosen >= 0,
                correct=_is_right(key, pronoun, chosen),
                chosen=chosen,
                phrase=phrase,
                answer=discourse.text_of(discourse.phrases[chosen]) if chosen >= 0 else "",
                expected=_expected(key, pronoun, resolution),
                rule=decision.rule if decision is not None else "",
                anchor=anchors.of(pronoun, phrase),
                distance=_distance(key, pronoun, resolution),
                candidates=len(own),
                agreeing=_agreeing(own),
                shared_candidates=len(shared),
                shared_agreeing=_agreeing(shared),
            )
        )
    return verdicts


def _is_right(key: Key, pronoun: KeyPronoun, chosen: int) -> bool:
    if chosen < 0 or pronoun.mention < 0 or not pronoun.antecedents:
        return False
    chain = key.mentions[pronoun.mention].chain
    return key.mention_of[chosen] != pronoun.mention and key.chain_of(chosen) == chain


def _agreeing(candidates: Sequence[Candidate]) -> int:
    return sum(candidate.agrees for candidate in candidates)


def _distance(key: Key, pronoun: KeyPronoun, resolution: Resolution) -> int:
    """Sentences from the nearest preceding mention of the chain."""
    nearest = _nearest(key, pronoun)
    if nearest is None or nearest.start > pronoun.token:
        return -1
    sentence_at = resolution.discourse.sentence_at
    return sentence_at(pronoun.token) - sentence_at(nearest.start)


def _nearest(key: Key, pronoun: KeyPronoun) -> KeyMention | None:
    """The antecedent of the key: the last mention before the pronoun, else the first after it."""
    mentions = [key.mentions[n] for n in pronoun.antecedents]
    before = [mention for mention in mentions if mention.start < pronoun.token]
    return before[-1] if before else next(iter(mentions), None)


def _expected(key: Key, pronoun: KeyPronoun, resolution: Resolution) -> str:
    nearest = _nearest(key, pronoun)
    if nearest is None:
        return ""
    analysis = resolution.discourse.analysis
    return analysis.text[analysis.offsets[nearest.start][0] : analysis.offsets[nearest.end - 1][1]]


class _Anchors:
    """Follows the links of pronouns to names and nouns."""

    def __init__(self, key: Key, resolution: Resolution, decisions: dict[int, Decision]) -> None:
        self._key = key
        self._phrases = resolution.discourse.phrases
        self._decisions = decisions

    def of(self, pronoun: KeyPronoun, phrase: int) -> Anchor:
        """How the anchor of a pronoun relates to its chain; ``none`` also for a cycle."""
        anchor = self._follow(phrase)
        if anchor < 0:
            return "none"
        if self._key.mention_of[anchor] < 0:
            return "unknown"
        return "right" if _is_right(self._key, pronoun, anchor) else "wrong"

    def _follow(self, phrase: int) -> int:
        seen: set[int] = set()
        while phrase >= 0 and phrase not in seen:
            seen.add(phrase)
            if self._phrases[phrase].pronoun is None:
                return phrase
            decision = self._decisions.get(phrase)
            chosen = decision.antecedent if decision is not None else None
            phrase = -1 if chosen is None else chosen
        return -1
