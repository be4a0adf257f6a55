"""Texts split into slices for parsing."""

from corefbench.preprocess.segmentation import MAX_SLICE, MAX_WORD, split_long_words, split_text


def test_long_lines_are_cut_between_sentences() -> None:
    sentence = "The cat sat on the mat. "
    text = sentence * 2000
    spans = list(split_text(text))
    assert max(end - begin for begin, end in spans) <= MAX_SLICE
    assert all(text[begin:end].startswith("The") for begin, end in spans)
    assert "".join(text[begin:end] for begin, end in spans).count("mat.") == 2000


def test_long_words_are_cut_and_nothing_is_lost() -> None:
    text = "short " + "x" * 1000 + " short"
    assert "".join(split_long_words(text)) == text
    assert max(len(word) for piece in split_long_words(text) for word in piece.split()) <= MAX_WORD
