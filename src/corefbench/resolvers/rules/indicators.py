"""The antecedent indicators of Mitkov (1998) and MARS.

An indicator has a name, by which a decision lists it, and the points that it can give. Those of a
candidate are added up; the candidate with most is the antecedent (Mitkov 1998, MARS 2002).
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Literal, Protocol, TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.tree import Tree
from corefbench.resolvers.rules.names import Names

_SUBJECTS = frozenset({"nsubj", "csubj"})
_COMPLEMENTS = frozenset({"obj", "iobj", "obl"})
_OPENERS = frozenset({"ADV", "INTJ", "CCONJ"})
_POINTS_BY_FUNCTION = {"subject": 2, "object": 1, "existential": 1, "indirect": 0}
_INDICATING_VERB_LIST = """
    discuss present illustrate identify summarise examine describe define show check develop review
    report outline consider investigate explore assess analyse synthesise study survey deal cover
"""
INDICATING_VERBS = frozenset(_INDICATING_VERB_LIST.split())
"""The 24 verbs of Mitkov (1998)."""
_INDICATING_SPELLINGS = INDICATING_VERBS | {"summarize", "analyze", "synthesize"}
_DEFINITE_DETERMINERS = frozenset({"the", "this", "that", "these", "those"})
_POSSESSIVE_TAGS = frozenset({"PRP$", "POS"})
_CONNECTIVE_LIST = "before after until till when while once if as unless"
_CONNECTIVES = frozenset(_CONNECTIVE_LIST.split())
Pattern: TypeAlias = tuple[str, bool]
"""A verb, and whether the noun phrase comes before it."""
_ARGUMENTS = frozenset({"nsubj", "obj", "iobj"})


class Indicator(Protocol):
    """One preference, prepared for one text."""

    @property
    def name(self) -> str:
        """How a decision lists it."""
        ...

    @property
    def scores(self) -> tuple[int, ...]:
        """All points that it may give, the highest first."""
        ...

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        """The points of a candidate for an anaphor."""
        ...


class IndicatorText:
    """A discourse with the look-ups that several indicators share.

    With ``bearers`` the names of one bearer are one word (*Mary McDonagh … Mary*), those of others
    are not (*Edwin McDonagh*); without, names are compared by their last word.
    """

    def __init__(self, discourse: Discourse, *, bearers: bool = True) -> None:
        self.discourse = discourse
        self.analysis = discourse.analysis
        self.tree = Tree(discourse.analysis)
        self.lemmas = [lemma.lower() for lemma in discourse.analysis.lemmas]
        self.words = [self._word(phrase) for phrase in discourse.phrases]
        """For every phrase the word by which repetitions are counted."""
        if bearers:
            self._join_names()
        self._resolved: dict[int, Phrase] = {}

    def _word(self, phrase: Phrase) -> str:
        """Return the lemma of the head; of a name its last word, which is used alone."""
        token = phrase.head
        if phrase.kind == "name":
            base, heads = self.tree.base, self.tree.heads
            # UD attaches last names to first names by ``flat``; the last name is the one repeated.
            while token + 1 < phrase.core[1] and heads[token + 1] == phrase.head and base[token + 1] == "flat":
                token += 1
        return self.lemmas[token]

    def _join_names(self) -> None:
        """Give all names of one bearer the same word: the parts of the first name."""
        names = Names(self.discourse)
        for name, earlier in names.matches():
            full_name = " ".join(names.parts[name.index])
            self.words[name.index] = self.words[earlier[0].index] if earlier else full_name

    def note(self, anaphor: Phrase, antecedent: Phrase) -> None:
        """Record the antecedent of a pronoun."""
        self._resolved[anaphor.index] = self.noun(antecedent)

    def noun(self, phrase: Phrase) -> Phrase:
        """Return the phrase whose words count: the antecedent of a resolved pronoun."""
        return self._resolved.get(phrase.index, phrase)

    def paragraph(self, phrase: Phrase) -> int:
        """Return the paragraph of a phrase."""
        return self.analysis.paragraphs[phrase.sentence]

    @cached_property
    def nouns(self) -> list[Phrase]:
        """The phrases with a noun or name as head, each head once; no coordinations."""
        seen: set[int] = set()
        nouns = []
        for phrase in self.discourse.phrases:
            if phrase.pronoun is None and not phrase.coordination and phrase.head not in seen:
                seen.add(phrase.head)
                nouns.append(phrase)
        return nouns

    def first_words(self) -> Iterator[int]:
        """Yield the first word of every sentence that is not punctuation, or -1."""
        for start, end in self.analysis.sentences:
            tokens = range(start, end)
            yield next((t for t in tokens if self.analysis.upos[t] != "PUNCT"), -1)

    def verb(self, phrase: Phrase) -> int:
        """Return the verb of which a phrase is object or adverbial, or -1."""
        head = self.tree.heads[phrase.head]
        if head < 0 or self.tree.base[phrase.head] not in _COMPLEMENTS:
            return -1
        return head if self.analysis.upos[head] == "VERB" else -1

    def subject(self, verb: int) -> str:
        """Return the subject of a verb in lower case; empty if there is none."""
        for child in self.tree.children[verb]:
            if self.tree.base[child] in _SUBJECTS:
                return self.analysis.words[child].lower()
        return ""

    @cached_property
    def direct_objects(self) -> dict[int, int]:
        """For verbs the object that follows them directly or after a particle."""
        objects: dict[int, int] = {}
        for phrase in self.discourse.phrases:
            verb = self.verb(phrase)
            if verb >= 0 and self.tree.base[phrase.head] == "obj" and self._adjoins(verb, phrase):
                objects.setdefault(verb, phrase.index)
        return objects

    def _adjoins(self, verb: int, phrase: Phrase) -> bool:
        gap = range(verb + 1, phrase.start)
        return verb < phrase.start and all(self.analysis.xpos[t] in ("RP", "RB") for t in gap)


class Givenness:
    """A point for the first noun phrase of an earlier sentence that is not imperative."""

    name: ClassVar[str] = "givenness"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(
        self, text: IndicatorText, *, scope: Literal["all", "previous"] = "previous", lenient: bool = True
    ) -> None:
        self._all = scope == "all"
        orders = find_imperatives(text, lenient=lenient)
        self._first = set()
        for phrases, order in zip(text.discourse.by_sentence, orders, strict=True):
            first = next((phrase for phrase in phrases if not phrase.pleonastic), None)
            if first is not None and not order:
                self._first.add(first.index)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        in_scope = self._all or candidate.sentence < anaphor.sentence
        return int(in_scope and candidate.index in self._first)


class FirstNounPhrase(Givenness):
    """A point for the first noun phrase of any sentence that is not imperative, as in MARS."""

    name: ClassVar[str] = "first noun phrase"


class Obliqueness:
    """Two points for subjects, one for objects, none for indirect objects, one less for others.

    What *there is* introduces is counted as an object: it is new.
    """

    name: ClassVar[str] = "obliqueness"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0, -1)

    def __init__(self, text: IndicatorText) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return _POINTS_BY_FUNCTION.get(candidate.function, -1)


class Definiteness:
    """One point less for an indefinite phrase, unless the paragraph has no definite ones at all.

    Definite are phrases with the article, a demonstrative or a possessor. Manuals may leave
    articles out ("Insert cassette"): where the pronoun's paragraph has none, the indicator is
    silent. Names and pronouns are not penalised unless ``names`` is "indefinite".
    ``base`` is added to all candidates alike, as in the paper's worked example.
    """

    name: ClassVar[str] = "definiteness"
    scores: ClassVar[tuple[int, ...]] = (0, -1)

    def __init__(
        self,
        text: IndicatorText,
        *,
        base: int = 0,
        scope: Literal["all", "previous"] = "all",
        names: Literal["neutral", "indefinite"] = "neutral",
    ) -> None:
        self._text = text
        self._base = base
        self._all = scope == "all"
        self._indefinite = {"indefinite"} if names == "neutral" else {"indefinite", "neither"}
        self._marked = _paragraphs_with_definites(text)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.definiteness not in self._indefinite:
            return self._base
        in_scope = self._all or candidate.sentence < anaphor.sentence
        return self._base - (in_scope and self._text.paragraph(anaphor) in self._marked)


class IndicatingVerbs:
    """A point for the first noun phrase after one of 24 verbs, in the same sentence."""

    name: ClassVar[str] = "indicating verbs"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText) -> None:
        self._indicated = set()
        for sentence, phrases in enumerate(text.discourse.by_sentence):
            for verb in _find_indicating_verbs(text, sentence):
                first = next((phrase for phrase in phrases if phrase.start > verb), None)
                if first is not None:
                    self._indicated.add(first.index)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return int(candidate.index in self._indicated)


def _find_indicating_verbs(text: IndicatorText, sentence: int) -> list[int]:
    tokens = range(*text.analysis.sentences[sentence])
    return [t for t in tokens if text.lemmas[t] in _INDICATING_SPELLINGS and text.analysis.upos[t] == "VERB"]


class LexicalReiteration:
    """Two points if the noun comes twice more in its paragraph, one if once more.

    Phrases with the same head count: *toner bottle*, *bottle of toner*, *the bottle*. So do words
    of one group of ``synonyms``, written ``bottle/flask;guide/manual``. A pronoun
    repeats what it is known to stand for, else nothing.
    ``repeats`` is whether the candidate counts itself ("all") or the "others" only.
    """

    name: ClassVar[str] = "lexical reiteration"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0)

    def __init__(
        self, text: IndicatorText, *, synonyms: str = "", repeats: Literal["others", "all"] = "others"
    ) -> None:
        self._text = text
        self._itself = repeats == "others"
        self._group = _synonym_groups(synonyms)
        self._counts = Counter(self._place(phrase) for phrase in text.nouns)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        if noun.pronoun is not None:
            return 0
        return min(2, max(0, self._counts[self._place(noun)] - self._itself))

    def _place(self, phrase: Phrase) -> tuple[int, str]:
        word = self._text.words[phrase.index]
        return self._text.paragraph(phrase), self._group.get(word, word)


def _synonym_groups(synonyms: str) -> dict[str, str]:
    """For every word the first of its group.

    >>> _synonym_groups("bottle/flask; guide/manual")["manual"]
    'guide'
    """
    groups = [[word.strip().lower() for word in row.split("/")] for row in synonyms.split(";")]
    return {word: group[0] for group in groups for word in group}


class SectionHeading:
    """A point for a noun that is in the heading of the pronoun's section."""

    name: ClassVar[str] = "section heading"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText) -> None:
        self._text = text
        self._heading = find_headings(text)
        self._words: dict[int, set[str]] = {}
        for phrase in text.nouns:
            if text.analysis.headings[phrase.sentence]:
                self._words.setdefault(phrase.sentence, set()).add(text.words[phrase.index])

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        named = self._words.get(self._heading[anaphor.sentence])
        if named is None:
            return 0
        noun = self._text.noun(candidate)
        return int(noun.pronoun is None and self._text.words[noun.index] in named)


