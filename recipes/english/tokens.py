"""The tokens of UD English where spaCy's own English rules differ."""

import re
from collections.abc import Callable

from spacy.language import Language
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

# A run of the same mark is one token ("!!!", "_____", "<<").
RUNS = [r"[!?]+", r"\*{2,}", r"_{2,}", r"={2,}", r"~{2,}", r"#{2,}", r"<{2,}", r">{2,}", r"-{2,}"]
# Bound prefixes stay with their word ("non-avian"); free ones are split ("self - made").
BOUND = (
    "anti|bi|co|counter|cross|de|e|ex|extra|hyper|inter|intra|macro|mega|meta|micro|mid|mini|multi|"
    "neo|non|over|para|poly|post|pre|pro|proto|pseudo|quasi|re|semi|sub|super|trans|tri|ultra|un|"
    "under|uni|vice"
)
WHOLE = [
    rf"(?:{BOUND})[-‐][a-z]+",
    r"\d{3}[-.]\d{3}[-.]\d{4}|\d{3}-\d{4}|\d-\d{3}-\d{3}-\d{4}",  # telephone numbers
    r"#[a-z_]\w+",
]
SPLIT = [r"(?<=[A-Za-z])-(?=[0-9])", r"(?<=[0-9\]])[–—](?=[0-9\[])"]
SPECIAL = {
    "and/or": ["and", "/", "or"],
    "wanna": ["wan", "na"],
    "Wanna": ["Wan", "na"],
    **{word: [word] for word in ("al.", "Ft.", "ft.", "Lt.", "eds.", "ed.")},
    **{day: [day] for day in ("Mon.", "Tue.", "Tues.", "Wed.", "Thu.", "Thur.", "Fri.", "Sun.")},
}
# Contractions in capitals and after any word ("DON'T", "guys'll"), with any apostrophe.
CLITICS = [
    r"(?<=[a-z])(?:n['’`]t|['’`](?:ll|re|ve|d|m|s))",
    r"(?<=[A-Z])(?:N['’`]T|['’`](?:LL|RE|VE|D|M|S))",
]


def ud_tokens() -> Callable[[Language], Language]:
    """For ``initialize.before_init``: the rules become part of the saved tokenizer."""
    return adapt


def adapt(nlp: Language) -> Language:
    """Change the tokenizer of a pipeline."""
    defaults, tokenizer = nlp.Defaults, nlp.tokenizer
    prefixes = [r"#(?![A-Za-z])" if rule == "#" else rule for rule in defaults.prefixes or []]
    tokenizer.prefix_search = compile_prefix_regex([*RUNS, *prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex(
        [*RUNS, *CLITICS, *(defaults.suffixes or [])]
    ).search
    tokenizer.infix_finditer = compile_infix_regex([*(defaults.infixes or []), *SPLIT]).finditer
    tokenizer.token_match = re.compile(f"(?:{'|'.join(WHOLE)})$", re.IGNORECASE).match
    for text, words in SPECIAL.items():
        tokenizer.add_special_case(text, [{"ORTH": word} for word in words])
    return nlp
