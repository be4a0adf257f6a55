"""What a run keeps: scores as they are without it, documents, twins, inputs."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.bundled import bundled
from corefbench.model.assemble import keep_mentions
from corefbench.profiles import profiles
from corefbench.runs import open_run, save
from corefbench.runs.inputs import fingerprint
from corefbench.runs.record import record_bench, record_scores
from corefbench.runs.verification import verify_run
from tests.unit.bench.texts import corpus
from tests.unit.runs.made import KEY, NOON, RESPONSES, run


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
    save(run(), tmp_path / "x.corefrun")
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


def test_the_header_says_what_went_in() -> None:
    made = run().header
    assert (made.schema, made.kind, made.created) == (2, "score", "2026-01-02T12:00:00Z")
    key = made.inputs[0]
    content = KEY.read_bytes()
    assert (key.role, key.name, key.format, key.bytes) == ("key", KEY.name, "conll", len(content))
    assert key.sha256 == hashlib.sha256(content).hexdigest()
    assert key.content == str(cb.score(KEY, KEY).signature.key)
    assert [one.name for one in made.inputs[1:]] == list(RESPONSES)
    assert made.documents == ("bicycle_0", "library_0", "cats_0")


def test_a_folder_is_known_by_the_names_and_contents_of_its_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_bytes(b"abc")
    one, two = fingerprint(tmp_path / "one"), fingerprint(tmp_path / "two")
    assert one == two == (3, hashlib.sha256(b"a.txt\x003\x00abc").hexdigest())
    (tmp_path / "two" / "a.txt").rename(tmp_path / "two" / "b.txt")
    assert fingerprint(tmp_path / "two") != one


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
    made = record_scores(key, {"r": response}, created=NOON, singletons="strip").document("a_0")
    matched = made.matched["r"]
    assert (matched.uncounted_key, matched.uncounted) == ((1,), (2,))
    assert matched.twins == (0, -1, -1)


def test_missing_added_and_shuffled_documents_are_kept_as_they_came() -> None:
    key = conll(a="Ann(1) left", b="Tom(1) saw him(1)", c="It(1) is")
    response = conll(d="You(5) too", c="It(1) is", b="Tom(1) saw him(2)")
    made = record_scores(key, {"r": response}, created=NOON)
    assert made.documents == ("a_0", "b_0", "c_0", "d_0")
    assert [one.order for one in made.header.inputs] == [(0, 1, 2), (3, 2, 1)]
    assert "r" not in made.document("a_0").responses
    assert made.document("d_0").key is None
    assert {finding.code for finding in made.results["r"].findings} >= {"CB202", "CB203"}
    verify_run(made)


def test_a_lone_document_of_another_name_is_beside_the_key() -> None:
    made = record_scores(conll(a="Ann(1) left"), {"r": conll(z="Ann(1) left")}, created=NOON)
    assert made.documents == ("a_0",)
    assert made.document(0).responses["r"].name == "z"
    verify_run(made)


@pytest.mark.parametrize("profile", list(profiles))
def test_every_profile_comes_out_again_from_the_documents(profile: str, tmp_path: Path) -> None:
    key = bundled()
    numbers = np.arange(len(key.mentions))
    response = keep_mentions(key, numbers % 3 > 0)
    moved = np.where(numbers % 7 == 1, response_chain(key), key.mentions.chain)
    mixed = replace(key, mentions=replace(key.mentions, chain=moved.astype(np.int32)))
    made = record_scores(key, {"fewer": response, "mixed": mixed}, profile, created=NOON)
    save(made, tmp_path / "x")
    opened = open_run(tmp_path / "x")
    found = verify_run(opened)
    assert (found.results, found.documents) == (2, 17)
    assert str(opened.results["mixed"].signature) == str(cb.score(key, mixed, profile).signature)


@pytest.mark.parametrize("scope", ["subtopic", "topic", "corpus"])
def test_wider_scopes_come_out_again(scope: str) -> None:
    made = run(scope=scope, singletons="strip")
    assert verify_run(made).documents == 3
    assert str(made.results["eager"].signature) == str(
        cb.score(KEY, RESPONSES["eager"], scope=scope, singletons="strip").signature
    )


def test_clusters_from_memory_can_be_kept() -> None:
    from corefbench.scoring.clusters import corpora_of_clusters

    key, response = corpora_of_clusters([[(0, 1), (3, 3)]], [[(0, 1)], [(3, 3)]])
    made = record_scores(key, {"r": response}, created=NOON)
    assert verify_run(made).documents == 1
    assert made.header.inputs[0].sha256 == ""


def test_a_comparison_of_resolvers_is_a_run_with_a_response_a_resolver(tmp_path: Path) -> None:
    plan = cb.Plan(resolvers=("most-recent", "random"), mode="annotated")
    bench = cb.run_bench(corpus(), plan)
    save(record_bench(bench, created=NOON), tmp_path / "b.corefrun")
    opened = open_run(tmp_path / "b.corefrun")
    assert opened.kind == "bench"
    assert opened.bench.statistics == bench.statistics
    assert opened.bench.snippets == bench.snippets
    for performance in bench.performances:
        kept = opened.bench[performance.resolver]
        assert (kept.verdicts, kept.rates) == (performance.verdicts, performance.rates)
        result = opened.results[performance.resolver]
        assert result.conll.f1 == performance.conll
        assert {m: s.f1 for m, s in result.scores.items()} == {
            m: s["f1"] for m, s in performance.scores.items()
        }
    found = opened.document("second")
    assert " ".join(found.key.tokens.words) == "The dog saw a cat . It barked ."
    # most-recent links it to the cat, not to the dog
    chains = found.responses["most-recent"].mentions
    spans = dict(zip(zip(chains.start, chains.end, strict=True), chains.chain, strict=True))
    assert spans[(6, 7)] == spans[(3, 5)] != spans.get((0, 2))
    assert verify_run(opened).results == 2
