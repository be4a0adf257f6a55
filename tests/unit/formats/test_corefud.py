"""CorefUD: worked samples, GUM, the CorefUD scorer's own test files, round trips and faults."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, UsageError
from corefbench.formats.base import Reading
from corefbench.formats.capabilities import unsupported_features
from corefbench.formats.common.conllu import TokenRows
from corefbench.formats.corefud.brackets import RegularMentions
from corefbench.formats.corefud.format import CorefUD
from corefbench.formats.corefud.tokens import MiscItems
from corefbench.formats.source import Source
from tests.data import data
from tests.unit.formats.roundtrip import assert_stable, contents, read, read_leniently, written

FORM = CorefUD()
DECLARED = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def lines(*cells: str, heads: tuple[str, ...] = ()) -> str:
    """A sentence of words w1, w2 …, with the given MISC cells."""
    rows = [f"{n}\tw{n}\t_\t_\t_\t_\t{heads[n - 1] if heads else 0}\t_\t_\t{cell}" for n, cell in enumerate(cells, 1)]
    return "\n".join(rows) + "\n\n"


def spans(corpus: Corpus) -> list[tuple[str, list[tuple[int, int]], int | None]]:
    return [(m.chain.label, m.parts, m.head) for d in corpus for m in d.mentions]


ART = DECLARED + lines(
    "Entity=(e27-abstract-3-", "Entity=(e28-event-1-)", "SpaceAfter=No", "_", "Gloss=x|Entity=(e20-abstract-1-)e27)"
)


def test_brackets_become_spans_with_heads_counted_over_the_document():
    corpus = read(FORM, DECLARED + lines("_", "_") + ART.removeprefix(DECLARED))
    assert spans(corpus) == [("e27", [(2, 7)], 4), ("e28", [(3, 4)], 3), ("e20", [(6, 7)], 6)]
    assert list(corpus.mentions.columns["etype"]) == ["abstract", "event", "abstract"]
    assert corpus.tokens.sentences.tolist() == [0, 2]


def test_misc_keeps_everything_but_coreference():
    corpus = read(FORM, ART)
    assert list(corpus.tokens.columns["misc"]) == ["_", "_", "SpaceAfter=No", "_", "Gloss=x"]
    assert "# text = w1 w2 w3w4 w5\n" in written(FORM, corpus).decode()


@pytest.mark.parametrize("cell", ["e1)(e3--1-)(e2--1-", "(e3--1-)e1)(e2--1-", "e1)(e2--1-(e3--1-)"])
def test_chunks_are_accepted_in_any_order(cell):
    corpus = read(FORM, DECLARED + lines("Entity=(e1--1-", f"Entity={cell}", "Entity=e2)"))
    assert {(label, *parts) for label, parts, _ in spans(corpus)} == {("e1", (0, 2)), ("e2", (1, 3)), ("e3", (1, 2))}


def test_parts_of_a_discontinuous_mention_are_put_together_and_its_head_counts_over_all():
    text = DECLARED + lines("Entity=(e5[1/2]-person-3-", "Entity=e5[1/2])", "_", "Entity=(e5[2/2]-person-3-)", "_")
    assert spans(read(FORM, text)) == [("e5", [(0, 2), (3, 4)], 3)]


def test_without_a_head_field_the_head_is_the_word_governed_from_outside():
    text = "# global.Entity = GRP-etype\n" + lines(
        "Entity=(1-person", "_", "Entity=1)(2-object)", "_", heads=("2", "4", "2", "0")
    )
    assert [head for *_, head in spans(read(FORM, text))] == [1, 2]


def test_fields_take_their_declared_names_and_trailing_ones_may_be_missing():
    text = "# global.Entity = GRP-etype-minspan-link-identity\n" + lines(
        "Entity=(1-person-1,3-coref-Jean-Luc", "_", "Entity=1)", "Entity=(2-time-1)"
    )
    mentions = read(FORM, text).mentions
    assert list(mentions.columns) == ["etype", "link", "identity"]
    assert list(mentions.columns["identity"]) == ["Jean-Luc", ""]
    assert [mentions.minimum.of(m) for m in range(2)] == [[(0, 1), (2, 3)], [(3, 4)]]


ZERO = DECLARED + (
    "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tde\t_\t_\t_\t_\t0\t_\t_\t_\n"
    "1.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e2-x-1-)\n"
    "2\tel\t_\t_\t_\t_\t0\t_\t_\tEntity=(e2-x-1-)\n\n"
)


def test_empty_nodes_are_tokens_and_multiword_tokens_are_not():
    corpus = read(FORM, ZERO)
    assert corpus.tokens.empty.tolist() == [False, True, False]
    assert list(corpus.tokens.words) == ["de", "_", "el"]
    assert spans(corpus) == [("e2", [(1, 2)], 1), ("e2", [(2, 3)], 2)]


def test_the_dependencies_of_zeros_are_kept_without_the_words():
    tokens = read(FORM, ZERO, words=False).tokens
    assert tokens.words is None
    assert list(tokens.columns["id"]) == ["1", "1.1", "2"]
    assert list(tokens.columns["deps"]) == ["_", "2:nsubj", "_"]
    assert list(tokens.columns) == ["id", "deps"]
    assert read(FORM, ART, words=False).tokens.columns == {}


def test_the_digest_does_not_see_empty_nodes():
    without = "".join(line for line in ZERO.splitlines(True) if not line.startswith("1.1"))
    digests = [read(FORM, text, words=False).tokens.digests for text in (ZERO, without)]
    assert digests[0].tolist() == digests[1].tolist()


def test_bridging_and_split_antecedents_become_relations():
    text = DECLARED + lines(
        "Entity=(e1--1-)",
        "Entity=(e2--1-)|Bridge=e1<e2:part",
        "Entity=(e3--1-)|SplitAnte=e1<e3,e4<e3",
        "Entity=(e4--1-)",
    )
    corpus = read(FORM, text)
    relations = corpus.relations
    assert relations.bridging_anaphor.tolist() == [1]
    assert relations.bridging_chain.tolist() == [0]
    assert relations.bridging_label == ("part",)
    pairs = zip(relations.plural, relations.element, strict=True)
    assert [(corpus.chains.label(p), corpus.chains.label(e)) for p, e in pairs] == [("e3", "e1"), ("e3", "e4")]
    assert_stable(FORM, corpus)


def test_documents_carry_their_names_and_metadata():
    text = "".join(
        f"# newdoc id = {name}\n# global.Entity = GRP\n# meta::genre = {genre}\n" + lines("Entity=(1)")
        for name, genre in (("a", "news"), ("b", "bio"))
    )
    corpus = read(FORM, text)
    assert corpus.documents.names == ("a", "b")
    assert corpus.documents.columns == {"genre": ("news", "bio")}
    assert len(corpus.chains) == 2


def test_a_file_without_newdoc_is_one_document_named_after_it():
    assert read(FORM, ART.removeprefix("# newdoc id = d\n")).documents.names == ("memory",)


def test_plain_conllu_is_read_without_mentions():
    corpus = read(FORM, lines("_", "SpaceAfter=No"))
    assert (len(corpus.tokens), len(corpus.mentions)) == (2, 0)


def test_line_ends_of_windows_and_blanks_in_empty_lines_change_nothing():
    text = ART + ART.replace("id = d", "id = e")
    odd = "\ufeff" + text.replace("\n\n", "\n \n").replace("\n", "\r\n")
    assert contents(read(FORM, odd)) == contents(read(FORM, text))


def test_small_blocks_give_the_same_corpus():
    text = "".join(ART.replace("id = d", f"id = d{n}") for n in range(9))
    whole, pieces = read(FORM, text), read(FORM, text, block_bytes=100)
    assert contents(pieces) == contents(whole)
    assert len(list(FORM.read(Source.of(text.encode()), Reading(block_bytes=100)))) == 9


def test_the_format_recognises_itself():
    assert FORM.recognises(ART.encode()) == 1
    assert FORM.recognises(lines("Entity=(e1)").encode()) == 0.95
    assert FORM.recognises(lines("_").encode()) == 0.6
    assert FORM.recognises(b"# global.columns = ID FORM IDENTITY\n1 a _\n") == 0
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0


FAULTS = {
    "closed without opening": ("CB104", 5, lines("_", "_", "Entity=e1)"), 0),
    "opened without closing": ("CB105", 4, lines("_", "Entity=(e1--1-", "_"), 0),
    "closed in the next sentence": ("CB105", 3, lines("Entity=(e1--1-") + lines("Entity=e1)"), 0),
    "no brackets": ("CB106", 3, lines("Entity=e1(e2--1-)"), 1),
    "too few columns": ("CB110", 4, lines("Entity=(e1--1-)")[:-1] + "2\tw2\t_\n\n", 1),
    "a head that is too far": ("CB114", 3, lines("Entity=(e1--3-", "Entity=e1)"), 1),
    "a bridge from nowhere": ("CB115", 3, lines("Entity=(e1--1-)|Bridge=e1<e2"), 1),
    "a bridge to nowhere": ("CB115", 3, lines("Entity=(e1--1-)|Bridge=e2<e1"), 1),
    "an antecedent that is not there": ("CB115", 3, lines("Entity=(e1--1-)|SplitAnte=e2<e1"), 1),
    "a part that never comes": ("CB116", 3, lines("Entity=(e1[1/2]--1-)", "_"), 0),
    "a part that comes first": ("CB116", 4, lines("_", "Entity=(e1[2/2]--1-)"), 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, line, text, left = FAULTS[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, DECLARED + text)
    assert (caught.value.code, caught.value.place.line) == (code, line)
    corpus, heard = read_leniently(FORM, DECLARED + text)
    assert (heard[0].code, heard[0].severity, heard[0].place.line) == (code, "repair", line)
    assert len(corpus.mentions) == left
    assert_stable(FORM, corpus)


def test_the_same_mention_twice_is_kept_and_repaired_only_when_lenient():
    text = DECLARED + lines("Entity=(e1--1-(e1--1-", "Entity=e1)e1)")
    assert spans(read(FORM, text)) == [("e1", [(0, 2)], 0)] * 2
    corpus, heard = read_leniently(FORM, text)
    assert [(finding.code, finding.place.line) for finding in heard] == [("CB113", 3)]
    assert spans(corpus) == [("e1", [(0, 2)], 0)]
    assert_stable(FORM, corpus)


def test_faults_come_in_the_order_of_the_file():
    text = (
        DECLARED
        + lines("Entity=(e1--9-)")
        + lines("_", "Entity=e2)|Bridge=e1<e3")
        + "1\tw1\t_\n\n"
        + lines("Entity=(e4[1/2]--1-)")
    )
    _, heard = read_leniently(FORM, text)
    assert [(finding.code, finding.place.line) for finding in heard] == [
        ("CB114", 3),
        ("CB104", 6),
        ("CB115", 6),
        ("CB110", 8),
        ("CB116", 10),
    ]


def test_what_is_wrong_before_bytes_that_are_not_utf8_is_said_first():
    text = DECLARED.encode() + lines("Entity=e1)").encode() + b"1\t\xff\n"
    with pytest.raises(FormatError, match="CB104"):
        read(FORM, text)
    heard = []
    with pytest.raises(FormatError, match="CB103") as caught:
        read(FORM, text, strictness=Strictness(lenient=True, report=heard.append))
    assert [finding.code for finding in heard] == ["CB104"]
    assert caught.value.place.line == 5


def test_a_fault_names_the_line_of_its_own_row_where_ids_are_repeated():
    row = "1\tw\t_\t_\t_\t_\t0\t_\t_\t"
    with pytest.raises(FormatError, match="CB104") as caught:
        read(FORM, f"{DECLARED}{row}_\n{row}Entity=e1)\n\n")
    assert caught.value.place.line == 4


@pytest.mark.parametrize(
    ("misc", "left"),
    [
        ("Entity=(e1)", "_"),
        ("A=b|Entity=(e1)", "A=b"),
        ("Entity=(e1)|A=b", "A=b"),
        ("A=b|Entity=(e1)|C=d|Bridge=e1<e1|SplitAnte=e1<e1", "A=b|C=d"),
        ("Entity=(e1)|SplitAnte=e1<e1|A=b|C=d", "A=b|C=d"),
        ("MyEntity=(e1)|Entity=(e1)", "MyEntity=(e1)"),
    ],
)
def test_items_of_coreference_are_taken_out_of_misc_wherever_they_stand(misc, left):
    corpus = read(FORM, DECLARED + lines("_", misc, "A=b"))
    assert list(corpus.tokens.columns["misc"]) == ["_", left, "A=b"]
    assert len(corpus.mentions) == 1


class AllOdd(RegularMentions):
    """Sends every sentence down the careful way."""

    def __init__(self, rows: TokenRows, items: MiscItems) -> None:
        super().__init__(rows, items)
        self.irregular = set(range(len(rows.first)))


def test_sentences_read_at_once_and_one_by_one_are_the_same(monkeypatch):
    file = data("gum") / "dep" / "GUM_academic_art.conllu"
    at_once = read(FORM, file.read_bytes())
    monkeypatch.setattr("corefbench.formats.corefud.format.RegularMentions", AllOdd)
    assert contents(read(FORM, file.read_bytes())) == contents(at_once)


def test_a_minimal_span_outside_its_mention_is_left_out():
    text = "# global.Entity = eid-minspan\n" + lines("Entity=(e1-2)")
    with pytest.raises(FormatError, match="CB114"):
        read(FORM, text)
    assert read_leniently(FORM, text)[0].mentions.minimum is None


def test_entities_without_a_declaration_are_a_fault_said_once():
    text = lines("_", "Entity=(e1-x-1-)") + lines("Entity=(e1-x-1-)")
    with pytest.raises(FormatError, match="CB117") as caught:
        read(FORM, text)
    assert caught.value.place.line == 2
    corpus, heard = read_leniently(FORM, text)
    assert [finding.code for finding in heard] == ["CB117"]
    assert list(corpus.mentions.columns["etype"]) == ["x", "x"]


def test_bytes_that_are_not_utf8_are_refused_with_their_line():
    with pytest.raises(FormatError, match="CB103") as caught:
        read(FORM, DECLARED.encode() + lines("_").encode() + b"1\t\xff\xfe\n")
    assert caught.value.place.line == 5


def test_a_corpus_without_words_cannot_be_written():
    with pytest.raises(UsageError):
        written(FORM, read(FORM, ART, words=False))


def test_a_mention_across_sentences_cannot_be_written():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["a"])
    build.sentence(["b"])
    build.mention("1", [(0, 2)])
    with pytest.raises(FormatError, match="crosses the end of a sentence"):
        written(FORM, build.finish())


def test_crossing_mentions_of_one_chain_survive():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(list("abcdef"))
    build.mention("1", [(0, 3)])
    build.mention("1", [(2, 5)])
    build.mention("1", [(1, 4)])
    again = read(FORM, written(FORM, build.finish()))
    assert [parts for _, parts, _ in spans(again)] == [[(0, 3)], [(1, 4)], [(2, 5)]]


def test_labels_and_values_of_other_formats_are_made_safe():
    build = CorpusBuilder("c")
    build.begin_document("d", 3)
    build.sentence(["a", "b"])
    build.mention("1-Pseudo (x)", [(0, 1)], columns={"type": "a-b|c", "note": "d-e"})
    corpus = read(FORM, written(FORM, build.finish()))
    assert corpus.chains.label(0) == "1%2DPseudo%20%28x%29"
    assert list(corpus.mentions.columns["type"]) == ["a%2Db%7Cc"]
    assert list(corpus.mentions.columns["note"]) == ["d-e"]
    assert corpus.documents.names == ("d_3",)
    assert_stable(FORM, corpus)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Nested, crossing and discontinuous mentions over words and empty nodes."""
    build = CorpusBuilder("made")
    for document in range(draw(st.integers(1, 3))):
        build.begin_document(f"d{document}", columns={"genre": draw(st.sampled_from(["a", ""]))})
        numbers = []
        for _ in range(draw(st.integers(1, 3))):
            start, length = build.position, draw(st.integers(1, 8))
            empty = draw(st.lists(st.booleans(), min_size=length, max_size=length))
            words = draw(st.lists(st.text("aé漢", min_size=1), min_size=length, max_size=length))
            build.sentence(words, empty=empty)
            seen = set()
            broken = set()
            for _ in range(draw(st.integers(0, 6))):
                label = draw(st.sampled_from(["e1", "e2", "e3"]))
                inside = draw(st.sets(st.integers(0, length - 1), min_size=1))
                if draw(st.booleans()):
                    inside = set(range(min(inside), max(inside) + 1))
                parts = [(start + a, start + b) for a, b in runs(inside)]
                # Broken mentions of one chain could not be told apart.
                if (label, *parts) in seen or (len(parts) > 1 and label in broken):
                    continue
                if len(parts) > 1:
                    broken.add(label)
                seen.add((label, *parts))
                tokens = sorted(start + i for i in inside)
                numbers.append(
                    build.mention(
                        label,
                        parts,
                        head=draw(st.sampled_from(tokens)),
                        minimum=[(t, t + 1) for t in tokens[:1]],
                        columns={"etype": draw(st.sampled_from(["person", ""]))},
                    )
                )
        draw_relations(draw, build, numbers)
    return build.finish()


