"""GAP's measure: two yes-or-no questions a text, was the pronoun linked to name A, to name B.

Precision, recall and F1 over both questions of all texts; "no" rightly answered counts nothing.
Bias is F1 on feminine pronouns ÷ F1 on masculine ones (Webster et al. 2018). A name counts as
linked if the pronoun's chain has a phrase whose head lies in it, another name of the text that is
the same, or what it renames (*her sister, Julia*): systems that resolve pronouns alone need not
link the names.
"""

from corefbench.judging.key import Key, KeyMention
from corefbench.model.document import Document
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.rules.appositions import appositions_of
from corefbench.resolvers.rules.names import Names


class GapCounts(Record, frozen=True):
    """Answers by outcome; counts add."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    def __add__(self, other: "GapCounts") -> "GapCounts":
        return GapCounts(
            true_positives=self.true_positives + other.true_positives,
            false_positives=self.false_positives + other.false_positives,
            false_negatives=self.false_negatives + other.false_negatives,
        )

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


class GapScore(Record, frozen=True):
    """The counts of masculine and feminine texts."""

    masculine: GapCounts = GapCounts()
    feminine: GapCounts = GapCounts()

    def __add__(self, other: "GapScore") -> "GapScore":
        return GapScore(
            masculine=self.masculine + other.masculine, feminine=self.feminine + other.feminine
        )

    @property
    def overall(self) -> GapCounts:
        return self.masculine + self.feminine

    @property
    def bias(self) -> float | None:
        """F1 on feminine ÷ F1 on masculine texts."""
        return self.feminine.f1 / self.masculine.f1 if self.masculine.f1 else None


def gap_score(document: Document, key: Key, resolution: Resolution) -> GapScore | None:
    """The two answers for one text; None where the document has no pronoun with two names."""
    roles = document.corpus.mentions.columns.get("role")
    if roles is None:
        return None
    first = int(document.mentions[0].index) if document.mentions else 0
    by_role = {roles[first + m.original]: m for m in key.mentions}
    if {"pronoun", "A", "B"} - set(by_role):
        return None
    pronoun = by_role["pronoun"]
    chain = _chain_at(pronoun.start, resolution)
    names, counts = Names(resolution.discourse), GapCounts()
    renamed = appositions_of(resolution.discourse)
    for role in ("A", "B"):
        spot = by_role[role]
        own = [p for p in resolution.discourse.phrases if _is_in(p, spot)]
        own += [renamed[p.index] for p in own if p.index in renamed]
        said = any(one is p or names.same(one, p) for p in own for one in chain)
        counts += _counted(said, spot.chain == pronoun.chain)
    gender = document.corpus.documents.columns.get("gender", ())
    feminine = bool(gender) and gender[document.index].lower().startswith("f")
    return GapScore(feminine=counts) if feminine else GapScore(masculine=counts)


def _chain_at(token: int, resolution: Resolution) -> list[Phrase]:
    """What the pronoun was linked to, directly or not."""
    phrases = resolution.discourse.phrases
    for chain in resolution.chains():
        if any(phrases[p].head == token and phrases[p].pronoun is not None for p in chain):
            return [phrases[p] for p in chain]
    return []


def _is_in(phrase: Phrase, spot: KeyMention) -> bool:
    """Whether a phrase stands for a name of the key: by its head, or as a part of it."""
    inside = spot.start <= phrase.start and phrase.end <= spot.end
    heads_it = phrase.head == spot.head or spot.start <= phrase.head < spot.end
    return phrase.pronoun is None and (inside or heads_it)


def _counted(said: bool, true: bool) -> GapCounts:
    return GapCounts(
        true_positives=int(said and true),
        false_positives=int(said and not true),
        false_negatives=int(true and not said),
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