def find_headings(text: IndicatorText) -> list[int]:
    """Return for every sentence the nearest heading before it, or -1."""
    headings, last = [], -1
    for sentence, is_heading in enumerate(text.analysis.headings):
        headings.append(last)
        if is_heading:
            last = sentence
    return headings


class NonPrepositional:
    """One point less for a noun phrase in a prepositional phrase."""

    name: ClassVar[str] = "prepositional noun phrase"
    scores: ClassVar[tuple[int, ...]] = (0, -1)

    def __init__(self, text: IndicatorText) -> None:
        del text

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        return -candidate.prepositional


class Collocation:
    """Two points if candidate and pronoun are on the same side of the same verb.

    The noun phrase is the subject or object of the verb; before or after it is what counts.
    """

    name: ClassVar[str] = "collocation"
    scores: ClassVar[tuple[int, ...]] = (2, 0)

    def __init__(self, text: IndicatorText) -> None:
        self._text = text
        self._patterns = [self._pattern(phrase) for phrase in text.discourse.phrases]

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        pattern = self._patterns[anaphor.index]
        return 2 if pattern is not None and self._patterns[candidate.index] == pattern else 0

    def _pattern(self, phrase: Phrase) -> Pattern | None:
        text, tree = self._text, self._text.tree
        verb = tree.heads[phrase.head]
        if verb < 0 or tree.base[phrase.head] not in _ARGUMENTS:
            return None
        if text.analysis.upos[verb] != "VERB":
            return None
        return text.lemmas[verb], phrase.head < verb


