"""The antecedent indicators of Mitkov (1998) and MARS (2002).

An indicator is prepared for one text and then gives points to a candidate for an anaphor. The points
of all indicators are added up; the candidate with most is the antecedent.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from corefbench.preprocess.analysis import Tree
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.word_lists import word_set
from corefbench.resolvers.rules.links import Names

Indicator: TypeAlias = Callable[[Phrase, Phrase], int]
"""The points of a candidate for an anaphor."""
_SUBJECTS = frozenset({"nsubj", "csubj"})
_COMPLEMENTS = frozenset({"obj", "iobj", "obl"})
_ARGUMENTS = frozenset({"nsubj", "obj", "iobj"})
_OPENERS = frozenset({"PUNCT", "ADV", "INTJ", "CCONJ"})
_POINTS_BY_FUNCTION = {"subject": 2, "object": 1, "existential": 1, "indirect": 0}
INDICATING_VERBS = word_set("""
    discuss present illustrate identify summarise examine describe define show check develop review
    report outline consider investigate explore assess analyse synthesise study survey deal cover
""")
"""The 24 verbs of Mitkov (1998)."""
_INDICATING_SPELLINGS = INDICATING_VERBS | {"summarize", "analyze", "synthesize"}
_DEFINITE_DETERMINERS = word_set("the this that these those")
_POSSESSIVE_TAGS = frozenset({"PRP$", "POS"})
_CONNECTIVES = word_set("before after until till when while once if as unless")


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

    def noun_word(self, phrase: Phrase) -> str | None:
        """Return the word by which a phrase is counted; None for a pronoun that is not resolved."""
        noun = self.noun(phrase)
        return self.words[noun.index] if noun.pronoun is None else None

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
            yield next((token for token in range(start, end) if self.analysis.upos[token] != "PUNCT"), -1)

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
        return verb < phrase.start and all(self.analysis.xpos[token] in ("RP", "RB") for token in gap)


def givenness(text: IndicatorText, *, everywhere: bool = False, lenient: bool = True) -> Indicator:
    """A point for the first noun phrase of an earlier sentence that is not imperative.

    ``everywhere`` includes the sentence of the pronoun, as in MARS.
    """
    first_phrases = set()
    for phrases, imperative in zip(text.discourse.by_sentence, find_imperatives(text, lenient=lenient), strict=True):
        first = next((phrase for phrase in phrases if not phrase.pleonastic), None)
        if first is not None and not imperative:
            first_phrases.add(first.index)

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        in_scope = everywhere or candidate.sentence < anaphor.sentence
        return int(in_scope and candidate.index in first_phrases)

    return points


def obliqueness(candidate: Phrase, anaphor: Phrase) -> int:
    """Two points for subjects, one for objects, none for indirect objects, one less for others.

    What *there is* introduces is counted as an object: it is new.
    """
    return _POINTS_BY_FUNCTION.get(candidate.function, -1)


def definiteness(
    text: IndicatorText, *, base: int = 0, everywhere: bool = True, neutral_names: bool = True
) -> Indicator:
    """One point less for an indefinite phrase, unless the paragraph has no definite ones at all.

    Definite are phrases with the article, a demonstrative or a possessor. Manuals may leave
    articles out ("Insert cassette"): where the pronoun's paragraph has none, the indicator is
    silent. Names and pronouns are not penalised if they are neutral. ``base`` is added to all
    candidates alike, as in the paper's worked example.
    """
    indefinite = {"indefinite"} if neutral_names else {"indefinite", "neither"}
    marked = _paragraphs_with_definites(text)

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.definiteness not in indefinite:
            return base
        in_scope = everywhere or candidate.sentence < anaphor.sentence
        return base - (in_scope and text.paragraph(anaphor) in marked)

    return points


def indicating_verbs(text: IndicatorText) -> Indicator:
    """A point for the first noun phrase after one of 24 verbs, in the same sentence."""
    indicated = set()
    for (start, end), phrases in zip(text.analysis.sentences, text.discourse.by_sentence, strict=True):
        for token in range(start, end):
            if text.lemmas[token] in _INDICATING_SPELLINGS and text.analysis.upos[token] == "VERB":
                first = next((phrase for phrase in phrases if phrase.start > token), None)
                if first is not None:
                    indicated.add(first.index)
    return lambda candidate, anaphor: int(candidate.index in indicated)


def lexical_reiteration(text: IndicatorText, *, synonyms: str = "", count_itself: bool = False) -> Indicator:
    """Two points if the noun comes twice more in its paragraph, one if once more.

    Phrases with the same head count: *toner bottle*, *bottle of toner*, *the bottle*. So do words
    of one group of ``synonyms``, written ``bottle/flask;guide/manual``. A pronoun repeats what it
    is known to stand for, else nothing.
    """
    groups = _synonym_groups(synonyms)

    def key(noun: Phrase) -> tuple[int, str]:
        word = text.words[noun.index]
        return text.paragraph(noun), groups.get(word, word)

    counts = Counter(map(key, text.nouns))

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        noun = text.noun(candidate)
        return 0 if noun.pronoun is not None else min(2, max(0, counts[key(noun)] - (not count_itself)))

    return points


def _synonym_groups(synonyms: str) -> dict[str, str]:
    """Return the first word of its group for every word.

    >>> _synonym_groups("bottle/flask; guide/manual")["manual"]
    'guide'
    """
    groups = [[word.strip().lower() for word in row.split("/")] for row in synonyms.split(";")]
    return {word: group[0] for group in groups for word in group}


def section_heading(text: IndicatorText) -> Indicator:
    """A point for a noun that is in the heading of the pronoun's section."""
    headings = find_headings(text)
    words: dict[int, set[str]] = {}
    for phrase in text.nouns:
        if text.analysis.headings[phrase.sentence]:
            words.setdefault(phrase.sentence, set()).add(text.words[phrase.index])
    return lambda candidate, anaphor: int(text.noun_word(candidate) in words.get(headings[anaphor.sentence], ()))


