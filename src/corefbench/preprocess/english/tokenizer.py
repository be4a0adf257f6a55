"""Tokenizer for English text, with the conventions of Universal Dependencies.

A chunk without white space is split from both ends inwards: opening marks, closing marks, clitics
(*is|n't*, *John|'s*), then inside (*self|-|made*, *and|/|or*). Addresses, numbers and abbreviations
stay whole; *cannot*, *gonna* and contractions without apostrophe are split by a table. Chunks of
absurd length are cut, because the patterns take quadratic time in the length of a word.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from corefbench.preprocess.segmentation import MAX_WORD

_BOUND_PREFIXES = (
    "anti|bi|bio|co|counter|cross|de|dis|e|electro|ex|extra|geo|hetero|homo|hydro|hyper|infra|inter|"
    "intra|kilo|macro|mal|mega|meta|micro|mid|mini|mis|mono|multi|nano|neo|neuro|non|omni|over|"
    "para|poly|post|pre|pro|proto|pseudo|psycho|quasi|re|semi|socio|sub|super|tele|tera|trans|tri|"
    "ultra|un|uni|under|vice"
)
"""Bound prefixes stay with their word (*non-avian*); free ones are split (*self|-|made*)."""

_WHOLE = re.compile(
    rf"""
      (?:https?|ftp|file)://\S*[^\s.,;:!?)\]}}>'"’”…]
    | www\.\S*[^\s.,;:!?)\]}}>'"’”…]
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | (?:[a-z0-9][a-z0-9-]*\.)+
        (?:com|org|net|edu|gov|info|co\.uk|tv|biz|html?|pdf|php)(?:/\S*[^\s.,;:!?)])?
    | \.(?:com|doc|exe|jpe?g|mp3|net|org|pdf|txt|xls|zip)
    | [:;=][-o^']?[)(\]\[dpob/\\|*3@>]+ | <3+ | \^_*\^ | [-=]> | <[-=]
    | (?:[a-z]\.){{2,}}[a-z]?
    | (?:{_BOUND_PREFIXES})[-‐][a-z]+
    | \d{{3}}[-.]\d{{3}}[-.]\d{{4}} | \d{{3}}-\d{{4}} | \d-\d{{3}}-\d{{3}}-\d{{4}}
    | [+-]?\d+(?:,\d{{3}})*(?:\.\d+)*(?:st|nd|rd|th|s)?
    | \d{{1,2}}:\d\d(?::\d\d)?
    | \d{{1,2}}/\d{{1,2}}/\d{{2,4}}
    | [#@][a-z_]\w*
    | ['’]\d0s | b/c | w/o? | n/a | c/o | 24/7
    """,
    re.IGNORECASE | re.VERBOSE,
)

_ABBREVIATION = re.compile(
    r"""
      (?:[a-z]\.)+[a-z]?\.
    | (?:mr|mrs|ms|dr|prof|rev|hon|sr|jr|st|mt|ft|lt|col|gen|gov|sen|rep|sgt|capt|cmdr|maj|adm|
        pres|inc|corp|co|ltd|bros|etc|vs|al|eds?|vol|nos|fig|figs|pp|ch|sec|cf|ca|approx|dept|div|
        est|ave|blvd|rd|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|thu|fri|
        sat|sun|univ|assn|intl|govt|e\.g|i\.e|a\.m|p\.m|ph\.d|u\.s|u\.k|messrs|mme|var|ver|
        [bcdp]|tel|ext|attn|min|max|hrs?|lbs?|oz|esp|misc|resp|vols|trans|repr)\.
    """,
    re.IGNORECASE | re.VERBOSE,
)
_INITIAL = re.compile(r"[A-Z]\.")

_COMBINING = (
    r"\xad\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0900-\u0dff\u0e31-\u0e4e\u1dc0-\u1dff\u200b-\u200f\u2060-\u2064\u20d0-\u20ff\ufe00-\ufe0f"
    r"\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff"
)
"""Characters that belong to the one before: accents, vowel signs, joiners, skin tones."""
_MARK = rf"[^\w\s{_COMBINING}][{_COMBINING}]*(?:(?<=\u200d)[^\w\s][{_COMBINING}]*)*"
_RUNS = r"\.{2,}|-{2,}|[!?]+|([*=~_#<>])\1+|''|``|’’|[\U0001f1e6-\U0001f1ff]{2}"
_OPENING = re.compile(rf"{_RUNS}|[-+.](?!\d)|(?![-+.°]){_MARK}")
_CLOSING = re.compile(rf"(?:{_RUNS}|{_MARK})$")
_CLITIC = re.compile(r"(?<=\w)(?:n['’`´]t|['’`´](?:ll|re|ve|d|m|s))$|(?<=s)['’]$", re.IGNORECASE)
_INSIDE = re.compile(
    r"""
      \.{2,} | … | -{2,} | [—–―] | [!?]+(?=\w) | ([*=~_])\1+
    | (?<=[^\W\d_])[-‐/](?=\w) | (?<=\d)[-‐/](?=[^\W\d_]) | (?<=\w)[-‐/](?=[("“])
    | (?<=\d)[-‐](?=\d)
    | (?<=\d),(?=\d{1,2}(?!\d)) | (?<=[^\W\d_]),(?=\w) | (?<=\w),(?=[^\W\d_])
    | (?<=[^\W\d_])[:;](?=\w) | (?<=\d)[;](?=\w)
    | [()\[\]{}"“”<>|]
    | (?<=[a-z]{2})\.(?=[A-Z][a-z]) | (?<=[a-z)])[=+](?=\w) | (?<=\w)&(?=\w\w\w)
    """,
    re.VERBOSE,
)
_UNIT = re.compile(r"(?:[\d.,]*\d)(?P<unit>%|[ap]\.?m\.?|km|kg|mm|cm|mg|gb|mb|ghz|mhz|lbs?|k?w|°[cf]?)$", re.IGNORECASE)
_CONTRACTIONS = {
    whole.replace("|", ""): tuple(map(len, whole.split("|")))
    for whole in (
        "ai|nt", "are|nt", "ca|nt", "can|not", "could|nt", "did|nt", "does|nt", "do|nt", "had|nt",
        "has|nt", "have|nt", "is|nt", "should|nt", "was|nt", "were|nt", "wo|nt", "would|nt",
        "a|lot", "gim|me", "gon|na", "got|ta", "he|s", "i|m", "i|ve", "lem|me", "let|s", "out|ta",
        "that|s", "there|s", "they|re", "wan|na", "what|s", "you|ll", "you|re", "you|ve",
    )
}  # fmt: skip
"""The lengths of the words that are written as one."""

_CHUNK = re.compile(rf"\S{{1,{MAX_WORD}}}")


def tokenize(text: str, begin: int = 0) -> list[tuple[int, int]]:
    """Return the character offsets of the words of a text that starts at ``begin``.

    >>> text = "(isn't) well-known, John's U.S. $5"
    >>> [text[start:end] for start, end in tokenize(text)]
    ['(', 'is', "n't", ')', 'well', '-', 'known', ',', 'John', "'s", 'U.S.', '$', '5']
    """
    return [
        (begin + match.start() + start, begin + match.start() + end)
        for match in _CHUNK.finditer(text)
        for start, end in _split_chunk(match[0])
    ]


# Most chunks of a text are common words: without the cache the patterns take most of the time.
@lru_cache(maxsize=200_000)
def _split_chunk(chunk: str) -> tuple[tuple[int, int], ...]:
    """Split a chunk without white space."""
    return tuple(_split_marks(chunk, 0, len(chunk)))


def _split_marks(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Split off opening marks one by one, then closing marks, then split the core."""
    closing: list[tuple[int, int]] = []
    while begin < end and not _is_whole(text, begin, end):
        if mark := _OPENING.match(text, begin, end):
            yield begin, mark.end()
            begin = mark.end()
        elif mark := _match_closing(text, begin, end):
            closing.append((mark.start(), end))
            end = mark.start()
        else:
            yield from _split_core(text, begin, end)
            begin = end
    if begin < end:
        yield from _split_whole(text, begin, end)
    yield from reversed(closing)


def _is_whole(text: str, begin: int, end: int) -> bool:
    return bool(
        text[begin:end].lower() in _CONTRACTIONS
        or _WHOLE.fullmatch(text, begin, end)
        or _ABBREVIATION.fullmatch(text, begin, end)
        or _INITIAL.fullmatch(text, begin, end)
    )


def _split_whole(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for length in _CONTRACTIONS.get(text[begin:end].lower(), (end - begin,)):
        yield begin, begin + length
        begin += length


def _split_core(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a chunk without marks at its ends."""
    for pattern in (_CLITIC, _UNIT):
        mark = pattern.search(text, begin, end)
        if mark and mark.start(mark.lastgroup or 0) > begin:
            middle = mark.start(mark.lastgroup or 0)
            yield from _split_marks(text, begin, middle)
            yield middle, end
            return
    if mark := _INSIDE.search(text, begin + 1, end):
        yield from _split_marks(text, begin, mark.start())
        yield mark.span()
        yield from _split_marks(text, mark.end(), end)
        return
    yield begin, end


def _match_closing(text: str, begin: int, end: int) -> re.Match[str] | None:
    if _CLITIC.search(text, begin, end):
        return None
    # The pattern is anchored at the end; looking at the last characters only keeps it linear.
    return _CLOSING.search(text, max(begin + 1, end - 40), end)