class ImmediateReference:
    """Two points for NP in "(you) V1 NP … con (you) V2 it (con (you) V3 it)".

    NP is the object right after its verb; the pronoun is a complement of a verb that is joined to
    V1 by coordination or by *before*, *after*, *until* … (the paper counts "identify the drawer …
    and add paper to it", where *it* does not follow V2 at once). Neither verb has a subject but
    *you*; with ``any_subject``, as in MARS, V1 may have one.
    """

    name: ClassVar[str] = "immediate reference"
    scores: ClassVar[tuple[int, ...]] = (2, 0)

    def __init__(self, text: IndicatorText, *, any_subject: bool = False) -> None:
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
        """Return the phrase that the pattern refers to, or -1."""
        text = self._text
        verb = text.verb(anaphor)
        # Walk back along the chain of verbs: "press V1 NP … and V2 it … and V3 it".
        while verb >= 0 and text.subject(verb) in ("", "you"):
            verb = self._joined(verb)
            referent = text.direct_objects.get(verb, -1)
            if referent >= 0 and self._fits(verb):
                phrase = text.discourse.phrases[referent]
                if phrase.pronoun is None or not phrase.anaphoric:
                    return referent
            elif verb >= 0:
                return -1
        return -1

    def _fits(self, verb: int) -> bool:
        return self._any_subject or self._text.subject(verb) in ("", "you")

    def _joined(self, verb: int) -> int:
        """Return the earlier verb of a verb: the conjunct before it, or its main verb."""
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

    def __init__(self, text: IndicatorText) -> None:
        self._text = text
        self._openers = {verb for token in text.first_words() if (verb := _purpose_verb(text, token)) >= 0}
        self._objects = {text.direct_objects.get(verb, -1) for verb in self._openers}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.index not in self._objects or candidate.sentence == anaphor.sentence:
            return 0
        return 2 if self._text.verb(anaphor) in self._openers else 0


