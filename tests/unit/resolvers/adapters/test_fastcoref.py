"""fastcoref, here and in an environment of its own, against a module with its documented API."""

import math
import os
from pathlib import Path

import pytest

from corefbench.errors import DataError, MissingSystem, UsageError
from corefbench.resolvers import make, signature
from corefbench.resolvers.adapters.third_party import FastCoref
from corefbench.resolvers.resolve import resolve_each
from tests.trees import discourse
from tests.unit.resolvers.adapters.environments import chains, environment, import_from, install, packages

PACKAGE = r'''
import os, re

class CorefResult:
    """Spans that are not None can be asked for the score of their link."""
    def __init__(self, tokens, places, number):
        self.tokens, self.places, self.text_idx = tokens, places, number
    def get_clusters(self, as_strings=True):
        assert not as_strings
        wanted = [p for t, p in zip(self.tokens, self.places) if t in ("Ann", "She", "her")]
        return [wanted + wanted[:1] + [None]] if "None" in self.tokens else [wanted]
    def get_logit(self, span_i, span_j):
        assert span_i < span_j
        return 2.0 if self.tokens[self.places.index(span_i)] == "Ann" else -1.0

class FCoref:
    def __init__(self, model_name_or_path, device=None, nlp=None, enable_progress_bar=True):
        if model_name_or_path == "not-there":
            raise OSError("not-there is not a local folder")
        if model_name_or_path == "broken":
            raise RuntimeError("size mismatch")
        print("loading", model_name_or_path)  # real packages print, too
        self.nlp = nlp
    def predict(self, texts, is_split_into_words=False, max_tokens_in_batch=10000):
        assert is_split_into_words == (self.nlp is None)
        results = []
        for number, text in enumerate(texts):
            if "crash" in text: os._exit(7)
            if "fail" in text: raise ValueError("tensors of different sizes")
            if "long" in text: continue  # LingMess leaves out what is too long
            if is_split_into_words:
                tokens, places = text, [(n, n + 1) for n in range(len(text))]
            else:
                found = list(re.finditer(r"\S+", text))
                tokens, places = [m[0] for m in found], [m.span() for m in found]
            results.append(CorefResult(tokens, places, number))
        return results

class LingMessCoref(FCoref):
    pass
'''

TEXT = """
Ann Ann PROPN NNP 2 nsubj [person]
slept sleep VERB VBD 0 root

She she PRON PRP 2 nsubj
took take VERB VBD 0 root
her she PRON PRP$ 4 nmod:poss
bag bag NOUN NN 2 obj
"""


def text(word: str) -> str:
    """The text with another word in place of the bag."""
    return TEXT.replace("bag bag", f"{word} {word}")


@pytest.fixture
def python(tmp_path: Path) -> str:
    """The folder of an environment with the package, and without corefbench."""
    made = environment(tmp_path / "env")
    install(packages(made), "fastcoref", PACKAGE, version="2.1.6")
    return str(made)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "fastcoref", PACKAGE, version="2.1.6")
    import_from(monkeypatch, tmp_path, "fastcoref")


@pytest.mark.usefixtures("here")
def test_in_this_process_with_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    resolution = FastCoref().resolve(discourse(TEXT))
    assert chains(resolution) == [["Ann", "She", "her"]]
    assert capsys.readouterr().out == ""  # what it prints is not among our output
    # Ann scores 2, the other antecedent -1: both pronouns go to Ann, at 1 / (1 + e⁻²)
    assert [(d.anaphor, d.antecedent) for d in resolution.decisions] == [(1, 0), (2, 0)]
    for decision in resolution.decisions:
        assert decision.confidence == pytest.approx(1 / (1 + math.exp(-2)))
    assert resolution.resolver == "fastcoref(version=2.1.6)"


def test_in_an_environment_of_its_own(python: str) -> None:
    resolver = make(f"fastcoref(python={python},device=cpu)")
    resolution = resolver.resolve(discourse(TEXT))
    assert chains(resolution) == [["Ann", "She", "her"]]
    assert resolution.decisions[0].confidence == pytest.approx(1 / (1 + math.exp(-2)))
    # Where it ran is no part of the signature, what ran is; and the signature is a name.
    assert signature(resolver) == resolution.resolver == "fastcoref(version=2.1.6)"
    assert chains(make(resolution.resolver[:-1] + f",python={python})").resolve(discourse(TEXT)))


def test_a_confidence_is_shown_with_the_reason(python: str) -> None:
    from corefbench.report.chains import explain_decisions

    shown = explain_decisions(FastCoref(python=python).resolve(discourse(TEXT)))
    assert "confidence 0.88" in shown


def test_text_is_answered_in_characters_and_comes_back_as_our_tokens(python: str) -> None:
    resolution = FastCoref(python=python, sends="text").resolve(discourse(TEXT))
    assert chains(resolution) == [["Ann", "She", "her"]]
    assert not resolution.findings
    assert resolution.resolver == "fastcoref(sends=text,version=2.1.6)"


