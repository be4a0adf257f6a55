"""Defects reproduced in other scorers, each with the right answer or the right error from ours."""

import subprocess
import sys
from pathlib import Path

import pytest

import corefbench as cb
from corefbench.diagnostics import Finding
from tests.clusters import clusters, percent
from tests.conll import conll


def spans(text: bytes) -> list[tuple[str, int, int]]:
    return sorted((m.chain.label, m.start, m.end) for m in cb.load(text)[0].mentions)


def codes(result: cb.Result) -> list[str]:
    return [finding.code for finding in result.findings]


def finding(result: cb.Result, code: str) -> Finding:
    (found,) = (f for f in result.findings if f.code == code)
    return found


class TestRepeatedMentions:
    """1. The Perl scorer never resets its counter: three repeats pass MUC and kill "all"."""

    KEY = conll("(1)", "(2)", "(1)")

    @staticmethod
    def response(repeats: int) -> bytes:
        return conll("|".join(["(1)"] * (1 + repeats)), "(2)", "(1)")

    def test_any_number_is_scored_and_reported_with_places(self) -> None:
        result = cb.score(self.KEY, self.response(50))
        assert [result[name].f1 for name in ("muc", "b_cubed", "ceaf_e")] == [1, 1, 1]
        warning = finding(result, "CB206")
        assert "50 repeated" in warning.found
        assert "d_0 tokens 0–0" in warning.found

    @pytest.mark.parametrize(("repeats", "refused"), [(10, False), (11, True)])
    def test_the_limit_of_ten_is_a_choice(self, repeats: int, refused: bool) -> None:
        response = self.response(repeats)
        if not refused:
            assert cb.score(self.KEY, response, repeat_limit="per-run")["muc"].f1 == 1
            return
        with pytest.raises(cb.DataError) as error:
            cb.score(self.KEY, response, repeat_limit="per-run")
        assert error.value.code == "CB212"

    @pytest.mark.parametrize(("repeats", "refused"), [(2, False), (3, True)])
    def test_the_counter_of_the_perl_scorer_is_a_choice_too(self, repeats: int, refused: bool) -> None:
        """Five measures: twice five is ten, three times four is more."""
        if not refused:
            cb.score(self.KEY, self.response(repeats), repeat_limit="perl-global")
            return
        with pytest.raises(cb.DataError) as error:
            cb.score(self.KEY, self.response(repeats), repeat_limit="perl-global")
        assert error.value.code == "CB212"


def test_words_like_brackets_in_a_blank_separated_file_are_words() -> None:
    """2. Perl splits at tabs only: a word ``3)`` aborts the run, ``(7)`` is a phantom mention."""
    words, cells = ["3)", "(7)", "she"], ["(1)", "-", "(1)"]
    text = conll(*cells, words=words).replace(b"\t", b" ")
    assert spans(text) == [("1", 0, 1), ("1", 2, 3)]
    assert cb.score(text, text)["mentions"].f1 == 1


def test_brackets_without_bars_are_all_read() -> None:
    """4. coval loses the opening in ``(1(2)``, warns and scores on."""
    text = conll("(1(2)", "1)", "(2(1)", "2)")
    assert spans(text) == [("1", 0, 2), ("1", 2, 3), ("2", 0, 1), ("2", 2, 4)]
    barred = conll("(1|(2)", "1)", "(2|(1)", "2)")
    assert cb.score(barred, text).conll.f1 == 1


def test_a_mention_across_sentences_is_not_another_span() -> None:
    """5. coval matched a different span: MUC 100 where it is 0."""
    key = conll("(1)", "-", "", "(1", "-", "", "-", "1)")
    response = conll("(1)", "-", "", "(1", "1)", "", "-", "-")
    assert spans(key) == [("1", 0, 1), ("1", 2, 6)]
    assert cb.score(key, response)["muc"].f1 == 0
    assert cb.score(key, key)["muc"].f1 == 1


