"""The lemmas of the words in the training texts, by tag and word in small letters."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from recipes.english.conllu import Paragraph

NAMES = frozenset({"NNP", "NNPS", "ADD", "FW", "GW", "AFX"})
"""Tags of words whose lemma keeps capitals or says nothing about the next such word."""
SHARE = 0.6


def lemmas(paragraphs: Iterable[Paragraph]) -> dict[str, dict[str, str]]:
    """What a word usually has as its lemma, names left out."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for paragraph in paragraphs:
        for word in paragraph.words:
            if word.form.isalpha() and word.xpos not in NAMES and word.lemma != "_":
                counts[word.xpos, word.form.lower()][word.lemma] += 1
    found: dict[str, dict[str, str]] = {}
    for (tag, form), lemmas_of in sorted(counts.items()):
        lemma, count = lemmas_of.most_common(1)[0]
        if count >= SHARE * lemmas_of.total():
            found.setdefault(tag, {})[form] = lemma
    return found
