"""The key as a discourse sees it: which phrase is which mention, which pronouns are in scope."""

import pytest

from corefbench.bench.key import Key, key_mentions, make_key
from corefbench.corpus.builder import CorpusBuilder
from tests.one_line_trees import read
from tests.trees import phrase
from tests.unit.bench.keyed import document, key

# 0 The 1 old 2 dog 3 barked 4 . 5 Ann 6 fed 7 it 8 . 9 It 10 slept 11 .
DOG = read(
    """
    The|DT|3|det old|JJ|3|amod dog|NN|4|nsubj barked:bark|VBD|0|root .|.|4|punct
    Ann|NNP|2|nsubj|person fed:feed|VBD|0|root it|PRP|2|obj .|.|2|punct
    It|PRP|2|nsubj slept:sleep|VBD|0|root .|.|2|punct
    """
)
# 0 the 1 king 2 of 3 Spain 4 slept
KING = read("the|DT|2|det king|NN|5|nsubj of|IN|4|case Spain|NNP|2|nmod|place slept|VBD|0|root")


def chain_at(found: Key, text: str, nth: int = 0) -> int:
    return found.chain_of(phrase(DOG, text, nth).index)


def test_a_phrase_with_the_borders_of_a_mention_is_that_mention() -> None:
    for match in ("head", "exact"):
        found = key(DOG, {"d": [(0, 3), (7, 8)], "a": [(5, 6)]}, match=match)
        assert chain_at(found, "The old dog") == chain_at(found, "it") == 0
        assert chain_at(found, "Ann") == 1
        assert chain_at(found, "It") == -1


def test_other_borders_are_the_mention_by_head_and_not_by_span() -> None:
    old_dog = {"d": [(1, 3), (7, 8)]}
    assert chain_at(key(DOG, old_dog), "The old dog") == 0
    assert chain_at(key(DOG, old_dog, match="exact"), "The old dog") == -1


def test_the_head_that_the_corpus_gives_goes_before_that_of_the_tree() -> None:
    wrong_head = key(DOG, {"d": [(0, 3)]}, heads={(0, 3): 1})
    assert wrong_head.mentions[0].head == 1
    assert chain_at(wrong_head, "The old dog") == -1


def test_of_mentions_with_one_head_the_nearest_in_extent_counts() -> None:
    found = key(KING, {"small": [(0, 2)], "large": [(0, 4)]})
    of = {KING.text_of(p): found.chain_of(p.index) for p in KING.phrases}
    assert of["the king of Spain"] == 1
    assert of["Spain"] == -1


def test_pronouns_in_scope_have_an_earlier_mention_in_their_chain() -> None:
    found = key(DOG, {"d": [(0, 3), (7, 8)]})
    first, second = found.pronouns
    assert (first.token, first.form, first.kind, first.anaphoric) == (7, "it", "personal", True)
    assert first.antecedents == (0,)
    # The second it is no mention of this key.
    assert (second.token, second.mention, second.anaphoric) == (9, -1, False)
    assert second.antecedents == ()


def test_a_pronoun_alone_in_its_chain_is_a_mention_out_of_scope() -> None:
    found = key(DOG, {"x": [(7, 8)]}).pronouns[0]
    assert (found.mention, found.antecedents, found.anaphoric) == (0, (), False)


@pytest.mark.parametrize("counted", [False, True])
def test_a_pronoun_that_begins_its_chain_is_in_scope_by_choice(counted: bool) -> None:
    first, second = key(DOG, {"x": [(7, 8), (9, 10)]}, cataphora=counted).pronouns
    assert first.anaphoric is counted
    assert second.anaphoric


def test_a_mention_that_begins_before_a_pronoun_and_holds_it_counts_as_earlier() -> None:
    found = key(DOG, {"x": [(6, 8), (7, 8)]}).pronouns[0]
    assert (found.anaphoric, found.antecedents) == (True, (0,))


def test_non_referring_mentions_are_left_out() -> None:
    found = key(DOG, {"d": [(0, 3), (7, 8)], "x": [(9, 10)]}, silent=[(9, 10)])
    assert len(found.mentions) == 2
    assert found.pronouns[1].mention == -1
    assert found.lost == 0


def test_chains_are_found_by_offsets_where_the_tokens_differ() -> None:
    # The key has The|old dog|barked … as its words, the pipeline The|old|dog|barked.
    build = CorpusBuilder("key")
    build.begin_document("test")
    build.sentence(["The", "old dog", "barked", "."])
    build.mention("d", [(0, 2)])
    offsets = DOG.analysis.offsets
    own = [offsets[0], (offsets[1][0], offsets[2][1]), offsets[3], offsets[4]]
    found = make_key(build.finish()[0], own, DOG)
    assert (found.mentions[0].start, found.mentions[0].end, found.mentions[0].head) == (0, 3, 2)


def test_a_mention_that_no_token_of_the_pipeline_touches_is_lost_and_counted() -> None:
    made = document(DOG, {"d": [(0, 3), (7, 8)]})
    far = [(begin + 1000, end + 1000) for begin, end in DOG.analysis.offsets[7:]]
    offsets = [*DOG.analysis.offsets[:7], *far]
    mentions, lost = key_mentions(made, offsets, DOG.analysis)
    assert [(m.start, m.end) for m in mentions] == [(0, 3)]
    assert lost == 1
    assert make_key(made, offsets, DOG).lost == 1


def test_a_name_cut_out_of_its_title_is_the_phrase_of_both() -> None:
    of = read("Rabbi|NNP|4|nsubj|person Adam|NNP|1|flat Katz|NNP|1|flat slept:sleep|VBD|0|root")
    assert key(of, {"k": [(1, 3)]}).chain_of(phrase(of, "Rabbi Adam Katz").index) == 0
