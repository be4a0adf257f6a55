"""Resolvers as participants: what they answer, that it is scored as if handed in, and who may."""

import pytest

from corefbench.bench.plan import PRONOUN_RESOLVERS
from corefbench.errors import UnknownName
from corefbench.resolvers import Resolution
from corefbench.resolvers import resolvers as registry
from corefbench.resolvers.adapters.chains import resolution_from_chains
from corefbench.resolvers.base import ResolverCard
from corefbench.tasks.are.files import write_answers
from corefbench.tasks.are.make import make_task_corpus
from corefbench.tasks.are.result import printed_scores
from corefbench.tasks.are.run import CHAIN_RESOLVERS, parse_participants, run_task
from corefbench.tasks.are.score import score_task
from tests.unit.bench.texts import corpus

RESOLVERS = ("most-recent", "sieve", "all-in-one", "singletons")


def run(task: int, *names: str, **choices: str):
    return run_task(task, corpus(), names or RESOLVERS, preprocess="conllu", **choices)


def test_the_most_recent_noun_phrase_is_right_in_three_of_four():
    # She → Ann, him → Tom, her → She, which leads to Ann; It → a cat, but it is the dog.
    result = run(1, "most-recent")["most-recent"]
    assert [(d.hits, d.key_total) for d in result.documents] == [(3, 3), (0, 1)]
    assert (result.macro.recall, result.micro.recall) == (0.5, 0.75)
    raw = run(3, "most-recent")["most-recent"]
    assert [(d.hits, d.response_total) for d in raw.documents] == [(3, 3), (0, 1)]


def test_a_participant_without_links_has_no_credit():
    for task in (1, 2, 3, 4):
        assert run(task)["singletons"].micro.recall == 0


def test_who_links_all_has_all_links_and_more():
    for task in (2, 4):
        assert run(task)["all-in-one"].micro.recall == 1
    assert run(2)["all-in-one"].micro.precision < 1


def test_who_links_all_answers_pronouns_by_the_mention_before():
    answers = run(1, "all-in-one").answers["all-in-one"]
    assert [sorted(answer.links) for answer in answers] == [[2, 3, 5], [2]]


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_answers_that_are_handed_in_score_the_same(task, tmp_path):
    exercise, key = run(task), make_task_corpus(corpus(), task)
    paths = write_answers(exercise, key, tmp_path / "answers")
    assert [path.name for path in paths] == [f"{name}.xml" for name in RESOLVERS]
    for name, path in zip(RESOLVERS, paths, strict=True):
        handed_in = score_task(task, key, path)
        assert handed_in.documents == exercise[name].documents


def test_a_resolver_with_phrases_of_its_own_is_understood(monkeypatch):
    class Own:
        card = ResolverCard(name="own", title="Own", description="Finds mentions itself.")

        def resolve(self, discourse) -> Resolution:
            spans = [[(0, 1), (4, 5)]] if discourse.analysis.words[0] == "Ann" else []
            return resolution_from_chains("own", discourse, spans)

    monkeypatch.setattr(registry, "_entries", {**registry._entries, "own": Own})
    assert [d.hits for d in run(1, "own")["own"].documents] == [1, 0]
    assert [d.hits for d in run(4, "own")["own"].documents] == [1, 0]


def test_unless_named_resolvers_of_pronouns_and_of_chains_take_part():
    assert parse_participants(()) == (*PRONOUN_RESOLVERS, *CHAIN_RESOLVERS)


def test_all_are_those_that_need_nothing_else():
    everyone = parse_participants(["all"])
    assert {"kennedy-boguraev", "cogniac-muc6", "singletons"} < {*everyone}
    assert not {"fastcoref", "neural", "ubiu", "command"} & {*everyone}


def test_unknown_names_are_refused_before_the_work_begins():
    with pytest.raises(UnknownName, match="sive"):
        run(1, "sive")


def test_signatures_name_task_participant_and_pipeline():
    exercise = run(3, "most-recent", weighting="threshold", average="micro")
    signature = exercise.signature("most-recent")
    assert signature.startswith("are-3|most-recent|average:micro|weighting:threshold|key:memory@")
    assert "|preprocess:conllu" in signature


def test_the_paper_prints_eleven_rows():
    rows = {(task, name) for task in (1, 2, 3, 4) for name in printed_scores(task)}
    assert len(rows) == 11
    assert printed_scores(1)["S2"] == {"recall": 0.7155}
    assert printed_scores(3)["baseline"] == {"recall": 0.1909, "precision": 0.2344, "f1": 0.1952}
