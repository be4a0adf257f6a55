"""CONLL-UA: worked samples, the UA scorer's plural test cases, round trips and faults."""

import os
import re
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError, UsageError
from corefbench.formats.capabilities import fit_to_format, unsupported_features
from corefbench.formats.ua.columnar import NeedsFallback, read_columnar
from corefbench.formats.ua.format import UniversalAnaphora
from tests.unit.formats.roundtrip import assert_stable, contents, read, read_leniently, written

FORM = UniversalAnaphora()
COLUMNAR_READER = "corefbench.formats.ua.reader.read_columnar"
HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    " IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n# newdoc id = d\n"
)


def lines(*cells: str, first: int = 1) -> str:
    """A sentence with 14 of the 15 columns, set apart by blanks; a cell fills IDENTITY onwards."""
    rows = []
    for number, cell in enumerate(cells, first):
        own = (cell.split() + ["_"] * 4)[:4]
        rows.append(f"{number}     w{number}  " + "_  " * 8 + "  ".join(own) + "  \n")
    return "".join(rows) + "\n"


def spans(corpus: Corpus) -> list[tuple[str, int, int]]:
    return [(m.chain.label, m.start, m.end) for d in corpus for m in d.mentions]


SAMPLE = (
    HEADER
    + lines("(EntityID=1|MarkableID=a|Min=1,2|SemType=dn|ElementOf=4(EntityID=2|MarkableID=c|ElementOf=4)", ")", "_ ")
    + lines(
        "(EntityID=4|MarkableID=f|SemType=do (MarkableID=f|Rel=part|MentionAnchor=c)",
        ")(EntityID=7-Pseudo|MarkableID=p)",
        first=4,
    )
)


def test_markables_open_with_names_and_close_on_a_stack():
    corpus = read(FORM, SAMPLE)
    assert spans(corpus) == [("1", 0, 2), ("2", 0, 1), ("4", 3, 5), ("7-Pseudo", 4, 5)]
    assert list(corpus.mentions.columns["MarkableID"]) == ["a", "c", "f", "p"]
    assert list(corpus.mentions.columns["SemType"]) == ["dn", "", "do", ""]
    assert corpus.documents.names == ("d",)
    assert corpus.tokens.sentences.tolist() == [0, 3]


def test_min_counts_the_tokens_of_the_document_from_one():
    minimum = read(FORM, SAMPLE).mentions.minimum
    assert [minimum.of(m) for m in range(4)] == [[(0, 2)], [], [], []]


def test_pseudo_entities_do_not_refer():
    assert read(FORM, SAMPLE).mentions.referring.tolist() == [True, True, True, False]


def test_elements_of_a_plural_and_bridging_become_relations():
    corpus = read(FORM, SAMPLE)
    relations = corpus.relations
    names = [
        (corpus.chains.label(p), corpus.chains.label(e))
        for p, e in zip(relations.plural, relations.element, strict=True)
    ]
    assert names == [("4", "1"), ("4", "2")]
    assert relations.bridging_anaphor.tolist() == [2]
    assert relations.bridging_mention.tolist() == [1]
    assert relations.bridging_label == ("part",)


def test_a_markable_may_cross_sentences():
    text = HEADER + lines("(EntityID=1|MarkableID=a") + lines(")", first=2)
    assert spans(read(FORM, text)) == [("1", 0, 2)]


def test_the_column_of_discourse_deixis_is_read_on_request():
    text = HEADER + lines("(EntityID=1|MarkableID=a) _ (EntityID=9|MarkableID=x)")
    deixis = UniversalAnaphora(column="deixis")
    assert spans(read(deixis, text)) == [("9", 0, 1)]
    assert spans(read(FORM, text)) == [("1", 0, 1)]
    assert_stable(deixis, read(deixis, text))
    with pytest.raises(UsageError):
        UniversalAnaphora(column="bridging")


def test_columns_may_be_announced_in_another_order():
    text = "# global.columns = ID FORM IDENTITY MISC\n1 a (EntityID=1|MarkableID=m) _\n\n"
    corpus = read(FORM, text)
    assert spans(corpus) == [("1", 0, 1)]
    assert_stable(FORM, corpus)


def test_the_sample_is_stable_and_its_digest_needs_no_words():
    corpus = read(FORM, SAMPLE)
    assert_stable(FORM, corpus)
    bare = read(FORM, SAMPLE, words=False)
    assert bare.tokens.words is None
    assert bare.tokens.digests.tolist() == corpus.tokens.digests.tolist()


