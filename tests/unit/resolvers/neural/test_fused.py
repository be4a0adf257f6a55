"""Fused attention gives what transformers gives, and learns alike."""

import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch
from transformers import MPNetConfig, MPNetModel

from corefbench.resolvers.neural.fused import FusedLayers


@pytest.fixture(scope="module")
def pair():
    """The same weights twice: as transformers runs them, and fused."""
    torch.manual_seed(3)
    shape = MPNetConfig(
        vocab_size=50,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    spelt_out, fused = (MPNetModel(shape, add_pooling_layer=False) for _ in range(2))
    # Distances count: as they are made first, their weights are next to nothing.
    torch.nn.init.normal_(spelt_out.encoder.relative_attention_bias.weight)
    fused.load_state_dict(spelt_out.state_dict())
    fused.encoder = FusedLayers(fused.encoder)
    return spelt_out, fused


IDS = torch.arange(2 * 9).reshape(2, 9) % 40 + 5
MASKS = {
    "all": torch.ones_like(IDS),
    "some": torch.tensor([[1] * 9, [1] * 5 + [0] * 4]),
}


@pytest.mark.parametrize("learning", [True, False])
@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_it_gives_the_same_vectors(pair, mask, learning):
    with torch.set_grad_enabled(learning):
        one, two = (model(input_ids=IDS, attention_mask=mask).last_hidden_state for model in pair)
    assert torch.allclose(one[mask.bool()], two[mask.bool()], atol=1e-5)


def test_it_gives_the_same_gradients_but_leaves_distances_alone(pair):
    for model in pair:
        model.zero_grad()
        vectors = model(input_ids=IDS, attention_mask=MASKS["some"]).last_hidden_state
        (vectors[MASKS["some"].bool()] ** 3).sum().backward()
    one, two = (dict(model.named_parameters()) for model in pair)
    assert list(one) == list(two)
    for name, value in one.items():
        if "relative_attention_bias" in name:
            assert two[name].grad is None
        else:
            assert torch.allclose(value.grad, two[name].grad, atol=1e-4), name


def test_it_runs_in_mixed_precision(pair):
    exact = pair[1](input_ids=IDS, attention_mask=MASKS["some"]).last_hidden_state
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rough = pair[1](input_ids=IDS, attention_mask=MASKS["some"]).last_hidden_state
    assert not torch.equal(exact, rough.float())
    assert torch.allclose(exact, rough.float(), atol=0.1)
