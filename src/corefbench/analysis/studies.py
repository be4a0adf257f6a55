"""What studies of one output under many settings share: whole corpora, changes of scores, sentences."""

from collections.abc import Callable, Sequence
from math import floor
from string import ascii_lowercase

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness, ignore_finding
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.records import Record
from corefbench.scoring.measures import Score
from corefbench.scoring.pairing import pair_documents
from corefbench.scoring.profiles.profile import Rounding
from corefbench.scoring.result import Result


class ScoreChange(Record, frozen=True):
    """One measure before and after one change."""

    under: str
    """What both settings have in common: a profile, a response."""
    change: str
    """The change, as a gerund: *removing singletons from the key*."""
    before: str
    after: str
    """The names of the two settings."""
    measure: str
    """The title of the measure."""
    old: Score
    new: Score
    rounding: Rounding = "half-up"

    @property
    def points(self) -> float:
        """The difference of F1 in percentage points, between the figures as tables show them."""
        return self._points("f1")

    @property
    def is_visible(self) -> bool:
        """Whether recall, precision or F1 differ as tables show them."""
        return any(self._points(part) for part in ("recall", "precision", "f1"))

    def __str__(self) -> str:
        """Return a sentence with the figures."""
        name, old, new = measure_name(self.measure), self._shown(self.old.f1), self._shown(self.new.f1)
        if self.points:
            verb = "raised" if self.points > 0 else "lowered"
            effect = f"{verb} {name} F1 by {abs(self.points):.2f} points, from {old:.2f} to {new:.2f}"
        else:
            effect = f"left {name} F1 at {new:.2f}"
        is_opposite = self._points("recall") * self._points("precision") < 0
        parts = f"{self._clause('recall')}, {'while' if is_opposite else 'and'} {self._clause('precision')}"
        return f"Under {self.under}, {self.change} ({self.before} → {self.after}) {effect}: {parts}."

    def _clause(self, part: str) -> str:
        old, new = self._shown(getattr(self.old, part)), self._shown(getattr(self.new, part))
        points = self._points(part)
        if not points:
            return f"{part} stayed at {new:.2f}"
        return f"{part} {'rose' if points > 0 else 'fell'} from {old:.2f} to {new:.2f}"

    def _points(self, part: str) -> float:
        return round(self._shown(getattr(self.new, part)) - self._shown(getattr(self.old, part)), 2)

    def _shown(self, fraction: float) -> float:
        return to_percent(fraction, self.rounding)


def measure_name(measure: str) -> str:
    """Return the name of a measure within a sentence."""
    return "mention detection" if measure == "Mentions" else measure


def to_percent(fraction: float, rounding: Rounding = "half-up") -> float:
    """Return a fraction in per cent with the two decimals that tables show.

    >>> to_percent(0.66666), to_percent(0.66666, "truncate")
    (66.67, 66.66)
    """
    if rounding == "truncate":
        return int(fraction * 10000) / 100
    # Rounded first: a product such as 2849.9999999999995 is a half that floats cannot hold.
    return floor(round(fraction * 10000, 6) + 0.5) / 100


def join_words(words: Sequence[str]) -> str:
    """Join words as an English sentence lists them.

    >>> join_words(["MUC"]), join_words(["MUC", "B³"]), join_words(["MUC", "B³", "LEA"])
    ('MUC', 'MUC and B³', 'MUC, B³ and LEA')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count_noun(1, "mention"), count_noun(1200, "mention")
    ('1 mention', '1,200 mentions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def column_letters(number: int) -> str:
    """Return the letters of a number counted from 0, as spreadsheets name columns.

    >>> [column_letters(number) for number in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    before = column_letters(number // 26 - 1) if number >= 26 else ""
    return before + ascii_lowercase[number % 26]


def measure_title(result: Result, name: str) -> str:
    """Return the title of a score in tables: its own name where a profile has variants."""
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")


def headline_score(result: Result) -> float:
    """Return the CoNLL average, or the F1 of the first measure without one, in per cent."""
    return to_percent((result.conll or result[next(iter(result))]).f1)


def read_whole(
    source: CorpusSource,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None] = ignore_finding,
    advance: Callable[[int], None] | None = None,
) -> Corpus:
    """Return a corpus as it is, or all documents of a file or folder as one corpus.

    >>> read_whole(b"#begin document (a); part 000\\na 0 0 Ann (1)\\n#end document\\n")
    <Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>
    """
    if isinstance(source, Corpus):
        return source
    strictness = Strictness(lenient=lenient, report=report)
    reading = Reading(strictness=strictness, words=True, advance=advance)
    blocks = list(stream(source, format=format, reading=reading))
    return concatenate(blocks[0].name if blocks else "", blocks)


def pair_whole(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Return both corpora with the documents of the key, in the same order."""
    pairs = list(pair_documents(iter([key]), iter([response]), ignore_finding))
    keys, responses = zip(*pairs, strict=True)
    return concatenate(key.name, keys), concatenate(response.name, responses)
