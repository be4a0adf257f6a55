"""Maverick, against a module with its documented API: inclusive tokens, one document at a time."""

from pathlib import Path

import pytest

from corefbench.errors import MissingSystem
from corefbench.resolvers.adapters.third_party import Maverick
from tests.trees import discourse
from tests.unit.resolvers.adapters.environments import chains, import_from, install

PACKAGE = """
class Maverick:
    def __init__(self, hf_name_or_path="sapienzanlp/maverick-mes-ontonotes", device="cuda"):
        print(hf_name_or_path, "loading")
        if hf_name_or_path == "not-there":
            raise FileNotFoundError(hf_name_or_path)
        assert device == "cpu"
    def predict(self, sample, singletons=False, add_gold_clusters=None,
                predefined_mentions=None, speakers=None):
        tokens = [token for sentence in sample for token in sentence]
        assert [len(s) for s in sample] == [len(s) for s in speakers or sample]
        assert "-" in [name for some in speakers for name in some] if speakers else True
        if predefined_mentions is not None:
            found = [[m] for m in predefined_mentions]
        else:
            found = [[(n, n) for n, t in enumerate(tokens) if t in ("Ann", "She")]]
            found[0][0] = (0, 1) if tokens[1] == "Lee" else found[0][0]
        if not singletons:
            found = [chain for chain in found if len(chain) > 1]
        return {"tokens": tokens, "clusters_token_offsets": found, "clusters_char_offsets": None}
"""

TEXT = """
Ann Ann PROPN NNP 3 nsubj
Lee Lee PROPN NNP 1 flat
slept sleep VERB VBD 0 root

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "maverick", PACKAGE, package="maverick-coref", version="1.0.7")
    import_from(monkeypatch, tmp_path, "maverick")


def test_inclusive_ends_become_half_open() -> None:
    resolution = Maverick().resolve(discourse(TEXT))
    assert chains(resolution) == [["Ann Lee", "She"]]
    assert resolution.resolver == "maverick(version=1.0.7)"


def test_the_mentions_of_the_key_are_given_and_singletons_kept_if_asked_for() -> None:
    given = discourse(TEXT, [(0, 2, None), (3, 4, None)])
    assert chains(Maverick(singletons=True).resolve(given)) == [["Ann Lee"], ["She"]]
    assert chains(Maverick().resolve(given)) == []


def test_speakers_are_given_by_sentence() -> None:
    from msgspec.structs import replace

    plain = discourse(TEXT)
    spoken = replace(plain.analysis, speakers=("Eve", "Eve", "Eve", "", ""))
    assert chains(Maverick().resolve(replace(plain, analysis=spoken))) == [["Ann Lee", "She"]]


def test_missing_weights_have_a_download_hint() -> None:
    with pytest.raises(MissingSystem, match=r"weights\.ckpt") as error:
        Maverick(model="not-there").resolve(discourse(TEXT))
    assert error.value.code == "CB263"
