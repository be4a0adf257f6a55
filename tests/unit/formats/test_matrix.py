"""Every pair of formats: what the second cannot hold is said exactly, what it can comes over."""

import random
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats
from corefbench.formats.base import Feature, Format, FormatCard
from corefbench.formats.capabilities import count_features, fit_to_format
from corefbench.formats.convert import FolderWriter, convert
from corefbench.formats.load import load
from corefbench.testing.corpora import CorpusGenerator, round_trip_formats
from corefbench.testing.formats import comparable_content, in_stored_order

EVERYTHING = FormatCard(name="everything", title="", description="", holds=frozenset(get_args(Feature)))


def rich() -> Corpus:
    """A corpus that has nearly every feature there is."""
    return CorpusGenerator(EVERYTHING, random.Random(13)).corpus()


def bundled() -> Corpus:
    """The first document of each genre of the bundled corpus."""
    from corefbench.datasets.bundled import load_bundled

    corpus = load_bundled()
    genres = corpus.documents.columns.get("genre", corpus.documents.names)
    firsts = sorted({genre: i for i, genre in reversed(list(enumerate(genres)))}.values())
    names = [(corpus.documents.names[i], int(corpus.documents.parts[i])) for i in firsts]
    return take_documents(corpus, np.array(firsts), names)


CORPORA = {"rich": rich}
if find_spec("corefbench.datasets.bundled") is not None:
    CORPORA["bundled"] = bundled


def place(folder: Path, form: Format) -> Path:
    """Where a corpus in that format goes: a folder where it needs one."""
    if isinstance(form, FolderWriter) and not form.card.writes:
        return folder / form.card.name
    return folder / f"{form.card.name}{form.card.extensions[0]}"


def writes(form: Format) -> bool:
    return form.card.writes or isinstance(form, FolderWriter)


# One corpus has every feature; the other is real text, and takes four times as long.
@pytest.mark.parametrize(
    "corpus", [pytest.param(name, marks=[] if name == "rich" else pytest.mark.slow) for name in CORPORA]
)
@pytest.mark.parametrize("first", round_trip_formats())
def test_loss_is_reported_exactly_and_the_rest_comes_over(corpus: str, first: str, tmp_path: Path) -> None:
    origin = formats[first]()
    source = place(tmp_path / "in", origin)
    write(origin, fit_to_format(CORPORA[corpus](), origin.card.holds), source)
    given = load(source, format=first)
    for second in formats:
        target = formats[second]()
        if not writes(target):
            continue
        output = place(tmp_path / "out", target)
        account = convert(source, output, input_format=first, output_format=second)
        has = count_features(given, known=target.card.token_columns)
        held = target.card.holds - ({"token attributes"} if target.card.token_columns else set())
        assert account.lost == {f: n for f, n in has.items() if f not in held}, second
        if second in round_trip_formats():
            card = target.card
            if "heads" not in has:  # CorefUD finds heads where none are given
                card = replace(card, holds=card.holds - {"heads"})
            expected = in_stored_order(comparable_content(fit_to_format(given, target.card.holds), card), target)
            back = in_stored_order(comparable_content(load(output, format=second), card), target)
            assert differences(unmarked(back), unmarked(expected)) == [], second


def unmarked(documents: list[dict[str, object]]) -> list[dict[str, object]]:
    """The same, but for the sign that Universal Anaphora puts on chains that do not refer."""
    return [
        {
            **document,
            "chains": sorted(
                (str(label).removesuffix("-Pseudo"), mentions)
                for label, mentions in document["chains"]  # type: ignore[attr-defined]
            ),
        }
        for document in documents
    ]


def differences(found: list[dict[str, object]], expected: list[dict[str, object]]) -> list[object]:
    """What differs, document by document, in few words."""
    if len(found) != len(expected):
        return [f"{len(found)} documents, not {len(expected)}"]
    return [
        (key, one.get(key), other.get(key))
        for one, other in zip(found, expected, strict=True)
        for key in {**one, **other}
        if one.get(key) != other.get(key)
    ]


def write(form: Format, corpus: Corpus, output: Path) -> None:
    if isinstance(form, FolderWriter) and not form.card.writes:
        output.mkdir(parents=True)
        form.write_folder(corpus, output)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        with open(str(output), "wb") as stream:
            form.write(corpus, stream)
