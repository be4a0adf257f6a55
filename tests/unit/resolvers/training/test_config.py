"""Configurations: what they may say, and where they are wrong."""

from pathlib import Path

import pytest

from corefbench.datasets import CATALOGUE
from corefbench.errors import FormatError
from corefbench.formats.load import load
from corefbench.preprocess.documents import default_keep, word_chains
from corefbench.resolvers.neural.training import load_examples
from corefbench.resolvers.training import read_config
from corefbench.resolvers.training.config import CorpusSource, TrainingConfig, hash_sources, load_corpus, load_source

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


def conll(names, chain, *, words=3, cut=True):
    lines = []
    for name in names:
        lines.append(f"#begin document ({name}); part 000")
        for place in range(words):
            cell = f"({chain})" if place in (0, 2) else "-"
            lines += [f"{name} 0 {place} w{place} {cell}"] + ([""] if cut and place == 1 else [])
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def write(tmp_path):
    def made(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return made


def test_mentions_that_refer_to_nothing_are_left_out():
    from corefbench.datasets.bundled import load_bundled

    whole = load_bundled()
    assert len(load_corpus("bundled").mentions) == int(whole.mentions.referring.sum())


def test_documents_are_taken_and_left_out_by_name_or_by_part_of_a_name():
    def names(**choice):
        return set(load_source(CorpusSource(corpus="bundled", **choice)).documents.names)

    stories = names(only=("story",))
    assert len(stories) == 5
    assert names(only=("story",), without=("story-dog",)) == stories - {"story-dog"}
    assert not names(without=("story",)) & stories


def test_the_other_scheme_of_a_document_stands_beside_its_own(write):
    one, two = write("one.conll", conll("ab", 1)), write("two.conll", conll("b", 7))
    made = load_examples(CorpusSource(corpus=one, scheme="one", also={"two": two}))
    assert [sorted(example.chains) for example in made] == [["one"], ["one", "two"]]
    assert made[1].chains["two"] == (((0, 1), (2, 3)),)
    assert made[1].sentences == (0, 2)


def test_annotation_of_the_same_scheme_replaces_that_of_the_corpus(write):
    one = write("one.conll", conll("ab", 1))
    two = write("two.conll", conll("b", 7, cut=False))
    (example,) = load_examples(CorpusSource(corpus=one, scheme="two", also={"two": two}))
    assert example.name == "b"
    assert example.sentences == (0, 2)  # of the corpus, for the other has none


def test_annotation_of_another_text_is_not_taken(write):
    one, two = write("one.conll", conll("a", 1)), write("two.conll", conll("a", 1, words=4))
    (example,) = load_examples(CorpusSource(corpus=one, scheme="one", also={"two": two}))
    assert list(example.chains) == ["one"]


def test_every_corpus_has_a_hash(write):
    one, two = write("one.conll", conll("a", 1)), write("two.conll", conll("b", 1))
    found = hash_sources([CorpusSource(corpus=one, also={"two": two})])
    assert list(found) == [one, two]
    assert found[one] != found[two]


def test_a_long_document_of_one_sentence_was_never_cut_into_sentences():
    short = load(conll("a", 1, cut=False).encode())[0]
    long = load(conll("a", 1, words=300, cut=False).encode())[0]
    assert (default_keep(short), default_keep(long)) == ("sentences", "tokens")
    assert word_chains(short) == [[(0, 1), (2, 3)]]
