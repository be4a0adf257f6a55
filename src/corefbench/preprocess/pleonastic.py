"""Detect pleonastic *it*.

Patterns look at words, lemmas and tags of the sentence. Two more tests look at the tree: Universal
Dependencies attach a pleonastic *it* as ``expl``, and if it stands for an extraposed clause, the
predicate has that clause as ``csubj``. Both count as evidence, because a trained parser sees more
than word lists.
"""

from bisect import bisect_right
from collections.abc import Callable

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.english.word_lists import (
    CLAUSE_VERBS,
    COGNITIVE_VERBS,
    EXTRAPOSING_NOUNS,
    IDIOMS,
    MEASURES,
    MODAL_ADJECTIVES,
    OBJECT_VERBS,
    PREPOSITIONS,
    RAISING_VERBS,
    STATE,
    STATUS,
    TIMES,
    WEATHER,
    WEATHER_VERBS,
    word_set,
)

_BE = word_set("be is are was were been being am 's ’s 're ’re s")
_COPULAS = word_set("be become get seem appear feel look sound remain prove")
_AUXILIARIES = word_set("have do 've ’ve 'd ’d 'll ’ll ca wo")
_NOT = word_set("not n't n’t nt")
_DEGREE = word_set("so too very more most quite rather really pretty less as how just only")
_NOUN_PHRASE_TAGS = word_set("DT PDT JJ JJR JJS NN NNS NNP NNPS PRP PRP$ CD POS CC RB ,")
_WH = word_set("whether if how what why who")
_SUBJECTS = word_set("we he she they you there")
_CLOSER_WITHIN = 27
_COMMAS = frozenset((",", "-", "--", "–", "—"))
_ADJECTIVES = ("JJ", "JJR", "JJS")


def pleonastic_pattern(analysis: Analysis, token: int) -> str:
    """Return the name of the first pattern that matches; empty for none."""
    if analysis.words[token].lower() != "it":
        return ""
    # A trained parser sees more than the word lists, so its verdict comes first.
    if analysis.relations[token].partition(":")[0] == "expl":
        return "expl"
    setting = SentenceContext(analysis, token)
    if _has_clause_for_subject(analysis, token, setting.start, setting.end):
        return "csubj"
    return next((name for name, fits in PATTERNS.items() if fits(setting)), "")


def _has_clause_for_subject(analysis: Analysis, token: int, start: int, end: int) -> bool:
    """Return whether the governor of the word has a clausal subject after the word."""
    governor = analysis.heads[token]
    if governor < 0:
        return False
    return any(
        analysis.heads[index] == governor and analysis.relations[index].startswith("csubj")
        for index in range(max(start, token + 1), end)
    )


