"""Judge the answer to every pronoun, and GAP's questions; rates and Byron's disclosure over verdicts.

    precision                  C / A      attempted (Aone & Bennett 1995)
    recall                     C / G      gold anaphors, in the sense of Baldwin, Byron and MUC
    recall, identified         C / I      anaphors that the system identified (Aone & Bennett 1995)
    success rate               C / G      (Barbu & Mitkov 2001)
    critical success rate      C∩K / K    K: gold anaphors with several candidates after agreement
    non-trivial success rate   C∩N / N    N: gold anaphors with several candidates before agreement

A gold anaphor that was not attempted counts as wrong. Critical and non-trivial anaphors are those
of the resolver's own window; with ``shared``, those of one window for all resolvers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.statistics.counts import Rate
from corefbench.bench.key import Key, KeyMention, KeyPronoun
from corefbench.corpus.views import Document
from corefbench.preprocess.discourse import Phrase
from corefbench.records import Additive, Record
from corefbench.resolvers.base import Decision, Resolution
from corefbench.resolvers.rules.candidates import candidates_in_window
from corefbench.resolvers.rules.links import Names, find_appositions

Anchor: TypeAlias = Literal["right", "wrong", "unknown", "none"]
"""Where a pronoun's links end: at a mention of its chain, of another chain, at a phrase that the
key does not have, or at no name or noun."""


class Verdict(Record, frozen=True, gc=False):
    """The verdict on one third-person pronoun under one resolver."""

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
    """The text of the antecedent …"""
    expected: str
    """… and of the nearest one of the key; empty for none."""
    rule: str
    """The rule that decided."""
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


def judge_pronouns(document: str, key: Key, resolution: Resolution, *, exhaustive: bool = True) -> list[Verdict]:
    """Judge every third-person pronoun of the text.

    If the key is not ``exhaustive`` (GAP annotates one pronoun per text), pronouns that are not
    mentions of the key are left out.
    """
    discourse, analysis = resolution.discourse, resolution.discourse.analysis
    phrase_at = {p.head: p.index for p in discourse.phrases if p.pronoun is not None}
    decisions = {decision.anaphor: decision for decision in resolution.decisions}
    verdicts = []
    for pronoun in key.pronouns:
        if pronoun.mention < 0 and not exhaustive:
            continue
        phrase = phrase_at.get(pronoun.token, -1)
        decision = decisions.get(phrase)
        chosen = -1 if decision is None or decision.antecedent is None else decision.antecedent
        candidates = decision.candidates if decision is not None else ()
        shared = candidates_in_window(discourse, discourse.phrases[phrase]) if phrase >= 0 else ()
        nearest = _nearest_antecedent(key, pronoun)
        expected, distance = "", -1
        if nearest is not None:
            expected = analysis.text[analysis.offsets[nearest.start][0] : analysis.offsets[nearest.end - 1][1]]
            if nearest.start <= pronoun.token:
                distance = discourse.sentence_at(pronoun.token) - discourse.sentence_at(nearest.start)
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
                correct=_is_correct(key, pronoun, chosen),
                chosen=chosen,
                phrase=phrase,
                answer=discourse.text_of(discourse.phrases[chosen]) if chosen >= 0 else "",
                expected=expected,
                rule=decision.rule if decision is not None else "",
                anchor=_find_anchor(key, pronoun, phrase, discourse.phrases, decisions),
                distance=distance,
                candidates=len(candidates),
                agreeing=sum(candidate.agrees for candidate in candidates),
                shared_candidates=len(shared),
                shared_agreeing=sum(candidate.agrees for candidate in shared),
            )
        )
    return verdicts


def _is_correct(key: Key, pronoun: KeyPronoun, chosen: int) -> bool:
    if chosen < 0 or pronoun.mention < 0 or not pronoun.antecedents:
        return False
    # A phrase with the head of the pronoun is the pronoun itself, not an antecedent.
    chain = key.mentions[pronoun.mention].chain
    return key.mention_of[chosen] != pronoun.mention and key.chain_of(chosen) == chain


def _nearest_antecedent(key: Key, pronoun: KeyPronoun) -> KeyMention | None:
    """Return the key's antecedent: the last mention before the pronoun, else the first after it."""
    mentions = [key.mentions[n] for n in pronoun.antecedents]
    before = [mention for mention in mentions if mention.start < pronoun.token]
    return before[-1] if before else next(iter(mentions), None)


