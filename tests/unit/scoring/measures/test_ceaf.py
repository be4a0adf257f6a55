"""CEAF by the example of its paper, Luo 2005, and by hand."""

import pytest

from corefbench.scoring.measures.ceaf import CEAFe, CEAFm
from tests.clusters import percent
from tests.tables import table

KEY = "ABCDE FG HIJKL"
RESPONSES = {  # φ3 and φ4: recall, precision and F1
    "ABCDE FGHIJKL": ((83.3, 83.3, 83.3), (61.1, 91.7, 73.3)),
    "ABCDEHIJKL FG": ((58.3, 58.3, 58.3), (55.6, 83.3, 66.7)),
    "ABCDEFGHIJKL": ((41.7, 41.7, 41.7), (19.6, 58.8, 29.4)),
    "A B C D E F G H I J K L": ((25.0, 25.0, 25.0), (44.4, 11.1, 17.8)),
}


@pytest.mark.parametrize("response", RESPONSES)
def test_the_example_of_the_paper(response: str) -> None:
    """The four responses of Luo's Figure 1 and Table 1: φ3 0.833, 0.583, 0.417, 0.250 and φ4
    0.733, 0.667, 0.294, 0.178."""
    found = table(KEY, response)
    values = [percent(m.score(m.tally(found).sum())) for m in (CEAFm(), CEAFe())]
    assert tuple(values) == RESPONSES[response]


def test_the_pairing_is_the_best_of_all_not_the_best_first() -> None:
    """Greedy would pair the chains that share 3 and leave 0 for the others; the best is 2 + 2."""
    key, response = "ABCDE FG", "ABCFG DE"
    assert CEAFm().tally(table(key, response))["recall_hits"].tolist() == [4]


def test_chains_are_paired_within_their_document() -> None:
    assert CEAFm().tally(table("AB|C", "A B|C"))["recall_hits"].tolist() == [1, 1]


def test_chains_that_share_nothing_are_not_paired() -> None:
    counted = CEAFe().tally(table("AB C", "XY Z")).sum()
    assert counted == {"recall_hits": 0, "recall_total": 2, "precision_hits": 0, "precision_total": 2}
