"""What the words of English text look like, as patterns: for ``english_words``."""

import re

_BOUND = (
    "anti|bi|bio|co|counter|cross|de|dis|e|electro|ex|extra|geo|hetero|homo|hydro|hyper|infra|inter|"
    "intra|kilo|macro|mal|mega|meta|micro|mid|mini|mis|mono|multi|nano|neo|neuro|non|omni|over|"
    "para|poly|post|pre|pro|proto|pseudo|psycho|quasi|re|semi|socio|sub|super|tele|tera|trans|tri|"
    "ultra|un|uni|under|vice"
)
"""Bound prefixes stay with their word (*non-avian*); free ones are split (*self|-|made*)."""

WHOLE = re.compile(
    rf"""
      (?:https?|ftp|file)://\S*[^\s.,;:!?)\]}}>'"’”…]
    | www\.\S*[^\s.,;:!?)\]}}>'"’”…]
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | (?:[a-z0-9][a-z0-9-]*\.)+
        (?:com|org|net|edu|gov|info|co\.uk|tv|biz|html?|pdf|php)(?:/\S*[^\s.,;:!?)])?
    | \.(?:com|doc|exe|jpe?g|mp3|net|org|pdf|txt|xls|zip)
    | [:;=][-o^']?[)(\]\[dpob/\\|*3@>]+ | <3+ | \^_*\^ | [-=]> | <[-=]
    | (?:[a-z]\.){{2,}}[a-z]?
    | (?:{_BOUND})[-‐][a-z]+
    | \d{{3}}[-.]\d{{3}}[-.]\d{{4}} | \d{{3}}-\d{{4}} | \d-\d{{3}}-\d{{3}}-\d{{4}}
    | [+-]?\d+(?:,\d{{3}})*(?:\.\d+)*(?:st|nd|rd|th|s)?
    | \d{{1,2}}:\d\d(?::\d\d)?
    | \d{{1,2}}/\d{{1,2}}/\d{{2,4}}
    | [#@][a-z_]\w*
    | ['’]\d0s | b/c | w/o? | n/a | c/o | 24/7
    """,
    re.IGNORECASE | re.VERBOSE,
)

ABBREVIATION = re.compile(
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
INITIAL = re.compile(r"[A-Z]\.")

_JOINED = (
    r"\xad\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0900-\u0dff\u0e31-\u0e4e\u1dc0-\u1dff\u200b-\u200f\u2060-\u2064\u20d0-\u20ff\ufe00-\ufe0f"
    r"\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff"
)
"""Characters that belong to the one before: accents, vowel signs, joiners, skin tones."""
_MARK = rf"[^\w\s{_JOINED}][{_JOINED}]*(?:(?<=\u200d)[^\w\s][{_JOINED}]*)*"
_RUNS = r"\.{2,}|-{2,}|[!?]+|([*=~_#<>])\1+|''|``|’’|[\U0001f1e6-\U0001f1ff]{2}"
OPENING = re.compile(rf"{_RUNS}|[-+.](?!\d)|(?![-+.°]){_MARK}")
CLOSING = re.compile(rf"(?:{_RUNS}|{_MARK})$")
CLITIC = re.compile(r"(?<=\w)(?:n['’`´]t|['’`´](?:ll|re|ve|d|m|s))$|(?<=s)['’]$", re.IGNORECASE)
INSIDE = re.compile(
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
UNIT = re.compile(
    r"(?:[\d.,]*\d)(?P<unit>%|[ap]\.?m\.?|km|kg|mm|cm|mg|gb|mb|ghz|mhz|lbs?|k?w|°[cf]?)$",
    re.IGNORECASE,
)
WRITTEN_AS_ONE = {
    whole.replace("|", ""): tuple(map(len, whole.split("|")))
    for whole in (
        "ai|nt", "are|nt", "ca|nt", "can|not", "could|nt", "did|nt", "does|nt", "do|nt", "had|nt",
        "has|nt", "have|nt", "is|nt", "should|nt", "was|nt", "were|nt", "wo|nt", "would|nt",
        "a|lot", "gim|me", "gon|na", "got|ta", "he|s", "i|m", "i|ve", "lem|me", "let|s", "out|ta",
        "that|s", "there|s", "they|re", "wan|na", "what|s", "you|ll", "you|re", "you|ve",
    )
}  # fmt: skip
"""The lengths of the words in what is written as one."""
