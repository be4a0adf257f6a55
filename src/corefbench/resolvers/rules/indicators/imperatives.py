"""Which sentences give an order."""

from corefbench.resolvers.rules.indicators.text import Text

_OPENERS = frozenset({"ADV", "INTJ", "CCONJ"})


def imperatives(text: Text, *, lenient: bool = True) -> list[bool]:
    """For every sentence whether its first word is a verb in its base form without a subject.

    ``lenient`` passes over "To open the cover," and over *please*, adverbs and conjunctions.
    """
    found = []
    for token, (_, end) in zip(text.first_words(), text.analysis.sentences, strict=True):
        if lenient and token >= 0:
            token = _after_openers(text, token, end)
        found.append(0 <= token < end and _orders(text, token))
    return found


def _orders(text: Text, token: int) -> bool:
    """Whether a word is a verb that orders, or the *do* of "Do not open it"."""
    analysis, tree = text.analysis, text.tree
    if analysis.xpos[token] != "VB" and "Mood=Imp" not in analysis.features[token]:
        return False
    verb = tree.heads[token] if tree.base[token] == "aux" else token
    return verb >= 0 and not text.subject(verb)


def _after_openers(text: Text, token: int, end: int) -> int:
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