def _find_anchor(
    key: Key, pronoun: KeyPronoun, phrase: int, phrases: Sequence[Phrase], decisions: Mapping[int, Decision]
) -> Anchor:
    """Follow the links of a pronoun to a name or noun."""
    visited: set[int] = set()  # links may form a cycle
    while phrase >= 0 and phrases[phrase].pronoun is not None:
        decision = decisions.get(phrase)
        visited.add(phrase)
        phrase = -1 if decision is None or decision.antecedent is None else decision.antecedent
        if phrase in visited:
            return "none"
    if phrase < 0:
        return "none"
    if key.mention_of[phrase] < 0:
        return "unknown"
    return "right" if _is_correct(key, pronoun, phrase) else "wrong"


class Rates(Additive, frozen=True):
    """All rates of one resolver on some pronouns."""

    precision: Rate = Rate()
    recall: Rate = Rate()
    recall_identified: Rate = Rate()
    success_rate: Rate = Rate()
    critical_success_rate: Rate = Rate()
    non_trivial_success_rate: Rate = Rate()
    critical_success_rate_shared: Rate = Rate()
    non_trivial_success_rate_shared: Rate = Rate()
    etiquette: Rate = Rate()
    anchor_precision: Rate = Rate()
    anchor_recall: Rate = Rate()
    resolution_rate: Rate = Rate()


def compute_rates(verdicts: Iterable[Verdict]) -> Rates:
    """Compute all rates over some verdicts."""
    all_verdicts = list(verdicts)
    gold = [v for v in all_verdicts if v.anaphoric]
    correct = sum(v.correct for v in gold)
    anchored = sum(v.anchor == "right" for v in gold)
    return Rates(
        precision=Rate(hits=correct, total=sum(v.attempted for v in all_verdicts)),
        recall=Rate(hits=correct, total=len(gold)),
        recall_identified=Rate(hits=correct, total=sum(v.identified for v in all_verdicts)),
        success_rate=Rate(hits=correct, total=len(gold)),
        critical_success_rate=_correct_rate(v for v in gold if v.agreeing > 1),
        non_trivial_success_rate=_correct_rate(v for v in gold if v.candidates > 1),
        critical_success_rate_shared=_correct_rate(v for v in gold if v.shared_agreeing > 1),
        non_trivial_success_rate_shared=_correct_rate(v for v in gold if v.shared_candidates > 1),
        # Resolution etiquette (Mitkov et al. 2002): anaphoric pronouns linked correctly and others
        # not linked, of all pronouns.
        etiquette=Rate(
            hits=sum(v.correct if v.anaphoric else not v.attempted for v in all_verdicts), total=len(all_verdicts)
        ),
        # Non-pronominal anchors (Stuckardt 2001): links that end at a name or noun of the chain.
        anchor_precision=Rate(hits=anchored, total=sum(v.anchor != "none" for v in gold)),
        anchor_recall=Rate(hits=anchored, total=len(gold)),
        resolution_rate=Rate(hits=correct, total=sum(v.mention for v in all_verdicts)),
    )


def _correct_rate(verdicts: Iterable[Verdict]) -> Rate:
    chosen = list(verdicts)
    return Rate(hits=sum(v.correct for v in chosen), total=len(chosen))


class Disclosure(Record, frozen=True):
    """Byron's standard disclosure for one resolver.

    A  third-person pronouns of the text
    B  non-referential: not a mention of the key, or annotated as pleonastic
    C  referential, A − B
    D  referential but excluded: alone in their chain, or first in it
    E  evaluation set, C − D

    resolution rate = correct ÷ C, so that excluding hard pronouns has a cost (Byron 2001)

    >>> beta = Disclosure(raw=497, non_referential=12, excluded=198, correct=248)
    >>> beta.referential, beta.evaluated, round(beta.recall.value, 3), round(beta.rate.value, 3)
    (485, 287, 0.864, 0.511)
    """

    raw: int
    non_referential: int
    excluded: int
    correct: int
    intrasentential: Rate = Rate()
    intersentential: Rate = Rate()
    forms: Mapping[str, Rate] = {}
    """By lexical form, the most frequent first."""

    @property
    def referential(self) -> int:
        return self.raw - self.non_referential

    @property
    def evaluated(self) -> int:
        return self.referential - self.excluded

    @property
    def recall(self) -> Rate:
        return Rate(hits=self.correct, total=self.evaluated)

    @property
    def rate(self) -> Rate:
        """The resolution rate."""
        return Rate(hits=self.correct, total=self.referential)


