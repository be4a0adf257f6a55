"""The neural resolver behind the interface that all share: weights, schemes, mentions, errors."""

import os

import pytest

import corefbench as cb
from corefbench.bench.oracle import oracle
from corefbench.errors import CorefbenchError, MissingSystem, UsageError
from corefbench.preprocess.builder import build_discourse
from corefbench.resolvers import make, resolvers, signature
from corefbench.resolvers.checkpoint import load_model, save_model
from corefbench.resolvers.neural import model as models
from corefbench.resolvers.neural import resolver as module
from corefbench.resolvers.predict import predict
from corefbench.resolvers.resolve import read_discourses, read_text
from tests.unit.resolvers.neural import tiny

TEXT = "ann saw the dog. she met bob. he saw a dog. ann and bob met."


def read(text=TEXT):
    return read_text(text, preprocess="en-words")


def spans(resolution):
    phrases = resolution.discourse.phrases
    return {(phrases[n].start, phrases[n].end) for chain in resolution.chains() for n in chain}


def test_it_is_registered_with_what_it_needs():
    card = resolvers["neural"].card
    assert "corefbench[neural]" in card.needs
    assert card.preprocess == "en-words"
    assert {p.name for p in card.parameters} == {
        "model", "scheme", "threshold", "bias", "singletons", "device",
    }  # fmt: skip


def test_without_weights_it_says_how_to_get_some(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SHIPPED_WEIGHTS", tmp_path)
    with pytest.raises(MissingSystem) as caught:
        make("neural").resolve(read())
    assert caught.value.code == "CB263"
    assert "corefbench train" in caught.value.remedy


def test_shipped_weights_are_used_at_once(saved, monkeypatch):
    monkeypatch.setattr(module, "SHIPPED_WEIGHTS", saved)
    found = make("neural").resolve(read())
    assert found.resolver == "neural"
    assert spans(found)


@pytest.mark.parametrize("text", ["neural(singletons=maybe)", "neural(threshold=2)", "neural(bias=high)"])
def test_a_parameter_that_makes_no_sense_is_refused(text):
    with pytest.raises(UsageError, match="cannot be"):
        make(text)


def test_a_scheme_or_device_that_is_not_there_is_refused(saved):
    with pytest.raises(CorefbenchError, match="did you mean two"):
        make(f"neural(model={saved},scheme=tow)").resolve(read())
    with pytest.raises(UsageError, match="no device"):
        make(f"neural(model={saved},device=cuda:99)").resolve(read())


def test_the_device_is_not_signed_and_other_parameters_are():
    assert signature(make("neural(device=cpu,scheme=gum)")) == "neural(scheme=gum)"
    assert signature(make("neural(bias=0.5)")) == "neural(bias=0.5)"


def test_the_model_says_which_scheme_and_how_to_decode(saved):
    usual = make(f"neural(model={saved})").resolve(read())
    named = make(f"neural(model={saved},scheme=two,threshold=0.25,bias=0.5)").resolve(read())
    assert usual.chains() == named.chains()
    assert make(f"neural(model={saved},threshold=1)").resolve(read()).chains() == []


def test_singletons_stay_where_the_scheme_has_them(saved):
    kept, dropped = (
        make(f"neural(model={saved},bias=50,singletons={how})").resolve(read()).chains() for how in ("auto", "drop")
    )
    assert kept
    assert dropped == []


def test_given_mentions_are_taken_and_linked_by_the_bias_for_them(saved):
    found = read()
    given = build_discourse(found.analysis, [(0, 1, 0), (5, 6, 5), (7, 8, 7)])
    answer = make(f"neural(model={saved})").resolve(given)
    assert answer.discourse is given
    # The model's bias for given mentions is so low that all are linked.
    assert answer.chains() == [[0, 1, 2]]


def test_weights_are_read_once_until_they_change(saved, monkeypatch):
    calls = []
    load = models.load_checkpoint
    monkeypatch.setattr(models, "load_checkpoint", lambda folder: calls.append(folder) or load(folder))
    for _ in range(3):
        make(f"neural(model={saved})").resolve(read())
    assert len(calls) == 1
    os.utime(saved / "model.json", ns=(1, 1))
    make(f"neural(model={saved})").resolve(read())
    assert len(calls) == 2


def test_a_model_of_another_kind_is_refused(tmp_path, saved):
    from msgspec.structs import replace

    card, arrays = load_model(saved)
    save_model(tmp_path / "other", replace(card, kind="ubiu"), arrays)
    with pytest.raises(UsageError, match="another kind"):
        make(f"neural(model={tmp_path / 'other'})").resolve(read())


def test_predict_and_the_resolver_agree(saved, tmp_path):
    path = tmp_path / "dev.conll"
    path.write_text(tiny.conll(tiny.documents(2)), encoding="utf-8")
    corpus = cb.load(path)
    read = read_discourses(corpus, preprocess="en-words", keep="sentences")
    for found, theirs in zip(read, predict(saved, corpus), strict=True):
        answer = make(f"neural(model={saved})").resolve(found)
        assert spans(answer) == {span for chain in theirs.clusters() for span in chain}


def test_the_oracle_gives_it_detected_and_gold_mentions(saved, tmp_path):
    path = tmp_path / "dev.conll"
    path.write_text(tiny.conll(tiny.documents(2)), encoding="utf-8")
    name = f"neural(model={saved})"
    made = oracle(path, [name], mode="annotated", preprocess="en-words", cache=False)
    assert not made.own_mentions
    assert made[name]["gold"]["mentions"].precision == 1
    assert made[name]["gold"]["mentions"].recall == 1
