"""Which *it* refers to nothing, and by which pattern that is known.

The patterns look at words, lemmas and tags of the sentence, one file for each source; two more look
at the tree: Universal Dependencies attach such an *it* by ``expl``, and where it stands for an
extraposed clause the predicate has that clause as ``csubj``. Both are taken as evidence, because a
trained parser sees more than the lists; ``tree=False`` leaves the patterns alone.
"""

from collections.abc import Callable

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.pleonastic import bracket, constructions, extraposition, predicates
from corefbench.preprocess.pleonastic.setting import Setting

PATTERNS: dict[str, Callable[[Setting], bool]] = {
    "modal-adjective": extraposition.modal_adjective,
    "cognitive-verb": extraposition.cognitive_verb,
    "raising-verb": extraposition.raising_verb,
    "object": extraposition.object_adjective,
    "conditional-object": extraposition.conditional_object,
    "time-to": extraposition.time_to,
    "thanks-to": extraposition.thanks_to,
    "idiom": constructions.idiom,
    "adjective": predicates.adjective,
    "fronted": predicates.fronted,
    "noun": predicates.noun,
    "clause-verb": predicates.clause_verb,
    "cleft": constructions.cleft,
    "weather": constructions.weather,
    "time-and-place": constructions.time_and_place,
    "bracket": bracket.bracket,
    "parenthesis": bracket.parenthesis,
}
"""By name, in the order in which they are tried."""


def is_pleonastic(analysis: Analysis, token: int, tree: bool = True) -> bool:
    """Whether the word is an *it* that refers to nothing."""
    return pleonastic_pattern(analysis, token, tree) != ""


def pleonastic_pattern(analysis: Analysis, token: int, tree: bool = True) -> str:
    """The name of the first pattern that fits, empty where none does."""
    if analysis.words[token].lower() != "it":
        return ""
    if tree and analysis.relations[token].partition(":")[0] == "expl":
        return "expl"
    setting = Setting(analysis, token)
    if tree and _has_clause_for_subject(analysis, token, setting.start, setting.end):
        return "csubj"
    return next((name for name, fits in PATTERNS.items() if fits(setting)), "")


def _has_clause_for_subject(analysis: Analysis, token: int, start: int, end: int) -> bool:
    """Whether the governor of the word has a clause as subject, after the word."""
    governor = analysis.heads[token]
    if governor < 0:
        return False
    return any(
        analysis.heads[place] == governor and analysis.relations[place].startswith("csubj")
        for place in range(max(start, token + 1), end)
    )
