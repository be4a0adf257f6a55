"""ECB+, test topics, curated sentences: the singleton baseline of Cattan et al. 2021, Table 3.

The corpus is read here by a few lines of its own, so that the figures do not depend on our reader.
"""

import csv
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import corefbench as cb
from corefbench.papers.cattan_2021 import event_chain_sizes
from corefbench.papers.printed import read_printed
from corefbench.papers.reproduction import DataFolder
from tests.clusters import percent
from tests.data import data

Chains = dict[str, list[tuple[int, int]]]
TEST_TOPICS = range(36, 46)


def curated(folder: Path) -> dict[str, set[int]]:
    with (folder / "ECBplus_coreference_sentences.csv").open(encoding="utf-8-sig") as file:
        sentences = defaultdict(set)
        for row in csv.DictReader(file):
            sentences[f"{row['Topic']}_{row['File']}"].add(int(row["Sentence Number"]))
    return sentences


def events(path: Path, sentences: set[int]) -> list[str]:
    """The chain of every event mention that begins in one of the sentences."""
    root = ElementTree.parse(path).getroot()
    sentence = {token.get("t_id"): int(token.get("sentence", "")) for token in root.iter("token")}
    chain = {}
    for kind in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
        for relation in root.iter(kind):
            name = relation.get("note") if kind.startswith("CROSS") else None
            for source in relation.iter("source"):
                chain[source.get("m_id")] = name or f"{path.stem} {relation.get('r_id')}"
    found = []
    for mention in root.iterfind("Markables/*"):
        anchors = [anchor.get("t_id") for anchor in mention.iter("token_anchor")]
        if mention.tag.startswith(("ACTION", "NEG")) and anchors and sentence[anchors[0]] in sentences:
            m_id = mention.get("m_id")
            found.append(chain.get(m_id, f"{path.stem} alone {m_id}"))
    return found


@cache
def key() -> list[list[tuple[int, int]]]:
    folder = data("ecbplus")
    sentences = curated(folder)
    chains: Chains = defaultdict(list)
    number = 0
    for topic in TEST_TOPICS:
        for path in sorted((folder / "ECB+" / str(topic)).glob("*.xml")):
            for chain in events(path, sentences.get(path.stem, set())):
                chains[chain].append((number, number))
                number += 1
    return list(chains.values())


def test_the_test_topics_have_1780_event_mentions_in_805_chains() -> None:
    sizes = Counter(map(len, key()))
    assert sum(size * count for size, count in sizes.items()) == 1_780
    assert sum(sizes.values()) == 805
    assert sizes[1] == 623


def test_the_recipe_of_the_paper_reads_the_same_chains() -> None:
    sizes = event_chain_sizes(DataFolder(folder=data("ecbplus").parent))
    assert Counter(sizes) == Counter(map(len, key()))


def test_the_singleton_baseline_scores_what_the_paper_prints() -> None:
    response = [[span] for chain in key() for span in chain]
    result = cb.score_clusters(key(), response, profile="coval-keep")
    row = read_printed("cattan-2021")["3"]["Subtopic: singleton baseline+"]
    found = [v for name in ("muc", "b_cubed", "ceaf_e", "lea") for v in percent(result[name])]
    assert found == [value.value for value in row.values.values()][:-1]
    assert percent(result["muc"], 2) == (0, 0, 0)
    assert percent(result["b_cubed"], 2) == (45.22, 100, 62.28)
    assert percent(result["ceaf_e"], 2)[:2] == (86.72, 39.22)
    assert percent(result["ceaf_e"], 1)[2] == 54.0
    assert percent(result["lea"], 2)[2] == 35.00
    assert result.conll is not None
    assert round(100 * result.conll.f1, 2) == 38.77
