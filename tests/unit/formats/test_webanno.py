"""WebAnno TSV: worked samples, GUM, round trips and faults."""

import pytest
from hypothesis import given

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.conll.format import CoNLL
from corefbench.formats.source import Source
from corefbench.formats.webanno import WebAnno
from tests.data import data
from tests.unit.formats.roundtrip import assert_faulty, assert_stable, contents, read, read_leniently, written
from tests.unit.formats.text_corpora import corpora, kept

FORM = WebAnno()
HEADER = [
    "#FORMAT=WebAnno TSV 3.2",
    "#T_SP=webanno.custom.Referent|entity|infstat",
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent",
    "#Summary1=(human) Ann and Bob meet.",
    "",
    "",
]
FIRST = [
    "#Text=Ann met Bob in his garden.",
    "1-1\t0-3\tAnn\tperson[1]|group[9]\tnew[1]|new[9]\tbridge:aggr|ana\t2-1[6_1]|2-3[7_1]\t",
    "1-2\t4-7\tmet\t_\t_\t_\t_\t",
    "1-3\t8-11\tBob\tperson[2]\t*[2]\tana|bridge:aggr\t1-5[4_2]|2-1[6_2]\t",
    "1-4\t12-14\tin\t_\t_\t_\t_\t",
    "1-5\t15-18\this\tplace[3]|person[4]\tnew[3]|giv[4]\t_\t_\t",
    "1-6\t19-25\tgarden\tplace[3]\tnew[3]\t_\t_\t",
    "1-7\t25-26\t.\t_\t_\t_\t_\t",
    "",
]
SECOND = [
    "#Text=They saw her.",
    "2-1\t27-31\tThey\tperson[6]\tacc[6]\tbridge:part\t2-3[7_6]\t",
    "2-2\t32-35\tsaw\t_\t_\t_\t_\t",
    "2-3\t36-39\ther\tperson[7]\tgiv[7]\t_\t_\t",
    "2-4\t39-40\t.\t_\t_\t_\t_\t",
    "",
]
SAMPLE = [*HEADER, *FIRST, *SECOND]


