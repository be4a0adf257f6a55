"""UBIU on a hand-made text: links, singletons, fallbacks, and what is saved."""

import numpy as np
import pytest

from corefbench.errors import FormatError, UsageError
from corefbench.resolvers import make
from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.mention_pair.model import PairModel, PairPredictions, PairSettings
from corefbench.resolvers.mention_pair.pairs import TrainingPairs, collect_mentions, make_pairs
from corefbench.resolvers.mention_pair.ubiu import Ubiu, chain_spans
from tests.trees import discourse
from tests.unit.resolvers.mention_pair.stories import CHAINS, MENTIONS, number, told


class Told:
    """A classifier that says yes to listed pairs, with a confidence each."""

    def __init__(self, **positive):
        self.positive = {tuple(map(number, pair.split("__"))): c for pair, c in positive.items()}
        self.settings = PairSettings()
        self.words = {}

    def predict(self, pairs):
        rows = list(zip(pairs.antecedent.tolist(), pairs.mention.tolist(), strict=True))
        return PairPredictions(
            positive=np.array([row in self.positive for row in rows], bool),
            confidence=np.array([self.positive.get(row, 0.1) for row in rows]),
            distance=np.array([0.01 * i for i, _ in rows]),
        )


def resolved(pairs=None, **options):
    learned = Told(**{} if pairs is None else pairs)
    return Ubiu(**options).with_model(learned).resolve(told())


def named(resolution):
    names = {span: name for name, span in MENTIONS.items()}
    return [[names[span] for span in chain] for chain in chain_spans(resolution)]


ANN = {"Ann__She": 0.9, "She__Her": 0.8}


def test_links_are_closed_transitively():
    assert named(resolved(ANN)) == [["Ann", "She", "Her"]]


def test_a_mention_keeps_one_antecedent_the_most_confident():
    assert named(resolved({"Ann__She": 0.6, "Bob__She": 0.9})) == [["Bob", "She"]]


def test_all_singletons_stay_none_or_those_that_are_pronouns():
    everything = named(resolved(ANN, singletons="all"))
    assert sorted(name for chain in everything for name in chain) == sorted(MENTIONS)
    assert len(everything) == len(MENTIONS) - 2
    assert named(resolved(ANN, singletons="none")) == [["Ann", "She", "Her"]]
    assert named(resolved(ANN, singletons="pronouns")) == [
        ["Ann", "She", "Her"], ["them"], ["You"], ["She again"],
    ]  # fmt: skip


def test_a_pronoun_that_finds_nothing_joins_the_closest_mention_before_it():
    made = resolved(ANN, pronoun_fallback="closest")
    links = {d.anaphor: d.antecedent for d in made.decisions}
    assert links[number("them")] == number("She")
    assert links[number("You")] == number("Her cat")  # of "Her" and "Her cat" the one that ends last
    assert links[number("She again")] == number("the dogs")
    assert {d.rule for d in made.decisions} == {"most confident pair", "closest mention"}


def test_a_pronoun_never_joins_the_phrase_that_it_lies_in():
    made = resolved({}, pronoun_fallback="closest")
    links = {d.anaphor: d.antecedent for d in made.decisions}
    assert links[number("Her")] == number("them")


def test_a_pronoun_that_finds_nothing_may_join_the_closest_subject():
    made = resolved({}, pronoun_fallback="closest-subject")
    links = {d.anaphor: (d.antecedent, d.rule) for d in made.decisions}
    assert links[number("them")] == (number("She"), "closest subject")
    assert links[number("She again")] == (number("You"), "closest subject")


def test_without_a_subject_it_joins_the_pair_refused_with_least_confidence():
    text = """
    Near  near  ADP  IN  2 case
    Ann   Ann   PROPN NNP 0 root
    and   and   CCONJ CC 4 cc
    Bob   Bob   PROPN NNP 2 conj
    .     .     PUNCT . 2 punct

    Thank thank VERB VB  0 root
    her   she   PRON PRP 1 obj
    """
    made = discourse(text, [(1, 2, None), (3, 4, None), (6, 7, None)])
    learned = Told()
    (decision,) = Ubiu(pronoun_fallback="closest-subject").with_model(learned).resolve(made).decisions
    assert (decision.antecedent, decision.rule) == (1, "least confident refusal")


