"""Corpora out of corpora keep all that they say."""

import numpy as np
import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate, empty_corpus, keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus


def corpus(*names: str) -> Corpus:
    build = CorpusBuilder("c")
    for name in names:
        build.begin_document(name, columns={"genre": name.upper()})
        build.sentence(["one", name], columns={"pos": ["A", name]})
        build.sentence(["three"])
        first = build.mention("x", [(0, 2)], head=1)
        build.mention("x", [(2, 3)])
        second = build.mention(f"of {name}", [(0, 1), (2, 3)])
        build.bridge(second, mention=first, chain=build.chain("x"), label="part")
        build.split_antecedent(build.chain("x"), build.chain(f"of {name}"))
    return build.finish()


def said(some: Corpus) -> list[object]:
    relations = some.relations
    mentions = [m for document in some for m in document.mentions]
    return [
        *((d.label, d.words, d.sentences) for d in some),
        *((m.parts, m.head, m.chain.label, m.text) for m in mentions),
        some.documents.columns,
        list(some.tokens.columns.get("pos", ())),
        some.tokens.digests.tolist(),
        sorted(
            (mentions[anaphor].text, mentions[mention].text, some.chains.label(chain))
            for anaphor, mention, chain in zip(
                relations.bridging_anaphor, relations.bridging_mention, relations.bridging_chain, strict=True
            )
        ),
        sorted(
            (some.chains.label(plural), some.chains.label(element))
            for plural, element in zip(relations.plural, relations.element, strict=True)
        ),
    ]


def test_pieces_are_joined_in_order() -> None:
    assert said(concatenate("c", [corpus("a"), corpus("b", "c")])) == said(corpus("a", "b", "c"))


def test_nothing_joined_is_an_empty_corpus() -> None:
    assert len(concatenate("c", [])) == 0
    assert len(empty_corpus("c").mentions) == 0


def test_pieces_with_numbers_and_with_names_for_chains_are_joined() -> None:
    build = CorpusBuilder("c")
    build.begin_document("n")
    build.sentence(["w"])
    build.mention("12", [(0, 1)])
    joined = concatenate("c", [build.finish(), corpus("a")])
    assert [joined.chains.label(i) for i in range(len(joined.chains))] == ["12", "x", "of a"]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0], [1], [2, 1, 0]])
def test_documents_are_taken_in_any_order(order: list[int]) -> None:
    names = [("abc"[i], -1) for i in order]
    taken = take_documents(corpus("a", "b", "c"), np.array(order), names)
    assert said(taken) == said(corpus(*("abc"[i] for i in order)))


def test_a_document_that_is_not_there_is_empty() -> None:
    taken = take_documents(corpus("a"), np.array([-1, 0]), [("new", 2), ("a", -1)])
    assert taken.documents.labels() == ("new_2", "a")
    assert [len(document) for document in taken] == [0, 3]
    assert [len(document.mentions) for document in taken] == [0, 3]
    assert taken.tokens.digests[0] == 0


def test_relations_of_dropped_mentions_go() -> None:
    some = corpus("a")
    anaphor = int(some.relations.bridging_anaphor[0])
    keep = np.ones(3, np.bool_)
    keep[anaphor] = False
    assert len(keep_mentions(some, keep).relations.bridging_anaphor) == 0
    assert len(keep_mentions(some, keep).chains) == len(some.chains)


def test_a_dropped_antecedent_is_unknown() -> None:
    some = corpus("a")
    keep = np.ones(3, np.bool_)
    keep[int(some.relations.bridging_mention[0])] = False
    left = keep_mentions(some, keep).relations
    assert left.bridging_mention.tolist() == [-1]
    assert left.bridging_chain.tolist() == some.relations.bridging_chain.tolist()