class SentenceContext:
    """Words, lemmas and tags of the sentence around an *it*; empty outside the sentence.

    Patterns may therefore ask for the word at -1, which is where a missing verb or predicate is.
    """

    __slots__ = ("end", "lemmas", "position", "start", "tags", "words")

    def __init__(self, analysis: Analysis, token: int) -> None:
        sentence = bisect_right(analysis.sentences, token, key=lambda span: span[0]) - 1
        self.start, self.end = analysis.sentences[sentence]
        self.position = token - self.start
        self.words = [word.lower() for word in analysis.words[self.start : self.end]]
        self.lemmas = [lemma.lower() for lemma in analysis.lemmas[self.start : self.end]]
        self.tags = analysis.xpos[self.start : self.end]

    def word(self, index: int) -> str:
        return self.words[index] if 0 <= index < len(self.words) else ""

    def lemma(self, index: int) -> str:
        return self.lemmas[index] if 0 <= index < len(self.words) else ""

    def tag(self, index: int) -> str:
        return self.tags[index] if 0 <= index < len(self.words) else ""

    def verb(self) -> int:
        """Return the first full verb after *it*, past modals, negation and adverbs, or -1."""
        index = self.position + 1
        while self._is_auxiliary(index):
            index += 1
        return index if self.tag(index).startswith("VB") or self.word(index) in _BE else -1

    def _is_auxiliary(self, index: int) -> bool:
        if self.tag(index) in ("MD", "RB") or self.word(index) in _NOT:
            return True
        follows = self.tag(index + 1)
        return self.lemma(index) in _AUXILIARIES and (follows.startswith(("VB", "RB")) or self.word(index + 1) in _NOT)

    def predicate(self) -> int:
        """Return where the predicate after *it be* begins, skipping adverbs; -1 for none."""
        index = self.verb()
        if index < 0 or not self._is_copula(index):
            if not self._is_inverted():
                return -1
            index = self.position
        index += 1
        while self.word(index) in _BE or self.word(index) in _NOT:
            index += 1
        return self.past_adverbs(index)

    def _is_copula(self, index: int) -> bool:
        return self.word(index) in _BE or self.lemma(index) in _COPULAS

    def _is_inverted(self) -> bool:
        before = self.position - 1
        if self.word(before) in _NOT:
            before -= 1
        return before >= 0 and self.word(before) in _BE and self.tag(before) != "POS"

    def past_adverbs(self, index: int) -> int:
        while self.tag(index) in ("RB", "RBR", "RBS") or self.word(index) in _DEGREE:
            index += 1
        return index

    def clause_follows(self, index: int, infinitive: bool = True, wh: bool = True) -> bool:
        """Return whether a clause opens here, after adverbs and *for NP*, *of NP* or *to NP*."""
        while self.tag(index) == "RB":
            index += 1
        if self._opens(index, infinitive, wh) or self.word(index) in _SUBJECTS:
            return True
        if self.word(index) not in ("for", "of", "to"):
            return False
        for next_index in range(index + 1, index + 13):
            if self._opens(next_index, infinitive, wh=False):
                return self.word(next_index) == "to" or self.tag(next_index) == "IN"
            if self.tag(next_index) not in _NOUN_PHRASE_TAGS:
                return False
        return False

    def _opens(self, index: int, infinitive: bool, wh: bool) -> bool:
        word = self.word(index)
        if word == "that":
            return self.tag(index) in ("IN", "WDT", "")
        if word == "to" and infinitive:
            return self.is_infinitive(index)
        return wh and word in _WH

    def is_infinitive(self, index: int) -> bool:
        """Return whether *to* and a verb are here, with or without adverbs in between."""
        return self.word(index) == "to" and self.tag(self.past_adverbs(index + 1)) == "VB"

    @property
    def is_subject(self) -> bool:
        """Whether *it* is in subject position: before a verb, and after none."""
        return self.verb() >= 0 and not self.tag(self.position - 1).startswith(("VB", "IN", "TO"))


# *It* as the opening of a bracket that a conjunction closes (Paice & Husk 1987).


def bracket(it: SentenceContext) -> bool:
    """Paice & Husk: *it* and a closer within 27 words, no comma or at least two between them.

    it STATUS to; it !PREP that; it STATE whether, if. *It* must be a subject, *to* have its verb,
    and *that* be a conjunction that follows no noun, which they had no tags to ask for.
    """
    if not it.is_subject:
        return False
    words = it.words[it.position + 1 : it.position + 1 + _CLOSER_WITHIN]
    commas, status, state = 0, False, False
    for index, word in enumerate(words, it.position + 1):
        if commas != 1 and (
            (status and it.is_infinitive(index))
            or (state and word in ("whether", "if"))
            or (word == "that" and _is_conjunction(it, index))
        ):
            return True
        if it.tag(index) == "." or word == ";":
            return False
        commas += word in _COMMAS
        status, state = status or word in STATUS, state or word in STATE
    return False


def _is_conjunction(it: SentenceContext, index: int) -> bool:
    before = index - 1
    return (
        it.tag(index) == "IN"
        and it.tag(before).startswith(("JJ", "VBN", "RB"))
        and it.word(before) not in PREPOSITIONS
        and it.word(before) not in ("so", "such", "now", "just", "not", "n't")
        and it.word(before - 1) not in ("so", "such")
    )


def parenthesis(it: SentenceContext) -> bool:
    """Paice & Husk: *it* after a comma, another comma within four words: *, it seems,*."""
    if it.word(it.position - 1) != ",":
        return False
    words = it.words[it.position + 1 : it.position + 5]
    return "," in words and it.lemma(it.verb()) in RAISING_VERBS | COGNITIVE_VERBS | {"say"}


