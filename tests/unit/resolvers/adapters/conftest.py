"""No test leaves a worker behind, or finds that of another."""

from collections.abc import Iterator

import pytest

from corefbench.resolvers.adapters import third_party


@pytest.fixture(autouse=True)
def no_workers() -> Iterator[None]:
    third_party._get_backend.cache_clear()
    yield
    third_party._get_backend.cache_clear()
