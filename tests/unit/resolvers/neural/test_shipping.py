"""From a checkpoint to the folder that is shipped, and what is in it."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

import msgspec

import corefbench as cb
from corefbench.resolvers.checkpoint import ModelCard, load_card
from corefbench.resolvers.neural.model import CoreferenceModel, ModelConfig, save_checkpoint
from corefbench.resolvers.neural.resolver import SHIPPED_WEIGHTS
from corefbench.resolvers.training import CorpusSource, TrainingConfig
from recipes.neural.ship import LICENCE, NOTICE, ship
from tests.unit.resolvers.neural import tiny

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    place = tmp_path_factory.mktemp("shipping")
    shape = ModelConfig(
        encoder=tiny.encoder(place / "encoder"), schemes=("own", "ontogum"), longest=4, hidden=16,
        span=16, pair=16, most=8,
    )  # fmt: skip
    save_checkpoint(
        CoreferenceModel(shape), place / "model", ModelCard(kind="neural", config={"shape": msgspec.to_builtins(shape)})
    )
    (place / "dev.conll").write_text(tiny.conll(tiny.documents(2)), encoding="utf-8")
    dev = CorpusSource(corpus=str(place / "dev.conll"))
    config = TrainingConfig(kind="neural", train=(dev,), dev=(dev,), licence="CC0-1.0")
    ship(config, place / "model", place / "weights")
    return place / "weights"


def test_the_card_says_how_to_decode_and_which_scheme_to_follow(shipped):
    card = load_card(shipped)
    assert card.config["scheme"] == "ontogum"
    assert list(card.config["decoding"]) == list(card.scores) == ["own"]
    assert card.licence == "CC0-1.0"


def test_licence_notice_and_model_card_lie_beside_the_weights(shipped):
    assert (shipped / "LICENSE").read_text(encoding="utf-8") == LICENCE
    assert (shipped / "NOTICE").read_text(encoding="utf-8") == NOTICE
    text = (shipped / "MODEL.md").read_text(encoding="utf-8")
    assert "| own |" in text
    assert "{" not in text


def test_what_is_said_about_rights_is_that_of_the_recipe():
    assert (SHIPPED_WEIGHTS / "LICENSE").read_text(encoding="utf-8") == LICENCE
    assert (SHIPPED_WEIGHTS / "NOTICE").read_text(encoding="utf-8") == NOTICE


@pytest.mark.skipif(not (SHIPPED_WEIGHTS / "model.json").exists(), reason="no weights in this copy")
def test_the_shipped_weights_resolve_a_text_at_once():
    text = "Alice met Bob in Paris. She told him that the city was too hot."
    found = cb.resolver("neural").resolve(cb.read_text(text, preprocess="en-words"))
    phrases = found.discourse.phrases
    chains = [{found.discourse.text_of(phrases[n]) for n in chain} for chain in found.chains()]
    assert {"Alice", "She"} in chains
    assert {"Bob", "him"} in chains
    card = load_card(SHIPPED_WEIGHTS)
    assert card.licence == "CC BY-SA 4.0"
    assert card.config["shape"]["encoder"] == "mpnet"
    assert set(card.config["decoding"]) == {"litbank", "gum", "ontogum"}