# Clefts, weather and time, and idioms: the classes of Boyd et al. (2005).


def cleft(it: SentenceContext) -> bool:
    """It be X who S; it be X that S, where X is a name, a pronoun, a phrase or an adverb.

    *It is the book that I read* is as often said of something; only *who*, or *only* and *not*
    before it, make a cleft of a noun with an article.
    """
    index = it.predicate()
    if index < 0 or it.tag(index).startswith(("VB", "JJ")) or it.word(index) in ("a", "an", "all"):
        return False
    sure = it.tag(index) in ("NNP", "PRP", "IN") or it.word(index - 1) in ("only", "not", "n't")
    for end in range(index + 1, min(index + 13, len(it.words))):
        word, tag = it.words[end], it.tags[end]
        if word in ("who", "whom"):
            return it.lemma(end - 1) not in ("one", "someone")
        if word == "that" and tag in ("WDT", "IN"):
            return sure and it.word(end - 1) not in ("fact", "idea", "something", "anything")
        if tag.startswith(("VB", ".", "MD")) or tag in (",", ":", "CC"):
            return False
    return False


def weather(it: SentenceContext) -> bool:
    """It rains; it is cold, dark, snowing; it is nice outside."""
    if it.lemma(it.verb()) in WEATHER_VERBS:
        return it.is_subject
    index = it.predicate()
    if it.word(index) in WEATHER or it.lemma(index) in WEATHER_VERBS:
        return True
    return it.tag(index) in _ADJECTIVES and it.word(index + 1) in ("outside", "out")


def time_and_place(it: SentenceContext) -> bool:
    """It is late, Monday, five o'clock, two years since S, ten miles to NP."""
    index = it.predicate()
    if it.word(index) in TIMES or (it.tag(index) == "CD" and it.word(index + 1) in TIMES):
        return True
    while it.tag(index) in ("DT", "CD", "JJ", "RB"):
        index += 1
    return it.lemma(index) in MEASURES and it.word(index + 1) in ("since", "before", "until", "to")


def idiom(it: SentenceContext) -> bool:
    """When it comes to; call it a day; were it not for …"""
    return any(_matches(it, words) for words in IDIOMS)


def _matches(it: SentenceContext, words: tuple[str, ...]) -> bool:
    first = it.position - words.index("it")
    return first >= 0 and all(
        want == it.lemma(index) or want.strip("=") == it.word(index) for index, want in enumerate(words, first)
    )


# *It* in place of a clause that follows: Lappin & Leass (1994), Baldwin et al. (1995).


def modal_adjective(it: SentenceContext) -> bool:
    """It is MODADJ that S; it is MODADJ (for NP) to VP; so with negation, modals, inversion."""
    index = it.predicate()
    if it.word(index) not in MODAL_ADJECTIVES:
        return False
    if it.word(index) in ("likely", "unlikely", "certain"):
        return it.clause_follows(index + 1, infinitive=False)  # "it is likely to rain" has a subject
    return it.clause_follows(index + 1)


def cognitive_verb(it: SentenceContext) -> bool:
    """It is COGV-ed that S."""
    index = it.predicate()
    return it.lemma(index) in COGNITIVE_VERBS and it.word(index + 1) == "that"


def raising_verb(it: SentenceContext) -> bool:
    """It seems, appears, means, follows (that) S; it seems to me that S, as if S, like S."""
    index = it.verb()
    word, tag = it.word(index + 1), it.tag(index + 1)
    if it.lemma(index) in ("look", "sound"):
        return word == "like" and it.tag(index + 2) in ("PRP", "EX")
    if it.lemma(index) not in RAISING_VERBS:
        return False
    if it.lemma(index) in ("mean", "follow"):
        return word == "that"
    if word in ("as", "like"):
        return it.word(index + 2) in ("if", "though") or it.tag(index + 2) in ("PRP", "EX")
    return (word == "that" and tag == "IN") or tag in ("PRP", "EX") or _is_to_me(it, index + 1)


def _is_to_me(it: SentenceContext, index: int) -> bool:
    return it.word(index) == "to" and it.tag(index + 1) == "PRP" and it.clause_follows(index + 2)


