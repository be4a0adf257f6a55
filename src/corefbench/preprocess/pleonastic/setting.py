"""The sentence around an *it*, as the patterns of pleonastic use read it."""

from bisect import bisect_right

from corefbench.language.words import words
from corefbench.preprocess.analysis import Analysis

_BE = words("be is are was were been being am 's ’s 're ’re s")
_COPULAS = words("be become get seem appear feel look sound remain prove")
_AUXILIARIES = words("have do 've ’ve 'd ’d 'll ’ll ca wo")
_NOT = words("not n't n’t nt")
_DEGREE = words("so too very more most quite rather really pretty less as how just only")
_INSIDE = words("DT PDT JJ JJR JJS NN NNS NNP NNPS PRP PRP$ CD POS CC RB ,")
_WH = words("whether if how what why who")
_SUBJECTS = words("we he she they you there")


class Setting:
    """Words, lemmas and tags of the sentence, and the place of *it* among them."""

    __slots__ = ("at", "end", "lemmas", "start", "tags", "words")

    def __init__(self, analysis: Analysis, token: int) -> None:
        sentence = bisect_right(analysis.sentences, token, key=lambda span: span[0]) - 1
        self.start, self.end = analysis.sentences[sentence]
        self.at = token - self.start
        self.words = [word.lower() for word in analysis.words[self.start : self.end]]
        self.lemmas = [lemma.lower() for lemma in analysis.lemmas[self.start : self.end]]
        self.tags = analysis.xpos[self.start : self.end]

    def word(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def lemma(self, place: int) -> str:
        return self.lemmas[place] if 0 <= place < len(self.words) else ""

    def tag(self, place: int) -> str:
        return self.tags[place] if 0 <= place < len(self.words) else ""

    def verb(self) -> int:
        """The first full verb after *it*, past modals, negation and adverbs; -1 without one."""
        place = self.at + 1
        while self._is_auxiliary(place):
            place += 1
        return place if self.tag(place).startswith("VB") or self.word(place) in _BE else -1

    def _is_auxiliary(self, place: int) -> bool:
        if self.tag(place) in ("MD", "RB") or self.word(place) in _NOT:
            return True
        follows = self.tag(place + 1)
        return self.lemma(place) in _AUXILIARIES and (
            follows.startswith(("VB", "RB")) or self.word(place + 1) in _NOT
        )

    def predicate(self) -> int:
        """Where the predicate after *it be* begins, past adverbs; -1 without a copula."""
        place = self.verb()
        if place < 0 or not self._is_copula(place):
            if not self._is_inverted():
                return -1
            place = self.at
        place += 1
        while self.word(place) in _BE or self.word(place) in _NOT:
            place += 1
        return self.past_adverbs(place)

    def _is_copula(self, place: int) -> bool:
        return self.word(place) in _BE or self.lemma(place) in _COPULAS

    def _is_inverted(self) -> bool:
        before = self.at - 1
        if self.word(before) in _NOT:
            before -= 1
        return before >= 0 and self.word(before) in _BE and self.tag(before) != "POS"

    def past_adverbs(self, place: int) -> int:
        while self.tag(place) in ("RB", "RBR", "RBS") or self.word(place) in _DEGREE:
            place += 1
        return place

    def clause_follows(self, place: int, infinitive: bool = True, wh: bool = True) -> bool:
        """Whether a clause opens at a place, past adverbs and *for NP*, *of NP* or *to NP*."""
        while self.tag(place) == "RB":
            place += 1
        if self._opens(place, infinitive, wh) or self.word(place) in _SUBJECTS:
            return True
        if self.word(place) not in ("for", "of", "to"):
            return False
        for next_place in range(place + 1, place + 13):
            if self._opens(next_place, infinitive, wh=False):
                return self.word(next_place) == "to" or self.tag(next_place) == "IN"
            if self.tag(next_place) not in _INSIDE:
                return False
        return False

    def _opens(self, place: int, infinitive: bool, wh: bool) -> bool:
        word = self.word(place)
        if word == "that":
            return self.tag(place) in ("IN", "WDT", "")
        if word == "to" and infinitive:
            return self.is_infinitive(place)
        return wh and word in _WH

    def is_infinitive(self, place: int) -> bool:
        """Whether *to* and a verb stand at a place, adverbs between them or not."""
        return self.word(place) == "to" and self.tag(self.past_adverbs(place + 1)) == "VB"

    @property
    def is_subject(self) -> bool:
        """Whether *it* stands where subjects do: before a verb, and after none."""
        return self.verb() >= 0 and not self.tag(self.at - 1).startswith(("VB", "IN", "TO"))
