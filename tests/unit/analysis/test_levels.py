"""Levels, mentions and singletons against Cattan et al. 2021 and against hand-made files."""

import pytest

import corefbench as cb
from corefbench.analysis.levels import project_on_key
from corefbench.corpus.combine import concatenate
from corefbench.corpus.scope import narrowest_scope, split_chains_by_scope
from corefbench.errors import UnknownName
from corefbench.scoring.api import verify
from corefbench.scoring.clusters import corpus_from_clusters
from tests.clusters import percent
from tests.conll import conll
from tests.data import data
from tests.golden.test_cattan_2021 import chains, printed
from tests.golden.test_scoring_levels import KEY, LEVELS, MEASURES, MERGED


@pytest.fixture(scope="module")
def paper() -> cb.LevelStudy:
    gold, *systems = (corpus_from_clusters(chains(name), name) for name in ("G", "S1", "S2"))
    return cb.levels(gold, {system.name: system for system in systems})


@pytest.mark.parametrize("profile", ["coval-keep", "coval-remove"])
@pytest.mark.parametrize("system", ["S1", "S2"])
def test_table_2_is_the_rows_with_and_without_singletons(paper: cb.LevelStudy, profile: str, system: str) -> None:
    result = paper.row(system, "corpus", singletons=profile == "coval-keep").result
    assert result.conll is not None
    scores = [percent(result[name])[2] for name in ("muc", "b_cubed", "ceaf_e", "lea")]
    assert [*scores, int(result.conll.f1 * 1000 + 0.5) / 10] == printed(profile, system)


def test_mention_detection_is_apart_and_sees_all_mentions(paper: cb.LevelStudy) -> None:
    assert percent(paper.detection["S1"]) == (100, 100, 100)
    assert percent(paper.detection["S2"]) == (60, 75, 66.7)


def test_mentions_are_gold_where_all_spans_are_the_keys(paper: cb.LevelStudy) -> None:
    assert {(row.response, row.mentions) for row in paper.rows} == {
        ("S1", "gold"),
        ("S2", "predicted"),
        ("S2", "projected"),
        ("singleton baseline", "gold"),
    }


def test_the_explanation_agrees_with_the_paper(paper: cb.LevelStudy) -> None:
    said = paper.explanation()
    assert "S2 has predicted mentions (span F1 66.67); its chains, by their labels, stay within " in (said[3])
    assert (
        "For S1, leaving singletons out lowers CoNLL F1 by 19.28 points, from 76.78 to 57.50, at corpus level." in said
    )
    assert said[-1] == ("At subtopic, topic and corpus level, S1 is best with singletons (76.78), S2 without (86.53).")


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_system_merged_shows_at_the_level_that_joins_it(level: str) -> None:
    study = cb.levels(KEY, MERGED, levels=["document", "subtopic", "topic", "corpus"])
    result = study.row("response", level, singletons=False).result
    assert tuple(percent(result[name])[:2] for name in MEASURES) == LEVELS[level]


def test_how_far_chains_reach_is_read_off_their_labels_and_signed() -> None:
    row = cb.levels(KEY, MERGED).row("response", "corpus", singletons=True)
    assert row.clustering_scope == "topic"
    assert row.result.signature.choices["clustering_scope"] == "topic"
    assert row.result.signature.choices["scope"] == "corpus"
    verify(row.result.signature, KEY, MERGED)


def test_a_clustering_scope_separates_equal_labels_of_different_groups() -> None:
    study = cb.levels(KEY, MERGED, clustering_scope="subtopic")
    row = study.row("response", "corpus", singletons=False)
    assert percent(row.result["lea"]) == (100, 100, 100)
    assert row.result.signature.choices["clustering_scope"] == "subtopic"
    assert study.derived == frozenset()
    verify(row.result.signature, KEY, MERGED)


@pytest.mark.parametrize(
    ("names", "reach"),
    [(("1_1ecb", "1_2ecb"), "subtopic"), (("1_1ecb", "1_1ecbplus"), "topic"), (("1_1ecb", "2_1ecb"), "corpus")],
)
def test_the_reach_is_the_narrowest_scope_that_holds_every_chain(names: tuple[str, ...], reach: str) -> None:
    shared = cb.load(b"".join(conll("(1)", name=name) for name in names))
    apart = cb.load(b"".join(conll(f"({n})", name=name) for n, name in enumerate(names)))
    assert narrowest_scope(shared) == reach
    assert narrowest_scope(apart) == "document"
    assert narrowest_scope(split_chains_by_scope(shared, "document")) == "document"


def test_a_response_is_projected_on_the_mentions_of_the_key() -> None:
    key = cb.load(conll("(1)", "(1)", "(2)", "-"))
    response = cb.load(conll("(5)", "-", "(5)", "(5)"))
    projected = project_on_key(key, response)
    # 0 and 2 stay together, 1 was not found and is alone, 3 is no mention of the key.
    assert projected[0].clusters() == [[(0, 1), (2, 3)], [(1, 2)]]
    assert projected.name == response.name


def test_projected_chains_still_cross_documents_and_added_singletons_do_not() -> None:
    key = cb.load(conll("(1)", "(2)", name="1_1ecb") + conll("(1)", "(2)", name="1_2ecb"))
    response = cb.load(conll("(7)", "-", name="1_1ecb") + conll("(7)", "-", name="1_2ecb"))
    projected = project_on_key(key, response)
    assert narrowest_scope(projected) == "subtopic"
    labels = projected.chains.labels.tolist()
    assert len(labels) == 4
    assert len(set(labels)) == 3


def test_the_singleton_baseline_of_table_3_comes_out_on_ecb_plus() -> None:
    folder = data("ecbplus") / "ECB+"
    pieces = [cb.load(folder / str(t), format="ecbplus(mentions=events)") for t in range(36, 46)]
    key = concatenate("ECB+ test", pieces)
    study = cb.levels(key, key)
    kept = study.row("singleton baseline", "corpus", singletons=True).result
    assert percent(kept["muc"]) == (0, 0, 0)
    assert percent(kept["b_cubed"]) == (45.2, 100, 62.3)
    assert percent(kept["ceaf_e"]) == (86.7, 39.2, 54.0)
    assert percent(kept["lea"]) == (35.0, 35.0, 35.0)
    assert kept.conll is not None
    assert round(100 * kept.conll.f1, 1) == 38.8
    left = study.row("singleton baseline", "corpus", singletons=False).result
    assert all(percent(left[name]) == (0, 0, 0) for name in ("muc", "b_cubed", "ceaf_e", "lea"))


def test_an_unknown_level_raises() -> None:
    with pytest.raises(UnknownName, match="level"):
        cb.levels(KEY, MERGED, levels=["topics"])  # type: ignore[list-item]
    with pytest.raises(UnknownName, match="level"):
        cb.levels(KEY, MERGED).row("response", "document", singletons=True)
