from corefbench.scoring.measures.mention_detection import MentionDetection
from tests.tables import alignment


def counts(key: str, response: str) -> tuple[list[float], list[float], list[float]]:
    tally = MentionDetection().tally(alignment(key, response))
    assert tally["recall_hits"].tolist() == tally["precision_hits"].tolist()
    return (tally["recall_hits"].tolist(), tally["recall_total"].tolist(), tally["precision_total"].tolist())


def test_spans_count_whatever_chain_they_are_in() -> None:
    assert counts("AB CD", "AC X") == ([2], [4], [3])


def test_singletons_count() -> None:
    assert counts("A B", "A") == ([1], [2], [1])


def test_a_repeated_span_counts_once_on_either_side() -> None:
    assert counts("AB AC", "AB") == ([2], [3], [2])
    assert counts("AB", "AB AC") == ([2], [2], [3])
    assert counts("AB", "AX BX") == ([2], [2], [3])


def test_documents_are_counted_apart() -> None:
    assert counts("AB|C|", "A|D|EF") == ([1, 0, 0], [2, 1, 0], [1, 1, 2])
