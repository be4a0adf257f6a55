"""Where each code is raised or reported, and what is then said: read from the sources."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import corefbench
from corefbench import errors
from corefbench.errors import CODES
from corefbench.records import Record

PACKAGE = Path(corefbench.__file__).parent
KINDS = {name: kind for name, kind in vars(errors).items() if hasattr(kind, "exit_code")}


MORE = {
    "CB107": "The line or tag that ends a document is missing; the file may be cut off.",
    "CB116": "The parts of a mention are numbered, and one of the numbers is not there.",
    "CB121": "A tag is not closed, a quote is missing, or the file is no XML at all. The line and "
    "column are those at which the parser gave up.",
    "CB127": "MUC's attribute MIN names the words that a system must find. They have to be words "
    "of the mention itself.",
    "CB135": "Some files count the end of a span as its last word, others as the word behind it. "
    "Here the first was found.",
    "CB136": "The file is valid, but has layers or columns that say nothing about coreference, or say it "
    "in a way that is not read. They are not in the corpus and are missing if it is written again.",
    "CB147": "In bracketed text every bracket must say which chain it belongs to.",
    "CB151": "The document is in the file, but no word of it. Perhaps the columns are not those of the format.",
    "CB152": "Two mentions of one chain overlap, and neither lies in the other. Brackets cannot "
    "always tell which of them is closed, and scorers may not agree on such a file.",
    "CB153": "Every mention is alone in its chain, and measures of links have nothing to score. "
    "Perhaps the file has the mentions of a system but not its chains.",
    "CB154": "The file has words and not one mention. Perhaps the column of coreference is "
    "missing, or another file was meant.",
    "CB155": "Sentences of a thousand tokens are rare; the ends of sentences may have been lost in a conversion.",
    "CB156": "Formats with columns cannot hold such a word, and other programs may read it as two.",
    "CB157": "The same words are a mention of two chains. Scorers differ on such files; what is "
    "done is the choice `repeats` of the profile.",
    "CB206": "The same words of the response are marked more than once. What is done is the choice "
    "`repeats` of the profile; published scorers differ.",
    "CB207": "The same words of the key are marked more than once. What is done is the choice "
    "`repeats` of the profile; published scorers differ.",
    "CB208": "Singletons of the key are dropped before scoring, as the published scorer does. A "
    "response that marks them is not rewarded for it.",
    "CB209": "Most of what the response marks is not marked in the key. Perhaps the key has no "
    "singletons, or the two were made from other tokens.",
    "CB213": "The response ends before the key does. Perhaps it was cut off while it was written, or its tokens are "
    "others. What is missing would count as not found.",
    "CB237": "Annotators disagree where no decision was given, and the rule of the merge decided.",
    "CB238": "Bridging and split antecedents are left out: mentions and chains are voted on.",
    "CB264": "Mentions of another program are placed on tokens by their characters. Those that "
    "cannot be placed are counted and left out.",
    "CB302": "What was asked for is possible only when the phase has begun, by the server's clock.",
    "CB306": "While a campaign is frozen nothing can be submitted.",
    "CB311": "The fault is the platform's: the work is tried again, and no quota is lost by it.",
    "CB341": "The page or the action is for people with an account; sign in first.",
}
"""What is to be said of codes beyond the messages in the sources."""


class Raised(Record, frozen=True):
    """A place in the sources."""

    place: str
    kind: str = ""
    message: str = ""
    expected: str = ""
    remedy: str = ""


def raised() -> dict[str, tuple[Raised, ...]]:
    """All places, by code."""
    found: dict[str, list[Raised]] = {}
    named: dict[str, list[Raised]] = {}  # where a code is not the argument of a call
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if '"CB' in text or "Error(" in text or "MissingExtra(" in text:
            for code, one in _calls(ast.parse(text), _place(path)):
                found.setdefault(code, []).append(one)
        for code in {*re.findall(r"CB\d{3}", text)} - found.keys():
            if path.name != "errors.py":
                named.setdefault(code, []).append(Raised(place=_place(path)))
    return {code: tuple(found.get(code) or named.get(code, ())) for code in CODES}


def _place(path: Path) -> str:
    return f"src/corefbench/{path.relative_to(PACKAGE).as_posix()}"


def _calls(tree: ast.Module, place: str) -> Iterator[tuple[str, Raised]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            said = [_text(one) for one in node.args]
            named = {one.arg: _text(one.value) for one in node.keywords if one.arg}
            kind = KINDS.get(name)
            default = getattr(kind, "default_code", "") if kind else ""
            codes = _codes_in(node) or ([default] if default else [])
            texts = [text for text in (*said, named.get("message", "")) if text not in CODES]
            for code in codes:
                yield (
                    code,
                    Raised(
                        place=place,
                        kind=name if kind else "",
                        message=next(filter(None, texts), ""),
                        expected=named.get("expected", ""),
                        remedy=named.get("remedy", named.get("repair", "")),
                    ),
                )


def _codes_in(call: ast.Call) -> list[str]:
    """The codes that a call names itself, not those of calls within it."""
    values = [*call.args, *(one.value for one in call.keywords)]
    given = [each for value in values for each in _constants(value)]
    return [text for text in given if text in CODES]


def _constants(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from (*_constants(value.body), *_constants(value.orelse))
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value


def _text(value: ast.expr) -> str:
    """A text as far as the source says it; what is filled in later is an ellipsis."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "…" for part in value.values)
    return ""


def described(places: Iterable[Raised]) -> str:
    """What is said, what to do, and where, each once."""
    known = list(dict.fromkeys(places))
    messages = _listed(one.message for one in known)
    lines = ["## What is said", *messages] if messages else []
    expected = _listed(one.expected for one in known)
    remedies = _listed(one.remedy for one in known)
    lines += ["## What is expected", *expected] if expected else []
    lines += ["## What to do", *remedies] if remedies else []
    kinds = sorted({one.kind for one in known if one.kind})
    if kinds:
        codes = sorted({KINDS[kind].exit_code for kind in kinds})
        exits = " or ".join(map(str, codes))
        lines += [f"As an error it is a {' or '.join(f'`{k}`' for k in kinds)}, exit code {exits}."]
    lines += ["## Where", *_listed(f"`{one.place}`" for one in known)]
    return "\n".join(_spaced(lines))


def _spaced(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield from ("", line, "") if not line.startswith("- ") else (line,)


def _listed(texts: Iterable[str]) -> list[str]:
    return [f"- {text}" for text in dict.fromkeys(texts) if text]
