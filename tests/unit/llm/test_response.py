import json
import random
import re
from pathlib import Path

import pytest

import corefbench as cb
from corefbench.corpus.corpus import Corpus
from corefbench.datasets.bundled import load_bundled
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, UsageError
from corefbench.formats.load import load
from corefbench.llm import Response, prompts, read_answers
from corefbench.llm.prompting import key_answers, load_template, template_names
from corefbench.llm.response import find_heads, merge_windows, replace_mentions


def chains(mentions) -> set[frozenset]:
    found: dict[str, set] = {}
    for start, end, label in mentions:
        found.setdefault(label, set()).add((start, end))
    return {frozenset(chain) for chain in found.values()}


def test_chains_that_share_a_mention_in_the_overlap_are_one() -> None:
    response = merge_windows([[(0, 1, "1"), (2, 3, "2"), (8, 9, "1")], [(8, 9, "1"), (12, 13, "2"), (14, 15, "1")]])
    assert chains(response.mentions) == {
        frozenset([(0, 1), (8, 9), (14, 15)]), frozenset([(2, 3)]), frozenset([(12, 13)]),
    }  # fmt: skip
    assert (response.joined, response.refused) == (1, 0)


def test_equal_numbers_in_two_windows_mean_nothing() -> None:
    response = merge_windows([[(0, 1, "1")], [(9, 10, "1")]])
    assert len(chains(response.mentions)) == 2


def test_a_chain_goes_through_three_windows() -> None:
    response = merge_windows([
        [(0, 1, "a"), (8, 9, "a")], [(8, 9, "b"), (16, 17, "b")], [(16, 17, "c"), (20, 21, "c")],
    ])  # fmt: skip
    assert chains(response.mentions) == {frozenset([(0, 1), (8, 9), (16, 17), (20, 21)])}


def test_one_wrong_link_does_not_melt_two_chains() -> None:
    response = merge_windows(
        [
            [(0, 1, "1"), (6, 7, "1"), (8, 9, "1"), (2, 3, "2"), (9, 10, "2")],
            [(6, 7, "1"), (8, 9, "1"), (9, 10, "1"), (14, 15, "1")],
        ]
    )
    assert chains(response.mentions) == {
        frozenset([(0, 1), (6, 7), (8, 9), (14, 15)]), frozenset([(2, 3), (9, 10)]),
    }  # fmt: skip
    assert (response.joined, response.refused) == (1, 1)


def test_a_mention_that_one_window_alone_has_is_kept() -> None:
    response = merge_windows([[(0, 1, "1"), (7, 8, "1")], [(8, 9, "4")]])
    assert [mention[:2] for mention in response.mentions] == [(0, 1), (7, 8), (8, 9)]


def test_a_document_without_answers_has_no_mentions() -> None:
    assert merge_windows([]).mentions == merge_windows([[], []]).mentions == ()


EXAMPLES = Path(__file__).parents[3] / "examples"

TREE = """# newdoc id = d
# global.Entity = eid-etype-head-other
1\tThe\t_\t_\t_\t_\t2\tdet\t_\tEntity=(e1-person-2-
2\tking\t_\t_\t_\t_\t6\tnsubj\t_\t_
3\tof\t_\t_\t_\t_\t5\tcase\t_\t_
4\told\t_\t_\t_\t_\t5\tamod\t_\t_
5\tRome\t_\t_\t_\t_\t2\tnmod\t_\tEntity=e1)
6\tslept\t_\t_\t_\t_\t0\troot\t_\t_

"""


def test_heads_come_from_equal_mentions_or_the_tree() -> None:
    corpus = load(TREE.encode(), format="corefud")
    assert find_heads(corpus, [(0, 0, 5), (0, 2, 5), (0, 0, 2), (0, 3, 4)]) == [1, 4, 1, 3]


def test_without_a_tree_the_last_word_is_the_head() -> None:
    flat = TREE.replace("det", "_").replace("nsubj", "_").replace("nmod", "_").replace("amod", "_")
    corpus = load(flat.replace("case", "_").encode(), format="corefud")
    assert find_heads(corpus, [(0, 2, 5), (0, 0, 2)]) == [4, 1]