def compute_disclosure(verdicts: Iterable[Verdict]) -> Disclosure:
    """Compute the disclosure of the verdicts of one resolver."""
    all_verdicts = list(verdicts)
    gold = [v for v in all_verdicts if v.anaphoric]
    return Disclosure(
        raw=len(all_verdicts),
        non_referential=sum(not v.mention for v in all_verdicts),
        excluded=sum(v.mention and not v.anaphoric for v in all_verdicts),
        correct=sum(v.correct for v in gold),
        intrasentential=_correct_rate(v for v in gold if v.distance == 0),
        intersentential=_correct_rate(v for v in gold if v.distance != 0),
        forms={
            form: _correct_rate(v for v in gold if v.form == form)
            for form, _ in Counter(v.form for v in gold).most_common()
        },
    )


class GapCounts(Additive, frozen=True):
    """Counts of GAP's two questions per text: is the pronoun linked to name A, to name B?

    Precision, recall and F1 are over both questions of all texts; a correct "no" is not counted.
    """

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    @property
    def precision(self) -> float:
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> float:
        """
        >>> GapCounts(true_positives=2, false_positives=1, false_negatives=1).f1
        0.6666666666666666
        """
        wrong = self.false_positives + self.false_negatives
        return _ratio(2 * self.true_positives, 2 * self.true_positives + wrong)


class GapScore(Additive, frozen=True):
    """GAP counts of masculine and feminine texts (Webster et al. 2018)."""

    masculine: GapCounts = GapCounts()
    feminine: GapCounts = GapCounts()

    @property
    def overall(self) -> GapCounts:
        return self.masculine + self.feminine

    @property
    def bias(self) -> float | None:
        """F1 on feminine ÷ F1 on masculine texts."""
        return self.feminine.f1 / self.masculine.f1 if self.masculine.f1 else None


def gap_score(document: Document, key: Key, resolution: Resolution) -> GapScore | None:
    """Score the two questions of one text; None if it has no pronoun with two names.

    A name counts as linked if the pronoun's chain has a phrase whose head lies in it, an equal name
    elsewhere in the text, or what it renames (*her sister, Julia*): systems that only resolve
    pronouns need not link the names.
    """
    roles = document.corpus.mentions.columns.get("role")
    if roles is None:
        return None
    first = int(document.mentions[0].index) if document.mentions else 0
    by_role = {roles[first + m.original]: m for m in key.mentions}
    if {"pronoun", "A", "B"} - set(by_role):
        return None
    pronoun = by_role["pronoun"]
    chain = _pronoun_chain(pronoun.start, resolution)
    names, counts = Names(resolution.discourse), GapCounts()
    renamed = find_appositions(resolution.discourse)
    for role in ("A", "B"):
        name_mention = by_role[role]
        phrases = [p for p in resolution.discourse.phrases if _stands_for(p, name_mention)]
        phrases += [renamed[p.index] for p in phrases if p.index in renamed]
        is_linked = any(linked is p or names.same(linked, p) for p in phrases for linked in chain)
        is_coreferent = name_mention.chain == pronoun.chain
        counts += GapCounts(
            true_positives=int(is_linked and is_coreferent),
            false_positives=int(is_linked and not is_coreferent),
            false_negatives=int(is_coreferent and not is_linked),
        )
    gender = document.corpus.documents.columns.get("gender", ())
    feminine = bool(gender) and gender[document.index].lower().startswith("f")
    return GapScore(feminine=counts) if feminine else GapScore(masculine=counts)


def _pronoun_chain(token: int, resolution: Resolution) -> list[Phrase]:
    """Return the phrases that the pronoun was linked to, directly or not."""
    phrases = resolution.discourse.phrases
    for chain in resolution.chains():
        if any(phrases[p].head == token and phrases[p].pronoun is not None for p in chain):
            return [phrases[p] for p in chain]
    return []


def _stands_for(phrase: Phrase, name: KeyMention) -> bool:
    """Whether a phrase stands for a name of the key: by its head, or as a part of it."""
    inside = name.start <= phrase.start and phrase.end <= name.end
    has_head = phrase.head == name.head or name.start <= phrase.head < name.end
    return phrase.pronoun is None and (inside or has_head)


def _ratio(part: int, total: int) -> float:
    return part / total if total else 0.0
