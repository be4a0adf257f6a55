"""The properties of measures, and which measures are exempt from which, with the reason.

A property takes the number of an example and yields, measure by measure, whether it holds. All
registered measures, with all their parameters, are asked all of them: a new one is covered as soon
as it is registered.
"""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

import corefbench as cb
from corefbench.scoring.measures import Score, parse
from tests.properties import changes
from tests.properties.documents import Pair, Side, pairs
from tests.properties.variants import result, same, values, variants

NEAR = 1e-12
Answers = Iterator[tuple[str, bool]]
Property = Callable[[int], Answers]
PROPERTIES: dict[str, Property] = {}


def prop(check: Property) -> Property:
    """Enter a property under its name, as a sentence."""
    PROPERTIES[check.__name__.replace("_", " ")] = check
    return check


def documents(seed: int) -> list[Pair]:
    # Of two split antecedents a side, different pairings may be equally good.
    return pairs(seed, plurals=1)


@lru_cache(maxsize=2_000)
def base(seed: int) -> cb.Result:
    """The scores of an example as it is."""
    return result(documents(seed))


def each(*results: cb.Result) -> Iterator[tuple[str, list[Score]]]:
    for name in variants():
        yield name, [one[name] for one in results]


def equal(seed: int, changed: list[Pair], **choices: str) -> Answers:
    """Whether the changed documents score as they did."""
    for name, (before, after) in each(base(seed), result(changed, **choices)):
        yield name, same(values(before), values(after))


@prop
def scores_lie_between_zero_and_one(seed: int) -> Answers:
    for name, (found,) in each(base(seed)):
        yield name, all(0 <= value <= 1 + NEAR for value in values(found))


ANYTHING: dict[str, Callable[[Side, Pair], bool]] = {
    "muc": lambda side, _: any(len(chain) > 1 for chain in side.chains),
    "blanc": lambda side, _: sum(map(len, side.chains)) > 1,
    "bridging": lambda side, _: bool(side.bridges),
    "non_referring": lambda side, _: bool(side.silent),
    "zero": lambda side, pair: any(
        m[0][0] in pair.empty for chain in side.chains for m in sorted(chain, key=lambda m: (m[0][0], m[-1][1]))[1:]
    ),
    "split_antecedents": lambda side, _: any(len(chain) > 1 for chain in side.chains) or bool(side.plurals),
}
"""Where there is something to find, for measures that do not just need a mention."""


@prop
def a_response_equal_to_the_key_scores_one_where_there_is_something_to_find(seed: int) -> Answers:
    given = documents(seed)
    found = result([pair._replace(response=pair.key) for pair in given])
    for name, (score,) in each(found):
        kind = parse(name).card.name
        links = name == "split_antecedents" or kind != "split_antecedents"
        asked = ANYTHING.get(kind) if links else None
        there = any(asked(p.key, p) if asked else bool(p.key.chains) for p in given)
        yield name, same(values(score), [float(there)] * 3)


@prop
def exchanging_key_and_response_exchanges_recall_and_precision(seed: int) -> Answers:
    turned = result([changes.exchanged(pair) for pair in documents(seed)])
    for name, (ours, theirs) in each(base(seed), turned):
        yield name, same(values(ours), (theirs.precision, theirs.recall, theirs.f1))


@prop
def labels_and_order_of_chains_and_mentions_do_not_matter(seed: int) -> Answers:
    dice = random.Random(seed)
    return equal(
        seed,
        [
            p._replace(key=changes.shuffled(p.key, dice), response=changes.shuffled(p.response, dice))
            for p in documents(seed)
        ],
    )


@prop
def the_order_of_documents_does_not_matter(seed: int) -> Answers:
    given = documents(seed)
    return equal(seed, random.Random(seed).sample(given, len(given)))


@prop
def where_the_mentions_stand_does_not_matter(seed: int) -> Answers:
    return equal(seed, [changes.moved(pair, 1 + seed % 7) for pair in documents(seed)])


@prop
def the_tally_of_two_corpora_is_the_sum_of_their_tallies(seed: int) -> Answers:
    both = result([*documents(seed), *documents(seed + 1)])
    for name in variants():
        left, right, whole = (r.tallies[name].sum() for r in (base(seed), base(seed + 1), both))
        added = [left[column] + right[column] for column in whole]
        yield name, same(added, whole.values(), 1e-9)