@pytest.mark.parametrize("profile", ["corefud", "conll-2012", "semeval-2010", "cattan-2021"])
def test_a_response_with_the_chains_of_the_key_scores_one_by_any_profile(profile: str) -> None:
    key = load(EXAMPLES / "language-model" / "key.conllu")
    rows = [
        [
            (mention.start, mention.end, str(number))
            for number, chain in enumerate(document.chains)
            for mention in chain.mentions
        ]
        for document in key
    ]
    result = cb.score(key, replace_mentions(key, [sorted(row) for row in rows]), profile)
    assert all(score.f1 in (0.0, 1.0) for score in result.scores.values())
    assert result["b_cubed"].f1 == 1.0


KEY = Path(__file__).parents[3] / "examples" / "key.conll"
TEXT = "# document a\n\n[Ann]1 fed [[her]1 cat]2. [She]1 left.\n\n# document b\n\n[Bo]1 saw [it]2.\n\n"


def two() -> Corpus:
    return load(TEXT.encode(), format="inline")


def answered(corpus: Corpus, *texts: str | None, template: str = "mark-all", **more) -> Response:
    asked = [prompt.id for prompt in prompts(corpus, template)]
    rows = [{"id": name, "answer": text} for name, text in zip(asked, texts, strict=False)]
    return read_answers(corpus, as_lines(rows), **more)


def as_lines(rows: list[dict]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def clusters(corpus: Corpus) -> list:
    return [sorted(document.clusters()) for document in corpus]


@pytest.mark.parametrize("name", [name for name in template_names() if name != "answer-pronoun"])
def test_the_answers_of_the_key_score_one_on_whole_documents(name: str) -> None:
    corpus = load_bundled()
    rows = key_answers(corpus, prompts(corpus, name), load_template(name).notation)
    response = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert cb.score(corpus, response.corpus)["lea"].f1 == 1.0
    assert response.report.unaligned_share == 0
    assert response.report.silent == ()


def test_with_windows_chains_are_put_together_through_the_overlap() -> None:
    corpus = load_bundled()
    rows = key_answers(corpus, prompts(corpus, size=200, overlap=100))
    response = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    scores = cb.score(corpus, response.corpus)
    assert scores["mentions"].f1 == 1.0
    assert scores["muc"].precision == 1.0
    assert scores["muc"].recall > 0.95
    rows = key_answers(corpus, prompts(corpus, size=200, overlap=0))
    apart = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert cb.score(corpus, apart.corpus)["muc"].recall < scores["muc"].recall


def test_the_antecedents_of_the_key_are_right() -> None:
    corpus = load_bundled()
    rows = key_answers(corpus, prompts(corpus, "answer-pronoun"))
    response = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert len(response.report.replies) > 500
    assert all(reply.right for reply in response.report.replies)


def test_a_document_without_answer_is_there_and_counts_as_missed() -> None:
    corpus = two()
    response = answered(corpus, "[Ann](#1) fed [[her](#1) cat](#2). [She](#1) left.")
    assert clusters(response.corpus) == [[[(0, 1), (2, 3), (5, 6)], [(2, 4)]], []]
    assert response.report.silent == ("b",)
    assert response.report.uncovered == 4
    assert cb.score(corpus, response.corpus)["mentions"].recall == pytest.approx(4 / 6)


def test_the_prompts_tell_which_answers_are_missing() -> None:
    corpus = two()
    lines = [{"id": prompt.id} for prompt in prompts(corpus)]
    response = answered(corpus, "Ann fed her cat. She left.", prompts=as_lines(lines))
    assert response.report.states == {"used": 1, "missing": 1}
    assert response.report.prompts


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, "failed"),
        ("  \n", "empty"),
        ("I am sorry, but I cannot help with annotating this text.", "not a copy"),
        ("Bo saw it.", "used"),
    ],
)
def test_what_became_of_an_answer(text: str | None, state: str) -> None:
    response = answered(two(), "Ann fed her cat. She left.", text)
    assert response.report.replies[1].state == state


def test_an_answer_to_another_text_is_not_taken() -> None:
    asked = prompts(load(TEXT.replace("cat", "dog").encode(), format="inline"))
    rows = [{"id": prompt.id, "answer": "[Bo](#1) saw [it](#1)."} for prompt in asked]
    rows.append({"id": "request-7", "answer": "x"})
    response = read_answers(two(), as_lines(rows))
    assert response.report.unknown == (rows[0]["id"], "request-7")
    assert clusters(response.corpus)[0] == []


