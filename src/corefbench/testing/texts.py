"""Texts on which resolvers and pre-processors are tried: ordinary ones, and hardly any at all."""

from collections.abc import Mapping

from corefbench.formats.load import load
from corefbench.model.corpus import Corpus

TEXTS: Mapping[str, str] = {
    "story": "Ann met Bob at the old bridge. She gave him her umbrella, because it was raining.\n\n"
    '"Keep it," she said. They never saw each other again.',
    "manual": "Press the button on the printer. It starts. If it does not, press it again.",
    "one word": "It",
    "no pronoun": "The bridge was closed.",
    "letters of all kinds": "Zoë’s café – “Ça va?” she asked… 中文 and 🙂 did not help her.",
    "no end": "and then he went and she went and they",
    "lines": "Title\n\n\n- it\n- them\n\n   ",
}
EMPTY: Mapping[str, str] = {"empty": "", "blank": " \n\t "}

_MARKED = """# document bridge

[Ann]1 met [Bob]2 at [the old bridge]3. [She]1 gave [him]2 [[her]1 umbrella]4, for [it]5 rained.

# document short

[It]1 fell.

# document silent

Nothing happened.

"""


def marked() -> Corpus:
    """Three documents with mentions.

    >>> marked()
    <Corpus 'memory': 3 documents, 24 tokens, 9 mentions, 6 chains>
    """
    return load(_MARKED.encode(), format="inline")
