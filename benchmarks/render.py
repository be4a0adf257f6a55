"""Render generated documents in the formats that scorers read.

Everything but the coreference cell depends on the text alone, so it is rendered once a text and
used again for key, response and every copy.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import count, pairwise
from pathlib import Path
from typing import IO, Literal, TypeAlias

from benchmarks.data import Chains, Pair, Span, Text, without_crossing

Side: TypeAlias = Literal["key", "response"]
Render: TypeAlias = Callable[[Pair, Side], str]
SIDES: tuple[Side, Side] = ("key", "response")
_WIDTH = 8
_ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


def input_path(folder: Path, name: str, side: str, extension: str) -> Path:
    """Where one side of an input lies: ``S.key.conll``."""
    return folder / f"{name}.{side}.{extension}"


def write_pairs(pairs: Iterable[Pair], folder: Path, name: str, extensions: Iterable[str]) -> None:
    """Write both sides of every document in every format, in one pass over the documents."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        targets = [
            (extension, side, stack.enter_context(_fresh(input_path(folder, name, side, extension))))
            for extension in extensions
            for side in SIDES
        ]
        for pair in pairs:
            for extension, side, stream in targets:
                stream.write(RENDERERS[extension](pair, side))


@contextmanager
def _fresh(path: Path) -> Iterator[IO[str]]:
    """A stream into a file that appears only when it is whole."""
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8") as stream:
        yield stream
    part.replace(path)


def conll(pair: Pair, side: Side) -> str:
    """CoNLL-2012: twelve columns padded with blanks, as OntoNotes is."""
    head = f"{pair.name} {pair.part:>3}"
    frames, template = _conll_frames(pair.text)
    cells = list(template)
    for token, brackets in bracket_cells(chains_of(pair, side)).items():
        cells[token] = f"{'|'.join(brackets):>{_WIDTH}}" + cells[token][_WIDTH:]
    lines = "\n".join([head + frame + cell for frame, cell in zip(frames, cells, strict=True)])
    return f"#begin document ({pair.name}); part {pair.part:03}\n{lines}\n#end document\n"


def conllu(pair: Pair, side: Side) -> str:
    """CorefUD: a flat tree a sentence, the first word of a mention as its head."""
    return corefud(pair, side, {})


def corefud(pair: Pair, side: Side, heads: Mapping[Span, int]) -> str:
    """CorefUD with the given heads (counted from 1 inside the mention; 1 where none is given)."""
    label = f"{pair.name}-{pair.part}".replace("-", ".").replace("/", ".")

    def opening(chain: int, span: Span) -> str:
        return f"({label}.e{chain}-x-{heads.get(span, 1)}"

    cells = bracket_cells(chains_of(pair, side), opening, lambda chain: f"{label}.e{chain})")
    cells = {token: _closings_first(brackets) for token, brackets in cells.items()}
    lines = [f"# newdoc id = {pair.name}-{pair.part}", "# global.Entity = eid-etype-head-other"]
    for number, (start, end) in enumerate(_sentences(pair.text), start=1):
        lines.append(f"# sent_id = {label}.{number}")
        lines += [_word_line(pair.text, start, token, "".join(cells.get(token, ()))) for token in range(start, end)]
        lines.append("")
    return "\n".join(lines) + "\n"


def ua(pair: Pair, side: Side) -> str:
    """Universal Anaphora: closing brackets carry no name, so mentions that cross are left out."""
    chains = chains_of(pair, side)
    nested = set(without_crossing(span for chain in chains for span in chain))
    kept = [[span for span in chain if span in nested] for chain in chains]
    number = count(1)  # a span may be marked twice, each time with an identifier of its own
    cells = bracket_cells(kept, lambda chain, span: f"(EntityID={chain}|MarkableID=m{next(number)}", lambda chain: ")")
    lines = [f"# newdoc id = {pair.name}-{pair.part}"]
    for token, word in enumerate(pair.text.words):
        identity = "".join(_closings_first(cells.get(token, []))) or "_"
        lines.append(f"{token + 1}\t{word}{_UA_BLANKS}{identity}\t_\t_\t_\t_\t_")
    return "\n".join(lines) + "\n\n"


def jsonlines(pair: Pair, side: Side) -> str:
    """One JSON line a document: its chains as lists of [start, end]."""
    return json.dumps(chains_of(pair, side)) + "\n"


_UA_BLANKS = "\t_" * 8 + "\t"
RENDERERS: dict[str, Render] = {"conll": conll, "conllu": conllu, "ua": ua, "jsonl": jsonlines}


def chains_of(pair: Pair, side: Side) -> Chains:
    return pair.key if side == "key" else pair.response


def bracket_cells(
    chains: Chains,
    opening: Callable[[int, Span], str] = lambda chain, span: f"({chain}",
    closing: Callable[[int], str] = lambda chain: f"{chain})",
) -> dict[int, list[str]]:
    """The brackets of each token: longest opening first, then one-token mentions, then closings."""
    cells: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for number, chain in enumerate(chains):
        for span in chain:
            start, last = span[0], span[1] - 1
            if start == last:
                cells[start].append((1, 0, opening(number, span) + ")"))
            else:
                cells[start].append((0, -last, opening(number, span)))
                cells[last].append((2, -start, closing(number)))
    return {token: [text for *_, text in sorted(cell)] for token, cell in cells.items()}


def _closings_first(brackets: list[str]) -> list[str]:
    """Where no bar stands between brackets, a closing after an opening could not be told apart."""
    return sorted(brackets, key=lambda bracket: bracket.startswith("("))


def _sentences(text: Text) -> list[Span]:
    return list(pairwise(text.sentences))


@lru_cache(maxsize=512)
def _conll_frames(text: Text) -> tuple[list[str], list[str]]:
    """Columns 3 to 11 of each line, and the empty coreference cells with their blank lines."""
    frames, cells = [], []
    for start, end in _sentences(text):
        for token in range(start, end):
            last = token == end - 1
            parse = ("(TOP" if token == start else "") + "*" + (")" if last else "")
            word, lemma = _escape_brackets(text.words[token]), _escape_brackets(text.lemmas[token])
            frames.append(
                f" {token - start:>4} {word:>16} {text.tags[token]:>5} {parse:>10} {lemma:>12}"
                f"   -   - {text.speakers[token]:>11}    * "
            )
            cells.append(f"{'-':>{_WIDTH}}" + ("\n" if last else ""))
    return frames, cells


def _escape_brackets(word: str) -> str:
    """A word without brackets: scorers that search whole lines would take them for mentions."""
    for bracket, name in _ESCAPES.items():
        word = word.replace(bracket, name)
    return "".join(word.split()) or "-"


def _word_line(text: Text, start: int, token: int, entity: str) -> str:
    """One line of CoNLL-U, hanging from the first word of its sentence."""
    first = token == start
    columns = (
        str(token - start + 1),
        text.words[token],
        text.lemmas[token],
        "X",
        text.tags[token],
        "_",
        "0" if first else "1",
        "root" if first else "dep",
        "_",
        f"Entity={entity}" if entity else "_",
    )
    return "\t".join(columns)
