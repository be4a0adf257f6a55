"""Which sentences are headings.

A heading stands alone in its paragraph or on its line, is short, ends without punctuation, has no
finite verb or is typed as a title or opens the document, and running text follows it, after one
more heading at most: longer runs are addresses and lists. Where most sentences look like headings
(transcripts, verse), none is one. The rule is our own: papers take headings as marked.
"""

from itertools import groupby

from msgspec.structs import replace

from corefbench.preprocess.analysis import Analysis

_LONGEST = 15
"""Words."""
_LONGEST_RUN = 2
_ENDS = frozenset(".!?;,…—–-")
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SMALL = frozenset({"DET", "ADP", "CCONJ", "SCONJ", "PART", "PUNCT", "AUX", "PRON", "NUM", "SYM"})


def with_headings(analysis: Analysis) -> Analysis:
    """The analysis with its headings marked."""
    sentences = range(len(analysis.sentences))
    likely = [_alone(analysis, n) and _is_title(analysis, n) for n in sentences]
    if 2 * sum(likely) > len(likely):
        return replace(analysis, headings=(False,) * len(likely))
    marked: list[bool] = []
    for is_likely, run in groupby(likely):
        length = len(list(run))
        followed = len(marked) + length < len(likely)
        marked += [is_likely and followed and length <= _LONGEST_RUN] * length
    return replace(analysis, headings=tuple(marked))


def _alone(analysis: Analysis, sentence: int) -> bool:
    """Whether nothing else stands in the sentence's paragraph, or on its line."""
    start, end = analysis.sentences[sentence]
    if start == end:
        return False
    return _ends_line(analysis, sentence - 1, start) and _ends_line(analysis, sentence, end)


def _ends_line(analysis: Analysis, sentence: int, token: int) -> bool:
    """Whether a line or paragraph ends between a sentence and the next, which begins at a token."""
    paragraphs, offsets = analysis.paragraphs, analysis.offsets
    if token in (0, len(offsets)) or paragraphs[sentence] != paragraphs[sentence + 1]:
        return True
    return "\n" in analysis.text[offsets[token - 1][1] : offsets[token][0]]


def _is_title(analysis: Analysis, sentence: int) -> bool:
    start, end = analysis.sentences[sentence]
    words = analysis.words[start:end]
    if len(words) > _LONGEST or words[-1][-1:] in _ENDS:
        return False
    letters = sum(character.isalpha() for word in words for character in word)
    if 2 * letters <= sum(map(len, words)) or any("@" in w or "://" in w for w in words):
        return False
    return sentence == 0 or not _is_finite(analysis, start, end) or _is_typed_as_title(
        words, analysis.upos[start:end]
    )  # fmt: skip


def _is_finite(analysis: Analysis, start: int, end: int) -> bool:
    return not _FINITE.isdisjoint(analysis.xpos[start:end]) or any(
        "VerbForm=Fin" in features for features in analysis.features[start:end]
    )


def _is_typed_as_title(words: tuple[str, ...], tags: tuple[str, ...]) -> bool:
    """Whether every word with content begins with a capital."""
    pairs = zip(words, tags, strict=True)
    content = [word for word, tag in pairs if tag not in _SMALL and word[:1].isalpha()]
    return len(content) > 1 and all(word[0].isupper() for word in content)