@prop
def the_tally_of_a_document_does_not_depend_on_the_others(seed: int) -> Answers:
    alone = result(documents(seed)[-1:])
    for name in variants():
        row = base(seed).tallies[name].values[-1]
        yield name, same(row.tolist(), alone.tallies[name].values[0].tolist())


@prop
def f1_is_at_most_the_mean_of_recall_and_precision(seed: int) -> Answers:
    for name, (found,) in each(base(seed)):
        yield name, found.f1 <= (found.recall + found.precision) / 2 + NEAR


@prop
def f1_is_the_harmonic_mean_of_recall_and_precision(seed: int) -> Answers:
    for name, (found,) in each(base(seed)):
        both = found.recall + found.precision
        mean = 2 * found.recall * found.precision / both if both else 0.0
        yield name, same([found.f1], [mean])


@prop
def the_same_corpus_twice_scores_the_same(seed: int) -> Answers:
    return equal(seed, [*documents(seed), *documents(seed)])


@prop
def of_one_document_micro_and_macro_are_the_same(seed: int) -> Answers:
    one = documents(seed)[:1]
    for name, (micro, macro) in each(result(one), result(one, average="macro")):
        yield name, same(values(micro), values(macro))


@prop
def an_empty_document_on_both_sides_changes_nothing(seed: int) -> Answers:
    return equal(seed, [*documents(seed), Pair(Side(), Side())])


@prop
def no_response_scores_zero(seed: int) -> Answers:
    for name, (found,) in each(result([changes.silenced(pair) for pair in documents(seed)])):
        yield name, values(found) == (0.0, 0.0, 0.0)


@prop
def mentions_that_have_nothing_in_common_score_zero(seed: int) -> Answers:
    for name, (found,) in each(result([changes.apart(pair) for pair in documents(seed)])):
        yield name, values(found) == (0.0, 0.0, 0.0)


@prop
def a_singleton_that_both_sides_have_lowers_nothing(seed: int) -> Answers:
    first, *rest = documents(seed)
    add = changes.with_singleton
    more = first._replace(key=add(first.key), response=add(first.response))
    for name, (before, after) in each(base(seed), result([more, *rest])):
        yield (name, after.recall >= before.recall - NEAR and after.precision >= before.precision - NEAR)


@prop
def a_spurious_singleton_leaves_recall_and_does_not_raise_precision(seed: int) -> Answers:
    first, *rest = documents(seed)
    more = first._replace(response=changes.with_singleton(first.response))
    for name, (before, after) in each(base(seed), result([more, *rest])):
        kept = same([before.recall], [after.recall])
        yield name, kept and after.precision <= before.precision + NEAR


@prop
def a_missed_singleton_leaves_precision_and_does_not_raise_recall(seed: int) -> Answers:
    first, *rest = documents(seed)
    more = first._replace(key=changes.with_singleton(first.key))
    for name, (before, after) in each(base(seed), result([more, *rest])):
        kept = same([before.precision], [after.precision])
        yield name, kept and after.recall <= before.recall + NEAR


@prop
def splitting_a_response_chain_does_not_raise_recall(seed: int) -> Answers:
    dice, given = random.Random(seed), documents(seed)
    plain = [pair._replace(response=pair.response._replace(plurals=())) for pair in given]
    cut = [pair._replace(response=changes.split(pair.response, dice)) for pair in given]
    for name, (before, after) in each(result(plain), result(cut)):
        yield name, after.recall <= before.recall + NEAR


@prop
def stripping_singletons_changes_nothing_where_there_are_none(seed: int) -> Answers:
    linked = [changes.without_singletons(pair) for pair in documents(seed)]
    for name, (kept, stripped) in each(result(linked), result(linked, singletons="strip")):
        yield name, same(values(kept), values(stripped))


@prop
def scoring_again_gives_the_same_bits(seed: int) -> Answers:
    again = result(documents(seed))
    for name, (one, other) in each(base(seed), again):
        yield name, values(one) == values(other)


@prop
def the_scores_of_many_sums_are_the_score_of_each(seed: int) -> Answers:
    for name, tally in base(seed).tallies.items():
        measure, total = parse(name), tally.sum()
        many = measure.scores({c: np.array([value, 0.0]) for c, value in total.items()})
        first = many.recall[0], many.precision[0], many.f1[0]
        yield name, same(values(measure.score(total)), first)
