"""What a run keeps: scores as they are without it, documents, twins, inputs."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.bench.reasons import Reason, WeighedCandidate
from corefbench.corpus.combine import keep_mentions
from corefbench.datasets.bundled import load_bundled
from corefbench.formats import sharding
from corefbench.formats.sharding import ShardRunner
from corefbench.runs import open_run, write_run
from corefbench.runs.inputs import hash_input
from corefbench.runs.record import record_bench, record_scores
from corefbench.runs.schema import RunDocument, Timing
from corefbench.runs.verify import verify_run
from corefbench.scoring.profiles import profiles
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import KEY, NOON, RESPONSES, run
from tests.unit.scoring.test_sharding import conll as large_corpus


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_workers_make_the_same_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(sharding, "SHARD_BYTES", 2000)
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_bytes(large_corpus(1))
    response.write_bytes(large_corpus(2))
    shared: list[bool] = []
    added = ShardRunner.map_sum

    def watched(self: ShardRunner, work: object, where: object) -> object:
        recorded = added(self, work, where)  # type: ignore[arg-type]
        shared.append(recorded is not None)
        return recorded

    monkeypatch.setattr(ShardRunner, "map_sum", watched)
    how = {"created": datetime(2026, 1, 1, tzinfo=UTC), "timing": Timing()}
    alone = record_scores(key, {"x": response}, **how)
    assert shared == [False, False]
    together = record_scores(key, {"x": response}, engine=engine, jobs=2, **how)
    assert shared[2:] == [True, True]
    assert together.header == alone.header
    assert together.checksum() == alone.checksum()


def document(tmp_path: Path, name: str) -> RunDocument:
    """A document of a comparison of two resolvers, written and opened again."""
    plan = cb.Plan(resolvers=("most-recent", "mitkov"), mode="annotated")
    write_run(record_bench(cb.run_bench(corpus(), plan), created=NOON), tmp_path / "b.corefrun")
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
    recorded = record_bench(cb.run_bench(corpus(), plan), created=NOON)
    assert recorded.bench.performances[0].reasons == ()


def test_files_of_answers_have_no_reasons() -> None:
    assert run().document(0).reasons == {}


def test_candidates_are_written_as_lists() -> None:
    import msgspec

    reason = Reason(anaphor=(3, 4), candidates=(WeighedCandidate(span=(0, 1), dropped="gender"),))
    text = msgspec.json.encode(reason)
    assert text == b'{"anaphor":[3,4],"candidates":[[[0,1],"gender",null,[]]]}'
    assert msgspec.json.decode(text, type=Reason) == reason


def conll(**documents: str) -> bytes:
    """CoNLL documents; a word is followed by its brackets, as in ``Ann(1) left``."""
    text = ""
    for name, words in documents.items():
        text += f"#begin document ({name}); part 000\n"
        for number, word in enumerate(words.split()):
            bare, _, label = word.partition("(")
            text += f"{name} 0 {number} {bare} {'(' + label if label else '-'}\n"
        text += "\n#end document\n"
    return text.encode()


def response_chain(key: cb.Corpus) -> np.ndarray:
    """For every mention the first chain of its document."""
    return np.searchsorted(key.chains.document, key.mentions.document)


def test_results_are_those_of_scoring_alone(tmp_path: Path) -> None:
    write_run(run(), tmp_path / "x.corefrun")
    opened = open_run(tmp_path / "x.corefrun")
    assert list(opened.results) == list(RESPONSES)
    for name, path in RESPONSES.items():
        alone, kept = cb.score(KEY, path), opened.results[name]
        assert str(kept.signature) == str(alone.signature)
        assert (kept.profile, kept.documents) == (alone.profile, alone.documents)
        assert (kept.scores, kept.conll) == (alone.scores, alone.conll)
        assert kept.findings == alone.findings
        for measure, tally in alone.tallies.items():
            assert kept.tallies[measure].columns == tally.columns
            assert kept.tallies[measure].values.tobytes() == tally.values.tobytes()


def test_the_header_lists_the_inputs() -> None:
    recorded = run().header
    assert (recorded.schema, recorded.kind, recorded.created) == (2, "score", "2026-01-02T12:00:00Z")
    key = recorded.inputs[0]
    content = KEY.read_bytes()
    assert (key.role, key.name, key.format, key.bytes) == ("key", KEY.name, "conll", len(content))
    assert key.sha256 == hashlib.sha256(content).hexdigest()
    assert key.content == str(cb.score(KEY, KEY).signature.key)
    assert [one.name for one in recorded.inputs[1:]] == list(RESPONSES)
    assert recorded.documents == ("bicycle_0", "library_0", "cats_0")


def test_a_folder_is_known_by_the_names_and_contents_of_its_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_bytes(b"abc")
    one, two = hash_input(tmp_path / "one"), hash_input(tmp_path / "two")
    assert one == two == (3, hashlib.sha256(b"a.txt\x003\x00abc").hexdigest())
    (tmp_path / "two" / "a.txt").rename(tmp_path / "two" / "b.txt")
    assert hash_input(tmp_path / "two") != one


def test_a_document_is_read_alone_with_all_layers() -> None:
    found = run().document("library_0")
    assert found.key.tokens.words[:2] == tuple(cb.load(KEY)[1].words[:2])
    assert list(found.responses) == list(RESPONSES)
    for name, path in RESPONSES.items():
        assert found.responses[name].tokens == found.key.tokens
        mentions = found.responses[name].mentions
        spans = list(zip(mentions.start, mentions.end, strict=True))
        assert spans == [(m.start, m.end) for m in cb.load(path)[1].mentions]


def test_an_unknown_document_is_answered_with_the_nearest() -> None:
    with pytest.raises(cb.UsageError, match="did you mean library_0"):
        run().document("libary_0")


def test_twins_are_spans_that_both_have() -> None:
    for number in range(3):
        found = run().document(number)
        key = found.key.mentions
        for name, layer in found.responses.items():
            matched = found.matched[name]
            for place, twin in enumerate(matched.twins):
                span = (layer.mentions.start[place], layer.mentions.end[place])
                spans = list(zip(key.start, key.end, strict=True))
                assert (spans[twin] == span) if twin >= 0 else span not in spans


def test_mentions_that_the_profile_strips_are_not_counted() -> None:
    key = conll(a="Ann(1) met Tom(2) . She(1) left")
    response = conll(a="Ann(1) met Tom(1) . She(3) left")
    recorded = record_scores(key, {"r": response}, created=NOON, singletons="strip").document("a_0")
    matched = recorded.matched["r"]
    assert (matched.uncounted_key, matched.uncounted) == ((1,), (2,))
    assert matched.twins == (0, -1, -1)


def test_missing_added_and_shuffled_documents_are_kept_as_they_came() -> None:
    key = conll(a="Ann(1) left", b="Tom(1) saw him(1)", c="It(1) is")
    response = conll(d="You(5) too", c="It(1) is", b="Tom(1) saw him(2)")
    recorded = record_scores(key, {"r": response}, created=NOON)
    assert recorded.documents == ("a_0", "b_0", "c_0", "d_0")
    assert [one.order for one in recorded.header.inputs] == [(0, 1, 2), (3, 2, 1)]
    assert "r" not in recorded.document("a_0").responses
    assert recorded.document("d_0").key is None
    assert {finding.code for finding in recorded.results["r"].findings} >= {"CB202", "CB203"}
    verify_run(recorded)


def test_a_lone_document_of_another_name_is_beside_the_key() -> None:
    recorded = record_scores(conll(a="Ann(1) left"), {"r": conll(z="Ann(1) left")}, created=NOON)
    assert recorded.documents == ("a_0",)
    assert recorded.document(0).responses["r"].name == "z"
    verify_run(recorded)


@pytest.mark.parametrize("profile", list(profiles))
def test_every_profile_can_be_verified_from_the_documents(profile: str, tmp_path: Path) -> None:
    key = load_bundled()
    numbers = np.arange(len(key.mentions))
    response = keep_mentions(key, numbers % 3 > 0)
    moved = np.where(numbers % 7 == 1, response_chain(key), key.mentions.chain)
    mixed = replace(key, mentions=replace(key.mentions, chain=moved.astype(np.int32)))
    recorded = record_scores(key, {"fewer": response, "mixed": mixed}, profile, created=NOON)
    write_run(recorded, tmp_path / "x")
    opened = open_run(tmp_path / "x")
    found = verify_run(opened)
    assert (found.results, found.documents) == (2, 17)
    assert str(opened.results["mixed"].signature) == str(cb.score(key, mixed, profile).signature)


@pytest.mark.parametrize("scope", ["subtopic", "topic", "corpus"])
def test_wider_scopes_can_be_verified(scope: str) -> None:
    recorded = run(scope=scope, singletons="strip")
    assert verify_run(recorded).documents == 3
    assert str(recorded.results["eager"].signature) == str(
        cb.score(KEY, RESPONSES["eager"], scope=scope, singletons="strip").signature
    )


def test_clusters_from_memory_can_be_kept() -> None:
    from corefbench.scoring.clusters import corpora_from_clusters

    key, response = corpora_from_clusters([[(0, 1), (3, 3)]], [[(0, 1)], [(3, 3)]])
    recorded = record_scores(key, {"r": response}, created=NOON)
    assert verify_run(recorded).documents == 1
    assert recorded.header.inputs[0].sha256 == ""


def test_a_comparison_of_resolvers_is_a_run_with_a_response_a_resolver(tmp_path: Path) -> None:
    plan = cb.Plan(resolvers=("most-recent", "random"), mode="annotated")
    bench = cb.run_bench(corpus(), plan)
    write_run(record_bench(bench, created=NOON), tmp_path / "b.corefrun")
    opened = open_run(tmp_path / "b.corefrun")
    assert opened.kind == "bench"
    assert opened.bench.statistics == bench.statistics
    assert opened.bench.snippets == bench.snippets
    for performance in bench.performances:
        kept = opened.bench[performance.resolver]
        assert (kept.verdicts, kept.rates) == (performance.verdicts, performance.rates)
        result = opened.results[performance.resolver]
        assert result.conll.f1 == performance.conll
        assert {m: s.f1 for m, s in result.scores.items()} == {m: s["f1"] for m, s in performance.scores.items()}
    found = opened.document("second")
    assert " ".join(found.key.tokens.words) == "The dog saw a cat . It barked ."
    # most-recent links it to the cat, not to the dog
    chains = found.responses["most-recent"].mentions
    spans = dict(zip(zip(chains.start, chains.end, strict=True), chains.chain, strict=True))
    assert spans[(6, 7)] == spans[(3, 5)] != spans.get((0, 2))
    assert verify_run(opened).results == 2
