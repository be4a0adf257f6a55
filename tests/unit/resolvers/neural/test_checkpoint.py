"""A checkpoint holds the whole model: nothing else is needed to read it back."""

import shutil

import torch

from corefbench.resolvers.neural import model as models
from corefbench.resolvers.neural.decoding import decode
from corefbench.resolvers.neural.model import CoreferenceModel, load_cached, load_checkpoint, save_checkpoint
from corefbench.resolvers.neural.precision import Int8Linear, has_int8_kernels
from tests.unit.resolvers.neural import tiny


def greatest_error(model, again):
    """Of the weights of the encoder, as a share of the greatest in the same row."""
    shares = []
    for name, value in model.encoder.state_dict().items():
        if value.ndim > 1:
            most = value.abs().amax(1, keepdim=True).clamp(min=1e-9)
            shares.append(((again.encoder.state_dict()[name] - value).abs() / most).max())
    return float(max(shares))


def test_weights_come_back_but_for_rounding(network, saved):
    again = load_checkpoint(saved)[1]
    assert 0 < greatest_error(network, again) <= 0.51 / 31
    for name, value in network.spans.state_dict().items():
        assert torch.allclose(again.spans.state_dict()[name], value, atol=1e-3), name


def test_the_encoder_that_it_was_trained_from_is_not_needed(shape, tmp_path):
    from msgspec.structs import replace

    copied = shutil.copytree(shape.encoder, tmp_path / "encoder")
    own = replace(shape, encoder=str(copied))
    model = CoreferenceModel(own).eval()
    card = models.ModelCard(kind="neural", config={"shape": models.msgspec.to_builtins(own)})
    save_checkpoint(model, tmp_path / "model", card)
    shutil.rmtree(copied)
    again = load_checkpoint(tmp_path / "model")[1]
    example = tiny.documents(1)[0]
    words = model.encode(example).detach()
    assert torch.allclose(again.encode(example), words, atol=0.05 * words.abs().max().item())


def test_an_encoder_that_does_not_use_all_its_layers_is_saved_without_them(shape, tmp_path):
    from msgspec.structs import replace

    own = replace(shape, layers=1)
    model = CoreferenceModel(own)
    assert not any(".layer.1." in name for name in model.state_dict())
    card = models.ModelCard(kind="neural", config={"shape": models.msgspec.to_builtins(own)})
    save_checkpoint(model, tmp_path / "model", card)
    assert set(load_checkpoint(tmp_path / "model")[1].state_dict()) == set(model.state_dict())


def test_windows_may_be_shorter_in_use(network, shape, tmp_path):
    from msgspec.structs import replace

    for asked, window in ((0, 64), (16, 16)):
        own = models.msgspec.to_builtins(replace(shape, window_in_use=asked))
        save_checkpoint(network, tmp_path, models.ModelCard(kind="neural", config={"shape": own}))
        assert load_checkpoint(tmp_path)[1].encoder.window == window


KINDS = {"integers": (True, None), "four bytes": (False, None), "two bytes": (False, torch.bfloat16)}


def test_the_encoder_computes_as_is_quickest_on_the_device(saved, monkeypatch):
    example = tiny.documents(1)[0]
    answers = {}
    for name, (quick, kind) in KINDS.items():
        if quick and not has_int8_kernels(torch.device("cpu")):
            continue
        monkeypatch.setattr(models, "has_int8_kernels", lambda _, quick=quick: quick)
        monkeypatch.setattr(models, "half_precision_type", lambda _, kind=kind: kind)
        models._load_for_inference.cache_clear()
        model = load_cached(saved)[1]
        parts = {type(part) for part in model.encoder.modules()}
        assert (Int8Linear in parts, torch.nn.Linear in parts) == (quick, not quick)
        assert next(model.encoder.parameters()).dtype is (kind or torch.float32)
        assert model.spans.project.weight.dtype is torch.float32
        answers[name] = set(decode(model, example, "one", threshold=0.3).spans)
    models._load_for_inference.cache_clear()
    exact = answers.pop("four bytes")
    for rough in answers.values():
        assert len(exact & rough) > len(exact) / 2
