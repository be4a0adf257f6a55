"""spaCy pipelines: raw text, given tokens and sentences, both schemes of labels."""

from collections.abc import Callable
from typing import Any

import pytest

from corefbench.errors import MissingExtra, UsageError
from corefbench.preprocess import make
from corefbench.preprocess.base import Input
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.pipelines.spacy import Spacy


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
