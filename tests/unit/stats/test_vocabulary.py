"""The OOV and low-frequency rates of Chen et al. 2018, section 3.4, by hand."""

from corefbench.model.builder import CorpusBuilder
from corefbench.stats import describe, figures
from corefbench.stats.vocabulary import learn
from tests.unit.stats.corpora import corpus

TRAINING = corpus("the " * 12 + "dog " * 10 + "cat " * 9 + "B2B well-known 7")


def rates(*sentences: str, **options: int) -> tuple[float | None, float | None]:
    values = figures(describe(corpus(*sentences), train=TRAINING, **options).counts)
    return values["oov_rate"], values["low_frequency_rate"]


def test_tokens_with_non_alphabetic_characters_are_ignored_above_and_below_the_line():
    # the, dog, bird remain; B2B, 's, 7 and . are ignored: 1 of 3 is unknown
    assert rates("the dog 's B2B bird 7 .")[0] == 1 / 3


def test_every_token_counts_not_every_word():
    assert rates("bird bird bird the")[0] == 3 / 4


def test_a_word_below_ten_occurrences_in_training_is_of_low_frequency():
    # the 12, dog 10: frequent; cat 9, bird 0: not
    assert rates("the dog cat bird")[1] == 2 / 4


def test_the_border_of_low_frequency_can_be_set():
    # at least 1 occurrence: the low-frequency rate is the OOV rate
    assert rates("the dog cat bird", low_frequency=1) == (1 / 4, 1 / 4)


def test_upper_and_lower_case_are_different_words():
    assert rates("The the")[0] == 1 / 2


def test_without_training_or_without_words_there_is_no_rate():
    assert figures(describe(corpus("the dog")).counts)["oov_rate"] is None
    assert rates("7 .") == (None, None)


def test_training_adds_over_blocks_and_leaves_out_empty_nodes():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["zero", "dog"], empty=[True, False])
    training = learn([build.finish(), corpus("the dog", mentions=[("1", 0, 1)])])
    assert training.words == {"dog": 2, "the": 1}
    assert (training.documents, training.tokens, training.chain_sizes) == (2, 3, {1: 1})
