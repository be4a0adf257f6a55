"""spaCy pipelines: raw text, given tokens and sentences, both schemes of labels."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from corefbench.errors import MissingExtra, UsageError
from corefbench.preprocess import make
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.pipelines.spacy import WEIGHTS, Spacy


def pipeline(annotate: Callable[[Any], None]) -> Any:
    """A blank English pipeline with one component that annotates by rule."""
    spacy = pytest.importorskip("spacy")

    name = annotate.__qualname__.rpartition(".")[2]

    @spacy.Language.component(name)
    def by_rule(doc: Any) -> Any:
        annotate(doc)
        return doc

    nlp = spacy.blank("en")
    nlp.add_pipe(name)
    return nlp


def flat(doc: Any) -> None:
    """Every token of a sentence hangs on its first; a full stop ends a sentence."""
    given = doc.has_annotation("SENT_START")
    starts = {
        token.i for token in doc if (token.is_sent_start if given else token.i == 0 or doc[token.i - 1].text == ".")
    }
    first = 0
    for token in doc:
        if token.i in starts:
            first = token.i
        token.head, token.dep_ = doc[first], "ROOT" if token.i == first else "dep"
        token.pos_ = "PUNCT" if token.is_punct else "NOUN"
        token.tag_, token.lemma_ = "NN", token.text.lower()


def test_words_are_in_the_text_and_white_space_is_no_word():
    text = "Fruit\n\nAn apple  fell.\nIt  rolled.\n"
    (made,) = Spacy(pipeline(flat)).analyse([Input(name="d", text=text)])
    assert made.words == ("Fruit", "An", "apple", "fell", ".", "It", "rolled", ".")
    assert [text[a:b] for a, b in made.offsets] == list(made.words)
    assert made.sentences == ((0, 1), (1, 5), (5, 8))
    assert made.paragraphs == (0, 1, 1)
    assert made.headings == (True, False, False)
    assert made.heads == (-1, -1, 1, 1, 1, -1, 5, 5)


def test_given_tokens_and_sentences_are_kept():
    text = "can't go. It's"
    offsets = ((0, 2), (2, 5), (6, 9), (10, 12), (12, 14))
    spacy = Spacy(pipeline(flat))
    given = Input(name="d", text=text, offsets=offsets, sentences=((0, 3), (3, 5)))
    (made,) = spacy.analyse([given])
    assert made.words == ("ca", "n't", "go.", "It", "'s")
    assert made.sentences == ((0, 3), (3, 5))
    assert made.heads == (-1, 0, 0, -1, 3)
    (free,) = spacy.analyse([Input(name="d", text=text, offsets=offsets)])
    assert free.sentences == ((0, 5),)


def test_analyses_are_in_the_order_of_inputs():
    inputs = [Input(name=f"{n}", text="a b.\n\n" * n) for n in (2, 0, 3)]
    made = list(Spacy(pipeline(flat)).analyse(inputs))
    assert [one.name for one in made] == ["2", "0", "3"]
    assert [len(one.sentences) for one in made] == [2, 0, 3]


def test_two_inputs_that_are_equal_stay_two():
    same = Input(name="d", text="a b.")
    assert len(list(Spacy(pipeline(flat)).analyse([same, Input(name="d", text="a b.")]))) == 2
    assert len(list(Spacy(pipeline(flat)).analyse([same, same]))) == 2


def test_clearnlp_labels_are_mapped():
    pytest.importorskip("spacy")

    def annotate(doc: Any) -> None:
        rows = [
            ("Ann", "PROPN", "NNP", 1, "nsubj"),
            ("went", "VERB", "VBD", 1, "ROOT"),
            ("to", "ADP", "IN", 1, "prep"),
            ("him", "PRON", "PRP", 2, "pobj"),
        ]
        for token, (_, pos, tag, head, label) in zip(doc, rows, strict=True):
            token.pos_, token.tag_, token.lemma_ = pos, tag, token.text
            token.head, token.dep_ = doc[head], label

    spacy = Spacy(pipeline(annotate))
    spacy._clearnlp = True
    (made,) = spacy.analyse([Input(name="d", text="Ann went to him")])
    assert made.relations == ("nsubj", "root", "case", "obl")
    him = build_discourse(made).phrases[-1]
    assert (him.function, him.prepositional) == ("oblique", True)


def test_the_identity_has_name_version_weights_and_scheme():
    nlp = pipeline(flat)
    identity = Spacy(nlp).identity
    assert identity.startswith("spacy:en_")
    assert identity.endswith("-ud")
    assert identity == Spacy(pipeline(flat)).identity


def test_a_pipeline_without_parser_is_refused():
    spacy = pytest.importorskip("spacy")
    with pytest.raises(UsageError, match="no parser"):
        list(Spacy(spacy.blank("en")).analyse([Input(name="d", text="Hi there")]))


def test_an_unknown_pipeline_has_a_download_hint():
    pytest.importorskip("spacy")
    with pytest.raises(UsageError, match="no_such_pipeline") as caught:
        list(make("spacy:no_such_pipeline").analyse([Input(name="d", text="Hi")]))
    assert "download" in caught.value.remedy


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(MissingExtra, match=r"corefbench\[en\]"):
        list(make("spacy").analyse([Input(name="d", text="Hi")]))


pytest.importorskip("spacy")

TEXT = "The Printer\n\nThe printer of Ann Smith broke when she used it  yesterday. It was old.\n"


@pytest.fixture(scope="module")
def en():
    return make("en")


def test_text_becomes_phrases(en):
    (made,) = en.analyse([Input(name="d", text=TEXT)])
    assert [TEXT[a:b] for a, b in made.offsets] == list(made.words)
    assert made.headings[0]
    assert made.paragraphs == (0, 1, 1)
    phrases = {build_discourse(made).text_of(phrase): phrase for phrase in build_discourse(made).phrases}
    assert phrases["she"].function == "subject"
    assert phrases["it"].function == "object"
    assert phrases["Ann Smith"].kind == "name"
    assert made.pipeline == en.identity
    assert en.identity.startswith("en ")


def test_given_tokens_are_kept_among_texts(en):
    given = Input(
        name="g",
        text="Ann left. She ran.",
        offsets=((0, 3), (4, 8), (8, 9), (10, 13), (14, 17), (17, 18)),
        sentences=((0, 3), (3, 6)),
    )
    inputs = [Input(name="a", text="He ran."), given, Input(name="e", text=""), given]
    made = list(en.analyse(inputs))
    assert [one.name for one in made] == ["a", "g", "e", "g"]
    assert made[1].words == ("Ann", "left", ".", "She", "ran", ".")
    assert made[1].sentences == ((0, 3), (3, 6))
    assert made[2].words == ()


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


def analyse(en: Preprocessor, text: str) -> Analysis:
    (analysis,) = en.analyse([Input(name="d", text=text)])
    return analysis


@pytest.mark.parametrize("text", ODD)
def test_every_visible_character_is_in_a_word(en, text):
    analysis = analyse(en, text)
    assert [text[begin:end] for begin, end in analysis.offsets] == list(analysis.words)
    assert "".join("".join(analysis.words).split()) == "".join(text.split())


def test_lone_surrogates_are_words_like_others(en):
    assert analyse(en, "A \ud800 b").words == ("A", "\ud800", "b")


def test_blank_lines_end_sentences_whatever_the_words_say(en):
    analysis = analyse(en, "The history of the\n\nRoman Empire. It fell.")
    assert analysis.sentences == ((0, 4), (4, 7), (7, 10))


def test_a_plain_sentence_is_read_as_grammars_read_it(en):
    analysis = analyse(en, "The old president gave her three letters.")
    words, heads = analysis.words, analysis.heads
    relations = {words[token]: (relation, words[heads[token]]) for token, relation in enumerate(analysis.relations)}
    assert relations["president"] == ("nsubj", "gave")
    assert relations["letters"] == ("obj", "gave")
    assert relations["The"] == ("det", "president")
    assert analysis.lemmas[words.index("letters")] == "letter"
    assert any(entity.end == 3 and entity.type == "person" for entity in analysis.entities)


def test_the_same_text_gives_the_same_analysis_alone_and_among_others(en):
    text = "Mary saw the dog that barked. It ran away because she shouted at it."
    texts = ["A short one.", text, "x " * 3000, text]
    among = list(en.analyse(Input(name="d", text=each) for each in texts))
    assert analyse(en, text) == among[1] == among[3]


@pytest.mark.parametrize("text", ["a" * 200_000, "!?" * 100_000, "\n" * 100_000, "_" * 100_000])
def test_absurd_texts_are_read_in_linear_time(en, text):
    assert "".join(analyse(en, text).words) == text.strip()


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


def test_the_identity_names_version_and_weights(en):
    name, version, weights = en.identity.split()
    assert (name, len(weights)) == ("en", 10)
    assert version == en.pipeline.meta["version"]
