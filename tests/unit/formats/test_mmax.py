"""MMAX2: NP4E, projects as they are found, round trips through folders, and faults."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError, UsageError
from corefbench.formats.base import FolderFormat, Reading
from corefbench.formats.mmax.format import Mmax
from corefbench.formats.source import Source
from tests.data import data
from tests.unit.formats.annotated_corpora import corpora, facts

FORM = Mmax()
PROJECT = "<?xml version='1.0'?>\n<mmax_project><turns/><words>x_words.xml</words></mmax_project>"
COMMON = """<?xml version="1.0"?><!DOCTYPE common_paths>
<common_paths><basedata_path>Basedata\\</basedata_path><scheme_path>Schemes\\</scheme_path>
<markable_path>.\\Markables\\</markable_path><annotations>
<level name="coref" schemefile="coref_scheme.xml">$_coref_level.xml</level>
<level name="sentence" schemefile="">$_sentence_level.xml</level>
<level name="pos" schemefile="">$_pos_level.xml</level></annotations></common_paths>"""
WORDS = "".join(
    f'<word id="word_{n}">{word}</word>\n'
    for n, word in [(1, "Der"), (7, "große"), (3, "Hund"), (4, "."), (5, "\n Er \n"), (6, "bellt")]
)
SCHEME = """<?xml version="1.0" encoding="ISO-8859-1"?><annotationscheme>
<attribute id="a" name="Coref_Class" type="markable_set"/>
<attribute id="b" name="antecedents" type="MARKABLE_POINTER"/>
<attribute id="c" name="min_ids" type="freetext"/>
<attribute id="d" name="np_form" type="nominal_list"/>
</annotationscheme>"""
MARKABLES = """<markable id="markable_5" span="word_5" coref_class="set_12" np_form="pro"/>
<markable id="markable_1" span="word_1..word_3" coref_class="set_12" np_form="a" min_ids="word_3"/>
<markable id="markable_2" span="word_6,word_1" coref_class="empty" np_form="v"/>
"""
DOCTYPE = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {0} SYSTEM "{0}.dtd">\n'


def level(markables: str, name: str = "coref") -> str:
    begin = DOCTYPE.format("markables")
    return f'{begin}<markables xmlns="www.eml.org/NameSpaces/{name}">\n{markables}</markables>'


def words(text: str = WORDS) -> str:
    return f"\ufeff{DOCTYPE.format('words')}<words>\n{text}</words>"


def project(folder: Path, **changes: str | bytes | None) -> Path:
    """A project in which the named files are changed, or left out where None."""
    sentences = '<markable id="markable_1" span="word_1..word_4"/>'
    files: dict[str, tuple[str, str | bytes | None]] = {
        "mmax": ("x.mmax", PROJECT),
        "common": ("common_paths.xml", COMMON),
        "words": ("basedata/x_words.xml", words()),
        "scheme": ("Schemes/coref_scheme.xml", SCHEME),
        "coref": ("Markables/x_coref_level.xml", level(MARKABLES)),
        "sentence": ("Markables/x_sentence_level.xml", level(sentences, "sentence")),
    }
    for key, (name, content) in files.items():
        content = changes.get(key, content)
        if content is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            raw = content.encode() if isinstance(content, str) else content
            (folder / name).write_bytes(raw)
    return folder / "x.mmax"


def read(where: Path, form: Mmax = FORM, *, lenient: bool = False) -> tuple[Corpus, list[Finding]]:
    heard: list[Finding] = []
    reading = Reading(strictness=Strictness(lenient=lenient, report=heard.append))
    return concatenate("x", list(form.read(Source.of(where), reading))), heard


def chains(corpus: Corpus) -> dict[str, list[list[tuple[int, int]]]]:
    return {c.label: [m.parts for m in c.mentions] for c in corpus[0].chains}


CHAINS = {"set_12": [[(0, 3)], [(4, 5)]], "markable_2": [[(0, 1), (5, 6)]]}


def test_a_project_is_read_in_the_order_of_its_words(tmp_path):
    corpus, heard = read(project(tmp_path))
    assert corpus.documents.names == ("x",)
    assert corpus[0].words == ["Der", "große", "Hund", ".", "Er", "bellt"]
    assert corpus[0].sentences == [(0, 4), (4, 6)]
    assert chains(corpus) == CHAINS
    minimum = corpus.mentions.minimum
    assert [minimum.of(n) for n in range(3)] == [[], [(2, 3)], []]
    assert {k: list(v) for k, v in corpus.mentions.columns.items()} == {"np_form": ["v", "a", "pro"]}
    assert heard == []


@pytest.mark.parametrize("left_out", [["scheme"], ["common"], ["common", "scheme"]])
def test_without_a_scheme_or_common_paths_shapes_and_names_tell(tmp_path, left_out):
    path = project(tmp_path, **dict.fromkeys(left_out))
    (tmp_path / "basedata").rename(tmp_path / "Basedata")
    corpus, _ = read(path)
    assert chains(corpus) == CHAINS
    assert corpus[0].sentences == [(0, 4), (4, 6)]


def test_declared_latin_1_is_read(tmp_path):
    latin = words().removeprefix("\ufeff").replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert read(project(tmp_path, words=latin))[0][0].words[1] == "große"


POINTERS = """<markable id="markable_1" span="word_1"/>
<markable id="markable_2" span="word_3"/>
<markable id="markable_3" span="word_5" antecedents="coref:markable_1" bridging_to="markable_2"/>
<markable id="markable_4" span="word_6" antecedents="markable_2;markable_1"/>
<markable id="markable_5" span="word_4" antecedents="pos:markable_1" head="markable_1"/>
"""


@pytest.mark.parametrize("scheme", [None, SCHEME])
def test_pointers_join_bridge_and_split(tmp_path, scheme):
    corpus, heard = read(project(tmp_path, coref=level(POINTERS), scheme=scheme))
    assert heard == []
    assert chains(corpus) == {
        "markable_1": [[(0, 1)], [(4, 5)]],
        "markable_2": [[(2, 3)]],
        "markable_5": [[(3, 4)]],
        "markable_4": [[(5, 6)]],
    }
    relations = corpus.relations
    labels = [corpus.chains.label(c) for c in relations.element]
    assert [corpus.chains.label(c) for c in relations.plural] == ["markable_4"] * 2
    assert labels == ["markable_2", "markable_1"]
    assert (relations.bridging_anaphor.tolist(), relations.bridging_mention.tolist()) == ([3], [1])


def test_what_the_scheme_calls_a_name_is_no_set_whatever_its_shape(tmp_path):
    marked = MARKABLES.replace('np_form="a"', 'np_form="set_1"').replace('np_form="v"', "")
    marked = marked.replace('np_form="pro"', 'np_form="set_1"')
    corpus, _ = read(project(tmp_path, coref=level(marked)))
    assert chains(corpus) == CHAINS
    assert list(corpus.mentions.columns["np_form"]) == ["", "set_1", "set_1"]


def test_a_pointer_between_two_sets_does_not_join_them(tmp_path):
    marked = """<markable id="markable_1" span="word_1" coref_class="set_1"/>
    <markable id="markable_2" span="word_3" coref_class="set_2" antecedents="markable_1"/>
    <markable id="markable_3" span="word_5" antecedents="markable_2"/>"""
    corpus, _ = read(project(tmp_path, coref=level(marked)))
    assert chains(corpus) == {"set_1": [[(0, 1)]], "set_2": [[(2, 3)], [(4, 5)]]}


def test_the_level_is_found_by_what_it_says_or_can_be_named(tmp_path):
    common = COMMON.replace('"coref"', '"np"').replace("$_coref", "$_np")
    path = project(tmp_path, common=common)
    (tmp_path / "Markables/x_coref_level.xml").rename(tmp_path / "Markables/x_np_level.xml")
    assert chains(read(path)[0]) == CHAINS
    assert chains(read(path, Mmax("np"))[0]) == CHAINS
    with pytest.raises(FormatError) as caught:
        read(path, Mmax("coref"))
    assert caught.value.code == "CB133"


def test_a_project_without_coreference_is_read_for_its_words_and_that_is_said(tmp_path):
    corpus, heard = read(project(tmp_path, coref=None))
    assert (len(corpus.tokens), len(corpus.mentions)) == (6, 0)
    assert [(f.code, f.severity) for f in heard] == [("CB133", "warning")]


def test_a_minimal_span_outside_its_mention_is_left_out_and_reported(tmp_path):
    marked = MARKABLES.replace('min_ids="word_3"', 'min_ids="word_4"')
    corpus, heard = read(project(tmp_path, coref=level(marked)))
    assert corpus.mentions.minimum is None
    assert [(f.code, f.severity, f.place.line) for f in heard] == [("CB114", "warning", 5)]


def test_np4e_has_75_documents_with_5689_mentions_in_1518_chains():
    corpus, heard = read(data("np4e"))
    assert len(FORM.documents_in(data("np4e"))) == len(corpus) == 75
    assert (len(corpus.tokens), len(corpus.tokens.sentences)) == (42_956, 1_795)
    assert (len(corpus.mentions), len(corpus.chains)) == (5_689, 1_518)
    assert corpus.chain_sizes().min() == 2
    assert {f.code for f in heard} == {"CB114"}
    assert len(heard) == 8


def test_np4e_is_stable_through_a_folder(tmp_path):
    corpus, _ = read(data("np4e") / "bukavu")
    FORM.write_folder(corpus, tmp_path)
    again, heard = read(tmp_path)
    assert heard == []
    assert facts(again) == facts(corpus)


def test_it_recognises_project_files_only():
    assert FORM.recognises(PROJECT.encode()) == 0.95
    assert FORM.recognises(words().encode()) == 0
    assert FORM.recognises(level(MARKABLES).encode()) == 0
    assert isinstance(FORM, FolderFormat)


def test_a_stream_is_refused_with_the_way_out():
    build = CorpusBuilder("x")
    build.begin_document("d")
    with pytest.raises(UsageError, match="several files"):
        FORM.write(build.finish(), io.BytesIO())
    assert not FORM.card.writes


def test_bytes_are_refused_since_the_other_files_are_not_there():
    with pytest.raises(FormatError) as caught:
        list(FORM.read(Source.of(PROJECT.encode()), Reading()))
    assert caught.value.code == "CB130"


ENTITY = '<!DOCTYPE words [<!ENTITY e "x">]>'
REFUSED = {
    "no words file": ("CB130", {"words": None}),
    "a words file above the folder": ("CB131", {"mmax": PROJECT.replace("x_w", "../../x_w")}),
    "a words file elsewhere": ("CB131", {"common": COMMON.replace("Basedata\\", "/etc/")}),
    "a words file on a drive": ("CB131", {"common": COMMON.replace("Basedata\\", "C:\\Data\\")}),
    "a words file on the net": ("CB131", {"common": COMMON.replace("Basedata\\", "http://a.b/")}),
    "markables outside": ("CB131", {"common": COMMON.replace(".\\Markables", "..\\..")}),
    "no words named": ("CB132", {"mmax": "<mmax_project/>"}),
    "another root": ("CB132", {"mmax": "<project><words>x_words.xml</words></project>"}),
    "words that are none": ("CB132", {"words": "<text/>"}),
    "markables that are none": ("CB132", {"coref": "<words/>"}),
    "a word twice": ("CB126", {"words": words(WORDS + '<word id="word_1">x</word>')}),
    "a word without an id": ("CB125", {"words": words("<word>x</word>")}),
    "unclosed words": ("CB121", {"words": words()[:-4]}),
    "unclosed markables": ("CB121", {"coref": level(MARKABLES)[:-4]}),
    "entities in words": ("CB119", {"words": ENTITY + "<words><word id='a'>&e;</word></words>"}),
    "an entity without a declaration": ("CB119", {"words": words('<word id="a">&e;</word>')}),
    "a broken scheme": ("CB121", {"scheme": "<annotationscheme>"}),
    "UTF-16": ("CB103", {"words": words().encode("utf-16")}),
    "an empty level": ("CB102", {"coref": ""}),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_broken_project_is_refused(tmp_path, fault):
    code, changes = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read(project(tmp_path, **changes), lenient=True)
    assert caught.value.code == code


def test_a_link_that_leads_outside_is_not_followed(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    path = project(inside, words=None)
    (tmp_path / "secret.xml").write_text(words(), "utf-8")
    (inside / "Basedata").mkdir(exist_ok=True)
    (inside / "Basedata" / "x_words.xml").symlink_to(tmp_path / "secret.xml")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert caught.value.code == "CB131"


REPAIRED = {
    "a span of no words": ("CB112", '<markable id="m" span="word_77"/>'),
    "a span turned round": ("CB112", '<markable id="m" span="word_3..word_7"/>'),
    "a fragment of no words": ("CB112", '<markable id="m" span="word_1,word_x"/>'),
    "no span": ("CB125", '<markable id="m"/>'),
    "no id": ("CB125", '<markable span="word_1"/>'),
    "a markable twice": ("CB126", '<markable id="markable_1" span="word_1"/>'),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(tmp_path, fault):
    code, markable = REPAIRED[fault]
    path = project(tmp_path, coref=level(MARKABLES + markable))
    with pytest.raises(FormatError) as caught:
        read(path)
    assert (caught.value.code, caught.value.place.line) == (code, 7)
    corpus, heard = read(path, lenient=True)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 7)]
    assert chains(corpus) == CHAINS


def test_a_pointer_to_nothing_is_raised_or_left_out(tmp_path):
    marked = '<markable id="markable_1" span="word_1" antecedents="markable_9"/>'
    path = project(tmp_path, coref=level(marked))
    with pytest.raises(FormatError) as caught:
        read(path)
    assert caught.value.code == "CB115"
    corpus, heard = read(path, lenient=True)
    assert [f.code for f in heard] == ["CB115"]
    assert len(corpus.mentions) == 1


def test_relations_survive_where_they_are_between_mentions(tmp_path):
    corpus, _ = read(project(tmp_path, coref=level(POINTERS)))
    FORM.write_folder(corpus, tmp_path / "again")
    again, _ = read(tmp_path / "again")
    assert again.relations.bridging_anaphor.tolist() == [3]
    assert again.relations.plural.tolist() == corpus.relations.plural.tolist()
    assert sorted(again.relations.element.tolist()) == sorted(corpus.relations.element.tolist())


def test_documents_of_one_name_are_not_written_over_each_other(tmp_path):
    build = CorpusBuilder("x")
    for name in ("d", "D"):
        build.begin_document(name)
        build.sentence(["a"])
    with pytest.raises(UsageError, match="one name"):
        FORM.write_folder(build.finish(), tmp_path)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@settings(max_examples=60, deadline=None)
@given(corpora(FORM.card.holds))
def test_what_is_written_is_read_again(corpus):
    with tempfile.TemporaryDirectory() as name:
        first, second = Path(name) / "first", Path(name) / "second"
        FORM.write_folder(corpus, first)
        again, heard = read(first)
        keys = tuple(corpus.mentions.columns)
        assert heard == []
        assert facts(again, keys) == facts(corpus, keys)
        FORM.write_folder(again, second)
        assert everything(second) == everything(first)