def test_the_format_recognises_itself():
    assert FORM.recognises(SAMPLE.encode()) == 1
    assert FORM.recognises(b"# global.Entity = eid\n") == 0


ONE = "(EntityID=1|MarkableID=a"
FAULTS = {
    "closed without opening": ("CB104", 4, lines("_", ")"), 0),
    "opened without closing": ("CB105", 4, lines("_", ONE), 0),
    "no brackets": ("CB106", 3, lines(f"x{ONE})"), 1),
    "no entity": ("CB106", 3, lines("(MarkableID=a)"), 0),
    "too few columns": ("CB110", 4, lines(f"{ONE})")[:-1] + "2 w2 _\n\n", 1),
    "a Min outside": ("CB114", 3, lines(f"{ONE}|Min=2)", "_"), 1),
    "a plural that is not there": ("CB115", 3, lines(f"{ONE}|ElementOf=3)"), 1),
    "a MarkableID for two entities": ("CB126", 4, lines(f"{ONE})", "(EntityID=2|MarkableID=a)"), 2),
    "overlapping chunks": ("CB126", 3, lines(f"{ONE}{ONE})", ")"), 2),
    "a closing bracket with an unknown name": ("CB104", 4, lines(ONE, "b)", ")"), 1),
    "a bridging cell without names": ("CB106", 3, lines(f"{ONE}) (b)"), 1),
    "a bridging anaphor without a name": (
        "CB115",
        3,
        lines("(EntityID=1)(EntityID=2|MarkableID=c) (MentionAnchor=c)"),
        2,
    ),
    "an anchor that is not there": ("CB115", 3, lines(f"{ONE}) (MarkableID=a|MentionAnchor=z)"), 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, line, text, left = FAULTS[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, HEADER + text)
    assert (caught.value.code, caught.value.place.line) == (code, line)
    corpus, heard = read_leniently(FORM, HEADER + text)
    assert (heard[0].code, heard[0].severity, heard[0].place.line) == (code, "repair", line)
    assert len(corpus.mentions) == left
    if not left or all(corpus.mentions.columns["MarkableID"]):  # else the writer makes IDs up
        assert_stable(FORM, corpus)


def chunks(corpus: Corpus) -> list[tuple[str, list[tuple[int, int]]]]:
    return [(m.chain.label, list(m.parts)) for d in corpus for m in d.mentions]


def test_brackets_that_share_a_markable_id_are_chunks_of_one_markable():
    # The shape of the specification's example (version 1.1, "Discontinuous markables"), with its
    # @ between brackets, and Min in the first chunk only.
    man = "(EntityID=1|MarkableID=m1|Min=2|SemType=dn"
    text = HEADER + lines(
        man, ")", "(EntityID=2|MarkableID=m2|Min=3)", "_", "_", f"{man}@(EntityID=3|MarkableID=m3|Min=8", "_", "))"
    )
    corpus = read(FORM, text)
    assert chunks(corpus) == [("1", [(0, 2), (5, 8)]), ("2", [(2, 3)]), ("3", [(5, 8)])]
    assert [corpus.mentions.minimum.of(m) for m in range(3)] == [[(1, 2)], [(2, 3)], [(7, 8)]]
    assert list(corpus.mentions.columns["SemType"]) == ["dn", "", ""]
    assert_stable(FORM, corpus)


def test_a_chunk_need_not_repeat_the_entity_and_adjacent_chunks_are_one():
    text = HEADER + lines("(MarkableID=a)", f"{ONE})", "_", "(MarkableID=a)")
    assert chunks(read(FORM, text)) == [("1", [(0, 2), (3, 4)])]


def test_the_bridging_link_of_a_discontinuous_markable_is_written_once():
    text = HEADER + lines(f"{ONE}) (MarkableID=a|MentionAnchor=b)", "(EntityID=2|MarkableID=b)", f"{ONE})")
    corpus = read(FORM, text)
    assert corpus.relations.bridging_anaphor.tolist() == [0]
    assert_stable(FORM, corpus)


def test_chunks_that_lie_in_the_gaps_of_another_markable_are_written():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcd"))
    build.mention("1", [(0, 1), (2, 3)], columns={"MarkableID": "x"})
    build.mention("1", [(1, 2), (3, 4)], columns={"MarkableID": "y"})
    corpus = build.finish()
    assert unsupported_features(corpus, FORM.card) == {}
    assert chunks(read(FORM, written(FORM, corpus))) == [("1", [(0, 1), (2, 3)]), ("1", [(1, 2), (3, 4)])]


def test_chunks_that_cross_another_markable_are_not_kept():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcdef"))
    build.mention("1", [(0, 3), (5, 6)])
    build.mention("2", [(1, 4)])  # crosses the first chunk, but lies within the hull
    corpus = build.finish()
    assert unsupported_features(corpus, FORM.card) == {"crossing mentions": 1}
    assert chunks(fit_to_format(corpus, FORM.card.holds)) == [("1", [(0, 3), (5, 6)])]


@pytest.mark.parametrize("closing", ["a)", "MarkableID=a)", "EntityID=1|MarkableID=a)", "1)", "EntityID=1)"])
def test_a_closing_bracket_may_name_its_markable(closing):
    text = HEADER + lines(ONE, "(EntityID=2|MarkableID=b", closing, "b)")
    assert spans(read(FORM, text)) == [("1", 0, 3), ("2", 1, 4)]


def test_a_closing_bracket_without_a_name_closes_what_is_still_open():
    text = HEADER + lines(f"{ONE}(EntityID=2|MarkableID=b", "a)", ")")
    assert spans(read(FORM, text)) == [("2", 0, 3), ("1", 0, 2)]


def test_keys_and_pseudo_entities_may_be_spelt_as_in_the_specification():
    text = HEADER + lines(
        "(EntityId=1|MarkableId=a|MIN=1-2|SemType=dn",
        ")",
        "(EntityID=6_Pseudo|Markable_ID=b)",
        "(EntityID=1|MentionID=c)",
    )
    corpus = read(FORM, text)
    assert spans(corpus) == [("1", 0, 2), ("6-Pseudo", 2, 3), ("1", 3, 4)]
    assert corpus.mentions.referring.tolist() == [True, False, True]
    assert list(corpus.mentions.columns["MarkableID"]) == ["a", "b", "c"]
    assert corpus.mentions.minimum.of(0) == [(0, 2)]
    assert_stable(FORM, corpus)


def test_bridging_links_may_stand_without_brackets():
    text = HEADER + lines(
        f"{ONE})",
        "(EntityID=2|MarkableID=b) MarkableID=b|Rel=poss|MentionAnchor=a|EntityAnchor=1@MarkableID=b|EntityAnchor=2",
    )
    corpus = read(FORM, text)
    assert corpus.relations.bridging_anaphor.tolist() == [1, 1]
    assert corpus.relations.bridging_mention.tolist() == [0, -1]
    assert corpus.relations.bridging_chain.tolist() == [0, 1]
    assert corpus.relations.bridging_label == ("poss", "")
    assert_stable(FORM, corpus)


def test_the_split_column_of_version_1_0_is_read():
    header = HEADER.replace("IDENTITY", "IDENTITY SPLIT")
    text = header + lines(
        f"{ONE}) EntityID=1|ElementOf=3",
        "(EntityID=2|MarkableID=b) EntityID=2|ElementOf=3",
        "(EntityID=3|MarkableID=c)",
    )
    relations = read(FORM, text).relations
    assert (relations.plural.tolist(), relations.element.tolist()) == ([2, 2], [0, 1])


def test_the_objects_of_a_visual_situation_are_no_tokens():
    objects = "# visual_situation vs0\n" + 2 * ("0" + "\t_" * 12 + "\tEntityId=VSE1|EntityName=M\n") + "\n"
    text = HEADER + "\n" + objects + lines(f"{ONE}|Min=1) _ _ VSE1", "_")
    findings: list[Finding] = []
    corpus = read(FORM, text, strictness=Strictness(report=findings.append))
    assert list(corpus.tokens.words) == ["w1", "w2"]
    assert corpus.mentions.minimum.of(0) == [(0, 1)]
    assert list(corpus.tokens.columns["reference"]) == ["VSE1", "_"]
    assert [(f.code, f.severity, f.place.line, f.found) for f in findings] == [("CB136", "warning", 5, "2 lines")]
    assert_stable(FORM, corpus)


def test_announced_columns_that_are_not_read_are_reported_once():
    header = HEADER.replace("NOM_SEM", "NOM_SEM RST IDENTITY2")
    text = (
        header
        + "1\tw"
        + "\t_" * 8
        + f"\t{ONE})"
        + "\t_" * 4
        + "\tx\t(EntityID=2)\n\n# newdoc id = e\n1\tw"
        + "\t_" * 15
    )
    findings: list[Finding] = []
    corpus = read(FORM, text, strictness=Strictness(report=findings.append), block_bytes=1)
    assert spans(corpus) == [("1", 0, 1)]
    assert [(f.code, f.found) for f in findings] == [("CB136", "RST IDENTITY2")]


def test_a_column_announced_twice_is_read_at_its_first_place():
    text = "# global.columns = ID FORM X X IDENTITY MISC\n1 a _ y (EntityID=1|MarkableID=m) z\n\n"
    corpus = read(FORM, text)
    assert spans(corpus) == [("1", 0, 1)]
    assert list(corpus.tokens.columns["misc"]) == ["z"]


def test_markable_ids_are_made_up_where_they_are_missing_or_repeated():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcd"))
    for token, name in enumerate(["", "markable_1", "x", "x"]):
        build.mention("1", [(token, token + 1)], columns={"MarkableID": name})
    again = read(FORM, written(FORM, build.finish()))
    assert spans(again) == [("1", 0, 1), ("1", 1, 2), ("1", 2, 3), ("1", 3, 4)]
    assert list(again.mentions.columns["MarkableID"]) == ["markable_2", "markable_1", "x", "markable_3"]


def test_a_value_that_ends_in_the_separator_of_brackets_is_escaped():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["a", "b"])
    build.mention("1", [(0, 2)], columns={"SemType": "dn@"})
    build.mention("2", [(0, 1)])
    again = read(FORM, written(FORM, build.finish()))
    assert list(again.mentions.columns["SemType"]) == ["dn%40", ""]


def test_a_mention_given_twice_is_kept_unless_reading_leniently():
    twice = HEADER + lines(f"{ONE})(EntityID=1|MarkableID=b)")
    assert len(read(FORM, twice).mentions) == 2
    corpus, heard = read_leniently(FORM, twice)
    assert len(corpus.mentions) == 1
    assert [(f.code, f.severity) for f in heard] == [("CB113", "repair")]


def test_bytes_that_are_not_utf8_are_refused_with_their_line():
    with pytest.raises(FormatError, match="CB103") as caught:
        read(FORM, HEADER.encode() + b"1 \xff\n")
    assert caught.value.place.line == 3


def test_crossing_markables_cannot_be_written():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcd"))
    build.mention("1", [(0, 3)])
    build.mention("2", [(1, 4)])
    with pytest.raises(FormatError, match="cross"):
        written(FORM, build.finish())


def test_markables_that_share_only_the_token_where_one_ends_can_be_written():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcd"))
    build.mention("1", [(0, 3)])
    build.mention("2", [(2, 4)])
    assert spans(read(FORM, written(FORM, build.finish()))) == [("1", 0, 3), ("2", 2, 4)]


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Nested markables, some with minimal spans, some that do not refer, over two sentences."""
    build = CorpusBuilder("made")
    for document in range(draw(st.integers(1, 3))):
        build.begin_document(f"d{document}")
        for _ in range(2):
            length = draw(st.integers(1, 5))
            empty = draw(st.lists(st.booleans(), min_size=length, max_size=length))
            build.sentence(["é"] * length, empty=empty)
        taken: set[tuple[str, int, int]] = set()
        numbers = []
        for _ in range(draw(st.integers(0, 8))):
            start = draw(st.integers(0, build.position - 1))
            end = draw(st.integers(start + 1, build.position))
            label = draw(st.sampled_from(["1", "2", "3-Pseudo"]))
            crossed = any(a < start < b < end or start < a < end < b for _, a, b in taken)
            if crossed or (label, start, end) in taken:
                continue
            taken.add((label, start, end))
            minimum = [(start, start + 1)] if draw(st.booleans()) else []
            numbers.append(
                build.mention(
                    label,
                    [(start, end)],
                    minimum=minimum,
                    referring=not label.endswith("-Pseudo"),
                    columns={"MarkableID": f"m{len(taken)}"},
                )
            )
        if numbers:
            anaphor, anchor = draw(st.sampled_from(numbers)), draw(st.sampled_from(numbers))
            build.bridge(anaphor, mention=anchor, label=draw(st.sampled_from(["", "part"])))
    return build.finish()


@given(corpora())
def test_what_is_written_is_read_again(corpus):
    again = read(FORM, written(FORM, corpus))
    for name, value in contents(corpus, leave_out=("tokens.columns",)).items():
        if not name.startswith(("chains", "mentions.chain", "relations.bridging_chain")):
            assert contents(again)[name] == value
    assert spans(again) == spans(corpus)
    assert_stable(FORM, again)


TABBED = re.sub(r"(?m)^(?!#).*", lambda line: "\t".join(line[0].split()), SAMPLE)
CHUNKS = lines(f"{ONE})", "(EntityID=2|MarkableID=b@(EntityId=3|MentionID=c", "b)", f"{ONE})c)", "0")
MORE = lines(
    "(EntityID=1|MarkableID=a|Min=1,3|SemType=dn(EntityID=1|SemType=|x",
    ")(EntityID=2|MarkableID=b|ElementOf=5,1) (MarkableID=b|Rel=part|EntityAnchor=1)",
    ") (MarkableID=a|MentionAnchor=b|EntityAnchor=5)",
    "(EntityID=5|MarkableID=d)",
)
NEXT = "# newdoc id = e\n# meta::genre = news\n" + "\n".join("\t".join(line.split()) for line in MORE.split("\n"))
LAST = "# comment\n1-2\té\u3000é" + "\t_" * 13 + "\n1.1\té" + "\t_" * 13 + "\n"
RELATED = TABBED + NEXT + LAST


def outcome(text: str, *, lenient: bool, words: bool) -> object:
    """The corpus and the repairs, or what is wrong with the text."""
    findings: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=findings.append)
    try:
        corpus = read(FORM, text, strictness=strictness, words=words)
    except FormatError as error:
        return error.code, error.message, error.place, error.found, findings
    return contents(corpus), findings


def assert_readers_agree(text: str) -> None:
    """The columnar reader and the one that reads sentence by sentence give the same."""
    for lenient, words in ((False, True), (True, False)):
        columnar = outcome(text, lenient=lenient, words=words)
        with mock.patch(COLUMNAR_READER, side_effect=NeedsFallback) as replaced:
            expected = outcome(text, lenient=lenient, words=words)
        assert replaced.called or isinstance(expected[0], str)  # type: ignore[index]
        assert columnar == expected


@st.composite
def damaged(draw: st.DrawFn, text: str, characters: str) -> str:
    """A text with a few changes: a character inserted, removed or replaced, a line repeated."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text) - 1))
        new = draw(st.sampled_from(["", *characters]))
        kept = draw(st.sampled_from([0, 1]))
        text = text[:place] + new + text[place + kept :]
        if draw(st.integers(0, 9)) == 0:
            lines = text.split("\n")
            number = draw(st.integers(0, len(lines) - 1))
            text = "\n".join([*lines[:number], lines[number], *lines[number:]])
    return text


@pytest.mark.parametrize("text", [SAMPLE, RELATED, SAMPLE.replace("\n", "\r\n")])
def test_well_formed_files_are_read_by_columns(text):
    with mock.patch(COLUMNAR_READER, wraps=read_columnar) as reader:
        read(FORM, text)
    assert reader.called
    assert_readers_agree(text)


@given(damaged(RELATED, "\t \n()|=_-#1,.@0é\u3000\u00a0\x0b\0\r"))
def test_both_readers_agree_on_damaged_files(text):
    assert_readers_agree(text)


@given(damaged(HEADER + CHUNKS, "\t \n()|=_-#1,@0ab"))
def test_both_readers_agree_on_damaged_files_with_chunks(text):
    assert_readers_agree(text)


@given(damaged(SAMPLE, "\t \n()|=_-#1,\u00a0"))
def test_both_readers_agree_on_damaged_files_with_blanks(text):
    assert_readers_agree(text)


def test_the_plural_test_cases_are_read_as_by_the_scorer(monkeypatch):
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    program = Path(folder) / "universal-anaphora-scorer"
    monkeypatch.syspath_prepend(str(program))
    reader = pytest.importorskip("coval.ua.reader")
    files = [file for file in (program / "plural-tests").iterdir() if file.suffix != ".README"]
    assert len(files) == 17
    for file in files:
        corpus = read(FORM, file.read_bytes())
        rows = [r for r in file.read_text().splitlines() if r.strip() and not r.startswith("#")]
        clusters, _ = reader.get_doc_markables("d", rows, True, False)
        assert ours(corpus) == {
            label: (sorted((m.start, m.end + 1) for m in markables), set(elements))
            for label, (markables, _, _, elements) in clusters.items()
        }
        assert_stable(FORM, corpus)


def ours(corpus: Corpus) -> dict[str, tuple[list[tuple[int, int]], set[str]]]:
    relations, label = corpus.relations, corpus.chains.label
    return {
        chain.label: (
            sorted((m.start, m.end) for m in chain.mentions),
            {label(e) for e in relations.element[relations.plural == chain.index]},
        )
        for document in corpus
        for chain in document.chains
    }
