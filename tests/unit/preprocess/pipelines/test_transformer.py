"""The shipped pipeline ``en-accurate``: offsets, sentence ends, and texts out to break it."""

import json
import sys

import pytest

from corefbench.errors import MissingExtra
from corefbench.preprocess import make
from corefbench.preprocess.base import Input
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.pipelines.joint_model import JointModel
from corefbench.preprocess.pipelines.transformer import WEIGHTS, Transformer

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
    "日本語とEnglish混ざる。 Русский текст. עברית \u202eRTL\u202c",
    "e\u0301 combining, ﬁ ligature, 𝒜 plane one, a lone \ud800 surrogate.",
    "http://example.org/a?b=c&d=(e) user@example.org #tag :-) <<<>>> !!!???",
    "\u200b \u200b\u200b",
]


@pytest.fixture(scope="module")
def accurate() -> Transformer:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    return Transformer()


def analysis(accurate: Transformer, text: str):
    (made,) = accurate.analyse([Input(name="d", text=text)])
    return made


def one_root_each(made) -> bool:
    for start, end in made.sentences:
        if [made.heads[token] for token in range(start, end)].count(-1) != 1:
            return False
        if not all(start <= made.heads[t] < end for t in range(start, end) if made.heads[t] >= 0):
            return False
    return True


@pytest.mark.parametrize("text", ODD)
def test_every_word_is_in_the_text_with_only_white_space_between(accurate, text):
    parsed = analysis(accurate, text)
    assert [text[begin:end] for begin, end in parsed.offsets] == list(parsed.words)
    assert "".join(parsed.words) == "".join(text.split())
    assert one_root_each(parsed)


def test_blank_lines_end_sentences_whatever_the_words_say(accurate):
    parsed = analysis(accurate, "The history of the\n\nRoman Empire. It fell.")
    assert parsed.sentences[0] == (0, 4)
    assert parsed.paragraphs[:2] == (0, 1)


def test_a_plain_sentence_is_read_as_grammars_read_it(accurate):
    parsed = analysis(accurate, "The old president gave her three letters.")
    relations = dict(zip(parsed.words, parsed.relations, strict=True))
    governors = {w: parsed.words[h] for w, h in zip(parsed.words, parsed.heads, strict=True)}
    assert (relations["president"], governors["president"]) == ("nsubj", "gave")
    assert (relations["letters"], governors["letters"]) == ("obj", "gave")
    assert (relations["The"], governors["The"]) == ("det", "president")
    assert parsed.lemmas == ("the", "old", "president", "give", "she", "three", "letter", ".")
    assert parsed.xpos[2:5] == ("NN", "VBD", "PRP")
    assert ("person", 2) in {(entity.type, entity.start) for entity in parsed.entities}


def test_sentences_inside_a_paragraph_are_found(accurate):
    parsed = analysis(accurate, "Dr. Smith came at 5 p.m. on Friday. He didn't stay. Why not?")
    ends = [parsed.words[end - 1] for _, end in parsed.sentences]
    assert ends == [".", ".", "?"]


def test_text_becomes_phrases(accurate):
    text = "The Printer\n\nThe printer of Ann Smith broke when she used it  yesterday. It was old.\n"
    parsed = analysis(accurate, text)
    discourse = build_discourse(parsed)
    phrases = {discourse.text_of(phrase): phrase for phrase in discourse.phrases}
    assert phrases["she"].function == "subject"
    assert phrases["it"].function == "object"
    assert phrases["Ann Smith"].kind == "name"


def test_the_same_text_gives_the_same_analysis_alone_and_among_others(accurate):
    text = "Mary saw the dog that barked. It ran away because she shouted at it."
    inputs = [Input(name="d", text=one) for one in ("A short one.", text, "x " * 500, text)]
    first, again = (list(accurate.analyse(inputs))[place] for place in (1, 3))
    assert first == again == analysis(accurate, text)


def test_given_words_and_sentences_are_kept(accurate):
    given = Input(
        name="g",
        text="Ann left. She ran.",
        offsets=((0, 3), (4, 8), (8, 9), (10, 13), (14, 17), (17, 18)),
        sentences=((0, 2), (2, 6)),
    )
    made = list(accurate.analyse([given, Input(name="e", text=""), given]))
    assert made[0].words == ("Ann", "left", ".", "She", "ran", ".")
    assert made[0].sentences == ((0, 2), (2, 6))
    assert one_root_each(made[0])
    assert made[1].words == ()
    assert made[0] == made[2]


def test_a_given_sentence_longer_than_a_window_keeps_one_root(accurate):
    text = "word " * 900
    offsets = tuple((5 * i, 5 * i + 4) for i in range(900))
    (made,) = accurate.analyse([Input(name="g", text=text, offsets=offsets, sentences=((0, 900),))])
    assert made.sentences == ((0, 900),)
    assert one_root_each(made)


@pytest.mark.parametrize("text", ["a" * 200_000, "!?" * 5_000, "\n" * 100_000, "_" * 50_000])
def test_absurd_texts_are_read_in_linear_time(accurate, text):
    assert "".join(analysis(accurate, text).words) == text.strip()


def test_the_pipeline_is_known_by_name_and_says_version_and_weights(accurate):
    assert isinstance(make("en-accurate"), Transformer)
    name, version, weights = accurate.identity.split()
    assert (name, len(weights)) == ("en-accurate", 10)
    assert version == json.loads((WEIGHTS / "meta.json").read_text(encoding="utf-8"))["version"]
    assert analysis(accurate, "Hi.").pipeline == accurate.identity


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"corefbench\[en-accurate\]") as caught:
        JointModel(WEIGHTS)
    assert caught.value.code == "CB004"


def test_the_card_names_sources_and_no_folders():
    card = json.loads((WEIGHTS / "meta.json").read_text(encoding="utf-8"))
    assert card["license"] == "CC BY-SA 4.0"
    assert len(card["data_sha256"]) == 3
    assert {source["license"] for source in card["sources"]} >= {"CC BY-SA 4.0", "Apache-2.0"}
    text = (WEIGHTS / "meta.json").read_text(encoding="utf-8")
    assert "/tmp" not in text
    assert "/home" not in text


def test_the_weights_are_small_enough_to_ship():
    assert sum(path.stat().st_size for path in WEIGHTS.rglob("*")) < 26_000_000
