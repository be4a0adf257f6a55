"""Merging files: what comes out, what is asked, and what an answered file does."""

import pytest

from corefbench.analysis.annotation import merge
from corefbench.errors import DataError, FormatError, MismatchError, UsageError
from tests.conll import conll

WORDS = ["Ann", "saw", "Bea", ".", "She", "waved", "."]
#         Ann        Bea             She
A = conll("(1)", "-", "(2)", "-", "", "(1)", "-", "-", words=WORDS)
B = conll("(1)", "-", "(2)", "-", "", "(2)", "-", "-", words=WORDS)
C = conll("(7)", "-", "-", "-", "", "(7)", "-", "-", words=WORDS)


def chains(corpus):
    return [[[(m.start, m.end) for m in chain.mentions] for chain in d.chains] for d in corpus]


def answered(tmp_path, merged, **answers):
    """The file of conflicts with the answers filled in by number: ``answered(…, c1="keep")``."""
    path = tmp_path / "conflicts.txt"
    merged.write_conflicts(path)
    lines, number = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== conflict "):
            number = int(line.split()[2].rstrip(":"))
        if line.startswith("decision:"):
            line = f"decision: {answers.get(f'c{number}', '?')}"
        lines.append(line)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_three_vote():
    merged = merge([A, B, C])
    assert chains(merged.corpus) == [[[(0, 1), (4, 5)], [(2, 3)]]]
    assert [(c.kind, c.rule) for c in merged.conflicts] == [("mention", "keep"), ("chains", "1 3 | 2")]


def test_the_account_loses_nothing():
    merged = merge([A, B, C])
    tales = [(a.mentions, a.links) for a in merged.accounts]
    assert [(m.marked, m.kept, m.dropped, m.added) for m, _ in tales] == [(3, 3, 0, 0), (3, 3, 0, 0), (2, 2, 0, 1)]
    # The one link of the result, Ann–She, is A's and C's; B drew Bea–She.
    assert [(t.marked, t.kept, t.dropped, t.added) for _, t in tales] == [(1, 1, 0, 0), (1, 0, 1, 1), (1, 1, 0, 0)]


def test_two_are_united_and_what_they_deny_each_other_is_split():
    merged = merge({"anna": A, "ben": B})
    assert chains(merged.corpus) == [[[(0, 1)], [(2, 3)], [(4, 5)]]]
    assert [c.kind for c in merged.conflicts] == ["chains"]
    assert merged.conflicts[0].groupings == ((1, 2, 1), (1, 2, 2))


def test_the_conflict_file_shows_sentences_and_all_annotations(tmp_path):
    path = tmp_path / "conflicts.txt"
    merge({"anna": A, "ben": B, "carl": C}).write_conflicts(path)
    text = path.read_text(encoding="utf-8")
    for line in (
        "# B = ben",
        "== conflict 1: mention 2:3 in d_0",
        "  | Ann saw [Bea] .",
        "  A marks it",
        "  C does not mark it",
        "== conflict 2: chains of 3 pieces in d_0",
        "  | [1 Ann] saw [2 Bea] .",
        "  | [3 She] waved .",
        "  1: Ann (0:1)",
        "  A says 1 3 | 2",
        "  B says 1 | 2 3",
        "  C says 1 3; does not mark 2",
        "  rule: 1 3 | 2",
        "decision: ?",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("A", [[(0, 1), (4, 5)], [(2, 3)]]),
        ("b", [[(0, 1)], [(2, 3), (4, 5)]]),
        ("1 2 3", [[(0, 1), (2, 3), (4, 5)]]),
        ("3|1, 2", [[(0, 1), (2, 3)], [(4, 5)]]),
        ("?", [[(0, 1)], [(2, 3)], [(4, 5)]]),
    ],
)
def test_answers_about_chains_are_followed(tmp_path, answer, expected):
    path = answered(tmp_path, merge([A, B]), c1=answer)
    assert chains(merge([A, B], decisions=path).corpus) == [expected]


def test_answers_about_mentions_are_followed(tmp_path):
    path = answered(tmp_path, merge([A, B, C]), c1="drop", c2="B")
    merged = merge([A, B, C], decisions=path)
    assert chains(merged.corpus) == [[[(0, 1)], [(4, 5)]]]
    assert not merged.open
    assert not merged.findings


def test_a_dropped_span_can_be_kept(tmp_path):
    path = answered(tmp_path, merge([A, C], rule="intersection"), c1="keep")
    assert chains(merge([A, C], rule="intersection", decisions=path).corpus) == [[[(0, 1), (4, 5)], [(2, 3)]]]


def test_unanswered_conflicts_are_decided_by_the_rule_and_reported(tmp_path):
    path = answered(tmp_path, merge([A, B, C]), c1="keep")
    merged = merge([A, B, C], decisions=path)
    (finding,) = merged.findings
    assert (finding.code, finding.found) == ("CB237", "conflicts 2")
    assert "1 of 2" in finding.message


def test_answers_survive_other_quorums_and_names_of_chains(tmp_path):
    path = answered(tmp_path, merge([A, B]), c1="1 2 3")
    renamed = A.replace(b"(1)", b"(9)")
    merged = merge([renamed, B], rule="vote", decisions=path)
    assert chains(merged.corpus) == [[[(0, 1), (2, 3), (4, 5)]]]


