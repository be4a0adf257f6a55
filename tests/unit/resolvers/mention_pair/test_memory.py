"""Memory-based learning against TiMBL's own answers, a slow version, and the manual's rules."""

from collections import Counter

import numpy as np
import pytest

from corefbench.resolvers.mention_pair.memory import Memory, compute_gain_ratios


def instances(number, seed=0):
    """Instances shaped like UBIU's: two words of many values, twelve features of few."""
    random = np.random.default_rng(seed)
    words = np.minimum(random.zipf(1.4, (number, 2)), 400)
    few = np.stack([random.integers(0, size, number) for size in (2, 3, 2, 2, 2, 3, 3, 4)], axis=1)
    few[:, 3] = words[:, 0] == words[:, 1]
    noise = random.random(number)
    labels = (few[:, 3] + (noise < 0.1) + few[:, 0] * few[:, 2] * (noise > 0.7) > 0).astype(int)
    return np.concatenate([words, few], axis=1), labels


def slow(codes, labels, row, k):
    """The definition, instance by instance."""
    weights = compute_gain_ratios(codes, labels)
    distance = ((codes != row) @ weights).round(12)
    nearest = sorted(set(distance.tolist()))

    def votes(reach):
        return Counter(labels[np.isin(distance, nearest[:reach])].tolist())

    def best(counted):
        top = max(counted.values())
        return [label for label, count in counted.items() if count == top]

    first = votes(k)
    if len(best(first)) > 1:
        more = votes(k + 1)
        if len(best(more)) == 1:
            return best(more)[0], more, nearest[0]
    order = Counter(labels.tolist())
    return max(best(first), key=lambda label: order[label]), first, nearest[0]


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_answer_is_that_of_the_definition(k):
    codes, labels = instances(600)
    asked, _ = instances(120, seed=1)
    asked[::7, 0] = -1  # a word that training did not have
    votes = Memory(codes, labels, k=k).classify(asked)
    for number, row in enumerate(asked):
        label, counted, distance = slow(codes, labels, row, k)
        assert votes.label[number] == label
        assert {c: n for c, n in enumerate(votes.counts[number]) if n} == dict(counted)
        assert votes.distance[number] == pytest.approx(distance)


def test_the_example_of_the_manual_of_the_bindings():
    """Two of three neighbours say yes; gain ratios as TiMBL prints them."""
    rows = ["NSNII", "NSYII", "YSYCC", "YPYCC", "NPNII"]
    values = sorted(set("".join(rows)))
    codes = np.array([[values.index(letter) for letter in row] for row in rows])
    memory = Memory(codes, np.array([0, 0, 1, 1, 0]), k=3)
    votes = memory.classify(np.array([[values.index(letter) for letter in "YSYCI"]]))
    assert votes.label.tolist() == [1]
    assert votes.counts.tolist() == [[1, 2]]


def test_gain_ratio_by_hand():
    """H(C) = 1; the feature splits 3 : 1 and leaves H = ¾·H(⅓): GR = (1 − .6887) / .8113."""
    codes = np.array([[0], [0], [0], [1]])
    assert compute_gain_ratios(codes, np.array([0, 0, 1, 1]))[0] == pytest.approx(0.38369, abs=1e-5)


def test_equal_counts_go_to_the_class_that_training_has_more_of():
    codes = np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1]])
    assert Memory(codes, np.array([1, 0, 0]), k=1).classify(codes[:1]).label.tolist() == [0]


def test_all_instances_may_be_of_one_class():
    memory = Memory(np.zeros((3, 4), int), np.zeros(3, int))
    assert memory.classify(np.ones((2, 4), int)).label.tolist() == [0, 0]


@pytest.mark.slow
def test_five_thousand_answers_of_timbl(tmp_path, monkeypatch):
    timbl = pytest.importorskip("timbl", reason="needs python3-timbl, which is GPL")
    monkeypatch.chdir(tmp_path)
    codes, labels = instances(20000)
    asked, _ = instances(5000, seed=1)
    peer = timbl.TimblClassifier("peer", "-a IB1 -k 3 -m O -w gr -vS", format="Tabbed", normalize=False)
    for row, label in zip(codes, labels, strict=True):
        peer.append(tuple(map(str, row)), str(label))
    peer.train()
    votes = Memory(codes, labels, k=3).classify(asked)
    for number, row in enumerate(asked):
        label, counted, distance = peer.classify(tuple(map(str, row)))
        assert str(votes.label[number]) == label
        ours = {str(c): n for c, n in enumerate(votes.counts[number].tolist()) if n}
        assert ours == {c: round(n) for c, n in counted.items()}
        assert votes.distance[number] == pytest.approx(distance, abs=1e-6)
