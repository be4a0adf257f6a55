"""What the matrix of chances says of a pair, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.across.chances import NAMES, seen_in_chances
from corefbench.resolvers.across.table import Table

ONE, OTHER = np.array([0, 0, 0, 1, 1, 2]), np.array([1, 2, 3, 2, 3, 3])
CHANCE = np.array([0.8, 0.4, 0.2, 0.6, 0.1, 0.1], np.float32)


def seen(document=(0, 1, 1, 2), one=ONE, other=OTHER, chance=CHANCE):
    some = np.arange(len(document))
    table = Table(
        document=np.array(document), sentence=some, start=some, end=some + 1, head=some, chain=some
    )
    made = seen_in_chances(SimpleNamespace(table=table), one, other, chance)
    return {name: made[:, number] for number, name in enumerate(NAMES)}


def test_a_chance_is_measured_by_the_best_of_both():
    found = seen()
    # The best of 0 and 1 is .8, of 2 is .6.
    np.testing.assert_allclose(found["less of its best"][:2], [1, 0.4 / 0.8])
    np.testing.assert_allclose(found["more of its best"][:2], [1, 0.4 / 0.6], rtol=1e-6)
    np.testing.assert_allclose(found["better rank"][:2], np.log1p([0, 1]))
    np.testing.assert_allclose(found["fewer expected"][:2], [1.4, 1.1], rtol=1e-6)


def test_two_merge_where_average_linkage_joins_them():
    # 0 and 1 at .8; with 2 at (.4 + .6) / 2; with 3 at (.2 + .1 + .1) / 3.
    np.testing.assert_allclose(
        seen()["merged"], [0.8, 0.5, 0.4 / 3, 0.5, 0.4 / 3, 0.4 / 3], rtol=1e-5
    )


def test_documents_share_what_their_mentions_find_in_each_other():
    found = seen()
    # 0 finds .8 in document 1; 1 and 2 find .8 and .4 in document 0.
    assert found["documents share"][0] == pytest.approx((0.8 + 0.6) / 2)
    # Without 0 and 1 there is only 2, which finds .4.
    assert found["documents share else"][0] == pytest.approx(0.4)
    assert np.isnan(found["documents share else"][2])
    assert found["documents share else"][3] == 1.0


def test_a_rival_is_the_best_other_mention_of_the_other_document():
    found = seen()
    # For (0, 2), 0 would rather have 1: .8 − .4; 2 finds nothing else in document 0.
    assert found["greater rival"][1] == pytest.approx(0.4)
    assert found["lesser rival"][1] == pytest.approx(-0.4)


def test_groups_do_not_see_each_other():
    alone = seen(one=ONE[:1], other=OTHER[:1], chance=CHANCE[:1])
    both = seen(one=np.array([0, 2]), other=np.array([1, 3]), chance=np.array([0.8, 0.1], "f4"))
    for name in NAMES:
        np.testing.assert_allclose(alone[name][0], both[name][0])
