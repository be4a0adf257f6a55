"""Stanza's coreference, against a module with its documented API, in its own environment."""

from pathlib import Path

import pytest

from corefbench.errors import MissingSystem
from corefbench.resolvers.adapters.third_party import StanzaCoref
from tests.trees import discourse
from tests.unit.resolvers.adapters.environments import chains, environment, install, packages

PACKAGE = r"""
import re
from types import SimpleNamespace as Made

class Pipeline:
    def __init__(self, lang="en", processors={}, package="default", download_method="check",
                 device=None, tokenize_pretokenized=False, **kwargs):
        assert processors == "tokenize,coref" and not kwargs
        assert download_method is None
        if lang != "en":
            raise FileNotFoundError(f"Resources file not found at: {lang}/resources.json")
        self.given = tokenize_pretokenized
    def __call__(self, doc):
        rows = doc if self.given else [re.findall(r"\w[\w']*|[^\w\s]", doc)]
        at, sentences = 0, []
        for row in rows:
            tokens = []
            for text in row:
                begin = None if self.given else doc.index(text, at)
                at = at if self.given else begin + len(text)
                words = [text[:-2], text[-2:]] if text.endswith("'s") else [text]
                tokens.append(Made(text=text, words=words, start_char=begin,
                                   end_char=None if self.given else at))
            sentences.append(Made(tokens=tokens))
        mentions = []
        for number, sentence in enumerate(sentences):
            words = [word for token in sentence.tokens for word in token.words]
            mentions += [Made(sentence=number, start_word=n, end_word=n + 1)
                         for n, word in enumerate(words) if word in ("Ann", "She")]
        mentions.append(Made(sentence=0, start_word=(1, 1), end_word=(1, 1)))
        return Made(sentences=sentences, coref=[Made(index=0, mentions=mentions)])
"""

TEXT = """
It it PRON PRP 2 nsubj
is be VERB VBZ 0 root
Ann's Ann PROPN NNP 2 obl

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
"""


@pytest.fixture
def python(tmp_path: Path) -> str:
    made = environment(tmp_path / "env")
    install(packages(made), "stanza", PACKAGE, version="1.15.0")
    return str(made)


@pytest.mark.parametrize("sends", ["tokens", "text"])
def test_words_of_a_token_are_that_token_and_zeros_are_counted(python: str, sends: str) -> None:
    resolution = StanzaCoref(python=python, sends=sends).resolve(discourse(TEXT))
    assert chains(resolution) == [["Ann's", "She"]]
    assert [finding.found for finding in resolution.findings] == ["1 zeros"]


def test_missing_data_are_answered_with_how_to_get_them(python: str) -> None:
    with pytest.raises(MissingSystem, match=r"stanza\.Pipeline\('xx', processors") as error:
        StanzaCoref(python=python, language="xx").resolve(discourse(TEXT))
    assert (error.value.code, error.value.exit_code) == ("CB263", 4)
