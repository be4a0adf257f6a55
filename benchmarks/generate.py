"""Seeded inputs for the benchmarks: ``python -m benchmarks.generate S L XL``.

S      348 document parts of OntoGUM in 12-column CoNLL-2012, no singletons in the key
S2 …   S written 2, 3, 4 … times with new names and other noise; L is ten times S, L2 twenty times
XL     one document: all of GUM with singletons, entities merged by name, then all of LitBank
XL1k   the first 1,000 key mentions of XL (XL3k, XL12k … likewise)
XLx    XL with half of the response mentions put into chains drawn at random
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from benchmarks import corpora, noise
from benchmarks.documents import Chains, Pair, Span, Text, within, writable
from benchmarks.inputs import INPUTS
from benchmarks.writing import RENDER, SIDES, input_path, write_pairs

SEED = 2012
PARTS = 348
TOKENS_A_PART = 430
"""OntoNotes' test set has 348 parts; so has S, with 147,000 tokens."""
_COPIES = {"S": 1, "L": 10, "L2": 20}


def pairs(name: str, seed: int = SEED) -> Iterator[Pair]:
    """The documents of an input, by its name."""
    if name in _COPIES:
        yield from _copies(_COPIES[name], seed)
    elif times := re.fullmatch(r"S(\d+)", name):
        yield from _copies(int(times[1]), seed)
    elif name == "XLx":
        whole = _one_document(seed)
        tangled = noise.reassign(whole.response, Random(f"{seed} XLx"))
        yield Pair(whole.name, whole.part, whole.text, whole.key, tangled)
    elif name == "XL":
        yield _one_document(seed)
    elif prefix := re.fullmatch(r"XL(\d+)k", name):
        yield _first_mentions(_one_document(seed), 1000 * int(prefix[1]))
    else:
        raise SystemExit(f"no input is named {name}: take S, S2, S3 …, L, L2, XL, XL1k, XLx …")


def _copies(times: int, seed: int) -> Iterator[Pair]:
    for copy in range(times):
        for text, part, key in _parts(seed):
            name = f"gum/{copy:02}/{text.name.lower()}_{copy:02}"
            response = noise.respond(text, key, Random(f"{seed} {name} {part}"))
            yield Pair(name, part, text, key, response)


@cache
def _parts(seed: int) -> list[tuple[Text, int, Chains]]:
    """OntoGUM cut at sentence boundaries, and as many parts drawn from it as OntoNotes tests on."""
    found = [
        (text.cut(start, end), part, writable(within(chains, start, end, smallest=2)))
        for text, chains in corpora.ontogum()
        for part, (start, end) in enumerate(_stretches(text))
    ]
    drawn = sorted(Random(seed).sample(range(len(found)), PARTS))
    return [found[number] for number in drawn]


def _stretches(text: Text) -> list[Span]:
    """The text in equal parts of about TOKENS_A_PART tokens, cut between sentences."""
    parts = max(1, round(len(text.words) / TOKENS_A_PART))
    wanted = [len(text.words) * part / parts for part in range(parts + 1)]
    cuts = [min(text.sentences, key=lambda sentence: abs(sentence - cut)) for cut in wanted]
    cuts = sorted(set(cuts))
    return list(pairwise(cuts))


@cache
def _one_document(seed: int) -> Pair:
    text, key = _joined()
    return Pair("gum/00/all_00", 0, text, key, noise.respond(text, key, Random(f"{seed} XL")))


def _joined() -> tuple[Text, Chains]:
    """GUM and LitBank as one text; GUM's chains of one named entity are one chain."""
    whole = Text("all", [], [], [], [], [0])
    named: dict[str, list[Span]] = defaultdict(list)
    for text, labelled in corpora.gum():
        for label, chain in labelled.items():
            named[label] += _shifted(chain, len(whole.words))
        _append(whole, text)
    for text, chains in corpora.litbank():
        for number, chain in enumerate(chains):
            named[f"{text.name} {number}"] += _shifted(chain, len(whole.words))
        _append(whole, text)
    return whole, writable(named.values())


def _append(whole: Text, text: Text) -> None:
    whole.sentences.extend(s + len(whole.words) for s in text.sentences[1:])
    whole.words.extend(text.words)
    whole.tags.extend(text.tags)
    whole.lemmas.extend(text.lemmas)
    whole.speakers.extend(text.speakers)


def _shifted(chain: list[Span], by: int) -> list[Span]:
    return [(start + by, end + by) for start, end in chain]


def _first_mentions(pair: Pair, mentions: int) -> Pair:
    """The document up to the sentence in which the last of the first key mentions ends."""
    first = sorted(span for chain in pair.key for span in chain)[:mentions]
    kept = set(first)
    end = pair.text.sentence_of(first[-1][0])[1]
    key = [[span for span in chain if span in kept] for chain in pair.key]
    return Pair(
        pair.name,
        pair.part,
        pair.text.cut(0, end),
        [chain for chain in key if chain],
        within(pair.response, 0, end),
    )


def make(name: str, folder: Path, extensions: list[str], seed: int = SEED) -> None:
    """Write what is not there yet of an input."""
    missing = [
        extension
        for extension in extensions
        if not all(input_path(folder, name, side, extension).exists() for side in SIDES)
    ]
    if missing:
        write_pairs(pairs(name, seed), folder, name, missing)


def describe(name: str, seed: int = SEED) -> str:
    """One line of figures."""
    documents = list(pairs(name, seed))
    tokens = sum(len(pair.text.words) for pair in documents)
    counts = (
        f"{sum(map(len, chains)):,} mentions in {len(chains):,} chains"
        for chains in (
            [chain for pair in documents for chain in pair.key],
            [chain for pair in documents for chain in pair.response],
        )
    )
    return f"{name}: {len(documents):,} documents, {tokens:,} tokens, " + "; response ".join(counts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--folder", type=Path, default=INPUTS)
    parser.add_argument("--formats", default="conll", help=f"comma-separated: {', '.join(RENDER)}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--describe", action="store_true", help="print figures, write nothing")
    arguments = parser.parse_args()
    for name in arguments.names:
        if arguments.describe:
            print(describe(name, arguments.seed))
        else:
            make(name, arguments.folder, arguments.formats.split(","), arguments.seed)


if __name__ == "__main__":
    main()
