"""Scores of documents in which spans are repeated, on both sides, in one chain and in two (R3)."""

import random
from collections import Counter

import pytest

import corefbench as cb
from corefbench.scoring.clusters import Clusters
from corefbench.scoring.profiles import profiles

DOCUMENTS = 150
CHOICES = {"corefud": {"match": "exact"}}
"""Clusters in memory have no heads."""
_CEAF = {"ceaf_m", "ceaf_e"}
ABOVE_ONE: dict[str, set[str]] = {
    # Perl counts every marking in the overlap of two chains; 1.04 and 1.05 keep repeats everywhere.
    **dict.fromkeys(("conll-2012", "conll-v9", "conll-v7", "conll-v5"), _CEAF),
    "conll-2011": {"muc", "b_cubed"},
    "semeval-2010": {"muc", "b_cubed", "ceaf_e"},
    # coval and the evaluator that it comes from count every marking of the key chain in φ₄.
    **{name: {"ceaf_e"} for name in ("coval-keep", "coval-remove", "cattan-2021", "e2e-python")},
    # Shared links are counted from the key's markings and divided by the response's links.
    **{name: {"blanc"} for name in ("ua", "corefud")},
}
"""Where the program of a profile gives scores above 100 as well."""


def generate(dice: random.Random) -> Clusters:
    """Chains over a few spans, at least one of which is repeated in its chain or in another."""
    spans = [(n, n + n % 2) for n in range(0, 16, 2)]
    chains = [dice.sample(spans, dice.randint(1, 4)) for _ in range(dice.randint(1, 4))]
    for _ in range(dice.randint(1, 3)):
        dice.choice(chains).append(dice.choice(dice.choice(chains)))
    return chains


def pairs() -> list[tuple[Clusters, Clusters]]:
    dice = random.Random(21)
    documents = []
    for _ in range(DOCUMENTS):
        key = generate(dice)
        documents.append((key, key if dice.random() < 0.2 else generate(dice)))
    return documents


def test_spans_are_repeated_on_both_sides_in_one_chain_and_in_two() -> None:
    seen: Counter[str] = Counter()
    for documents in pairs():
        for side, chains in zip(("key", "response"), documents, strict=True):
            distinct = [span for chain in chains for span in set(chain)]
            seen[f"{side} inside"] += any(len(chain) > len(set(chain)) for chain in chains)
            seen[f"{side} across"] += len(distinct) > len(set(distinct))
    assert min(seen.values()) > DOCUMENTS / 4, seen
    assert len(seen) == 4


@pytest.mark.parametrize("profile", [*profiles])
def test_scores_are_at_most_one_or_a_finding_says_that_the_program_exceeds_it_too(profile: str) -> None:
    above: set[str] = set()
    for key, response in pairs():
        result = cb.score_clusters(key, response, profile, **CHOICES.get(profile, {}))
        names = {n for n, s in result.scores.items() if max(s.recall, s.precision, s.f1) > 1 + 1e-9}
        assert bool(names) == ("CB215" in {finding.code for finding in result.findings})
        assert min(min(s.recall, s.precision, s.f1) for s in result.scores.values()) >= 0
        above |= names
    assert above == ABOVE_ONE.get(profile, set())
