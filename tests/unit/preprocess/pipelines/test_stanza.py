"""stanza, played by a module that answers as stanza does."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from corefbench.errors import MissingExtra
from corefbench.preprocess import make
from corefbench.preprocess.base import Input


def word(number: int, text: str, head: int, relation: str, **more: Any) -> SimpleNamespace:
    given = {"lemma": text.lower(), "upos": "NOUN", "xpos": "NN", "feats": None}
    return SimpleNamespace(id=number, text=text, head=head, deprel=relation, **given | more)


def token(words: list[SimpleNamespace], start: int, end: int) -> SimpleNamespace:
    return SimpleNamespace(words=words, start_char=start, end_char=end)


def sentence(*tokens: SimpleNamespace) -> SimpleNamespace:
    entity = SimpleNamespace(tokens=[tokens[0]], type="PERSON")
    words = [word for one in tokens for word in one.words]
    return SimpleNamespace(tokens=list(tokens), words=words, ents=[entity])


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = []

    class Pipeline:
        def __init__(self, language: str, **options: Any) -> None:
            calls.append({"language": language, **options})
            self.pretokenized = options.get("tokenize_pretokenized", False)

        def __call__(self, given: Any) -> SimpleNamespace:
            if self.pretokenized:
                rows = [
                    sentence(*(
                        token([word(n, text, n - 1, "dep" if n > 1 else "root")], 0, 0)
                        for n, text in enumerate(row, 1)
                    ))
                    for row in given
                ]  # fmt: skip
                return SimpleNamespace(sentences=rows)
            ann = word(1, "Ann", 2, "nsubj", upos="PROPN")
            do, negation = word(2, "do", 0, "root"), word(3, "n't", 2, "advmod")
            return SimpleNamespace(sentences=[sentence(token([ann], 0, 3), token([do, negation], 4, 9))])

    module = ModuleType("stanza")
    module.__version__ = "1.9.0"  # type: ignore[attr-defined]
    module.Pipeline = Pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stanza", module)
    return calls


def test_text_is_annotated_and_split_words_share_their_token(fake: list[dict[str, Any]]):
    (made,) = make("stanza:en/gum").analyse([Input(name="d", text="Ann don't")])
    assert made.words == ("Ann", "do", "n't")
    assert made.offsets == ((0, 3), (4, 6), (6, 9))
    assert made.heads == (1, -1, 1)
    assert [(e.start, e.end, e.type) for e in made.entities] == [(0, 1, "person")]
    assert made.pipeline == "stanza:en/gum-1.9.0"
    assert fake[0]["package"] == "gum"
    assert fake[0]["download_method"] is None


def test_given_sentences_are_kept(fake: list[dict[str, Any]]):
    given = Input(name="d", text="a b c", offsets=((0, 1), (2, 3), (4, 5)), sentences=((0, 1), (1, 1), (1, 3)))
    (made,) = make("stanza").analyse([given])
    assert made.sentences == ((0, 1), (1, 1), (1, 3))
    assert made.heads == (-1, -1, 1)
    assert fake[0]["tokenize_pretokenized"]


def test_an_empty_text_is_not_annotated(fake: list[dict[str, Any]]):
    (made,) = make("stanza").analyse([Input(name="d", text=" \n")])
    assert made.words == ()
    assert fake == []


def test_without_stanza_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(MissingExtra, match="pip install"):
        list(make("stanza").analyse([Input(name="d", text="Hi")]))
    with pytest.raises(MissingExtra):
        _ = make("stanza").identity
