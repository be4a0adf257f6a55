from corefbench.model.builder import CorpusBuilder
from corefbench.resolvers.across.sentences import annotated_sentences


def test_only_sentences_with_mentions_are_kept():
    build = CorpusBuilder("c")
    build.begin_document("d", columns={"topic": "1"})
    build.sentence(["No", "one", "."])
    build.sentence(["Ann", "left", "."])
    build.sentence(["It", "rained", "."])
    build.sentence(["She", "and", "Bo", "won", "."])
    build.mention("ann", [(3, 4)], columns={"kind": "entity"})
    build.mention("ann", [(9, 10)], columns={"kind": "entity"})
    build.mention("both", [(9, 10), (11, 12)], columns={"kind": "entity"})
    build.begin_document("empty", columns={"topic": "2"})
    build.sentence(["Nothing", "."])
    made = annotated_sentences(build.finish())
    (document,) = list(made)
    assert document.words == ["Ann", "left", ".", "She", "and", "Bo", "won", "."]
    assert [m.text for m in document.mentions] == ["Ann", "She … Bo", "She"]
    assert made.documents.columns == {"topic": ("1",)}
    assert len(made.chains) == 2
    assert list(made.mentions.columns["kind"]) == ["entity"] * 3
