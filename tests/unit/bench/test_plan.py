"""What may be asked of a comparison."""

import pytest

from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
from corefbench.errors import UsageError
from corefbench.resolvers import make, signature


def test_every_resolver_that_is_compared_by_default_is_known() -> None:
    assert [signature(make(name)) for name in PRONOUN_RESOLVERS] == [*PRONOUN_RESOLVERS]


def test_annotated_mode_uses_the_mentions_of_the_key_by_default() -> None:
    assert not Plan().takes_mentions
    assert Plan(mode="annotated").takes_mentions
    assert Plan(mentions="gold").takes_mentions
    assert not Plan(mode="annotated", mentions="predicted").takes_mentions


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"mode": "automatc"}, "no mode 'automatc'"),
        ({"match": "partial"}, "no match 'partial'"),
        ({"mentions": "silver"}, "no mentions 'silver'"),
        ({"resolvers": ()}, "nothing to compare"),
    ],
)
def test_invalid_settings_raise_with_the_valid_ones(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Plan(**wrong).check()  # type: ignore[arg-type]
    Plan().check()
