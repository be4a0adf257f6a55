import json
import random
import re
from pathlib import Path

import pytest

import corefbench as cb
from corefbench.bundled import bundled
from corefbench.errors import DataError, UsageError
from corefbench.findings import Strictness
from corefbench.formats.load import load
from corefbench.language_models import Response, prompts, read_answers
from corefbench.language_models.prompting import key_answers
from corefbench.language_models.templates import names, template
from corefbench.model.corpus import Corpus

KEY = Path(__file__).parents[3] / "examples" / "key.conll"
TEXT = (
    "# document a\n\n[Ann]1 fed [[her]1 cat]2. [She]1 left.\n\n# document b\n\n[Bo]1 saw [it]2.\n\n"
)


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


@pytest.mark.parametrize("name", [name for name in names() if name != "answer-pronoun"])
def test_the_answers_of_the_key_score_one_on_whole_documents(name: str) -> None:
    corpus = bundled()
    rows = key_answers(corpus, prompts(corpus, name), template(name).notation)
    made = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert cb.score(corpus, made.corpus)["lea"].f1 == 1.0
    assert made.account.unaligned_share == 0
    assert made.account.silent == ()


def test_with_windows_chains_are_put_together_through_the_overlap() -> None:
    corpus = bundled()
    rows = key_answers(corpus, prompts(corpus, size=200, overlap=100))
    made = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    scores = cb.score(corpus, made.corpus)
    assert scores["mentions"].f1 == 1.0
    assert scores["muc"].precision == 1.0
    assert scores["muc"].recall > 0.95
    rows = key_answers(corpus, prompts(corpus, size=200, overlap=0))
    apart = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert cb.score(corpus, apart.corpus)["muc"].recall < scores["muc"].recall


def test_the_antecedents_of_the_key_are_right() -> None:
    corpus = bundled()
    rows = key_answers(corpus, prompts(corpus, "answer-pronoun"))
    made = read_answers(corpus, as_lines([{"id": i, "answer": text} for i, text in rows]))
    assert len(made.account.replies) > 500
    assert all(reply.right for reply in made.account.replies)


def test_a_document_without_answer_is_there_and_counts_as_missed() -> None:
    corpus = two()
    made = answered(corpus, "[Ann](#1) fed [[her](#1) cat](#2). [She](#1) left.")
    assert clusters(made.corpus) == [[[(0, 1), (2, 3), (5, 6)], [(2, 4)]], []]
    assert made.account.silent == ("b",)
    assert made.account.uncovered == 4
    assert cb.score(corpus, made.corpus)["mentions"].recall == pytest.approx(4 / 6)


def test_the_prompts_tell_which_answers_are_missing() -> None:
    corpus = two()
    lines = [{"id": prompt.id} for prompt in prompts(corpus)]
    made = answered(corpus, "Ann fed her cat. She left.", prompts=as_lines(lines))
    assert made.account.states == {"used": 1, "missing": 1}
    assert made.account.prompts


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
    made = answered(two(), "Ann fed her cat. She left.", text)
    assert made.account.replies[1].state == state


def test_an_answer_to_another_text_is_not_taken() -> None:
    asked = prompts(load(TEXT.replace("cat", "dog").encode(), format="inline"))
    rows = [{"id": prompt.id, "answer": "[Bo](#1) saw [it](#1)."} for prompt in asked]
    rows.append({"id": "request-7", "answer": "x"})
    made = read_answers(two(), as_lines(rows))
    assert made.account.unknown == (rows[0]["id"], "request-7")
    assert clusters(made.corpus)[0] == []


def test_answers_none_of_which_belongs_to_the_corpus_are_refused() -> None:
    with pytest.raises(DataError, match="CB128"):
        read_answers(two(), as_lines([{"id": "request-7", "answer": "x"}]))
    with pytest.raises(DataError, match="CB102"):
        read_answers(two(), b"")


def test_of_two_answers_to_a_prompt_the_later_counts() -> None:
    corpus = two()
    name = [prompt.id for prompt in prompts(corpus)][1]
    rows = [{"id": name, "answer": text} for text in ("Bo saw it.", "[Bo](#1) saw [it](#1).")]
    made = read_answers(corpus, as_lines(rows))
    assert clusters(made.corpus)[1] == [[(0, 1), (2, 3)]]
    assert made.account.repeated == 1


def test_of_given_mentions_no_others_are_taken_and_moved_ones_are_put_back() -> None:
    made = answered(
        two(), "[Ann](#1) [fed](#9) [her](#1) [cat](#2). [She](#?) left.", template="given-mentions"
    )
    assert clusters(made.corpus)[0] == [[(0, 1), (2, 3)], [(2, 4)]]
    (reply,) = made.account.replies
    assert reply.dropped == {"without a number": 1, "not a given mention": 1}
    assert reply.lost_chains == 1


def test_links_of_pronouns_become_chains() -> None:
    made = answered(two(), "Ann", "Her", template="answer-pronoun")
    assert clusters(made.corpus)[0] == [[(0, 1), (2, 3), (5, 6)]]
    assert [reply.right for reply in made.account.replies] == [True, True]
    made = answered(two(), "the moon", "her cat", template="answer-pronoun")
    assert [reply.state for reply in made.account.replies] == ["not found", "used"]
    assert [reply.right for reply in made.account.replies] == [False, False]


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
    made = read_answers(corpus, as_lines([{"id": prompt.id, "answer": "Came [Bo](#1)"}]))
    assert clusters(made.corpus) == [[[(2, 3)]]]


def damaged(text: str, dice: random.Random) -> str:
    """A text after some of what can happen to it."""
    pieces = re.split(r"(\s+)", text)
    for _ in range(dice.randint(0, 12)):
        place = dice.randrange(len(pieces))
        pieces[place] = dice.choice(
            ["", "[", "]", "](#", "]]", "the", "\n\n", "```\n", pieces[place] * 2, "\\", "[x](#7)"]
        )
    made = "".join(pieces)
    return made[: dice.randint(0, len(made))] if dice.random() < 0.3 else made


@pytest.mark.parametrize("seed", range(60))
def test_whatever_an_answer_is_it_gives_mentions_within_its_window(seed: int) -> None:
    corpus = load(KEY)
    dice = random.Random(seed)
    rows = [
        {"id": name, "answer": damaged(text, dice)}
        for name, text in key_answers(corpus, prompts(corpus, size=30))
    ]
    made = read_answers(corpus, as_lines(rows), strictness=Strictness())
    for document in made.corpus:
        spans = [span for chain in document.clusters() for span in chain]
        assert all(0 <= start < end <= len(document) for start, end in spans)
        assert len(set(spans)) == len(spans)
    used = made.account.used
    assert all(reply.mentions <= reply.marked for reply in used)
    cb.score(corpus, made.corpus)
