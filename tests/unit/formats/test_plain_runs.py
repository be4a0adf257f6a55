"""Readers that take well-formed files apart as a whole read what they would line by line."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import FormatError
from corefbench.findings import Strictness
from corefbench.formats import brat_lines, litbank_lines, preco
from corefbench.formats.base import Format, Reading
from corefbench.formats.brat import Brat
from corefbench.formats.bundle import Pair
from corefbench.formats.components import components
from corefbench.formats.litbank import LitBank
from corefbench.formats.preco import PreCo
from corefbench.formats.winogender_mentions import _find, _search
from tests.unit.formats.roundtrip import contents, read

BRAT_TEXT = "Ann met Bob.\nShe saw him and Éva.\n"
BRAT = [
    "T1\tPerson 0 3\tAnn",
    "T2\tMention 8 11\tBob",
    "T3\tMention 13 16\tShe",
    "T4\tMention 21 32\thim and Éva",
    "T5\tMention 21 24\thim",
    "R1\tCoreference Arg1:T3 Arg2:T1",
    "R2\tcoref Arg1:T5 Arg2:T2",
    "R3\tPart Arg1:T5 Arg2:T4",
]
LITBANK_TEXT = "Ann met Bob .\n\nShe saw him .\nHe ran .\n"
LITBANK = [
    "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
    "MENTION\tT2\t0\t2\t0\t2\tBob\tPER\tPROP",
    "MENTION\tT3\t2\t0\t3\t0\tShe saw him . He\tPER\t",
    "MENTION\tT4\t2\t0\t2\t0\tShe\t\tPRON",
    "COREF\tT1\tAnn-1",
    "COREF\tT4\tAnn-1",
    "COREF\tT2\tBob-2",
    "COP\tT2\tT1",
]
PRECO = {
    "id": "d",
    "sentences": [["Ann", "saw", "her", "dog"], [" "], [], ["It", "barked"]],
    "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [3, 0, 1]]],
}
CHANGES: list[Callable[[str], str]] = [
    lambda line: line,
    lambda line: "",
    lambda line: line + "\r",
    lambda line: line + "\n" + line,
    lambda line: line + "\tx",
    lambda line: line.replace("\t", " ", 1),
    lambda line: line.replace("1", "9"),
    lambda line: line.replace("0", "9" * 20),
    lambda line: line[:-1],
    lambda line: line.replace("T", "U"),
    lambda line: line.replace(" ", "  "),
]


def outcome(form: Any, annotation: str, text: str, *, lenient: bool) -> object:
    heard: list[str] = []
    strictness = Strictness(lenient=lenient, report=lambda finding: heard.append(str(finding)))
    pair = Pair(
        source="d.ann", name="d", part=-1, annotation=annotation.encode(), text=text.encode()
    )
    try:
        return contents(form.corpus(pair, Reading(strictness=strictness))), heard
    except FormatError as error:
        return str(error)


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    ("form", "lines", "text", "reader"),
    [
        (Brat(), BRAT, BRAT_TEXT, brat_lines._Reader),
        (LitBank(), LITBANK, LITBANK_TEXT, litbank_lines._Lines),
    ],
    ids=["brat", "litbank"],
)
def test_runs_of_lines_say_what_the_lines_say_one_by_one(
    form: Format, lines: list[str], text: str, reader: type, lenient: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    chance = random.Random(7)
    scripts = ["\n".join(lines) + "\n"]
    for place in range(len(lines)):
        for change in CHANGES:
            changed = [*lines[:place], change(lines[place]), *lines[place + 1 :]]
            scripts.append("\n".join(changed) + "\n")
            scripts.append("\n".join(chance.sample(changed, len(changed))))
    at_once = [outcome(form, script, text, lenient=lenient) for script in scripts]
    taken: list[int] = []
    plain = reader.plain_lines

    def one_by_one(self: Any, script: str) -> int:
        taken.append(plain(reader(self.pair, self.text, *_rest(self)), script))
        return 0

    monkeypatch.setattr(reader, "plain_lines", one_by_one)
    assert at_once == [outcome(form, script, text, lenient=lenient) for script in scripts]
    assert taken[0] > len("\n".join(lines)) / 2, "the sample is taken as a whole"


def _rest(reader: Any) -> list[object]:
    """What the reader was made with besides pair and text."""
    return [reader.strictness, *([reader.identity] if hasattr(reader, "identity") else [])]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("ends", ["", "exclusive", "inclusive"])
@pytest.mark.parametrize(
    "clusters",
    [
        PRECO["mention_clusters"],
        [],
        [[]],
        [[[0, 0, 1]], [], [[3, 1, 2]]],
        [[[0, 0, 0]]],
        [[[0, 3, 4], [0, 3, 4]]],
        [[[1, 0, 1]]],
        [[[4, 0, 1]]],
        [[[3, 0, 3]]],
        [[[0, -1, 1]]],
        [[[0, 2, 1]]],
        [[[0, 0, 1 << 31]]],
        [[[0, 0, 1 << 70]]],
        [[[0, 0]]],
        [[[0, 0, 1.0]]],
        [[0, 0, 1]],
        [[["0", 0, 1]]],
        7,
        None,
    ],
)  # fmt: skip
def test_plain_clusters_of_preco_are_what_they_are_one_by_one(
    clusters: object, ends: Any, separators: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [PRECO, PRECO | {"id": "e", "mention_clusters": clusters}, PRECO | {"id": "f"}]
    text = "\n".join(json.dumps(line, separators=separators) for line in lines)

    def tried() -> object:
        try:
            return contents(read(PreCo(ends), text))
        except FormatError as error:
            return str(error)

    at_once = tried()
    monkeypatch.setattr(preco, "plain_documents", lambda lines, past: None)
    monkeypatch.setattr(preco, "plain_spots", lambda documents: None)
    assert at_once == tried()


TEXTS = st.lists(
    st.sampled_from(["the", "The", "a", "an", "lathe", "cook", "Cook's", "cooks", "-", ".", "_"])
).flatmap(lambda words: st.sampled_from(["", " ", "  "]).map(lambda gap: gap.join(words)))


@given(TEXTS, st.sampled_from(["cook", "Cook", "cook's", "a cook", "-cook", "s"]))
def test_a_person_is_found_where_a_pattern_finds_it(text: str, person: str) -> None:
    assert _find(text.lower(), person) == _search(text, person)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_components_are_what_links_reach(links: list[tuple[int, int]]) -> None:
    sets = [{thing} for thing in range(10)]
    for one, other in links:
        union = sets[one] | sets[other]
        for thing in union:
            sets[thing] = union
    first = list(dict.fromkeys(min(some) for some in sets))
    assert components(10, links) == [first.index(min(some)) for some in sets]
