"""Every format that is read and written gives back what it says it holds, and the same bytes."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats
from corefbench.formats.base import Reading
from corefbench.formats.source import Source
from corefbench.testing import check_round_trip
from corefbench.testing.corpora import corpus_for, round_trip_formats
from corefbench.testing.formats import comparable_content

TOTAL = 20_000
SEEDS = st.integers(0, 2**48)


@pytest.mark.parametrize("name", round_trip_formats())
@given(seed=SEEDS)
@settings(max_examples=12)
def test_what_is_written_is_read_again_and_written_the_same(name: str, seed: int) -> None:
    check_round_trip(formats[name](), seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", round_trip_formats())
@given(seed=SEEDS)
@settings(max_examples=-(-TOTAL // len(round_trip_formats())))
def test_twenty_thousand_corpora_go_there_and_back(name: str, seed: int) -> None:
    check_round_trip(formats[name](), seed)


@pytest.mark.parametrize("name", [n for n in round_trip_formats() if formats[n]().card.appends])
@given(first=SEEDS, second=SEEDS)
@settings(max_examples=settings.default.max_examples // 5)
def test_corpora_written_in_turn_are_read_as_one(name: str, first: int, second: int) -> None:
    form = formats[name]()
    one, other = corpus_for(form.card, first), renamed(corpus_for(form.card, second))
    stream = io.BytesIO()
    form.write(one, stream)
    form.write(other, stream)
    whole = concatenate("whole", list(form.read(Source.of(stream.getvalue()), Reading())))
    assert comparable_content(whole, form.card) == comparable_content(one, form.card) + comparable_content(
        other, form.card
    )


def renamed(corpus: Corpus) -> Corpus:
    names = tuple(f"other-{name}" for name in corpus.documents.names)
    return replace(corpus, documents=replace(corpus.documents, names=names))