def _purpose_verb(text: IndicatorText, token: int) -> int:
    """Return the verb of the *To V* at the beginning of a sentence, or -1."""
    if token < 0 or text.analysis.xpos[token] != "TO" or text.lemmas[token] != "to":
        return -1
    return text.tree.heads[token]


class ReferentialDistance:
    """Two points in the pronoun's sentence, one in that before, none two back, one less further.

    The paper has 2 for the previous clause of a complex sentence, that is one of several finite
    clauses. It is silent on the pronoun's own clause (``same_clause``) and on simple sentences
    (``same_sentence``); any earlier clause counts as the previous one does. ``two_back`` is -1 in
    the Bulgarian version (Tanev & Mitkov 2002).
    """

    name: ClassVar[str] = "referential distance"
    scores: ClassVar[tuple[int, ...]] = (2, 1, 0, -1)

    def __init__(self, text: IndicatorText, *, same_sentence: int = 2, same_clause: int = 2, two_back: int = 0) -> None:
        self._points = {1: 1, 2: two_back}
        self._same_sentence = same_sentence
        self._same_clause = same_clause
        finite = Counter(clause.sentence for clause in text.discourse.clauses if clause.finite)
        self._complex = {sentence for sentence, clauses in finite.items() if clauses > 1}

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        back = anaphor.sentence - candidate.sentence
        if back:
            return self._points.get(back, -1)
        if anaphor.sentence not in self._complex:
            return self._same_sentence
        return self._same_clause if candidate.clause == anaphor.clause else 2


