"""Random document pairs, stratified by difficulty."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.data import Chains, Pair, Span, Text, without_crossing, writable

CLOSED_AND_OPENED = "closed and opened on one token"
"""The stratum whose one-token mentions are written ``0)|(0``."""


@dataclass(frozen=True)
class Case:
    """A pair with its stratum and the heads of its mentions."""

    stratum: str
    pair: Pair
    key_heads: dict[Span, int]
    response_heads: dict[Span, int]
    notation: frozenset[str] = frozenset()
    """What else the files have that scorers differ on."""

    def repeats(self) -> set[str]:
        """Where spans are marked twice: on which side, inside a chain or across chains; and what else
        scorers differ on."""
        known = {span for chain in self.pair.key for span in chain}
        results: set[str] = set()
        for side, chains in (("key", self.pair.key), ("response", self.pair.response)):
            spans = Counter(span for chain in chains for span in set(chain))
            if any(len(chain) > len(set(chain)) for chain in chains):
                results.add(f"{side} inside")
            if any(times > 1 for times in spans.values()):
                results.add(f"{side} across")
        marked = Counter(span for chain in self.pair.response for span in chain)
        if any(times > 1 and span not in known for span, times in marked.items()):
            results.add("response twinless")
        return results | self.notation


def make_cases(count: int, seed: int) -> list[Case]:
    """That many pairs, the strata in turn."""
    names = list(STRATA)
    return [make_case(names[number % len(names)], number, seed) for number in range(count)]


def make_case(stratum: str, number: int, seed: int) -> Case:
    """One pair, the same for the same arguments."""
    random = Random(f"{seed} {stratum} {number}")
    text = _text(stratum, random)
    key, response = STRATA[stratum](text, random)
    pair = Pair(f"case{number:06}", 0, text, key, response)
    heads = {span: random.randint(1, span[1] - span[0]) for chain in key for span in chain}
    answered = {span: _head(span, heads, random) for chain in response for span in chain}
    return Case(stratum, pair, heads, answered)


def _head(span: Span, heads: dict[Span, int], random: Random) -> int:
    """The key's head for most mentions that the key has."""
    if span in heads and random.random() < 0.85:
        return heads[span]
    return random.randint(1, span[1] - span[0])


def _text(stratum: str, random: Random) -> Text:
    longest = 60 if stratum == "large" else 12
    sentences = [0]
    for _ in range(random.randint(1, 12 if stratum == "large" else 4)):
        sentences.append(sentences[-1] + random.randint(1, longest))
    words = [f"w{number}" for number in range(sentences[-1])]
    blank = ["-"] * len(words)
    return Text("random", words, blank, blank, blank, sentences)


def _spans(text: Text, random: Random, wanted: int, longest: int = 5) -> list[Span]:
    """Distinct spans, each inside a sentence; they may nest and cross."""
    results = set()
    for _ in range(wanted):
        start = random.randrange(len(text.words))
        results.add((start, min(start + random.randint(1, longest), text.sentence_of(start)[1])))
    return sorted(results)


def _partition(spans: list[Span], random: Random, alone: float = 0.35) -> Chains:
    """Chains drawn span by span: a new one, or any that there is."""
    chains: Chains = []
    for span in random.sample(spans, len(spans)):
        if chains and random.random() > alone:
            random.choice(chains).append(span)
        else:
            chains.append([span])
    return writable(chains)


def _disturbed(text: Text, key: Chains, random: Random, spans: list[Span]) -> Chains:
    """Most of the key's mentions, most of them still together, and some that the key lacks."""
    chains = [[span for span in chain if random.random() < 0.8] for chain in key]
    strays = [chain.pop() for chain in chains if chain and random.random() < 0.3]
    taken = {span for chain in chains for span in chain}
    strays += [span for span in spans if span not in taken and span not in strays]
    for span in strays:
        if chains and random.random() < 0.6:
            random.choice(chains).append(span)
        else:
            chains.append([span])
    random.shuffle(chains)
    return writable(chains)


def _mixed(wanted: int, longest: int = 5) -> Callable[[Text, Random], tuple[Chains, Chains]]:
    def make(text: Text, random: Random) -> tuple[Chains, Chains]:
        key = _partition(_spans(text, random, random.randint(1, wanted), longest), random)
        spurious = _spans(text, random, random.randint(0, wanted // 3), longest)
        return key, _disturbed(text, key, random, spurious)

    return make


def _flat(text: Text, random: Random) -> tuple[Chains, Chains]:
    """One-token mentions only: nothing nests, nothing crosses."""
    return _mixed(16, longest=1)(text, random)


def _nested(text: Text, random: Random) -> tuple[Chains, Chains]:
    """No two mentions of a side cross."""
    key = _partition(without_crossing(_spans(text, random, 14)), random)
    spans = without_crossing(_spans(text, random, 5))
    response = _disturbed(text, key, random, spans)
    laminar = set(without_crossing(span for chain in response for span in chain))
    kept = [[span for span in chain if span in laminar] for chain in response]
    return key, writable(kept)


def _crossing(text: Text, random: Random) -> tuple[Chains, Chains]:
    """Long mentions, many of which cross mentions of other chains."""
    return _mixed(16, longest=8)(text, random)


def _same_chain_nested(text: Text, random: Random) -> tuple[Chains, Chains]:
    """Mentions of one chain that end on one token: ``42)|42)``."""
    key: Chains = []
    for _ in range(random.randint(1, 4)):
        start, end = text.sentence_of(random.randrange(len(text.words)))
        close = random.randint(start + 1, end)
        starts = random.sample(range(start, close), min(close - start, random.randint(1, 4)))
        key.append([(s, close) for s in starts])
    key = _distinct(key)
    return key, _distinct(_disturbed(text, key, random, _spans(text, random, 2)))


def _inside_its_chain(text: Text, random: Random) -> tuple[Chains, Chains]:
    """Mentions of one token inside longer ones of their chain, written ``0)|(0`` in the response."""
    key: Chains = []
    for _ in range(random.randint(1, 4)):
        start, end = text.sentence_of(random.randrange(len(text.words)))
        tokens = random.sample(range(start, end), min(end - start, random.randint(1, 3)))
        key.append([(start, end), *((token, token + 1) for token in tokens)])
    key = _distinct(key)
    return key, _distinct(_disturbed(text, key, random, _spans(text, random, 2)))


def _singletons(text: Text, random: Random) -> tuple[Chains, Chains]:
    """Mostly, and at times only, chains of one mention."""
    alone = random.choice((0.8, 1.0))
    key = _partition(_spans(text, random, 12), random, alone)
    shared = [span for chain in key for span in chain if random.random() < 0.6]
    spans = sorted({*shared, *_spans(text, random, 4)})
    return key, _partition(spans, random, alone)


def _distinct(chains: Chains) -> Chains:
    """The chains with every span only in the first of them."""
    taken: set[Span] = set()
    kept: Chains = []
    for chain in chains:
        kept.append([span for span in chain if span not in taken])
        taken.update(chain)
    return writable(kept)


def _empty_key(text: Text, random: Random) -> tuple[Chains, Chains]:
    return [], _partition(_spans(text, random, random.randint(0, 8)), random)


def _empty_response(text: Text, random: Random) -> tuple[Chains, Chains]:
    return _partition(_spans(text, random, random.randint(0, 8)), random), []


def _twinless(text: Text, random: Random) -> tuple[Chains, Chains]:
    """Key and response drawn apart: few mentions have a twin."""
    key, response = (_partition(_spans(text, random, 10), random) for _ in range(2))
    return key, response


def _single_mention(text: Text, random: Random) -> tuple[Chains, Chains]:
    """At most one mention on each side, often the same."""
    spans = _spans(text, random, 2)
    key, response = random.choice(spans), random.choice(spans)
    return [[key]], [[response]]


def _identical(text: Text, random: Random) -> tuple[Chains, Chains]:
    """The response is the key, its chains in another order."""
    key = _partition(_spans(text, random, 14), random)
    return key, random.sample(key, len(key))


def _with_repeats(chains: Chains, random: Random) -> Chains:
    """One to three mentions marked a second time, in their own or in another chain."""
    spans = [span for chain in chains for span in chain]
    repeated = [list(chain) for chain in chains]
    for _ in range(random.randint(1, 3) if spans else 0):
        span, chain = random.choice(spans), random.choice(repeated)
        if len(without_crossing([*chain, span])) == len({*chain, span}):
            chain.append(span)
    return repeated


def _response_repeats(text: Text, random: Random) -> tuple[Chains, Chains]:
    key, response = _mixed(12)(text, random)
    return key, _with_repeats(response, random)


def _key_repeats(text: Text, random: Random) -> tuple[Chains, Chains]:
    key, response = _mixed(12)(text, random)
    return _with_repeats(key, random), response


def _both_repeat(text: Text, random: Random) -> tuple[Chains, Chains]:
    key, response = _mixed(12)(text, random)
    return _with_repeats(key, random), _with_repeats(response, random)


STRATA: dict[str, Callable[[Text, Random], tuple[Chains, Chains]]] = {
    "flat": _flat,
    "nested": _nested,
    "crossing": _crossing,
    "same-chain nested": _same_chain_nested,
    CLOSED_AND_OPENED: _inside_its_chain,
    "singletons": _singletons,
    "empty key": _empty_key,
    "empty response": _empty_response,
    "twinless": _twinless,
    "single mention": _single_mention,
    "identical": _identical,
    "large": _mixed(60),
    "response repeats": _response_repeats,
    "key repeats": _key_repeats,
    "both repeat": _both_repeat,
}
