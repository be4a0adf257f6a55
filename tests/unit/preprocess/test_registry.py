"""Pre-processors by name."""

import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.preprocess import make, preprocessors


def test_every_name_has_a_card_of_that_name():
    for name in ("en", "en-accurate", "spacy", "stanza", "conllu", "workbench", "parse"):
        assert name in preprocessors
        card = make(name).card
        assert card.name == name
        assert card.raw == (name in ("en", "en-accurate", "spacy", "stanza"))


def test_the_pipeline_follows_a_colon():
    assert make("stanza:en/gum").package == "gum"  # type: ignore[attr-defined]
    path = make("spacy:C:/models(1)/en")
    assert path._pipeline == "C:/models(1)/en"  # type: ignore[attr-defined]


def test_unknown_names_and_parameters_are_refused():
    with pytest.raises(UnknownName, match="did you mean"):
        make("spacie")
    with pytest.raises(UsageError):
        make("conllu(tipes=true)")
    with pytest.raises(UsageError):
        make("en:large")