class TestDocumentNames:
    """6. ``part 0`` for ``part 000``: Perl gives 0 %, coval KeyError; extra documents vanish."""

    def test_parts_are_numbers(self) -> None:
        result = cb.score(conll("(1)", "(1)", part="0"), conll("(1)", "(1)", part="000"))
        assert result["muc"].f1 == 1
        assert result.findings == ()

    def test_a_missing_document_counts_as_empty_and_is_reported(self) -> None:
        both = conll("(1)", "(1)") + conll("(1)", "(1)", name="e")
        result = cb.score(both, conll("(1)", "(1)"))
        assert percent(result["muc"]) == (50, 100, 66.7)
        assert finding(result, "CB202").place.document == "e_0"

    def test_an_extra_document_is_not_scored_and_is_reported(self) -> None:
        both = conll("(1)", "(1)") + conll("(1)", "(1)", name="e")
        result = cb.score(conll("(1)", "(1)"), both)
        assert percent(result["muc"]) == (100, 100, 100)
        assert finding(result, "CB203").place.document == "e_0"

    def test_nothing_in_common_is_an_error(self) -> None:
        key = conll("(1)", name="a") + conll("(1)", name="b")
        response = conll("(1)", name="c") + conll("(1)", name="d")
        with pytest.raises(cb.DataError) as error:
            cb.score(key, response)
        assert error.value.code == "CB201"
        assert "c_0" in error.value.found
        assert "a_0" in error.value.expected


class TestTexts:
    """7. Differing tokens are never noticed."""

    def test_other_words_are_noticed(self) -> None:
        key = conll("(1)", "-", "(1)", words=["Ann", "saw", "her"])
        response = conll("(1)", "-", "(1)", words=["Bob", "saw", "him"])
        result = cb.score(key, response)
        assert codes(result) == ["CB205"]
        assert "d_0" in finding(result, "CB205").found

    def test_other_numbers_of_tokens_are_noticed(self) -> None:
        result = cb.score(conll("(1)", "-", "(1)"), conll("(1)", "-", "(1)", "-"))
        assert codes(result) == ["CB204"]

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_shorter_response_is_refused_unless_lenient(self, jobs: int, tmp_path: Path) -> None:
        key, response = conll("(1)", "-", "(1)"), conll("(1)", "-")
        (tmp_path / "key.conll").write_bytes(key)
        (tmp_path / "response.conll").write_bytes(response)
        paths = tmp_path / "key.conll", tmp_path / "response.conll"
        with pytest.raises(cb.DataError) as error:
            cb.score(*paths, jobs=jobs)
        assert error.value.code == "CB213"
        assert "d_0" in error.value.found
        assert codes(cb.score(*paths, jobs=jobs, lenient=True)) == ["CB213"]

    def test_the_same_text_in_another_layout_is_the_same_text(self) -> None:
        key = conll("(1)", "-", "(1)")
        response = b"# begin document d_0\n" + b"".join(
            f"{i}\tw{i}\t{cell}\n".encode() for i, cell in enumerate(["(1)", "_", "(1)"])
        )
        response += b"# end document\n"
        assert cb.score(key, response).findings == ()


class TestBatches:
    """8. Hugging Face's coval merges equal cluster ids of different documents: a perfect response
    gets CoNLL 63.70, in per cent while the rest are fractions."""

    DOCUMENTS = (clusters("AB CD"), clusters("AC BD E"))

    def test_chains_do_not_reach_across_documents(self) -> None:
        result = cb.score_clusters(list(self.DOCUMENTS), list(self.DOCUMENTS))
        assert result.conll is not None
        assert result.conll.f1 == 1

    def test_the_accumulating_scorer_gives_fractions(self) -> None:
        scorer = cb.Scorer()
        scorer.add_batch(predictions=self.DOCUMENTS, references=self.DOCUMENTS)
        scores = scorer.compute()
        assert scores["conll_f1"] == scores["muc_f1"] == scores["b_cubed_f1"] == 1

    def test_files_that_number_chains_anew_in_each_document_score_alike(self) -> None:
        text = conll("(0)", "(1)", "(0)", name="a") + conll("(0)", "(1)", "(1)", name="b")
        assert cb.score(text, text).conll.f1 == 1


