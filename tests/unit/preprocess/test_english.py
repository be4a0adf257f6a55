"""The shipped English pipeline: offsets, sentence ends, and texts that are out to break it."""

import json

import pytest

pytest.importorskip("spacy")

from corefbench.preprocess.english import WEIGHTS, English, load
from corefbench.preprocess.slices import LONGEST_SLICE, LONGEST_WORD, pieces, slices

ODD = [
    "",
    " ",
    "\n\n\n",
    "Hello.",
    "  Two  spaces\tand a tab. \n",
    "Naïve café, “curly” ‘quotes’ — and a dash…",
    "Family 👨‍👩‍👧‍👦 and a thumb 👍🏽 and a flag 🇬🇧.",
    "Zero\u200bwidth, soft\u00adhyphen, no\u00a0break, \ufeffmark.",
    "Null \x00 bell \x07 escape \x1b[31m and \x85 next line.",
    "Windows.\r\n\r\nLines.\r\nMac.\rOld.",
    "日本語とEnglish混ざる。 Русский текст. עברית",
    "e\u0301 combining, ﬁ ligature, 𝒜 plane one.",
    "http://example.org/a?b=c&d=(e) user@example.org #tag :-) <<<>>> !!!???",
]


@pytest.fixture(scope="module")
def english() -> English:
    return load()


@pytest.mark.parametrize("text", ODD)
def test_every_token_stands_in_the_text_at_its_offset(english: English, text: str) -> None:
    doc = english(text)
    assert doc.text == text
    assert all(text[token.idx : token.idx + len(token)] == token.text for token in doc)


def test_lone_surrogates_become_replacement_characters(english: English) -> None:
    assert english("A \ud800 b").text == "A \ufffd b"


def test_blank_lines_end_sentences_whatever_the_words_say(english: English) -> None:
    doc = english("The history of the\n\nRoman Empire. It fell.")
    assert next(doc.sents).text.strip() == "The history of the"
    assert doc[4].text == "\n\n"
    assert doc[5].is_sent_start


def test_white_space_hangs_on_the_word_before_and_has_no_entity(english: English) -> None:
    doc = english("It  rained.\n\nShe snored.")
    spaces = [token for token in doc if token.is_space]
    assert [token.pos_ for token in spaces] == ["SPACE", "SPACE"]
    assert all(token.head.i == token.i - 1 and not token.ent_type_ for token in spaces)


def test_a_plain_sentence_is_read_as_grammars_read_it(english: English) -> None:
    doc = english("The old president gave her three letters.")
    relations = {token.text: (token.dep_, token.head.text) for token in doc}
    assert relations["president"] == ("nsubj", "gave")
    assert relations["letters"] == ("obj", "gave")
    assert relations["The"] == ("det", "president")
    assert {token.text: token.lemma_ for token in doc}["letters"] == "letter"
    assert {token.text: token.ent_type_ for token in doc}["president"] == "person"


def test_the_same_text_gives_the_same_analysis_alone_and_among_others(english: English) -> None:
    text = "Mary saw the dog that barked. It ran away because she shouted at it."
    among = list(english.pipe(["A short one.", text, "x " * 3000]))[1]
    for doc in (english(text), among):
        assert doc.to_json() == english(text).to_json()


def test_given_words_and_sentences_are_kept(english: English) -> None:
    from spacy.tokens import Doc

    words = ["He", "can", "not", "go", "She", "can"]
    given = Doc(english.nlp.vocab, words=words, sent_starts=[True, *[False] * 3, True, False])
    (doc,) = english.pipe_tokens([given])
    assert [token.text for token in doc] == words
    assert [sentence.text for sentence in doc.sents] == ["He can not go", "She can"]
    assert all(token.dep_ and token.lemma_ for token in doc)


@pytest.mark.parametrize("text", ["a" * 200_000, "!?" * 100_000, "\n" * 100_000, "_" * 100_000])
def test_absurd_texts_are_read_in_linear_time(english: English, text: str) -> None:
    assert english(text).text == text


def test_long_lines_are_cut_between_sentences() -> None:
    sentence = "The cat sat on the mat. "
    text = sentence * 2000
    spans = list(slices(text))
    assert max(end - begin for begin, end in spans) <= LONGEST_SLICE
    assert all(text[begin:end].startswith("The") for begin, end in spans)
    assert "".join(text[begin:end] for begin, end in spans).count("mat.") == 2000


def test_long_words_are_cut_and_nothing_is_lost() -> None:
    text = "short " + "x" * 1000 + " short"
    assert "".join(pieces(text)) == text
    assert max(len(word) for piece in pieces(text) for word in piece.split()) <= LONGEST_WORD


def test_the_card_names_sources_and_no_folders() -> None:
    card = json.loads((WEIGHTS / "meta.json").read_text(encoding="utf-8"))
    assert card["license"] == "CC BY-SA 4.0"
    assert len(card["data_sha256"]) == 3
    for name in ("meta.json", "config.cfg"):
        text = (WEIGHTS / name).read_text(encoding="utf-8")
        assert "/tmp" not in text
        assert "/home" not in text


def test_the_weights_are_small_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.rglob("*")) < 15_000_000


def test_the_identity_names_version_and_weights(english: English) -> None:
    name, version, weights = english.identity.split()
    assert (name, len(weights)) == ("en", 10)
    assert version == english.nlp.meta["version"]
