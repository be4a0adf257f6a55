"""De-duplication equals the comparison of all pairs, and stays bounded."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from corefbench.analysis.bags_of_words import Postings, make_bags
from corefbench.analysis.deduplicate import deduplicate
from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import UsageError


def corpus(*texts: str, name: str = "c"):
    build = CorpusBuilder(name)
    for number, text in enumerate(texts):
        build.begin_document(f"{name}{number}")
        build.sentence(text.split())
    return build.finish()


def counted(text: str, bag: str) -> Counter:
    return Counter(text.split()) if bag == "multiset" else Counter(set(text.split()))


def ratio(one: Counter, other: Counter) -> Fraction:
    """max(|S₁∩S₂| ÷ |S₁|, |S₁∩S₂| ÷ |S₂|); 0 where a bag is empty."""
    shared, sizes = (one & other).total(), (one.total(), other.total())
    return max(Fraction(shared, size) for size in sizes) if all(sizes) else Fraction(0)


def all_pairs(texts, threshold, bag):
    """What is dropped, and for which ratio, when every document is compared with every kept one."""
    bags = [counted(text, bag) for text in texts]
    kept, dropped = [], {}
    for d in sorted(range(len(bags)), key=lambda d: (-bags[d].total(), d)):
        found = [(ratio(bags[d], bags[k]), -place, k) for place, k in enumerate(kept)]
        best = max((f for f in found if f[0] > threshold), default=None)
        if best is None:
            kept.append(d)
        else:
            dropped[d] = (best[2], float(best[0]))
    return dropped


def random_texts(seed: int, count: int = 60) -> list[str]:
    """Few words, many of them often; some documents are others with words changed or left out."""
    chance = random.Random(seed)
    words = [f"w{n}" for n in range(chance.choice((4, 20, 200)))]
    texts: list[list[str]] = []
    for _ in range(count):
        if texts and chance.random() < 0.5:
            text = [w for w in chance.choice(texts) if chance.random() < chance.choice((0.5, 1))]
            text = [w if chance.random() < 0.95 else chance.choice(words) for w in text]
        else:
            size = chance.choice((0, 1, 3, 10, 30))
            text = [words[int(len(words) * chance.random() ** 3)] for _ in range(size)]
        texts.append(text)
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize("bag", ["multiset", "set"])
@pytest.mark.parametrize("threshold", ["0.9", "0.5", "0", "0.8"])
@pytest.mark.parametrize("seed", range(8))
def test_within_a_corpus_it_equals_the_comparison_of_all_pairs(seed, threshold, bag):
    texts = random_texts(seed)
    made = deduplicate(corpus(*texts), threshold=threshold, bag=bag)
    expected = all_pairs(texts, Fraction(threshold), bag)
    assert {d.index: (d.other_index, d.ratio) for d in made.dropped} == expected
    assert len(made.corpus) == len(texts) - len(expected)


@pytest.mark.parametrize("bag", ["multiset", "set"])
@pytest.mark.parametrize("threshold", ["0.9", "0.6"])
@pytest.mark.parametrize("seed", range(8))
def test_between_corpora_it_equals_the_comparison_of_all_pairs(seed, threshold, bag):
    texts = random_texts(seed, 80)
    ours, others = texts[::2], texts[1::2]
    made = deduplicate(corpus(*ours), between=corpus(*others), threshold=threshold, bag=bag)
    theirs = [counted(text, bag) for text in others]
    expected = {}
    for number, text in enumerate(ours):
        found = [ratio(counted(text, bag), other) for other in theirs]
        if max(found) > Fraction(threshold):
            expected[number] = float(max(found))
    assert {d.index: d.ratio for d in made.dropped} == expected
    for one in made.dropped:
        assert float(ratio(counted(ours[one.index], bag), theirs[one.other_index])) == one.ratio


def test_nine_of_ten_words_are_not_more_than_nine_tenths():
    nine = "a b c d e f g h i x", "a b c d e f g h i y z"
    assert not deduplicate(corpus(*nine)).dropped
    ten = "a b c d e f g h i j x", "a b c d e f g h i j y z"  # 10/11 > 0.9
    (dropped,) = deduplicate(corpus(*ten)).dropped
    assert (dropped.document, dropped.duplicate_of, dropped.shared) == ("c0", "c1", 10)
    assert (dropped.words, dropped.other_words) == (11, 12)


def test_a_word_counts_as_often_as_it_occurs_unless_bags_are_sets():
    texts = "a a a a b", "a b c d e f"
    assert not deduplicate(corpus(*texts)).dropped
    (dropped,) = deduplicate(corpus(*texts), bag="set").dropped
    assert (dropped.document, dropped.ratio) == ("c0", 1.0)


def test_of_equals_the_first_is_kept_and_it_is_the_reason():
    made = deduplicate(corpus("a b", "b a", "a b"))
    assert [(d.document, d.duplicate_of) for d in made.dropped] == [("c1", "c0"), ("c2", "c0")]
    assert made.corpus.documents.names == ("c0",)


def test_what_is_dropped_duplicates_something_that_is_kept():
    # The second is nearly all in the first and the third in the second, but not in the first.
    long = " ".join(f"w{n}" for n in range(40))
    middle = " ".join([*(f"w{n}" for n in range(28)), "x", "y"])  # 28/30 are in the first
    short = " ".join([*(f"w{n}" for n in range(10)), "x", "y"])  # 12/12 in the second, 10/12
    made = deduplicate(corpus(long, middle, short))
    assert [(d.document, d.duplicate_of) for d in made.dropped] == [("c1", "c0")]


def test_case_matters_unless_it_is_ignored():
    texts = "The cat sat", "the cat sat on it"
    assert not deduplicate(corpus(*texts)).dropped
    assert len(deduplicate(corpus(*texts), ignore_case=True).dropped) == 1


def test_documents_without_words_are_kept():
    assert not deduplicate(corpus("", "", "a")).dropped
    assert not deduplicate(corpus("", "a"), between=corpus("", "b")).dropped


def test_empty_nodes_are_not_words():
    build = CorpusBuilder("c")
    build.begin_document("zeros")
    build.sentence(["a", "_", "_", "_"], empty=[False, True, True, True])
    build.begin_document("plain")
    build.sentence(["a", "b"])
    assert [d.document for d in deduplicate(build.finish()).dropped] == ["zeros"]


def test_many_near_duplicates_leave_one_in_the_index(monkeypatch):
    base = [f"w{n}" for n in range(40)]
    texts = [" ".join([*base[:39], f"x{n}"]) for n in range(3000)]
    added = []
    add = Postings.add
    monkeypatch.setattr(Postings, "add", lambda self, d: (added.append(d), add(self, d)))
    assert len(deduplicate(corpus(*texts)).dropped) == 2999
    assert added == [0]


def test_chunks_do_not_change_the_bags(monkeypatch):
    made = corpus(*random_texts(3))
    whole = make_bags([[made]])[0]
    monkeypatch.setattr("corefbench.analysis.bags_of_words._CHUNK", 7)
    cut = make_bags([[made]])[0]
    assert cut.tokens.tolist() == whole.tokens.tolist()
    assert cut.offsets.tolist() == whole.offsets.tolist()


@pytest.mark.parametrize("threshold", ["1", "-0.1", "1.5", "many"])
def test_invalid_thresholds_raise(threshold):
    with pytest.raises(UsageError, match="threshold"):
        deduplicate(corpus("a"), threshold=threshold)
    with pytest.raises(UsageError, match="bag"):
        deduplicate(corpus("a"), bag="heap")