@pytest.mark.parametrize("answer", ["yes", "1 2", "1 2 3 3", "1 2 4", "C", "1 / 2 3"])
def test_impossible_answers_are_refused_with_their_line(tmp_path, answer):
    path = answered(tmp_path, merge([A, B]), c1=answer)
    line = path.read_text(encoding="utf-8").splitlines().index(f"decision: {answer}") + 1
    with pytest.raises(FormatError) as raised:
        merge([A, B], decisions=path)
    assert raised.value.code == "CB235"
    assert (raised.value.place.source, raised.value.place.line) == (str(path), line)
    assert raised.value.found == answer
    assert raised.value.remedy


def test_decisions_for_other_annotations_are_refused(tmp_path):
    path = answered(tmp_path, merge([A, B]), c1="A")
    with pytest.raises(MismatchError) as raised:
        merge([A, C], decisions=path)
    assert raised.value.code == "CB236"


def test_files_without_decisions_raise(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("hello\n", encoding="utf-8")
    with pytest.raises(FormatError, match="not a conflict file"):
        merge([A, B], decisions=path)
    with pytest.raises(DataError, match="cannot be read"):
        merge([A, B], decisions=tmp_path / "none.txt")


def test_a_broken_header_and_a_second_decision_are_refused(tmp_path):
    path = answered(tmp_path, merge([A, B]), c1="A")
    text = path.read_text(encoding="utf-8")
    for broken in (text.replace("conflict 1", "conflict 8"), text + "\ndecision: B\n"):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(FormatError):
            merge([A, B], decisions=path)


def test_other_words_and_other_lengths_are_refused():
    other = conll("(1)", "-", "(2)", "-", "", "(1)", "-", "-", words=[*WORDS[:5], "ran", "."])
    with pytest.raises(MismatchError) as raised:
        merge([A, other])
    assert raised.value.code == "CB205"
    assert "'ran' as token 5" in raised.value.found
    with pytest.raises(MismatchError) as raised:
        merge([A, conll("(1)", words=["Ann"])])
    assert raised.value.code == "CB204"


def test_a_document_that_one_lacks_is_refused_or_voted_on_by_the_others():
    more = conll("(1)", "(1)", name="e", words=["Eve", "herself"])
    with pytest.raises(MismatchError) as raised:
        merge([A + more, B + more, C])
    assert raised.value.code == "CB202"
    merged = merge([A + more, B + more, C], lenient=True)
    assert chains(merged.corpus)[1] == [[(0, 1), (1, 2)]]
    assert [a.documents for a in merged.accounts] == [2, 2, 1]
    assert [f.code for f in merged.findings] == ["CB202"]


def test_documents_are_paired_by_name_and_all_are_there():
    more = conll("(1)", "(1)", name="e", words=["Eve", "herself"])
    merged = merge([A + more, more + B])
    assert merged.corpus.documents.labels() == ("d_0", "e_0")
    assert chains(merged.corpus)[1] == [[(0, 1), (1, 2)]]


def test_a_span_that_an_annotation_has_twice_keeps_its_first_chain():
    twice = conll("(1)|(2)", "-", "(2)", "-", "", "(1)", "-", "-", words=WORDS)
    merged = merge([twice, twice])
    assert {f.code for f in merged.findings} == {"CB113"}
    assert sum(map(len, chains(merged.corpus)[0])) == 3


def test_long_sentences_are_shown_around_their_marks(tmp_path):
    cells, words = ["-"] * 99, [f"w{n}" for n in range(99)]
    one, two = (conll(*cells[:9], cell, *cells[10:], words=words) for cell in ("(1)", "-"))
    path = tmp_path / "conflicts.txt"
    merge([one, two]).write_conflicts(path)
    shown = next(line for line in path.read_text().splitlines() if line.startswith("  |"))
    assert shown.startswith("  | w0 w1")
    assert " [w9] " in shown
    assert shown.endswith(" w24 …")


def test_parts_of_a_discontinuous_mention_are_one_span():
    text = (
        b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        b"1\tblue\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1[1/2]-place-1-)\n"
        b"2\tand\t_\t_\t_\t_\t_\t_\t_\t_\n"
        b"3\tcars\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1[2/2])\n\n"
    )
    hull = conll("(1", "-", "1)", name="d", words=["blue", "and", "cars"])
    merged = merge([text, hull])
    assert sorted(m.parts for m in merged.corpus[0].mentions) == [[(0, 1), (2, 3)], [(0, 3)]]


def test_attributes_of_mentions_come_from_the_first_who_marks_them():
    head = (
        b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        b"1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-%s-1-)\n"
        b"2\tand\t_\t_\t_\t_\t_\t_\t_\t_\n"
        b"3\tBea\t_\t_\t_\t_\t_\t_\t_\t%s\n\n"
    )
    one = head % (b"person", b"_")
    two = head % (b"animal", b"Entity=(e2-place-1-)")
    merged = merge([one, two]).corpus
    assert list(merged.mentions.columns["etype"]) == ["person", "place"]


def test_chains_across_documents_are_merged_in_a_wider_scope():
    def pair(first: str, second: str) -> bytes:
        return conll(first, name="x/a", words=["one"]) + conll(second, name="x/b", words=["two"])

    merged = merge([pair("(5)", "(5)"), pair("(1)", "(1)"), pair("(1)", "(2)")], scope="corpus")
    assert merged.corpus.chains.labels.tolist() == [0, 0]
    apart = merge([pair("(5)", "(5)"), pair("(1)", "(2)"), pair("(1)", "(2)")], scope="corpus")
    assert apart.corpus.chains.labels.tolist() == [0, 1]


@pytest.mark.parametrize("wrong", [{"rule": "king"}, {"ties": "both"}, {"scope": "world"}, {"links": "few"}])
def test_invalid_settings_raise(wrong):
    with pytest.raises(UsageError):
        merge([A, B], **wrong)
    with pytest.raises(UsageError):
        merge([A])