def test_no_fallback_reaches_out_of_the_window():
    learned = Told()
    learned.settings = PairSettings(window=0)
    made = Ubiu(pronoun_fallback="closest").with_model(learned).resolve(told())
    links = {d.anaphor: d.antecedent for d in made.decisions}
    assert links[number("She")] is None
    assert links[number("them")] == number("She")


def test_the_number_filter_drops_pairs_that_disagree():
    pairs = {"Bob__them": 0.9}
    assert named(resolved(pairs)) == [["Bob", "them"]]
    assert named(resolved(pairs, number_filter=True)) == []


def test_pronouns_without_antecedent_are_explained():
    made = resolved(ANN)
    reasons = {d.anaphor: d.rule for d in made.decisions}
    assert reasons[number("You")] == "no positive pair"
    (she,) = [d for d in made.decisions if d.anaphor == number("She")]
    assert she.confidence == 0.9
    assert {c.phrase: c.score for c in she.candidates}[number("Ann")] == 0.9


def learned_from_the_story(**how):
    instances = TrainingPairs()
    instances.add(told(), CHAINS)
    return PairModel(*instances.arrays(), instances.words, settings=PairSettings(**how))


def test_pairs_of_one_chain_are_positive():
    instances = TrainingPairs()
    instances.add(told(), CHAINS)
    codes, labels = instances.arrays()
    assert len(codes) == len(labels)
    table = collect_mentions(told())
    pairs = make_pairs(table, instances.words)
    chain = {span: n for n, spans in enumerate(CHAINS) for span in spans}
    spans = list(MENTIONS.values())
    expected = [
        spans[i] in chain and chain[spans[i]] == chain.get(spans[j])
        for i, j in zip(pairs.antecedent, pairs.mention, strict=True)
    ]
    assert labels.tolist() == expected


def test_with_one_neighbour_it_gives_back_the_text_it_has_learned():
    made = Ubiu().with_model(learned_from_the_story(k=1)).resolve(told())
    assert chain_spans(made) == CHAINS


@pytest.mark.parametrize("classifier", ["memory", "logistic", "boosting"])
def test_a_model_that_was_saved_answers_as_before(tmp_path, classifier):
    pytest.importorskip("safetensors")
    pytest.importorskip("sklearn")
    learned = learned_from_the_story(classifier=classifier, k=1, window=2)
    config = {"classifier": classifier, "k": 1, "window": 2, "preprocess": "en"}
    learned.save(tmp_path, ModelCard(kind="ubiu", config=config))
    again = make(f"ubiu(model={tmp_path})")
    assert again.trained_model.settings == learned.settings
    assert again.trained_model.words == learned.words
    one, two = Ubiu().with_model(learned).resolve(told()), again.resolve(told())
    assert one.decisions == two.decisions
    assert two.resolver == f"ubiu(model={tmp_path})"


def test_without_a_model_it_says_how_to_train_one():
    with pytest.raises(UsageError, match="corefbench train"):
        make("ubiu").resolve(told())


@pytest.mark.parametrize("wrong", [{"singletons": "some"}, {"pronoun_fallback": "any"}])
def test_an_invalid_choice_is_refused(wrong):
    with pytest.raises(UsageError):
        Ubiu(**wrong)


@pytest.mark.parametrize("wrong", [{"k": 0}, {"window": -1}, {"window": 99}])
def test_an_invalid_number_is_refused(wrong):
    with pytest.raises(UsageError):
        PairSettings(**wrong).validated()


def test_training_without_pairs_is_refused():
    with pytest.raises(UsageError, match="no pairs to learn"):
        TrainingPairs().arrays()


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(FormatError, match="CB251"):
        PairModel.load(tmp_path)


def test_a_model_of_another_kind_or_without_its_arrays_is_refused(tmp_path):
    pytest.importorskip("safetensors")
    learned = learned_from_the_story()
    learned.save(tmp_path, ModelCard(kind="neural", config={}))
    with pytest.raises(UsageError, match="another kind"):
        PairModel.load(tmp_path)
    learned.save(tmp_path, ModelCard(kind="ubiu", config={"k": "three"}))
    with pytest.raises(FormatError, match="incomplete"):
        PairModel.load(tmp_path)
    (tmp_path / "weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(FormatError, match="weights"):
        PairModel.load(tmp_path)
