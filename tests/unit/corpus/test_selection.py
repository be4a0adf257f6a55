"""Selections of documents and mentions, in every function that scores: ``only="kind=event"``."""

from pathlib import Path

import pytest

import corefbench as cb
from corefbench.errors import MismatchError, UsageError
from corefbench.formats.convert import convert
from corefbench.scoring.api import verify
from tests import cli

WORDS = ["Ann", "called", "Bob", "up", ".", "She", "rang"]
EVENTS = {"4": ("ACTION_OCCURRENCE", (2, 4)), "5": ("ACTION_OCCURRENCE", (7,))}
ENTITIES = {"1": ("HUMAN_PART_PER", (1,)), "2": ("HUMAN_PART_PER", (6,)), "3": ("HUMAN_PART_PER", (3,))}


def document(name: str) -> bytes:
    """Two events, *called … up* and *rang*, that corefer, and three entities, of which two do."""
    tokens = "".join(f'<token t_id="{n}" sentence="0">{word}</token>' for n, word in enumerate(WORDS, 1))
    markables = "".join(
        f'<{tag} m_id="{m}">{"".join(f"""<token_anchor t_id="{t}"/>""" for t in anchors)}</{tag}>'
        for m, (tag, anchors) in {**EVENTS, **ENTITIES}.items()
    )
    relations = "".join(
        f'<CROSS_DOC_COREF r_id="{r}" note="{note}">{"".join(f"""<source m_id="{m}"/>""" for m in members)}'
        "</CROSS_DOC_COREF>"
        for r, (note, members) in enumerate((("ACT1", "45"), ("HUM1", "12")))
    )
    return (
        f'<Document doc_name="{name}.xml">{tokens}<Markables>{markables}</Markables>'
        f"<Relations>{relations}</Relations></Document>"
    ).encode()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    folder = tmp_path / "key"
    folder.mkdir()
    for name in ("1_1ecb", "2_1ecb"):
        (folder / f"{name}.xml").write_bytes(document(name))
    (tmp_path / "ECBplus_coreference_sentences.csv").write_text("Topic,File,Sentence Number\n1,1ecb,0\n2,1ecb,0\n")
    return folder


@pytest.fixture
def events(tmp_path: Path, key: Path) -> Path:
    """The events of the key as a system that was given them writes them: CoNLL, without gaps."""
    path = tmp_path / "events.conll"
    convert(key, path, only="kind=event")
    return path


def test_events_are_scored_against_events(key: Path, events: Path) -> None:
    # Without the selection, the six entities of the key count as missed: 2 of the 10 mentions are
    # found (rang, in two documents), as the gap of *called … up* is lost. With it, 2 of 4.
    assert cb.score(key, events)["mentions"].recall == 2 / 10
    assert cb.score(key, events, only="kind=event")["mentions"].recall == 2 / 4


def test_the_signature_has_the_selection_and_verifies(key: Path, events: Path) -> None:
    result = cb.score(key, events, only="kind=event")
    assert "|only:kind=event|" in str(result.signature)
    assert verify(result.signature, key, events)["mentions"] == result["mentions"]
    assert "only:" not in str(cb.score(key, events).signature)


def test_documents_are_selected_by_the_attributes_of_the_key(key: Path, events: Path) -> None:
    result = cb.score(key, events, only="kind=event;topic=2")
    assert result.documents == ("2_1ecb",)
    assert {finding.severity for finding in result.findings} == {"note"}
    with pytest.raises(MismatchError, match="nothing to score"):
        cb.score(key, events, only="topic=3")
    with pytest.raises(UsageError, match="no attribute 'colour'"):
        cb.score(key, events, only="colour=red")


def test_a_response_that_records_its_kinds_is_selected_too(key: Path) -> None:
    assert cb.score(key, key, only="kind=entity")["mentions"].f1 == 1


def test_a_warning_tells_that_kinds_differ(key: Path, events: Path, tmp_path: Path) -> None:
    finding = next(f for f in cb.score(key, events).findings if f.code == "CB214")
    assert finding.found == "event for entity, event"
    assert "--only kind=event" in finding.remedy
    assert not [f for f in cb.score(key, events, only="kind=event").findings if f.code == "CB214"]
    assert not [f for f in cb.score(key, key).findings if f.code == "CB214"]
    recorded = tmp_path / "events"
    convert(key, recorded, output_format="ecbplus", only="kind=event")
    assert [f.found for f in cb.score(key, recorded).findings if f.code == "CB214"] == ["event for entity, event"]


def test_gold_mentions_are_recognised_without_their_gaps(key: Path, events: Path) -> None:
    study = cb.levels(key, events, only="kind=event")
    assert {row.mentions for row in study.rows} == {"gold"}
    assert study.detection["response"].f1 == 1
    # The response has the chains of the key.
    assert study.row("response", "corpus", singletons=True).result["b_cubed"].f1 == 1


def test_errors_are_those_of_the_selected_mentions(key: Path, events: Path) -> None:
    missing = cb.error_analysis(key, events, only="kind=event").counts["operations"]["missing-entity"]
    assert missing < cb.error_analysis(key, events).counts["operations"]["missing-entity"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_commands_take_the_selection(key: Path, events: Path, tmp_path: Path, jobs: str) -> None:
    run = cli.run
    assert "only:kind=event" in run("score", key, events, "--only", "kind=event", "-f", "json", "-j", jobs, "-q")
    assert "only:kind=event" in run("levels", key, events, "--only", "kind=event", "-f", "json", "-q")
    compared = run("compare", key, events, key, "--only", "kind=event", "-f", "json", "-q", "--samples", "10")
    assert "kind=event" in compared
    run("errors", key, events, "--only", "kind=event", "--only", "type=pronoun", "-q")
    out = tmp_path / "out.jsonl"
    run("convert", key, out, "--only", "kind=event", "--only", "topic=1", "-j", jobs)
    corpus = cb.load(out)
    assert (len(corpus), len(corpus.mentions)) == (1, 2)


def test_files_without_a_selected_document_are_not_written(key: Path, tmp_path: Path) -> None:
    convert(key, f"{tmp_path}/out/", output_format="conll", only="topic=2")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["2_1ecb.conll"]
