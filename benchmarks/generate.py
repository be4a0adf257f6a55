"""Generate seeded benchmark inputs.

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

from benchmarks import data
from benchmarks.data import INPUTS, Chains, Pair, Span, Text, within, writable
from benchmarks.render import RENDERERS, SIDES, input_path, write_pairs

DROPPED = MOVED = SPURIOUS = 0.10
SPLIT = 0.08
MERGED = 0.04


def make_response(text: Text, key: Chains, random: Random) -> Chains:
    """The key with mentions dropped, moved and invented, and chains split and merged.

    No span occurs twice, and no two mentions of one chain cross.
    """
    taken = {span for chain in key for span in chain}
    invented = round(SPURIOUS * len(taken))
    chains = [kept for chain in key if (kept := _disturb(text, chain, taken, random))]
    chains = _merge(_split(chains, random), random)
    for _ in range(invented):
        _invent(text, chains, taken, random)
    return writable(chains)


def reassign_mentions(chains: Chains, random: Random) -> Chains:
    """Half of the mentions moved to chains drawn at random: one huge tangle for CEAF."""
    drawn: Chains = [[] for _ in chains]
    for number, chain in enumerate(chains):
        for span in chain:
            drawn[random.randrange(len(chains)) if random.random() < 0.5 else number].append(span)
    return writable(drawn)


def _disturb(text: Text, chain: list[Span], taken: set[Span], random: Random) -> list[Span]:
    """The chain with some mentions dropped and some boundaries moved by one token."""
    disturbed = []
    for span in chain:
        fate = random.random()
        if fate < DROPPED:
            continue
        disturbed.append(_move(text, span, taken, random) if fate < DROPPED + MOVED else span)
    return disturbed


def _move(text: Text, span: Span, taken: set[Span], random: Random) -> Span:
    start, end = span
    choices = [(start - 1, end), (start + 1, end), (start, end - 1), (start, end + 1)]
    random.shuffle(choices)
    for choice in choices:
        if choice not in taken and text.holds(choice):
            taken.add(choice)
            return choice
    return span


def _split(chains: Chains, random: Random) -> Chains:
    pieces: Chains = []
    for chain in chains:
        if len(chain) > 1 and random.random() < SPLIT:
            at = random.randrange(1, len(chain))
            pieces += [chain[:at], chain[at:]]
        else:
            pieces.append(chain)
    return pieces


def _merge(chains: Chains, random: Random) -> Chains:
    merged: Chains = []
    for chain in chains:
        if merged and random.random() < MERGED:
            random.choice(merged).extend(chain)
        else:
            merged.append(chain)
    return merged


def _invent(text: Text, chains: Chains, taken: set[Span], random: Random) -> None:
    """A new mention, half of the time in a chain of its own."""
    span = _free_span(text, taken, random)
    if span is None:
        return
    taken.add(span)
    if chains and random.random() < 0.5:
        random.choice(chains).append(span)
    else:
        chains.append([span])


def _free_span(text: Text, taken: set[Span], random: Random) -> Span | None:
    """One to four words of one sentence that are no mention yet; None where none was found."""
    for _ in range(8):
        start = random.randrange(len(text.words))
        span = (start, min(start + random.randint(1, 4), text.sentence_of(start)[1]))
        if span not in taken:
            return span
    return None


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
        tangled = reassign_mentions(whole.response, Random(f"{seed} XLx"))
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
            response = make_response(text, key, Random(f"{seed} {name} {part}"))
            yield Pair(name, part, text, key, response)


@cache
def _parts(seed: int) -> list[tuple[Text, int, Chains]]:
    """OntoGUM cut at sentence boundaries, and as many parts drawn from it as OntoNotes tests on."""
    parts = [
        (text.cut(start, end), part, writable(within(chains, start, end, smallest=2)))
        for text, chains in data.ontogum()
        for part, (start, end) in enumerate(_stretches(text))
    ]
    drawn = sorted(Random(seed).sample(range(len(parts)), PARTS))
    return [parts[number] for number in drawn]


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
    return Pair("gum/00/all_00", 0, text, key, make_response(text, key, Random(f"{seed} XL")))


def _joined() -> tuple[Text, Chains]:
    """GUM and LitBank as one text; GUM's chains of one named entity are one chain."""
    whole = Text("all", [], [], [], [], [0])
    named: dict[str, list[Span]] = defaultdict(list)
    for text, labelled in data.gum():
        for label, chain in labelled.items():
            named[label] += _shifted(chain, len(whole.words))
        _append(whole, text)
    for text, chains in data.litbank():
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
        pair.name, pair.part, pair.text.cut(0, end), [chain for chain in key if chain], within(pair.response, 0, end)
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--folder", type=Path, default=INPUTS)
    parser.add_argument("--formats", default="conll", help=f"comma-separated: {', '.join(RENDERERS)}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--describe", action="store_true", help="print figures, write nothing")


def run(arguments: argparse.Namespace) -> None:
    """Write the inputs that are not there yet."""
    for name in arguments.names:
        if arguments.describe:
            print(describe(name, arguments.seed))
        else:
            make(name, arguments.folder, arguments.formats.split(","), arguments.seed)
