"""White space put back between the words of a text."""

import pytest

spacy = pytest.importorskip("spacy")


def test_white_space_inside_an_entity_belongs_to_it() -> None:
    from spacy.tokens import Doc, Span

    from corefbench.preprocess.whole import whole

    vocab = spacy.blank("en").vocab
    words, heads = ["In", "New", "York", "it", "rains"], [4, 2, 4, 4, 4]
    part = Doc(vocab, words=words, heads=heads, deps=["dep"] * 5)
    part.set_ents([Span(part, 1, 3, "place")])
    text = "In\nNew\n York  it rains"
    doc = whole(vocab, text, [(0, 2), (3, 6), (8, 12), (14, 16), (17, 22)], [part])
    assert doc.text == text
    assert [entity.text for entity in doc.ents] == ["New\n York"]
    assert [token.text for token in doc if token.is_space and token.ent_type_] == ["\n "]