def find_headings(text: IndicatorText) -> list[int]:
    """Return for every sentence the nearest heading before it, or -1."""
    headings, last = [], -1
    for sentence, is_heading in enumerate(text.analysis.headings):
        headings.append(last)
        if is_heading:
            last = sentence
    return headings


def non_prepositional(candidate: Phrase, anaphor: Phrase) -> int:
    """One point less for a noun phrase in a prepositional phrase."""
    return -candidate.prepositional


def collocation(text: IndicatorText) -> Indicator:
    """Two points if candidate and pronoun are on the same side of the same verb.

    The noun phrase is the subject or object of the verb; before or after it is what counts.
    """
    tree = text.tree

    def pattern(phrase: Phrase) -> tuple[str, bool] | None:
        """Return the verb, and whether the phrase comes before it."""
        verb = tree.heads[phrase.head]
        if verb < 0 or tree.base[phrase.head] not in _ARGUMENTS or text.analysis.upos[verb] != "VERB":
            return None
        return text.lemmas[verb], phrase.head < verb

    patterns = [pattern(phrase) for phrase in text.discourse.phrases]

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        own_pattern = patterns[anaphor.index]
        return 2 if own_pattern is not None and patterns[candidate.index] == own_pattern else 0

    return points


def immediate_reference(text: IndicatorText, *, any_subject: bool = False) -> Indicator:
    """Two points for NP in "(you) V1 NP … con (you) V2 it (con (you) V3 it)".

    NP is the object right after its verb; the pronoun is a complement of a verb that is joined to
    V1 by coordination or by *before*, *after*, *until* … (the paper counts "identify the drawer …
    and add paper to it", where *it* does not follow V2 at once). Neither verb has a subject but
    *you*; with ``any_subject``, as in MARS, V1 may have one.
    """
    referents: dict[int, int] = {}

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.sentence != anaphor.sentence:
            return 0
        if anaphor.index not in referents:
            referents[anaphor.index] = _immediate_referent(text, anaphor, any_subject)
        return 2 if referents[anaphor.index] == candidate.index else 0

    return points


def _immediate_referent(text: IndicatorText, anaphor: Phrase, any_subject: bool) -> int:
    """Return the phrase that the pattern refers to, or -1."""
    verb = text.verb(anaphor)
    # Walk back along the chain of verbs: "press V1 NP … and V2 it … and V3 it".
    while verb >= 0 and text.subject(verb) in ("", "you"):
        verb = _joined_verb(text, verb)
        referent = text.direct_objects.get(verb, -1)
        if referent >= 0 and (any_subject or text.subject(verb) in ("", "you")):
            phrase = text.discourse.phrases[referent]
            if phrase.pronoun is None or not phrase.anaphoric:
                return referent
        elif verb >= 0:
            return -1
    return -1


