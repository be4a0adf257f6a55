"""Empty nodes stand behind the word they follow, whatever their IDs look like."""

import numpy as np
from msgspec.structs import replace

from corefbench.matching.places import places
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Tokens


def tokens(*sentences: list[str], ids: bool = True) -> Tokens:
    build = CorpusBuilder("test")
    build.begin_document("d")
    for sentence in sentences:
        empty = ["." in name for name in sentence]
        build.sentence(sentence, empty=empty, columns={"id": sentence} if ids else None)
    return build.finish().tokens


def test_an_id_that_gives_no_rank_leaves_the_node_where_it_is_counted():
    plain, _, _ = places(tokens(["1", "1.1", "1.2", "2"]), tokens(["1", "2"]))
    for odd in ("1.x", "1.", "1.12345"):
        strange, _, _ = places(tokens(["1", "1.1", odd, "2"]), tokens(["1", "2"]))
        assert strange.tolist() == plain.tolist()


def test_a_rank_of_four_digits_is_taken_as_it_is():
    one, _, step = places(tokens(["1", "1.1234"]), tokens(["1"]))
    assert one[1] - one[0] == 1234
    assert step == 2 * 1235


def test_without_ids_nodes_are_counted_from_the_word_before():
    with_ids, _, _ = places(tokens(["1", "1.1", "1.2", "2"]), tokens(["1", "2"]))
    without, _, _ = places(tokens(["1", "1.1", "1.2", "2"], ids=False), tokens(["1", "2"]))
    assert without.tolist() == with_ids.tolist()


def test_a_node_before_a_sentence_does_not_meet_one_behind_the_sentence_before():
    one, two, _ = places(tokens(["1", "1.1"], ["1"]), tokens(["1"], ["0.1", "1"]))
    assert one[0] == two[0]
    assert one[2] == two[2]
    assert one[0] < one[1] < one[2]
    assert two[0] < two[1] < two[2]
    assert one[1] != two[1]


def test_without_ids_nodes_at_the_start_of_a_sentence_are_counted_from_there():
    text = ["1", "1.1"], ["0.1", "0.2", "1"]
    with_ids, _, _ = places(tokens(*text), tokens(["1"], ["1"]))
    without, _, _ = places(tokens(*text, ids=False), tokens(["1"], ["1"]))
    assert without.tolist() == with_ids.tolist()


def test_a_sentence_without_words_at_the_end_changes_nothing():
    text = ["1", "1.1"], ["0.1", "1"]
    one, two, _ = places(tokens(*text, [], ids=False), tokens(*text, ids=False))
    assert one.tolist() == two.tolist()


def test_a_text_without_sentences_is_one_sentence():
    text = ["0.1", "1", "1.1", "1.2", "2"]
    one = tokens(text, ids=False)
    other = replace(one, sentences=np.zeros(0, np.int64))
    of_one, of_other, _ = places(one, other)
    assert of_one.tolist() == of_other.tolist()
    plain, _, _ = places(other, other)
    assert plain.tolist() == of_one.tolist()
    inner = replace(tokens(text[1:], ids=False), sentences=np.zeros(0, np.int64))
    of_inner, _, _ = places(inner, inner)
    assert (of_inner[1:3] - of_inner[0]).tolist() == [1, 2]


def test_documents_begin_together_though_one_side_has_more_words_in_the_first():
    def documents(first: list[str]) -> Tokens:
        build = CorpusBuilder("test")
        for number, ids in enumerate((first, ["1", "1.1", "2"])):
            build.begin_document(str(number))
            build.sentence(ids, empty=["." in one for one in ids], columns={"id": ids})
        return build.finish().tokens

    one, two, _ = places(documents(["1", "1.1"]), documents(["1", "2", "2.1", "3", "4"]))
    assert one[-3:].tolist() == two[-3:].tolist()
    assert two[4] < two[5]
    assert one[0] == two[0]


def test_documents_do_not_share_places():
    def three(*ids: str) -> Tokens:
        build = CorpusBuilder("test")
        for name in "abc":
            build.begin_document(name)
            build.sentence(ids, empty=["." in one for one in ids], columns={"id": list(ids)})
        return build.finish().tokens

    one, two, _ = places(three("1", "2", "2.1"), three("0.1", "1", "2"))
    assert (one[1:] > one[:-1]).all()
    assert (two[1:] > two[:-1]).all()
    assert one.reshape(3, 3)[:, :2].tolist() == two.reshape(3, 3)[:, 1:].tolist()
    assert not set(one.reshape(3, 3)[:, 2].tolist()) & set(two.tolist())
