"""Which documents are scored as one, and what becomes of their chains."""

import pytest

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import apply_scope, group_names
from tests.conll import conll


def corpus(*names: str, **columns: list[str]) -> Corpus:
    build = CorpusBuilder("c")
    for i, name in enumerate(names):
        build.begin_document(name, columns={key: some[i] for key, some in columns.items()})
        build.sentence(["a", "b", "c"])
        build.mention("shared", [(0, 2)], head=1)
        build.mention(f"own {i}", [(2, 3)], head=2)
    return build.finish()


ECB = ("36_1ecb", "36_1ecbplus", "36_2ecb", "37_1ecb.xml")


@pytest.mark.parametrize(
    ("scope", "groups"),
    [
        ("subtopic", ["36ecb", "36ecbplus", "36ecb", "37ecb"]),
        ("topic", ["36", "36", "36", "37"]),
        ("corpus", ["corpus"] * 4),
    ],
)
def test_groups_are_read_off_the_names_of_ecb_plus(scope: str, groups: list[str]) -> None:
    assert group_names(corpus(*ECB), scope) == groups


def test_groups_are_folders_where_names_say_nothing_else() -> None:
    assert group_names(corpus("news/a", "news/b", "web/c", "d"), "topic") == ["news", "news", "web", "d"]


def test_columns_of_the_documents_come_first() -> None:
    named = corpus("36_1ecb", "37_1ecb", topic=["x", "x"])
    assert group_names(named, "topic") == ["x", "x"]


def test_a_document_is_its_own_scope() -> None:
    one = corpus("a", "b")
    assert apply_scope(one, "document") is one


def test_joined_documents_are_laid_end_to_end_and_chains_of_one_label_are_one() -> None:
    joined = apply_scope(corpus(*ECB), "topic")
    assert joined.documents.labels() == ("36", "37")
    first = {chain.label: [(m.start, m.end, m.head) for m in chain.mentions] for chain in joined[0].chains}
    assert first == {
        "shared": [(0, 2, 1), (3, 5, 4), (6, 8, 7)],
        "own 0": [(2, 3, 2)],
        "own 1": [(5, 6, 5)],
        "own 2": [(8, 9, 8)],
    }
    assert joined[0].words == ["a", "b", "c"] * 3


def test_documents_of_a_group_need_not_follow_one_another() -> None:
    joined = apply_scope(corpus("36_1ecb", "37_1ecb", "36_2ecb"), "topic")
    assert [len(document) for document in joined] == [6, 3]


def test_a_missing_document_does_not_move_the_others() -> None:
    key = b"".join(conll("(1)", "-", "(1)", name=name) for name in ("36_1ecb", "36_2ecb", "36_3ecb"))
    response = b"".join(conll("(1)", "-", "(1)", name=name) for name in ("36_3ecb", "36_1ecb"))
    result = cb.score(key, response, scope="topic")
    assert (result["mentions"].recall, result["mentions"].precision) == (pytest.approx(2 / 3), 1)
    assert result.documents == ("36",)


def test_clusters_from_memory_are_compared_document_by_document_in_wider_scopes() -> None:
    """How long a document is, they do not say: the response's first is longer than the key's."""
    key = {"a": [[(0, 0), (2, 2)]], "b": [[(0, 0), (1, 1)]]}
    response = {"a": [[(0, 0), (7, 7)]], "b": [[(0, 0), (1, 1)]]}
    for scope in ("document", "corpus"):
        result = cb.score_clusters(key, response, scope=scope)
        assert result["muc"].f1 == 0.5
        assert result.findings == ()
