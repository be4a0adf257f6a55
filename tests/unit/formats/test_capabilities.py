"""What a corpus has, counted, and what is left of it for a format that holds less."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats.base import FormatCard
from corefbench.formats.capabilities import count_features, crossing_spans, fit_to_format, unsupported_features
from corefbench.formats.load import load

PLAIN = FormatCard(name="plain", title="", description="", holds=frozenset({"words", "sentences", "singletons"}))


def corpus() -> Corpus:
    """Two documents; counted by hand in the tests."""
    build = CorpusBuilder("made")
    build.begin_document("a", columns={"genre": "news"})
    build.sentence(["Ann", "saw", "the", "owner", "of", "it"], columns={"speaker": ["x"] * 6})
    build.sentence(["*", "left", "."], empty=[True, False, False], columns={"pos": ["-", "V", "."]})
    ann = build.mention("1", [(0, 1)], head=0, columns={"etype": "person"})
    owner = build.mention("2", [(2, 4), (5, 6)], minimum=[(3, 4)])
    build.mention("1", [(6, 7)])
    build.mention("3", [(1, 3)])
    build.mention("4", [(0, 8)])
    build.mention("5", [(7, 8)], referring=False)
    build.mention("1", [(6, 7)])
    build.bridge(owner, mention=ann)
    build.split_antecedent(build.chain("4"), build.chain("1"))
    build.split_antecedent(build.chain("4"), build.chain("2"))
    build.begin_document("b")
    build.sentence(["Nobody"])
    return build.finish()


def test_every_feature_is_counted() -> None:
    assert count_features(corpus()) == {
        "document names": 2,
        "document attributes": 1,
        "words": 10,
        "sentences": 3,
        "speakers": 6,
        "token attributes": 2,
        "zeros": 1,
        "chain labels": 5,
        "singletons": 4,
        "crossing mentions": 1,
        "repeated mentions": 1,
        "discontinuous mentions": 1,
        "mentions across sentences": 1,
        "heads": 1,
        "minimal spans": 1,
        "mention attributes": 1,
        "non-referring mentions": 1,
        "bridging": 1,
        "split antecedents": 2,
    }


def test_known_token_columns_are_not_counted() -> None:
    assert "token attributes" not in count_features(corpus(), known=["pos"])


def test_what_a_format_does_not_hold_is_beyond_it() -> None:
    lost = unsupported_features(corpus(), PLAIN)
    assert {"words", "sentences", "singletons"}.isdisjoint(lost)
    assert lost["heads"] == 1
    assert lost["zeros"] == 1


def test_what_is_left_has_nothing_beyond_the_format() -> None:
    left = fit_to_format(corpus(), PLAIN.holds)
    spans = sorted((m.start, m.end) for m in left[0].mentions)
    # The zero stays as a token, the split mention would be its hull, 2–6, but crosses 1–3; 0–8
    # crosses the end of a sentence, 7–8 does not refer, and one of the repeated is left.
    assert spans == [(0, 1), (1, 3), (6, 7)]
    unsaid = {"heads", "zeros", "bridging", "split antecedents", "crossing mentions"}
    assert unsaid.isdisjoint(count_features(left))


def test_a_fitting_corpus_is_left_alone() -> None:
    one = corpus()
    everything = frozenset(count_features(one)) | {"crossing mentions of one chain"}
    assert count_features(fit_to_format(one, everything)) == count_features(one)


def test_singletons_are_judged_by_what_is_left() -> None:
    build = CorpusBuilder("made")
    build.begin_document("a")
    build.sentence(["a", "b", "c"])
    build.sentence(["d"])
    build.mention("1", [(0, 1)])
    build.mention("1", [(2, 4)])
    left = fit_to_format(build.finish(), {"words", "sentences"})
    assert len(left.mentions) == 0
    assert len(left.chains) == 0


SPANS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12), st.integers(1, 6)), max_size=14)


@given(SPANS)
def test_the_sweep_agrees_with_comparing_all_pairs(rows: list[tuple[int, int, int]]) -> None:
    """Kept one after another, longest first at one start, unless it crosses one that is kept."""
    ordered = sorted(rows, key=lambda row: (row[0], row[1], -row[2]))
    group, start, length = np.array(ordered, np.int32).reshape(-1, 3).T
    end = start + length
    kept: list[int] = []
    for i in range(len(ordered)):
        if not any(group[j] == group[i] and start[j] < start[i] < end[j] < end[i] for j in kept):
            kept.append(i)
    found = crossing_spans(group, start, end)
    assert np.flatnonzero(~found).tolist() == kept


@pytest.mark.parametrize("count", [0, 1])
def test_few_mentions_do_not_cross(count: int) -> None:
    spans = np.zeros(count, np.int32)
    assert not crossing_spans(spans, spans, spans + 1).any()


def test_interleaving_mentions_of_one_chain_cannot_be_told_apart() -> None:
    build = CorpusBuilder("made")
    build.begin_document("a")
    build.sentence(list("abcdefgh"))
    build.mention("1", [(0, 1), (4, 5)])
    build.mention("1", [(1, 2), (3, 4)])
    build.mention("2", [(5, 7)])
    build.mention("2", [(6, 8)])
    assert count_features(build.finish())["crossing mentions of one chain"] == 2


def test_mentions_are_put_in_the_order_that_writers_rely_on() -> None:
    """A CoNLL cell may open the shorter of two mentions first."""
    text = b"#begin document (a);\nx (1|(2\ny 1)\nz 2)\n#end document\n"
    spans = [(m.start, m.end) for m in fit_to_format(load(text), PLAIN.holds)[0].mentions]
    assert spans == [(0, 3), (0, 2)]
