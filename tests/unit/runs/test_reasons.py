"""Why resolvers decided as they did is in the run, over the words of the key."""

from pathlib import Path

import corefbench as cb
from corefbench.bench.reasons import Reason, Weighed
from corefbench.runs import open_run, save
from corefbench.runs.record import record_bench
from corefbench.runs.schema import RunDocument
from tests.unit.bench.texts import corpus
from tests.unit.runs.made import NOON, run


def document(tmp_path: Path, name: str) -> RunDocument:
    """A document of a comparison of two resolvers, written and opened again."""
    plan = cb.Plan(resolvers=("most-recent", "mitkov"), mode="annotated")
    save(record_bench(cb.run_bench(corpus(), plan), created=NOON), tmp_path / "b.corefrun")
    return open_run(tmp_path / "b.corefrun").document(name)


def test_a_decision_is_kept_with_its_spans_rule_and_verdict(tmp_path: Path) -> None:
    (found,) = document(tmp_path, "second").reasons["most-recent"]
    # "The dog saw a cat. It barked.": the cat is the most recent, the dog is right.
    assert (found.anaphor, found.antecedent) == ((6, 7), (3, 5))
    assert found.rule == "most recent"
    assert found.correct is False


def test_candidates_are_kept_with_why_they_were_dropped(tmp_path: Path) -> None:
    she, him, her = document(tmp_path, "first").reasons["most-recent"]
    # "Ann met Tom. She gave him her book."
    assert (she.anaphor, she.antecedent, she.correct) == ((4, 5), (0, 1), True)
    assert {one.span: one.dropped for one in she.candidates} == {(0, 1): "", (2, 3): "gender"}
    assert (him.anaphor, him.antecedent, him.correct) == ((6, 7), (2, 3), True)
    assert (her.anaphor, her.correct) == ((7, 8), True)


def test_scores_and_their_factors_are_kept(tmp_path: Path) -> None:
    (found,) = document(tmp_path, "second").reasons["mitkov"]
    scored = [one for one in found.candidates if one.score is not None]
    assert {one.span for one in scored} == {(0, 2), (3, 5)}
    for one in scored:
        assert one.score == sum(value for _, value in one.factors)


def test_every_document_has_the_reasons_of_its_own(tmp_path: Path) -> None:
    first, second = (document(tmp_path, name) for name in ("first", "second"))
    assert [len(first.reasons[name]) for name in ("most-recent", "mitkov")] == [3, 3]
    assert [len(second.reasons[name]) for name in ("most-recent", "mitkov")] == [1, 1]


def test_the_verdicts_do_not_hold_the_reasons_again(tmp_path: Path) -> None:
    plan = cb.Plan(resolvers=("most-recent",), mode="annotated")
    made = record_bench(cb.run_bench(corpus(), plan), created=NOON)
    assert made.bench.performances[0].reasons == ()


def test_files_of_answers_have_no_reasons() -> None:
    assert run().document(0).reasons == {}


def test_candidates_are_written_as_lists() -> None:
    import msgspec

    reason = Reason(anaphor=(3, 4), candidates=(Weighed(span=(0, 1), dropped="gender"),))
    text = msgspec.json.encode(reason)
    assert text == b'{"anaphor":[3,4],"candidates":[[[0,1],"gender",null,[]]]}'
    assert msgspec.json.decode(text, type=Reason) == reason
