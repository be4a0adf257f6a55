"""A corpus that gets other chains."""

import pytest

from corefbench.errors import FormatError
from corefbench.formats.load import load
from corefbench.resolvers.checkpoint import ModelCard, save_model
from corefbench.resolvers.predict import predict
from corefbench.resolvers.response import replace_chains

ELLIPSIS = b"""# newdoc id = a
# global.Entity = eid-etype-head-other
# sent_id = 1
# text = Ann left
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:obj\tEntity=(e1-person-1-)
3\ther\tshe\tPRON\tPRP\t_\t2\tobj\t_\t_

"""


def test_words_are_counted_without_empty_nodes():
    corpus = load(ELLIPSIS, format="corefud")
    assert len(corpus[0]) == 4
    made = replace_chains(corpus, [[[(0, 1), (2, 3)]]])
    assert made[0].clusters() == [[(0, 1), (3, 4)]]
    assert made.tokens is corpus.tokens


def test_chains_are_numbered_by_first_appearance_and_longer_mentions_open_first():
    text = b"".join(
        b"#begin document (%s); part 000\n%s 0 0 a -\n%s 0 1 b -\n%s 0 2 c -\n#end document\n"
        % (name, name, name, name)
        for name in (b"x", b"y")
    )
    made = replace_chains(load(text), [[[(1, 2)], [(0, 1), (0, 3)]], [[(2, 3)]]])
    assert made[0].clusters() == [[(0, 3), (0, 1)], [(1, 2)]]
    assert made[1].clusters() == [[(2, 3)]]
    assert made.mentions.chain.tolist() == [0, 0, 1, 2]


def test_a_span_is_in_one_chain_only():
    corpus = load(ELLIPSIS, format="corefud")
    assert replace_chains(corpus, [[[(0, 1)], [(0, 1), (1, 2)]]])[0].clusters() == [[(0, 1)], [(1, 2)]]


def test_there_may_be_no_chains_at_all():
    assert len(replace_chains(load(ELLIPSIS, format="corefud"), [[]]).mentions) == 0


def test_a_model_of_an_unknown_kind_is_refused(tmp_path):
    pytest.importorskip("safetensors")
    save_model(tmp_path, ModelCard(kind="oracle", config={}), {})
    with pytest.raises(FormatError, match="CB251"):
        predict(tmp_path, load(ELLIPSIS, format="corefud"))