def test_ceaf_e_keeps_response_singletons_unless_the_profile_says_so() -> None:
    """9. The evaluator copied into many resolvers drops response singletons in CEAFe only."""
    perfect = clusters("ABC D E F")
    assert cb.score_clusters(perfect, perfect)["ceaf_e"].f1 == 1
    copied = cb.score_clusters(perfect, perfect, profile="e2e-python")
    assert percent(copied["ceaf_e"]) == (25, 100, 40)


def test_ceaf_m_is_at_most_one() -> None:
    """10. coval divides by the number of entities: F1 up to 1.14 and more."""
    perfect = clusters("ABCDEFGH IJ")
    score = cb.score_clusters(perfect, perfect)["ceaf_m"]
    assert (score.recall, score.precision, score.f1) == (1, 1, 1)


def test_pairs_of_mentions_do_not_cross_documents() -> None:
    """11. neleval counts negative pairs across documents."""
    documents = [clusters("AB"), clusters("CD"), clusters("EF")]
    tally = cb.score_clusters(documents, documents).tallies["blanc"]
    assert tally["key_separate"].tolist() == [0, 0, 0]
    assert tally["key_coreferent"].tolist() == [1, 1, 1]


class TestEdges:
    """12. All-singleton documents: MUC is 0 while the others give 100; empty documents crash."""

    def test_all_singletons(self) -> None:
        result = cb.score_clusters(clusters("A B C"), clusters("A B C"))
        names = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
        assert [result[name].f1 for name in names] == [1, 0, 1, 1, 1, 1, 1]

    def test_a_stripped_document_is_empty_not_an_error(self) -> None:
        result = cb.score_clusters(clusters("A B"), clusters("A B"), singletons="strip")
        assert all(score.f1 == 0 for score in result.scores.values())

    @pytest.mark.parametrize("key", [[], clusters("AB")], ids=["no key", "key"])
    @pytest.mark.parametrize("response", [[], clusters("AB")], ids=["no response", "response"])
    def test_empty_documents(self, key: list, response: list) -> None:
        result = cb.score_clusters(key, response)
        assert result["b_cubed"].f1 == bool(key and response)
        assert ("CB210" in codes(result)) == (not key)

    def test_a_file_without_mentions(self) -> None:
        result = cb.score(conll("-", "-"), conll("-", "-"))
        assert result["muc"].f1 == 0
        assert codes(result) == ["CB210"]

    def test_a_document_without_tokens(self) -> None:
        text = conll("(1)", "(1)") + b"#begin document (e); part 000\n#end document\n"
        result = cb.score(text, text)
        assert result["muc"].f1 == 1
        assert result.documents == ("d_0", "e_0")


def test_the_command_line_of_the_universal_anaphora_profile_prints_a_score(tmp_path) -> None:
    """13. The command line of the UA scorer 2.0 prints none."""
    file = tmp_path / "key.conll"
    file.write_bytes(conll("(1)", "(1)"))
    command = [sys.executable, "-m", "corefbench", "score", str(file), str(file)]
    done = subprocess.run([*command, "--profile", "ua"], capture_output=True, text=True, check=True)
    assert "100.00" in done.stdout


def test_a_document_whose_name_begins_another_is_told_apart() -> None:
    """14. The Berkeley analyser raises KeyError."""
    names = ("wsj_1", "wsj_10", "wsj_1_0")
    key = b"".join(conll("(1)", "(1)", name=name) for name in names)
    response = b"".join(conll("(1)", "-" if name == "wsj_10" else "(1)", name=name) for name in names)
    found = cb.score(key, response).by_document()
    assert {name: scores["muc"].f1 for name, scores in found.items()} == {"wsj_1_0": 1, "wsj_10_0": 0, "wsj_1_0_0": 1}
