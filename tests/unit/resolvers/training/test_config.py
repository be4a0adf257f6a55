"""Configurations: what they may say, and where they are wrong."""

from pathlib import Path

import pytest

from corefbench.datasets import CATALOGUE
from corefbench.errors import FormatError
from corefbench.resolvers.training import read_config
from corefbench.resolvers.training.config import TrainingConfig

ROOT = Path(__file__).parents[4]
EXAMPLES = sorted((ROOT / "examples" / "training").glob("*.toml"))

GOOD = """kind = "ubiu"
[[train]]
corpus = "bundled"
[model]
k = 5
"""


def read(tmp_path: Path, text: str) -> TrainingConfig:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_what_is_not_said_has_a_default(tmp_path):
    config = read(tmp_path, GOOD)
    assert (config.seed, config.share, config.dev) == (0, 1.0, ())
    assert config.model == {"k": 5}
    assert config.source.endswith("config.toml")


@pytest.mark.parametrize(
    ("text", "where", "found"),
    [
        ("kind = \n", ":1:8", "Invalid value"),
        (GOOD.replace("ubiu", "forest"), ":1", "forest"),
        (GOOD + "[[dev]]\ncorpora = 'x'\n", ":7", "corpora"),
        ("sed = 3\n" + GOOD, ":1", "sed"),
        ("seed = 'one'\n" + GOOD, ":1", "int"),
        (GOOD.replace('kind = "ubiu"', ""), "", "kind"),
        ('kind = "ubiu"\ntrain = []\n', "", "train"),
        ("share = 2.0\n" + GOOD, "", "share"),
    ],
)
def test_an_error_says_where_and_what(tmp_path, text, where, found):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert caught.value.code == "CB250"
    assert found in caught.value.found
    assert f"config.toml{where}: CB250" in str(caught.value)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(FormatError, match="CB006"):
        read_config(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="CB250"):
        read_config(tmp_path / "bytes.toml")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_names_corpora_and_settings_that_exist(path):
    config = read_config(path)
    for source in (*config.train, *config.dev):
        for name in (source.corpus, *source.also.values()):
            assert name == "bundled" or name.partition("/")[0] in CATALOGUE
    assert config.licence
    if config.kind == "ubiu":
        from corefbench.resolvers.mention_pair.training import UbiuSettings
        from corefbench.resolvers.training.config import parse_section

        parse_section(config.model, UbiuSettings, "model")
