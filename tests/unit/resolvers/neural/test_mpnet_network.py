"""Our MPNet gives what that of transformers gives, learns alike, and is read back by both."""

import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch
from transformers import AutoModel, BertConfig, MPNetConfig, MPNetModel

from corefbench.resolvers.neural.mpnet_network import Mpnet, mpnet_config

SHAPE = {
    "vocab_size": 50,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 300,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A network with random weights, as transformers saves it."""
    torch.manual_seed(3)
    made = MPNetModel(MPNetConfig(**SHAPE), add_pooling_layer=False)
    # Distances count: as they are made first, their weights are next to nothing.
    torch.nn.init.normal_(made.encoder.relative_attention_bias.weight)
    path = tmp_path_factory.mktemp("mpnet")
    made.save_pretrained(path)
    return str(path)


@pytest.fixture
def pair(folder):
    """The same weights twice: as transformers runs them, and ours."""
    theirs = MPNetModel.from_pretrained(folder, add_pooling_layer=False)
    return theirs.train(), Mpnet(mpnet_config(folder)).read(folder).train()


LONG = 280
"""Longer than the distance from which on all are alike."""
IDS = torch.arange(2 * LONG).reshape(2, LONG) % 40 + 5
MASKS = {
    "all": torch.ones_like(IDS),
    "some": torch.tensor([[1] * LONG, [1] * (LONG - 30) + [0] * 30]),
}


@pytest.mark.parametrize("learning", [True, False])
@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_it_gives_the_same_vectors(pair, mask, learning):
    with torch.set_grad_enabled(learning):
        one, two = (model(input_ids=IDS, attention_mask=mask).last_hidden_state for model in pair)
    assert torch.allclose(one[mask.bool()], two[mask.bool()], atol=1e-5)


def test_it_gives_the_same_gradients_but_leaves_distances_alone(pair):
    for model in pair:
        vectors = model(input_ids=IDS, attention_mask=MASKS["some"]).last_hidden_state
        (vectors[MASKS["some"].bool()] ** 3).mean().backward()
    one, two = (dict(model.named_parameters()) for model in pair)
    assert set(one) == set(two)
    for name, value in one.items():
        if "relative_attention_bias" in name:
            assert two[name].grad is None
        else:
            assert torch.allclose(value.grad, two[name].grad, atol=1e-5), name


def test_layers_that_are_not_used_are_not_read(folder):
    made = Mpnet(mpnet_config(folder, layers=2)).read(folder)
    assert len(made.encoder.layer) == 2
    whole = Mpnet(mpnet_config(folder, layers=99)).read(folder)
    assert len(whole.encoder.layer) == 3
    assert torch.equal(made.encoder.layer[1].output.dense.weight,
                       whole.encoder.layer[1].output.dense.weight)  # fmt: skip


def test_what_it_says_of_itself_is_understood_by_transformers(folder, tmp_path):
    config = mpnet_config(folder, layers=2)
    config.save_pretrained(tmp_path)
    assert mpnet_config(str(tmp_path)) == config
    made = AutoModel.from_config(MPNetConfig.from_pretrained(tmp_path), add_pooling_layer=False)
    assert set(made.state_dict()) == set(Mpnet(config).state_dict())


def test_other_networks_are_left_to_transformers(tmp_path):
    assert mpnet_config(str(tmp_path)) is None
    assert mpnet_config("no/such-name") is None
    BertConfig().save_pretrained(tmp_path)
    assert mpnet_config(str(tmp_path)) is None


@pytest.fixture
def dropping(folder):
    """Ours, dropping a tenth, as it is and with its lowest layer kept."""
    from msgspec.structs import replace

    config = replace(mpnet_config(folder), hidden_dropout_prob=0.1)
    plain, keeping = (Mpnet(config).read(folder) for _ in range(2))
    keeping.keep_frozen(1)
    return plain.train(), keeping.train()


def vectors(model, ids=IDS, mask=MASKS["some"]):
    return model(input_ids=ids, attention_mask=mask).last_hidden_state


def test_what_the_lowest_layers_make_is_kept_and_the_same(dropping, monkeypatch):
    plain, keeping = (model.eval() for model in dropping)
    first, second = vectors(keeping), vectors(keeping)
    assert torch.equal(first, vectors(plain))
    assert torch.equal(first, second)
    monkeypatch.setattr(keeping.embeddings, "forward", None)
    assert torch.equal(vectors(keeping), first)
    with pytest.raises(TypeError):
        vectors(keeping, IDS + 1)


def test_texts_that_differ_only_in_what_is_seen_are_not_mixed_up(dropping):
    plain, keeping = (model.eval() for model in dropping)
    for mask in (MASKS["all"], MASKS["some"]):
        assert torch.equal(vectors(keeping, mask=mask), vectors(plain, mask=mask))


def test_what_does_not_learn_drops_nothing_while_the_rest_does(dropping):
    plain, keeping = dropping
    assert not torch.equal(vectors(plain), vectors(plain))
    assert not torch.equal(vectors(keeping), vectors(keeping))
    lowest, *learning = keeping.encoder.layer
    assert not any(part.training for part in (*keeping.embeddings.modules(), *lowest.modules()))
    assert all(part.training for layer in learning for part in layer.modules())


def test_what_was_kept_in_use_can_be_learned_from(dropping):
    _, keeping = dropping
    with torch.inference_mode():
        vectors(keeping)
    vectors(keeping).sum().backward()
    assert keeping.encoder.layer[1].output.dense.weight.grad is not None
    assert keeping.encoder.layer[0].output.dense.weight.grad is None