def text(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def chains(corpus: Corpus) -> list[list[str]]:
    return [[mention.text for mention in chain.mentions] for chain in corpus[0].chains]


def test_relations_of_identity_make_chains_and_bridges_do_not() -> None:
    assert chains(read(FORM, text(SAMPLE))) == [["Ann", "her"], ["Ann"], ["Bob", "his"], ["his garden"], ["They"]]


def test_aggregation_is_a_split_antecedent_and_other_bridges_are_bridging() -> None:
    corpus = read(FORM, text(SAMPLE))
    relations = corpus.relations
    pairs = zip(relations.plural.tolist(), relations.element.tolist(), strict=True)
    assert sorted(pairs) == [(4, 0), (4, 2)]
    assert relations.bridging_label == ("part",)
    mentions = corpus[0].mentions
    assert mentions[int(relations.bridging_anaphor[0])].text == "her"
    assert mentions[int(relations.bridging_mention[0])].text == "They"


def test_features_are_attributes_and_a_star_is_none() -> None:
    columns = read(FORM, text(SAMPLE)).mentions.columns
    assert list(columns["entity"]) == ["person", "group", "person", "place", "person", "person", "person"]
    assert list(columns["infstat"]) == ["new", "new", "", "new", "giv", "acc", "giv"]


def test_the_text_is_that_of_its_lines() -> None:
    document = read(FORM, text(SAMPLE))[0]
    assert document.text == "Ann met Bob in his garden.\nThey saw her.\n"
    assert [document.text[a:b] for a, b in document.offsets or ()] == document.words


def test_spans_without_numbers_are_single_tokens() -> None:
    lines = [
        *HEADER[:1],
        "#T_SP=L|value",
        "#T_RL=R|label|BT_L",
        "",
        "#Text=Ann ran",
        "1-1\t0-3\tAnn\tx\tcoref\t1-2\t",
        "1-2\t4-7\tran\tx\\|y\t_\t_\t",
    ]
    corpus = read(FORM, text(lines))
    assert corpus[0].clusters() == [[(0, 1), (1, 2)]]
    assert list(corpus.mentions.columns["value"]) == ["x", "x|y"]


def test_the_sample_is_stable_and_several_follow_one_another() -> None:
    corpus = read(FORM, text(SAMPLE))
    assert_stable(FORM, corpus)
    two = read(FORM, written(FORM, corpus) + text(SAMPLE).encode())
    assert len(two) == 2
    assert two[0].clusters() == two[1].clusters()


def test_every_document_of_gum_agrees_with_its_conll_file() -> None:
    """71,153 mentions in 37,097 chains, without Reddit, in 263 documents."""
    folder = data("gum") / "tsv"
    if not folder.is_dir():
        pytest.skip("the data set has no WebAnno files")
    mentions = chains = documents = 0
    for path in sorted(data("gum").glob("gum-conll/*.conll")):
        corpus = next(FORM.read(Source.of(folder / f"{path.stem}.tsv"), Reading()))
        other = concatenate("conll", list(CoNLL().read(Source.of(path), Reading())))
        assert corpus[0].words == other[0].words
        assert set(map(frozenset, corpus[0].clusters())) == set(map(frozenset, other[0].clusters()))
        mentions, chains = mentions + len(corpus.mentions), chains + len(corpus.chains)
        documents += 1
    assert (documents, mentions, chains) == (263, 71_153, 37_097)


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises(text(SAMPLE).encode()) == 1
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0
    assert FORM.recognises(b"") == 0


def changed(old: str, new: str) -> str:
    assert old in text(SAMPLE)
    return text(SAMPLE).replace(old, new)


REPAIRED = {
    "too few columns": ("CB110", 8, changed("1-2\t4-7\tmet\t_\t_\t_\t_\t", "1-2\t4-7\tmet\t_")),
    "a line that is no token": ("CB141", 8, changed("1-2\t", "what\t")),
    "a token alone": ("CB141", 8, changed("1-2\t4-7\tmet\t_\t_\t_\t_\t", "1-2")),
    "a part of a token": ("CB141", 9, changed("1-3\t", "1-2.1\t4-5\tm\tx[8]\t*[8]\t_\t_\t\n1-3\t")),
    "a source that is not there": ("CB115", 9, changed("1-5[4_2]", "1-5[44_2]")),
    "a target that is not there": ("CB115", 9, changed("1-5[4_2]", "1-5[4_22]")),
    "a source that is no place": ("CB115", 9, changed("1-5[4_2]", "below")),
    "a number that is none": ("CB106", 9, changed("person[2]", "person[two]")),
    "a bracket not closed": ("CB106", 9, changed("person[2]", "person[2")),
    "another text": ("CB142", 8, changed("#Text=Ann met Bob", "#Text=Eve met Bob")),
    "a token missing from the text": ("CB142", 8, changed("his garden.\n", "garden\n")),
    "a token with another name": ("CB142", 8, changed("\tgarden\t", "\tgraden\t")),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault: str) -> None:
    code, line, content = REPAIRED[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code
    assert abs(caught.value.place.line - line) <= 1
    corpus, heard = read_leniently(FORM, content)
    assert {(f.code, f.severity) for f in heard} >= {(code, "repair")}
    assert_stable(FORM, corpus)


REFUSED = {
    "nothing": ("CB102", b""),
    "no first line": ("CB117", b"1-1\t0-3\tAnn\t_\n"),
    "a chain layer with other features": ("CB117", text(SAMPLE).replace("#T_RL", "#T_CH").encode()),
    "a layer after tokens": ("CB117", changed(SECOND[0], f"{HEADER[1]}\n{SECOND[0]}").encode()),
    "a relation without its layer": ("CB117", changed("|BT_webanno.custom.Referent", "").encode()),
    "UTF-16": ("CB103", text(SAMPLE).encode("utf-16")),
    "no UTF-8": ("CB103", text(SAMPLE).encode() + b"\xff"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused(fault: str) -> None:
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


@given(corpora(columns=["entity", "infstat"], relations=True))
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    columns = ["entity", "infstat"]
    assert kept(again, columns=columns) == kept(corpus, columns=columns)
    for name in ("bridging_anaphor", "bridging_mention", "bridging_label"):
        assert contents(again)[f"relations.{name}"] == contents(corpus)[f"relations.{name}"]
    assert len(again.relations.plural) == len(corpus.relations.plural)
    assert_stable(FORM, again)


OTHER = [
    "#FORMAT=WebAnno TSV 3.2",
    "#T_SP=a.Referent|entity|infstat",
    "#T_SP=a.Place",
    "#T_SP=b|infstat|entity|entity",
    "#T_RL=a.Coref|type|BT_a.Referent",
    "#T_RL=b.Coref|BT_b",
    "#Document=d\\\\e",
    "#Part=7",
    "",
    "#Text=Wir  lieben\\tdas 𝒳é.",
    "1-1\t0-3\tWir\t*[1]\tx[1]\t_\t_\tp\t_\tana|bridge\t1-2[2_1]|1-4[3_1]\t1-2\t",
    "1-2\t5-11\tlieben\ta\\|b[2]|c[3]\t*[2]|*[3]\tx[1]\tq\tq\tr\t_\t_\t1-1[0_0]|2-1\t",
    "1-3\t12-15\tdas\td[3]\t_\tx[1]\t_\t_\t_\t_\t_\t_\t",
    "1-4\t16-18\t𝒳é\td[1]\t_\t_\t_\t_\t_\tbridge:aggr\t1-1[1_3]\t_\t",
    "1-5\t18-19\t.\t_\t_\t_\t_\t_\t_\t_\t_\t_\t",
    "",
    "#Text=Ja \\\\ ja",
    "2-1\t20-22\tJa\te[4]\ty[4]\t_\t_\tp\t_\tana\t1-1[1_4]\t_\t",
    "2-2\t23-24\t\\\\\t_\t_\t_\t_\t_\t_\t_\t_\t_\t",
    "2-3\t25-27\tja\t_\t_\t_\t_\t_\t_\t_\t_\t_\t",
    "",
]


def test_layers_without_features_and_escaped_values_are_read() -> None:
    corpus = read(FORM, text(OTHER))
    assert (corpus[0].name, corpus.documents.parts.tolist()) == ("d\\e", [7])
    assert corpus[0].text == "Wir  lieben\tdas 𝒳é.\nJa \\ ja\n"
    columns = {name: list(column) for name, column in corpus.mentions.columns.items()}
    spans = list(zip(corpus.mentions.start.tolist(), corpus.mentions.end.tolist(), strict=True))
    assert spans == [(0, 4), (0, 1), (1, 3), (1, 2), (1, 2), (5, 6), (5, 6)]
    assert columns == {
        "infstat": ["x", "", "", "", "q", "y", ""],
        "entity": ["d", "p", "d", "a|b", "r", "e", "p"],
    }


COREFERENCE = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
CHAINS = [
    "#FORMAT=WebAnno TSV 3.3",
    "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue",
    "#T_SP=webanno.custom.Frame|ROLE_webanno.custom.Frame:roles_webanno.custom.Link|uima.tcas.Annotation|name",
    f"#T_CH={COREFERENCE}|referenceRelation|referenceType",
    "#T_RL=webanno.custom.Order|BT_de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token",
    "",
    "",
    "#Sentence.id=s1",
    "#Text=Ann's boss saw her .",
    "1-1\t0-3\tAnn\tNNP\t_\t_\t_\tana\\->x->1-1|*->7-1\tnam[1]|np[7]\t_\t",
    "1-2\t3-5\t's\tPOS\t_\t_\t_\tana\\->x->1-1|*->7-1\tnam[1]|np[7]\t1-1\t",
    "1-3\t6-10\tboss\tNN\t_\t_\t_\t*->7-1\tnp[7]\t_\t",
    "1-4\t11-14\tsaw\tVBD\tagent;patient\t1-1[1];1-5[4]\tx\t_\t_\t1-1|1-3\t",
    "1-4.1\t11-13\tsa\tX\t_\t_\t_\t_\t_\t_\t",
    "1-5\t15-18\ther\tPRP\t_\t_\t_\t*->1-2\t*[1]\t1-4\t",
    "1-6\t19-20\t.\t.\t_\t_\t_\t_\t_\t_\t",
    "",
]


def test_chain_layers_are_read_as_chains_and_other_layers_are_reported() -> None:
    findings: list[Finding] = []
    corpus = read(FORM, text(CHAINS), strictness=Strictness(report=findings.append))
    assert sorted(corpus[0].clusters()) == [[(0, 2), (4, 5)], [(0, 3)]]
    assert list(corpus.mentions.columns["referenceType"]) == ["np", "nam", ""]
    assert list(corpus.mentions.columns["referenceRelation"]) == ["", "ana->x", ""]
    assert [(f.code, f.severity) for f in findings] == [("CB136", "warning")]
    for name in ("ROLE_webanno.custom.Frame:roles", "pos.POS", "webanno.custom.Frame,", "webanno.custom.Order"):
        assert name in findings[0].found
    again = read(FORM, written(FORM, corpus))  # chains are numbered anew, by their first mention
    assert kept(again, columns=["referenceType"]) == kept(corpus, columns=["referenceType"])
    assert_stable(FORM, again)


def test_the_features_of_a_chain_layer_may_be_in_either_order() -> None:
    rows = ["1-1\t0-2\tHe\tpr[1]\tcoref->1-1\t", "1-2\t3-10\thimself\tpr[1]\t*->1-2\t"]
    header = ["#FORMAT=WebAnno TSV 3.2", f"#T_CH={COREFERENCE}|referenceType|referenceRelation", "", ""]
    corpus = read(FORM, text([*header, "#Text=He himself", *rows]))
    assert corpus[0].clusters() == [[(0, 1), (1, 2)]]
    assert list(corpus.mentions.columns["referenceType"]) == ["pr", "pr"]


def test_links_of_one_chain_may_nest_and_chains_of_two_layers_share_numbers() -> None:
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_CH=a.Link|referenceRelation|referenceType",
        "#T_CH=b.Link|referenceRelation|referenceType",
        "",
        "#Text=a b c",
        "1-1\t0-1\ta\t*->1-1|*->1-2\t*[1]|*[1]\t*->1-1\t*[1]\t",
        "1-2\t2-3\tb\t*->1-1\t*[1]\t_\t_\t",
        "1-3\t4-5\tc\t_\t_\t*->1-2\t*[1]\t",
    ]
    assert sorted(read(FORM, text(lines))[0].clusters()) == [[(0, 1), (2, 3)], [(0, 2), (0, 1)]]


CHAIN_FAULTS = {
    "a link without a number": ("*->1-2\t*[1]\t1-4", "*->one\t*[1]\t1-4"),
    "two chains": ("*->1-2\t*[1]\t1-4", "*->1-2\t*[7]\t1-4"),
    "a type without a link": ("*->1-2\t*[1]\t1-4", "_\t*[1]\t1-4"),
    "a link without a type": ("*->1-2\t*[1]\t1-4", "*->1-2\t_\t1-4"),
}


@pytest.mark.parametrize("fault", CHAIN_FAULTS)
def test_cells_of_a_chain_that_do_not_fit_are_raised_or_repaired(fault: str) -> None:
    content = text(CHAINS)
    assert content.count(CHAIN_FAULTS[fault][0]) == 1
    corpus = assert_faulty(FORM, "CB106", content.replace(*CHAIN_FAULTS[fault]), 15)
    assert sorted(corpus[0].clusters())[0][0] == (0, 2)


def test_a_part_of_a_token_in_a_chain_is_a_fault() -> None:
    content = text(CHAINS).replace("\tX\t_\t_\t_\t_\t_", "\tX\t_\t_\t_\t*->1-3\t*[1]")
    assert len(assert_faulty(FORM, "CB141", content, 14).mentions) == 3


def test_relations_between_parts_of_speech_or_tokens_make_no_chains() -> None:
    pos = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        f"#T_SP={pos}|PosValue",
        "#T_SP=webanno.custom.Referent|entity",
        "#T_SP=webanno.custom.Remark|",
        f"#T_RL=de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency|DependencyType|BT_{pos}",
        "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent",
        "",
        "#Text=Ann saw her",
        "1-1\t0-3\tAnn\tNNP\tperson[1]\t_\tnsubj\t1-2\tana\t1-3[2_1]\t",
        "1-2\t4-7\tsaw\tVBD\t_\t*\t_\t_\t_\t_\t",
        "1-3\t8-11\ther\tPRP\tperson[2]\t_\tobj\t1-2\t_\t_\t",
    ]
    findings: list[Finding] = []
    corpus = read(FORM, text(lines), strictness=Strictness(report=findings.append))
    assert corpus[0].clusters() == [[(0, 1), (2, 3)]]
    assert [f.code for f in findings] == ["CB136"]


def test_a_span_is_known_by_its_slot_feature_too() -> None:
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_SP=custom.Host|ROLE_custom.Host:links_custom.Link|uima.tcas.Annotation",
        "#T_RL=custom.Coref|BT_custom.Host",
        "",
        "#Text=a b",
        "1-1\t0-1\ta\t_[1]|pr1;pr2[2]\t*|1-1[1];1-2[7]\t1-2[0_2]\t",
        "1-2\t2-3\tb\tpr1\t1-1[1]\t_\t",
    ]
    assert read(FORM, text(lines))[0].clusters() == [[(0, 1)], [(0, 1), (1, 2)]]


def test_documents_of_several_headers_are_read_from_one_file() -> None:
    corpus = read(FORM, text(OTHER + SAMPLE + OTHER))
    alone = [read(FORM, text(lines)) for lines in (OTHER, SAMPLE, OTHER)]
    assert [document.clusters() for document in corpus] == [one[0].clusters() for one in alone]