def object_adjective(it: SentenceContext) -> bool:
    """NP makes, finds it MODADJ (for NP) to VP; made it clear that S."""
    if it.lemma(it.position - 1) not in OBJECT_VERBS:
        return False
    index = it.past_adverbs(it.position + 1)
    if it.tag(index) in ("DT", "PRP$"):
        index += 1
        while it.tag(index) in _ADJECTIVES:
            index += 1
        return it.tag(index) == "NN" and it.clause_follows(index + 1, wh=False)
    if it.tag(index) not in (*_ADJECTIVES, "NN", "VBN"):
        return False
    return it.clause_follows(index + 1)


def conditional_object(it: SentenceContext) -> bool:
    """MV appreciate, believe it if S; like, hate it when S."""
    verbs = ("appreciate", "believe", "like", "love", "hate", "prefer", "dislike", "resent")
    return it.lemma(it.position - 1) in verbs and it.word(it.position + 1) in ("if", "when", "that")


def time_to(it: SentenceContext) -> bool:
    """It is time to VP; it is (about) time that S."""
    index = it.predicate()
    return "time" in (it.word(index), it.word(index + 1)) and it.word(index) in ("time", "high", "about")


def thanks_to(it: SentenceContext) -> bool:
    """It is thanks to NP that S."""
    index = it.predicate()
    return it.word(index) == "thanks" and it.word(index + 1) == "to"


# Other predicates that take a clause, beyond the published lists.


def adjective(it: SentenceContext) -> bool:
    """It is (more, most, not) ADJ with a clause, of any adjective; it is said that S.

    Not *so heavy that*, *large enough to*, *ready to*: there the adjective is of something.
    """
    index = it.predicate()
    if it.word(index - 1) in ("so", "too"):
        return False
    if it.tag(index) in ("VBN", "VBD"):
        return it.clause_follows(index + 1, infinitive=False, wh=False)
    if it.word(index) in ("ready", "able", "unable", "likely", "bound", "sure", "worthy"):
        return False
    if it.word(index) == "worth":
        return it.tag(index + 1) == "VBG"
    return it.tag(index) in _ADJECTIVES and it.clause_follows(index + 1)


def fronted(it: SentenceContext) -> bool:
    """How hard it is to VP; what it means to VP; whatever it is that S."""
    verb = it.verb()
    if it.lemma(verb) not in ("be", "mean", "take"):
        return False
    closed = it.is_infinitive(verb + 1) or it.is_infinitive(verb + 2) or it.word(verb + 1) == "that"
    return closed and (it.tag(it.position - 1) in _ADJECTIVES or it.word(it.position - 1) in ("what", "whatever"))


def noun(it: SentenceContext) -> bool:
    """It is a pity, no wonder, my job … with a clause."""
    index = it.predicate()
    while it.tag(index) in ("DT", "PRP$", "PDT", "POS", "NNP", *_ADJECTIVES):
        index += 1
    return it.word(index) in EXTRAPOSING_NOUNS and it.clause_follows(index + 1)


def clause_verb(it: SentenceContext) -> bool:
    """It struck me that S; it takes years to VP; it doesn't matter whether S."""
    index = it.verb()
    if it.lemma(index) not in CLAUSE_VERBS:
        return False
    for end in range(index + 1, min(index + 14, len(it.words))):
        if it.is_infinitive(end):
            return it.word(index + 1) != "to" or end != index + 1
        if it.word(end) in ("that", "whether", "if") and it.tag(end) == "IN":
            return it.lemma(index) not in ("take", "cost", "require", "make", "need")
        if it.tag(end).startswith(("VB", ".", ":")):
            return False
    return False


PATTERNS: dict[str, Callable[[SentenceContext], bool]] = {
    "modal-adjective": modal_adjective,
    "cognitive-verb": cognitive_verb,
    "raising-verb": raising_verb,
    "object": object_adjective,
    "conditional-object": conditional_object,
    "time-to": time_to,
    "thanks-to": thanks_to,
    "idiom": idiom,
    "adjective": adjective,
    "fronted": fronted,
    "noun": noun,
    "clause-verb": clause_verb,
    "cleft": cleft,
    "weather": weather,
    "time-and-place": time_and_place,
    "bracket": bracket,
    "parenthesis": parenthesis,
}
"""By name, in the order in which they are tried."""
