import numpy as np

from corefbench.resolvers.cross_document.mention_detection import best_span_threshold, select_spans, span_f1

START, END = np.array([0, 1, 1, 4]), np.array([3, 2, 4, 5])
CHANCE = np.array([0.9, 0.8, 0.7, 0.1], np.float32)


def test_spans_that_cross_are_not_both_mentions():
    assert select_spans(CHANCE, START, END, 0.5, nested=True).tolist() == [True, True, False, False]


def test_flat_mentions_do_not_overlap_at_all():
    assert select_spans(CHANCE, START, END, 0.5, nested=False).tolist() == [True, False, False, False]


def test_f1_counts_exact_spans_only():
    found = np.array([True, True, False, False])
    assert span_f1(found, START, END, {(0, 3), (1, 3)}) == 0.5
    assert span_f1(np.zeros(4, bool), START, END, set()) == 0.0


def test_the_threshold_with_the_best_f1_is_chosen():
    f1, threshold = best_span_threshold(CHANCE, START, END, {(0, 3)}, nested=True)
    assert f1 == 2 / 3 or threshold >= 0.8 or f1 == 1.0
    f1, threshold = best_span_threshold(np.array([0.6, 0.3, 0.0, 0.0], np.float32), START, END, {(0, 3)}, nested=True)
    assert f1 == 1.0
    assert 0.3 <= threshold < 0.6
