"""The figures that are published with corpora, and the tables of the papers."""

import re
from functools import cache
from pathlib import Path

import pytest

from corefbench.formats.base import Reading
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.preco import PreCo
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.stats import Selection, describe, figures
from tests.data import data

DEV = frozenset(["2", "5", "12", "18", "21", "23", "34", "35"])
TEST = frozenset(map(str, range(36, 46)))


def test_litbank_has_its_published_counts_and_three_crossing_pairs():
    values = figures(describe(data("litbank") / "conll").counts)
    names = ("documents", "tokens", "mentions", "chains", "crossing_pairs")
    assert [values[name] for name in names] == [100, 210_532, 29_103, 7_927, 3]


def train_of_gum(folder: Path) -> frozenset[str]:
    text = (folder / "splits.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"\* (\w+)", text.split("## train")[1].split("## ")[0]))


def test_the_training_part_of_gum_has_its_counts():
    folder = data("gum")
    only = [Selection(attribute="document", values=train_of_gum(folder))]
    values = figures(describe(folder / "gum-conll", only=only).counts)
    names = ("documents", "mentions", "coreferent_chains", "singletons", "chains")
    assert [values[name] for name in names] == [177, 49_649, 7_007, 18_750, 7_007 + 18_750]


@cache
def ecbplus() -> Corpus:
    source = Source.of(data("ecbplus") / "ECB+")
    return concatenate("ECB+", list(EcbPlus().read(source, Reading())))


@pytest.mark.parametrize(
    ("part", "kind", "expected"),
    # Cattan et al. 2021, Table 4, which prints 594 training documents and 632 test singletons for
    # 574 and 623: topics, documents, sentences, mentions, singletons, clusters without singletons
    [
        ("train", "event", [25, 574, 1037, 3808, 1116, 411]),
        ("train", "entity", [25, 574, 1037, 4758, 814, 472]),
        ("dev", "event", [8, 196, 346, 1245, 280, 129]),
        ("dev", "entity", [8, 196, 346, 1476, 205, 125]),
        ("test", "event", [10, 206, 457, 1780, 623, 182]),
        ("test", "entity", [10, 206, 457, 2055, 412, 196]),
    ],
)
def test_ecbplus_has_the_counts_of_cattan_2021(part, kind, expected):
    corpus = ecbplus()
    topics = {"dev": DEV, "test": TEST}.get(part)
    topics = topics or frozenset(corpus.documents.columns["topic"]) - DEV - TEST
    only = [
        Selection(attribute="topic", values=topics),
        Selection(attribute="kind", values=frozenset([kind])),
    ]
    values = figures(describe(corpus, scope="corpus", only=only).counts)
    names = ("topics", "documents", "sentences", "mentions", "singletons", "coreferent_chains")
    assert [values[name] for name in names] == expected


def test_the_three_documents_of_preco_count_as_the_file_says():
    # From the JSON itself: clusters, mentions and tokens, paragraph marks left out.
    import json

    path = data("preco-sample") / "preco.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    clusters = [cluster for line in lines for cluster in line["mention_clusters"]]
    sentences = [s for line in lines for s in line["sentences"] if s != [" "]]
    corpus = concatenate("PreCo", list(PreCo().read(Source.of(path), Reading())))
    values = figures(describe(corpus).counts)
    tokens, mentions = sum(map(len, sentences)), sum(map(len, clusters))
    assert values["documents"] == 3
    assert (values["sentences"], values["tokens"]) == (len(sentences), tokens)
    assert (values["mentions"], values["chains"]) == (mentions, len(clusters))
    alone = [end - begin for cluster in clusters if len(cluster) == 1 for _, begin, end in cluster]
    other = [end - begin for cluster in clusters if len(cluster) > 1 for _, begin, end in cluster]
    assert values["singleton_rate"] == len(alone) / mentions
    assert values["singleton_mention_length"] == sum(alone) / len(alone)
    assert values["coreferent_mention_length"] == sum(other) / len(other)
    assert values["coreferent_mention_density"] == len(other) / tokens
    assert values["coreferent_chain_size"] == len(other) / (len(clusters) - len(alone))
