import pytest

from corefbench.llm.pronoun_questions import extract_answer, find_answer


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("the old dog", "the old dog"),
        ("The old dog.", "The old dog"),
        ('"the old dog"', "the old dog"),
        ("**the old dog**", "the old dog"),
        ("Answer: the old dog", "the old dog"),
        ("It refers to the old dog.", "the old dog"),
        ('The pronoun "it" refers to "the old dog".', "the old dog"),
        ("the old dog\n\nExplanation: it was sleeping.", "the old dog"),
        ("Mr. Adler's mother", "Mr. Adler's mother"),
        ("none", ""),
        ("None.", ""),
        ("", ""),
    ],
)
def test_the_words_of_an_answer_are_found_among_others(answer: str, expected: str) -> None:
    assert extract_answer(answer) == expected


TEXT = "The dog saw a cat . The cat saw it and the dog 's tail"
WORDS = TEXT.split()


@pytest.mark.parametrize(
    ("answer", "span"),
    [
        ("the dog", (0, 2)),
        ("the cat", (6, 8)),
        ("a dog", (1, 2)),
        ("The dog's tail", (11, 15)),
        ("a horse", None),
        ("it", None),
        ("do", None),
    ],
)
def test_the_antecedent_is_the_nearest_before_the_pronoun_else_after_it(answer, span) -> None:
    assert find_answer(WORDS, answer, 9, 0, len(WORDS)) == span