class TermPreference:
    """A point for a term of the domain.

    The ``terms`` are given as ``drawer;toner bottle``; a phrase is a term if it has the words of
    one up to its head. Without a list the ``top`` most frequent common nouns of the text are the
    terms, if they come ``least`` times: in a short text every noun is among the most frequent.
    Persons and places that a text names often are none.
    """

    name: ClassVar[str] = "term preference"
    scores: ClassVar[tuple[int, ...]] = (1, 0)

    def __init__(self, text: IndicatorText, *, terms: str = "", top: int = 10, least: int = 1) -> None:
        self._text = text
        split_terms = [tuple(term.lower().split()) for term in terms.split(";")]
        self._listed = {term for term in split_terms if term}
        self._frequent = set() if self._listed else _most_frequent(text, top, least)

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        noun = self._text.noun(candidate)
        if noun.pronoun is not None:
            return 0
        if self._listed:
            return int(any(self._ends_with(noun, term) for term in self._listed))
        return int(noun.kind == "nominal" and self._text.words[noun.index] in self._frequent)

    def _ends_with(self, phrase: Phrase, term: tuple[str, ...]) -> bool:
        lemmas, end = self._text.lemmas, phrase.head + 1
        return tuple(lemmas[max(phrase.start, end - len(term)) : end]) == term


def _most_frequent(text: IndicatorText, top: int, least: int) -> set[str]:
    """The most frequent common nouns; of equally frequent ones those that come first."""
    common = (phrase for phrase in text.nouns if phrase.kind == "nominal")
    counts = Counter(text.words[phrase.index] for phrase in common)
    return {word for word, count in counts.most_common(top) if count >= least}


def find_imperatives(text: IndicatorText, *, lenient: bool = True) -> list[bool]:
    """Return for every sentence whether it is an imperative.

    Its first word is then a verb in its base form without a subject. ``lenient`` skips "To open the
    cover," as well as *please*, adverbs and conjunctions.
    """
    flags = []
    for token, (_, end) in zip(text.first_words(), text.analysis.sentences, strict=True):
        if lenient and token >= 0:
            token = _skip_openers(text, token, end)
        flags.append(0 <= token < end and _is_order(text, token))
    return flags


def _is_order(text: IndicatorText, token: int) -> bool:
    """Return whether a word is an imperative verb, or the *do* of "Do not open it"."""
    analysis, tree = text.analysis, text.tree
    if analysis.xpos[token] != "VB" and "Mood=Imp" not in analysis.features[token]:
        return False
    verb = tree.heads[token] if tree.base[token] == "aux" else token
    return verb >= 0 and not text.subject(verb)


def _skip_openers(text: IndicatorText, token: int, end: int) -> int:
    analysis, tree = text.analysis, text.tree
    while token < end:
        verb = tree.heads[token]
        if analysis.xpos[token] == "TO" and token < verb and tree.base[verb] == "advcl":
            token = tree.finish[verb]
        elif analysis.upos[token] in ("PUNCT", *_OPENERS) or text.lemmas[token] == "please":
            token += 1
        else:
            break
    return token


def _paragraphs_with_definites(text: IndicatorText) -> set[int]:
    """The paragraphs with a definite article, a demonstrative or a possessive."""
    analysis = text.analysis
    paragraphs = set()
    for (start, end), paragraph in zip(analysis.sentences, analysis.paragraphs, strict=True):
        if paragraph not in paragraphs and any(
            analysis.xpos[token] in _POSSESSIVE_TAGS
            or (analysis.upos[token] in ("DET", "PRON") and text.lemmas[token] in _DEFINITE_DETERMINERS)
            for token in range(start, end)
        ):
            paragraphs.add(paragraph)
    return paragraphs