def _joined_verb(text: IndicatorText, verb: int) -> int:
    """Return the earlier verb of a verb: the conjunct before it, or its main verb; else -1."""
    tree = text.tree
    head, relation = tree.heads[verb], tree.base[verb]
    if relation == "conj":
        siblings = (child for child in tree.children[head] if child < verb and tree.base[child] == "conj")
        return max(siblings, default=head)
    if relation == "advcl" and head < verb:
        marks = (child for child in tree.children[verb] if tree.base[child] in ("mark", "advmod"))
        return head if any(text.lemmas[mark] in _CONNECTIVES for mark in marks) else -1
    return -1


def sequential_instructions(text: IndicatorText) -> Indicator:
    """Two points for NP1 in "To V1 NP1, … To V2 it, …"."""
    openers = {verb for token in text.first_words() if (verb := _purpose_verb(text, token)) >= 0}
    objects = {text.direct_objects.get(verb, -1) for verb in openers}

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        if candidate.index not in objects or candidate.sentence == anaphor.sentence:
            return 0
        return 2 if text.verb(anaphor) in openers else 0

    return points


def _purpose_verb(text: IndicatorText, token: int) -> int:
    """Return the verb of the *To V* at the beginning of a sentence, or -1."""
    if token < 0 or text.analysis.xpos[token] != "TO" or text.lemmas[token] != "to":
        return -1
    return text.tree.heads[token]


def referential_distance(
    text: IndicatorText, *, same_sentence: int = 2, same_clause: int = 2, two_back: int = 0
) -> Indicator:
    """Two points in the pronoun's sentence, one in that before, none two back, one less further.

    The paper has 2 for the previous clause of a complex sentence, that is one of several finite
    clauses. It is silent on the pronoun's own clause (``same_clause``) and on simple sentences
    (``same_sentence``); any earlier clause counts as the previous one does. ``two_back`` is -1 in
    the Bulgarian version (Tanev & Mitkov 2002).
    """
    finite = Counter(clause.sentence for clause in text.discourse.clauses if clause.finite)

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        back = anaphor.sentence - candidate.sentence
        if back:
            return {1: 1, 2: two_back}.get(back, -1)
        if finite[anaphor.sentence] <= 1:
            return same_sentence
        return same_clause if candidate.clause == anaphor.clause else 2

    return points


def term_preference(text: IndicatorText, *, terms: str = "", top: int = 10, least: int = 1) -> Indicator:
    """A point for a term of the domain.

    The ``terms`` are given as ``drawer;toner bottle``; a phrase is a term if it has the words of
    one up to its head. Without a list the ``top`` most frequent common nouns of the text are the
    terms, if they come ``least`` times: in a short text every noun is among the most frequent.
    Persons and places that a text names often are none.
    """
    listed = {words for term in terms.split(";") if (words := tuple(term.lower().split()))}
    common = (text.words[phrase.index] for phrase in text.nouns if phrase.kind == "nominal")
    # Of equally frequent nouns ``most_common`` takes those that come first.
    frequent = {word for word, count in Counter(common).most_common(top) if count >= least}

    def ends_with(phrase: Phrase, term: tuple[str, ...]) -> bool:
        end = phrase.head + 1
        return tuple(text.lemmas[max(phrase.start, end - len(term)) : end]) == term

    def points(candidate: Phrase, anaphor: Phrase) -> int:
        noun = text.noun(candidate)
        if noun.pronoun is not None:
            return 0
        if listed:
            return int(any(ends_with(noun, term) for term in listed))
        return int(noun.kind == "nominal" and text.words[noun.index] in frequent)

    return points


def syntactic_parallelism(candidate: Phrase, anaphor: Phrase) -> int:
    """A point for a candidate with the grammatical function of the pronoun."""
    return int(candidate.function == anaphor.function != "other")


def boost_pronoun(candidate: Phrase, anaphor: Phrase) -> int:
    """A point for a candidate that is a pronoun of the third person: it was in focus already."""
    return int(candidate.anaphoric)


def frequent_candidates(text: IndicatorText, competing: Iterable[Phrase], *, top: int = 3, least: int = 1) -> Indicator:
    """A point for the ``top`` nouns that compete most often, over all pronouns of the text.

    ``competing`` are the candidates of all pronouns that passed the filters. A noun that the text
    has fewer than ``least`` times is not frequent, however many pronouns it competes for.
    """
    occurrences = Counter(text.words[phrase.index] for phrase in text.nouns)
    counts = Counter(text.words[phrase.index] for phrase in competing if phrase.pronoun is None)
    frequent = {word for word, _ in counts.most_common(top) if occurrences[word] >= least}
    return lambda candidate, anaphor: int(text.noun_word(candidate) in frequent)


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
        elif analysis.upos[token] in _OPENERS or text.lemmas[token] == "please":
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
