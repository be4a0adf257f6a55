from pathlib import Path

import pytest

import corefbench as cb
from corefbench.formats.load import load
from corefbench.language_models.heads import head_column
from corefbench.language_models.response import with_chains

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


def test_of_a_mention_of_the_source_its_head_is_taken_else_the_tree_tells() -> None:
    corpus = load(TREE.encode(), format="corefud")
    assert head_column(corpus, [(0, 0, 5), (0, 2, 5), (0, 0, 2), (0, 3, 4)]) == [1, 4, 1, 3]


def test_without_a_tree_the_last_word_is_the_head() -> None:
    flat = TREE.replace("det", "_").replace("nsubj", "_").replace("nmod", "_").replace("amod", "_")
    corpus = load(flat.replace("case", "_").encode(), format="corefud")
    assert head_column(corpus, [(0, 2, 5), (0, 0, 2)]) == [4, 1]


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
    result = cb.score(key, with_chains(key, [sorted(row) for row in rows]), profile)
    assert all(score.f1 in (0.0, 1.0) for score in result.scores.values())
    assert result["b_cubed"].f1 == 1.0
