"""Statistics of corpora with published counts; those of ECB+ are in the tests of papers."""

import json
import re
from pathlib import Path

from corefbench.analysis.statistics import Selection, compute_figures, describe
from corefbench.corpus.combine import concatenate
from corefbench.formats.base import Reading
from corefbench.formats.preco import PreCo
from corefbench.formats.source import Source
from tests.data import data


def test_litbank_has_its_published_counts_and_three_crossing_pairs():
    values = compute_figures(describe(data("litbank") / "conll").counts)
    names = ("documents", "tokens", "mentions", "chains", "crossing_pairs")
    assert [values[name] for name in names] == [100, 210_532, 29_103, 7_927, 3]


def train_of_gum(folder: Path) -> frozenset[str]:
    text = (folder / "splits.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"\* (\w+)", text.split("## train")[1].split("## ")[0]))


def test_the_training_part_of_gum_has_its_counts():
    folder = data("gum")
    only = [Selection(attribute="document", values=train_of_gum(folder))]
    values = compute_figures(describe(folder / "gum-conll", only=only).counts)
    names = ("documents", "mentions", "coreferent_chains", "singletons", "chains")
    assert [values[name] for name in names] == [177, 49_649, 7_007, 18_750, 7_007 + 18_750]


def test_counts_of_the_preco_sample_agree_with_its_json():
    # From the JSON itself: clusters, mentions and tokens, paragraph marks left out.
    path = data("preco-sample") / "preco.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    clusters = [cluster for line in lines for cluster in line["mention_clusters"]]
    sentences = [s for line in lines for s in line["sentences"] if s != [" "]]
    corpus = concatenate("PreCo", list(PreCo().read(Source.of(path), Reading())))
    values = compute_figures(describe(corpus).counts)
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
