"""No test leaves a worker behind, or finds that of another."""

from collections.abc import Iterator

import pytest

from corefbench.resolvers.adapters import base


@pytest.fixture(autouse=True)
def no_workers() -> Iterator[None]:
    base._get_backend.cache_clear()
    yield
    base._get_backend.cache_clear()
