"""Replace what differs from run to run: times, durations, paths, ports, tokens."""

import re
from calendar import month_name
from collections.abc import Mapping

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_PATTERNS = [
    # JSON values that are durations, speeds or times.
    (
        r'("(?:wall|cpu|created|time|elapsed|[a-z_]*words_per_second|[a-z_]*seconds)":\s*)'
        rf'(?:"[^"]*"|{_NUMBER}|null)',
        r"\1<varies>",
    ),
    (rf"\b\d{{1,2}} (?:{'|'.join(month_name[1:])}) \d{{4}}(?:, \d\d:\d\d(?: UTC)?)?", "<date>"),
    (r"\b\d\d:\d\d(?::\d\d)? UTC", "<clock>"),
    (r'((?:Processor s|S)econds(?:</th><td>|",\s*"|,| \| | & |\s{2,}))[\d.]+', r"\1<number>"),
    (r'<td>\d+\.\d+(</td>\s*<td class="text"><code>corefbench resolve)', r"<td><number>\1"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00| UTC)?", "<time>"),
    (r"(?:127\.0\.0\.1|localhost):\d+", "<host>"),
    (r"\?v=[0-9a-f]+", "?v=<digest>"),
    (r'(name="[a-z_]*(?:csrf|token)[a-z_]*" value=")[^"]*', r"\1<token>"),
    (rf"{_NUMBER} (words/s|words a second|seconds?|s\b|ms\b|MB/s)", r"<number> \1"),
    (r"\bcb_[\w-]{20,}", "<token>"),
    (r"(?<![\w.])/tmp/[\w./-]+", "<temporary>"),
]
_COMPILED = [(re.compile(pattern), to) for pattern, to in _PATTERNS]


def normalize(text: str, paths: Mapping[str, str]) -> str:
    """The text without what varies; ``paths`` are written as their names."""
    for path, name in sorted(paths.items(), key=lambda item: -len(item[0])):
        text = text.replace(path, name)
    if re.search(r'"kind": ?"bench"', text):  # the digest of the contents covers durations
        text = re.sub(r'("contents": ?)"[0-9a-f]*"', r"\1<varies>", text)
    for pattern, to in _COMPILED:
        text = pattern.sub(to, text)
    return _without_speeds(text) if "Words/s" in text else text


def _without_speeds(text: str) -> str:
    """Drop the last column, Words/s, of the tables of a bench."""
    if "<td" in text:
        return re.sub(r"(<td[^>]*>)\d{1,3}(?:,\d{3})+(</td>)", r"\1<number>\2", text)
    lines, inside = [], False
    for line in text.split("\n"):
        inside = (inside and bool(line.strip())) or "Words/s" in line
        if inside:
            line = re.sub(r"\s+Words/s$", " Words/s", line)
            line = re.sub(r'\s*[\d,]*\d"?(?= *(?:\||\\\\)?$)', " <number>", line)
        lines.append(line)
    return "\n".join(lines)


def hide_pseudonyms(text: str) -> str:
    """Replace the pseudonyms of teams, which are birds with a number."""
    return re.sub(r"\b[A-Z][a-z]+(?: [a-z]+)? \d{3}\b(?=[ <\n\"]|$)", "<pseudonym>", text)


def renumber(text: str, seen: dict[str, str]) -> str:
    """Identifiers drawn at random become numbers, in the order in which they are seen."""

    def number(match: "re.Match[str]") -> str:
        return seen.setdefault(match[0], f"<id {len(seen) + 1}>")

    return _IDENTIFIER.sub(number, text)


_IDENTIFIER = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,64}\b")
