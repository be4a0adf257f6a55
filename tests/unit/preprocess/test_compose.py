"""An analysis put together from columns."""

from msgspec.structs import replace

from corefbench.preprocess.base import Input
from corefbench.preprocess.compose import MAX_SENTENCE, compose_analysis, mark_headings
from corefbench.preprocess.segmentation import number_paragraphs, split_blocks
from tests.trees import analysis


def test_an_endless_sentence_is_split_into_separate_trees():
    count = MAX_SENTENCE + 5
    text = "dog " * count
    made = compose_analysis(
        Input(name="d", text=text),
        words=["dog"] * count,
        offsets=[(4 * n, 4 * n + 3) for n in range(count)],
        sentences=[(0, count)],
        lemmas=["dog"] * count,
        upos=["NOUN"] * count,
        xpos=["NN"] * count,
        features=[""] * count,
        heads=[-1] + [0] * (count - 1),
        relations=["root"] + ["conj"] * (count - 1),
        pipeline="test",
    )
    assert made.sentences == ((0, MAX_SENTENCE), (MAX_SENTENCE, count))
    assert made.heads[1] == 0
    assert (made.heads[MAX_SENTENCE], made.relations[MAX_SENTENCE]) == (-1, "root")


def test_given_sentences_are_never_split():
    count = MAX_SENTENCE + 5
    offsets = tuple((4 * n, 4 * n + 3) for n in range(count))
    given = Input(name="d", text="dog " * count, offsets=offsets, sentences=((0, count),))
    cells = ["x"] * count
    made = compose_analysis(
        given,
        words=cells,
        offsets=offsets,
        sentences=((0, count),),
        lemmas=cells,
        upos=cells,
        xpos=cells,
        features=cells,
        heads=[-1] * count,
        relations=cells,
        pipeline="test",
    )
    assert made.sentences == ((0, count),)


SENTENCE = """
The the DET DT 2 det
printer printer NOUN NN 3 nsubj
works work VERB VBZ 0 root
. . PUNCT . 3 punct
"""
TITLE = """
The the DET DT 2 det
Printer printer NOUN NN 0 root
"""


def headings(*sentences: str) -> tuple[bool, ...]:
    parsed = analysis("\n".join(sentences))
    paragraphs = number_paragraphs(parsed.text, parsed.offsets, parsed.sentences)
    return mark_headings(replace(parsed, paragraphs=paragraphs)).headings


def test_a_short_line_without_verb_or_final_mark_is_a_heading():
    assert headings(TITLE, SENTENCE, SENTENCE) == (True, False, False)
    assert headings(SENTENCE, SENTENCE, TITLE, SENTENCE) == (False, False, True, False)


def test_a_line_with_a_verb_is_one_if_it_is_typed_as_a_title():
    typed = """
    How how ADV WRB 3 advmod
    Printers printer NOUN NNS 3 nsubj
    Work work VERB VBP 0 root
    """
    assert headings(SENTENCE, typed, SENTENCE) == (False, True, False)
    assert headings(SENTENCE, typed.replace("Printers", "printers"), SENTENCE)[1] is False
    # What opens the document is its title, however it is typed.
    assert headings(typed.replace("Printers", "printers"), SENTENCE)[0] is True


def test_an_address_is_none_and_two_headings_may_follow_each_other():
    text = (TITLE, TITLE, *[SENTENCE] * 4)
    assert headings(*text) == (True, True, False, False, False, False)
    assert headings(TITLE, *text) == (False,) * 7
    assert headings(SENTENCE, SENTENCE, TITLE) == (False,) * 3


def test_where_most_lines_look_like_headings_none_is():
    assert headings(TITLE, SENTENCE, TITLE, TITLE, SENTENCE) == (False,) * 5
    assert headings(TITLE) == (False,)


def test_a_long_line_is_none():
    long = "\n".join(f"x{n} x NOUN NN 0 root" for n in range(30)) + "\n"
    assert headings(long, SENTENCE, SENTENCE)[0] is False


def test_a_line_of_marks_is_none():
    assert headings("* * PUNCT NFP 0 root\n", SENTENCE, SENTENCE)[0] is False


def test_an_empty_document_has_none():
    assert headings() == ()


def test_paragraphs_are_counted_at_blank_lines():
    text = "\n\nA.\n \nB.\r\n\r\nC. D."
    offsets = [(text.index(c), text.index(c) + 2) for c in "ABCD"]
    sentences = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert number_paragraphs(text, offsets, sentences) == (0, 1, 2, 2)


def test_line_breaks_end_blocks_only_where_lines_were_not_broken_to_fit():
    wrapped = "This line goes on and\non until it ends. And then\nit ends.\n\nNew."
    assert [wrapped[a:b][:4] for a, b in split_blocks(wrapped)] == ["This", "New."]
    verse = "One.\nTwo.\nThree."
    assert [verse[a:b] for a, b in split_blocks(verse)] == ["One.", "Two.", "Three."]
    assert list(split_blocks(" \n\n ")) == []