def test_one_worker_answers_all_documents_in_their_order(python: str) -> None:
    from corefbench.resolvers.adapters import third_party

    resolver = FastCoref(python=python, batch=2)
    words = [f"bag{number}" for number in range(5)]
    found = list(resolve_each(resolver, (discourse(text(word)) for word in words)))
    assert [resolution.discourse.analysis.words[-1] for resolution in found] == words
    assert all(chains(resolution) == [["Ann", "She", "her"]] for resolution in found)
    # A bench makes its resolvers anew for each document: they share the process.
    FastCoref(python=python, batch=1).resolve(discourse(TEXT))
    assert third_party._get_backend.cache_info().misses == 1


def test_an_empty_document_is_answered_with_nothing(python: str) -> None:
    resolution = FastCoref(python=python).resolve(discourse(""))
    assert resolution.chains() == []
    assert resolution.resolver == "fastcoref(version=2.1.6)"


def test_skipped_documents_are_reported(python: str) -> None:
    resolver = FastCoref(python=python)
    documents = [discourse(TEXT), discourse(text("long")), discourse(text("None"))]
    first, skipped, special = resolver.resolve_many(documents)
    assert not first.findings
    assert skipped.chains() == []
    assert "longer than the model takes" in str(skipped.findings[0])
    assert chains(special) == [["Ann", "She", "her"]]
    assert [finding.code for finding in special.findings] == ["CB113", "CB264"]
    assert "1 of 4" in str(special.findings[0])
    assert "1 spans on special tokens" in str(special.findings[1])
    assert all(d.anaphor != d.antecedent for d in special.decisions)


def test_a_missing_package_has_an_install_hint(tmp_path: Path) -> None:
    with pytest.raises(MissingSystem, match=r"pip install fastcoref, or fastcoref\(python=PATH\)"):
        FastCoref().resolve(discourse(TEXT))
    bare = environment(tmp_path / "bare")
    with pytest.raises(MissingSystem) as error:
        FastCoref(python=str(bare)).resolve(discourse(TEXT))
    assert (error.value.exit_code, error.value.code) == (4, "CB004")
    assert error.value.remedy == f"{bare}/bin/python -m pip install fastcoref"


@pytest.mark.usefixtures("here")
def test_a_missing_requirement_of_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fastcoref.py").write_text("import torch_that_nobody_has")
    with pytest.raises(MissingSystem, match="pip install torch_that_nobody_has"):
        FastCoref().resolve(discourse(TEXT))


@pytest.mark.usefixtures("here")
def test_missing_weights_have_a_download_hint(python: str) -> None:
    for resolver in (FastCoref(model="not-there"), FastCoref(model="not-there", python=python)):
        with pytest.raises(MissingSystem) as error:
            resolver.resolve(discourse(TEXT))
        assert (error.value.exit_code, error.value.code) == (4, "CB263")
        assert "huggingface-cli download not-there" in error.value.remedy
    with pytest.raises(DataError, match="RuntimeError: size mismatch"):
        FastCoref(model="broken").resolve(discourse(TEXT))


def test_an_error_of_the_package_names_the_document_and_does_not_end_the_worker(python: str) -> None:
    resolver = FastCoref(python=python)
    with pytest.raises(DataError, match=r"document test: CB260.*\n.*ValueError: tensors") as error:
        resolver.resolve(discourse(text("fail")))
    assert error.value.exit_code == 3
    assert chains(resolver.resolve(discourse(TEXT)))


def test_a_worker_that_dies_is_an_error_and_the_next_document_has_another(python: str) -> None:
    resolver = FastCoref(python=python)
    with pytest.raises(DataError, match="exit code 7 before it answered") as error:
        resolver.resolve(discourse(text("crash")))
    assert error.value.code == "CB260"
    assert "loading biu-nlp/f-coref" in error.value.found  # the last it said
    assert chains(resolver.resolve(discourse(TEXT)))


@pytest.mark.usefixtures("here")
def test_another_version_than_asked_for_is_refused() -> None:
    with pytest.raises(UsageError, match="another version"):
        FastCoref(version="2.1.5").resolve(discourse(TEXT))


def test_invalid_parameters_are_refused_before_anything_is_loaded() -> None:
    with pytest.raises(UsageError, match="tokens or text"):
        FastCoref(sends="words")
    with pytest.raises(UsageError):
        FastCoref(batch=0)
    with pytest.raises(UsageError, match="cannot start this Python"):
        FastCoref(python=os.devnull).resolve(discourse(TEXT))


@pytest.mark.parametrize("word", ["👩\u200d👧\u200d👦", "𝔘𝔫𝔦", "e\u0301\u0327", "\u202etfel\u202c", "\ufeff"])
def test_positions_stay_exact_after_characters_of_any_kind(python: str, word: str) -> None:
    made = discourse(TEXT.replace("slept sleep", f"{word} sleep"))
    assert word in made.analysis.words
    for sends in ("tokens", "text"):
        found = FastCoref(python=python, sends=sends).resolve(made)
        assert chains(found) == [["Ann", "She", "her"]]
        assert not found.findings
