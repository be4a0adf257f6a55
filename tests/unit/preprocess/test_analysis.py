"""Trees: children, order and spans, and trees that are none."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from corefbench.preprocess.analysis import Analysis, Tree
from corefbench.preprocess.builder import build_discourse
from tests.trees import analysis

SAW = """
the the DET DT 2 det
man man NOUN NN 3 nsubj
saw see VERB VBD 0 root
her she PRON PRP 3 obj
"""


def with_heads(heads: list[int], sentences: list[tuple[int, int]] | None = None) -> Analysis:
    count = len(heads)
    row = ("x",) * count
    spans = tuple(sentences if sentences is not None else [(0, count)])
    return Analysis(
        name="hostile",
        text="x " * count,
        words=row,
        offsets=tuple((2 * n, 2 * n + 1) for n in range(count)),
        sentences=spans,
        paragraphs=(0,) * len(spans),
        headings=(False,) * len(spans),
        lemmas=row,
        upos=("NOUN",) * count,
        xpos=("NN",) * count,
        features=("",) * count,
        heads=tuple(heads),
        relations=("nmod",) * count,
    )


def test_children_are_in_text_order_and_spans_are_subtrees():
    tree = Tree(analysis(SAW))
    assert tree.children[2] == [1, 3]
    assert tree.span(1) == (0, 2)
    assert tree.span(2) == (0, 4)
    assert tree.above(0) == [1, 2]
    assert tree.order.index(2) < tree.order.index(1) < tree.order.index(0)


def test_a_cycle_is_broken():
    tree = Tree(with_heads([1, 2, 0]))
    assert tree.heads.count(-1) == 1
    assert sorted(tree.order) == [0, 1, 2]


def test_a_word_attached_to_a_cycle_keeps_its_governor():
    tree = Tree(with_heads([1, 2, 1]))
    assert tree.heads[0] == 1
    assert sorted(tree.order) == [0, 1, 2]


def test_governors_in_other_sentences_and_self_loops_make_roots():
    tree = Tree(with_heads([0, 2, 3, 99], [(0, 2), (2, 4)]))
    assert tree.heads == [-1, -1, 3, -1]


def test_a_crossing_dependent_does_not_stretch_the_span_over_strangers():
    # 0 ← 2, with 1 between them a root of its own: the subtree of 2 is {0, 2}.
    tree = Tree(with_heads([2, -1, -1]))
    assert tree.span(2) == (2, 3)


@given(st.lists(st.integers(-3, 14), max_size=12), st.integers(0, 12))
def test_any_list_of_governors_becomes_a_discourse(heads: list[int], cut: int):
    cut = min(cut, len(heads))
    spans = [(a, b) for a, b in ((0, cut), (cut, cut), (cut, len(heads)))]
    tree = Tree(with_heads(heads, spans))
    assert sorted(tree.order) == list(range(len(heads)))
    for token in range(len(heads)):
        assert len(tree.above(token)) < len(heads)
        start, end = tree.span(token)
        assert start <= token < end
    document = build_discourse(with_heads(heads, spans))
    for place, phrase in enumerate(document.phrases):
        assert phrase.index == place
        assert phrase.start <= phrase.head < phrase.end
        assert phrase.start <= phrase.core[0] <= phrase.head < phrase.core[1] <= phrase.end
        assert document.analysis.sentences[phrase.sentence][0] <= phrase.start
        assert phrase.end <= document.analysis.sentences[phrase.sentence][1]
        assert document.clauses[phrase.clause].sentence == phrase.sentence


def test_an_empty_document_has_no_phrases():
    document = build_discourse(with_heads([], []))
    assert document.phrases == () == document.clauses


def test_a_long_chain_of_words_is_harmless():
    document = build_discourse(with_heads([-1, *range(600)]))
    assert len(document.phrases) == 601


def test_a_discourse_does_not_depend_on_the_raw_text():
    made = replace(with_heads([-1, 0]), text="")
    assert len(build_discourse(made).phrases) == 2
