"""A plausible response made from a key: the errors that a resolver makes, at fixed rates."""

from random import Random

from benchmarks.documents import Chains, Span, Text, writable

DROPPED = MOVED = SPURIOUS = 0.10
SPLIT = 0.08
MERGED = 0.04


def respond(text: Text, key: Chains, random: Random) -> Chains:
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


def reassign(chains: Chains, random: Random) -> Chains:
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