def test_answers_none_of_which_belongs_to_the_corpus_are_refused() -> None:
    with pytest.raises(DataError, match="CB128"):
        read_answers(two(), as_lines([{"id": "request-7", "answer": "x"}]))
    with pytest.raises(DataError, match="CB102"):
        read_answers(two(), b"")


def test_of_two_answers_to_a_prompt_the_later_counts() -> None:
    corpus = two()
    name = [prompt.id for prompt in prompts(corpus)][1]
    rows = [{"id": name, "answer": text} for text in ("Bo saw it.", "[Bo](#1) saw [it](#1).")]
    response = read_answers(corpus, as_lines(rows))
    assert clusters(response.corpus)[1] == [[(0, 1), (2, 3)]]
    assert response.report.repeated == 1


def test_of_given_mentions_no_others_are_taken_and_moved_ones_are_put_back() -> None:
    response = answered(two(), "[Ann](#1) [fed](#9) [her](#1) [cat](#2). [She](#?) left.", template="given-mentions")
    assert clusters(response.corpus)[0] == [[(0, 1), (2, 3)], [(2, 4)]]
    (reply,) = response.report.replies
    assert reply.dropped == {"without a number": 1, "not a given mention": 1}
    assert reply.lost_chains == 1


def test_links_of_pronouns_become_chains() -> None:
    response = answered(two(), "Ann", "Her", template="answer-pronoun")
    assert clusters(response.corpus)[0] == [[(0, 1), (2, 3), (5, 6)]]
    assert [reply.right for reply in response.report.replies] == [True, True]
    response = answered(two(), "the moon", "her cat", template="answer-pronoun")
    assert [reply.state for reply in response.report.replies] == ["not found", "used"]
    assert [reply.right for reply in response.report.replies] == [False, False]


def test_answers_to_prompts_of_two_tasks_are_not_mixed() -> None:
    corpus = two()
    names = [next(prompts(corpus, some)).id for some in ("mark-all", "given-mentions")]
    with pytest.raises(UsageError, match="several tasks"):
        read_answers(corpus, as_lines([{"id": name, "answer": "x"} for name in names]))


def test_zeros_are_left_out_of_prompts_and_places_count_them() -> None:
    conllu = (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\tCame\t_\t_\t_\t_\t0\t_\t_\t_\n"
        "1.1\t_\t_\t_\t_\t_\t_\t_\t0:x\tEntity=(e1-person-1-)\n"
        "2\tBo\t_\t_\t_\t_\t1\t_\t_\tEntity=(e1-person-1-)\n\n"
    )
    corpus = load(conllu.encode(), format="corefud")
    (prompt,) = prompts(corpus)
    assert prompt.messages[-1].content == "Came Bo"
    response = read_answers(corpus, as_lines([{"id": prompt.id, "answer": "Came [Bo](#1)"}]))
    assert clusters(response.corpus) == [[[(2, 3)]]]


def damaged(text: str, dice: random.Random) -> str:
    """A text after some of what can happen to it."""
    pieces = re.split(r"(\s+)", text)
    for _ in range(dice.randint(0, 12)):
        place = dice.randrange(len(pieces))
        pieces[place] = dice.choice(
            ["", "[", "]", "](#", "]]", "the", "\n\n", "```\n", pieces[place] * 2, "\\", "[x](#7)"]
        )
    response = "".join(pieces)
    return response[: dice.randint(0, len(response))] if dice.random() < 0.3 else response


@pytest.mark.parametrize("seed", range(60))
def test_whatever_an_answer_is_it_gives_mentions_within_its_window(seed: int) -> None:
    corpus = load(KEY)
    dice = random.Random(seed)
    rows = [{"id": name, "answer": damaged(text, dice)} for name, text in key_answers(corpus, prompts(corpus, size=30))]
    response = read_answers(corpus, as_lines(rows), strictness=Strictness())
    for document in response.corpus:
        spans = [span for chain in document.clusters() for span in chain]
        assert all(0 <= start < end <= len(document) for start, end in spans)
        assert len(set(spans)) == len(spans)
    used = response.report.used
    assert all(reply.mentions <= reply.marked for reply in used)
    cb.score(corpus, response.corpus)