def draw_relations(draw: st.DrawFn, build: CorpusBuilder, numbers: list[int]) -> None:
    if numbers:
        chains = sorted(build._chain_index.values())
        for _ in range(draw(st.integers(0, 2))):
            build.split_antecedent(draw(st.sampled_from(chains)), draw(st.sampled_from(chains)))
            anaphor, chain = draw(st.sampled_from(numbers)), draw(st.sampled_from(chains))
            build.bridge(anaphor, chain=chain, label=draw(st.sampled_from(["", "part"])))


def runs(places: set[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


@given(corpora())
def test_what_is_written_is_read_again(corpus):
    # Mentions of one chain that cross are written in parts, which may be ambiguous.
    with suppress_ambiguous():
        check_written_is_read(corpus)


@contextmanager
def suppress_ambiguous():
    try:
        yield
    except FormatError as error:
        if error.code != "CB116":
            raise


@settings(max_examples=50, deadline=None)
@given(corpora())
def test_mentions_read_at_once_and_one_by_one_are_the_same(corpus):
    with suppress_ambiguous():
        text = written(FORM, corpus)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("corefbench.formats.corefud.format.RegularMentions", AllOdd)
            one_by_one = read(FORM, text)
        assert contents(read(FORM, text)) == contents(one_by_one)


def check_written_is_read(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    left_out = ("tokens.columns", "mentions.columns", "documents.columns")
    for name, value in contents(corpus, leave_out=left_out).items():
        if not name.startswith(("relations", "chains", "mentions.chain")):
            assert contents(again)[name] == value
    assert spans(again) == spans(corpus)
    assert_stable(FORM, again)


def gum(split: str) -> Corpus:
    folder = data("gum")
    listed = (folder / "splits.md").read_text().split(f"## {split}\n")[1].split("##")[0]
    names = [line.split("* ")[1].strip() for line in listed.splitlines() if "* " in line]
    files = [folder / "dep" / f"{name}.conllu" for name in names]
    present = [file for file in files if file.is_file()]
    return concatenate(split, [c for file in present for c in FORM.read(Source.of(file), Reading(words=False))])


@pytest.mark.slow
def test_gum_has_the_published_counts():
    corpus = gum("train")
    sizes = corpus.chain_sizes()
    assert len(corpus) == 177
    assert len(corpus.mentions) == 49_649
    assert (sizes == 1).sum() == 18_750
    # The CoNLL files of GUM count 7,007: they name a chain by its identity, and in
    # GUM_news_questionnaire two chains have the same one.
    assert (sizes > 1).sum() == 7_008
    assert (corpus.mentions.head >= 0).all()


def test_a_gum_document_is_stable():
    file = data("gum") / "dep" / "GUM_academic_art.conllu"
    assert_stable(FORM, read(FORM, file.read_bytes()))


def scorer_tests() -> Path:
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    return Path(folder) / "corefud-scorer" / "tests" / "tests-corefud"


def test_the_test_files_of_the_corefud_scorer_are_read_as_by_udapi():
    """133 files with 789 mentions, the repeated ones of one chain counted once (udapi 0.5.2)."""
    files = [*scorer_tests().rglob("*.key"), *scorer_tests().rglob("*.response")]
    corpora = [read_leniently(FORM, file.read_bytes())[0] for file in files]
    assert (len(files), sum(len(corpus.mentions) for corpus in corpora)) == (133, 789)
    for corpus in corpora:
        assert_stable(FORM, corpus)


def column(corpus: Corpus, name: str) -> list[str]:
    found = corpus.tokens.columns.get(name)
    return [] if found is None else list(found)


SPOKEN = (
    DECLARED
    + "# newpar\n# speaker = Ann\n"
    + lines("_", "_")
    + "# speaker = Bob Lee\n# newpar_block = p (1 s)\n"
    + lines("_")
    + "# newpar id = p7\n"
    + lines("_")
    + "# newdoc id = e\n"
    + lines("_")
    + "# newpar\r\n"
    + lines("_", "NewPar=Yes|SpaceAfter=No", "_")
    + "# newpar\n"
    + lines("_")
)


def test_paragraphs_are_numbered_by_document_or_named() -> None:
    corpus = read(FORM, SPOKEN)
    assert column(corpus, "par") == ["1", "1", "1", "p7", "", "1", "2", "2", "3"]


def test_a_speaker_says_one_sentence() -> None:
    assert column(read(FORM, SPOKEN), "speaker") == ["Ann", "Ann", "Bob Lee"] + [""] * 6


def test_without_such_comments_there_are_no_such_columns() -> None:
    corpus = read(FORM, DECLARED + "# newpar_block = p (2 s)\n# speakers = 2\n" + lines("_", "_"))
    assert (column(corpus, "par"), column(corpus, "speaker")) == ([], [])


def test_a_comment_within_or_after_the_sentences_begins_no_paragraph() -> None:
    within = lines("_", "_").replace("\n2", "\n# newpar\n2")
    assert column(read(FORM, DECLARED + within + "# newpar\n"), "par") == []


def test_paragraphs_and_speakers_are_written_as_they_were_read() -> None:
    corpus = read(FORM, SPOKEN)
    text = written(FORM, corpus)
    text = text.decode() if isinstance(text, bytes) else text
    assert text.count("# newpar\n") == 3
    assert "# newpar id = p7\n" in text
    assert text.count("NewPar=Yes") == 1
    assert "# speaker = Bob Lee\n" in text
    again = read(FORM, text)
    for name in ("par", "speaker", "misc"):
        assert column(again, name) == column(corpus, name)
    assert_stable(FORM, corpus)


def test_a_paragraph_that_begins_within_a_sentence_goes_into_misc() -> None:
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["a", "b"], columns={"par": ["1", "2"], "speaker": ["Ann", "Ann"]})
    again = read(FORM, written(FORM, build.finish()))
    assert column(again, "par") == ["1", "2"]
    assert column(again, "misc") == ["_", "NewPar=Yes"]


def test_a_speaker_who_changes_within_a_sentence_is_counted_as_lost() -> None:
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["a", "b", "c"], columns={"speaker": ["Ann", "Bob", "Ann"]})
    assert unsupported_features(build.finish(), FORM.card) == {"speakers within sentences": 1}
