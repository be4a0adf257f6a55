"""What Python users call."""

from pathlib import Path

import numpy as np
import pytest

import corefbench as cb
from corefbench.diagnostics import Finding
from corefbench.scoring.api import alignments
from tests.clusters import clusters, percent
from tests.conll import conll

KEY, BROKEN = conll("(1)", "(2)", "(1)"), conll("(1)", "(2)", "(1)|(3")


def test_corpora_are_matched_as_files_are():
    for where in (KEY, cb.load(KEY)):
        (found,) = alignments(where, where)
        assert found.twins.key.tolist() == [0, 1, 2]


def test_words_are_read_too():
    (found,) = alignments(KEY, KEY)
    assert [*found.response.tokens.words] == ["w0", "w1", "w2"]


def test_repairs_are_made_and_reported_where_they_are_asked_for():
    with pytest.raises(cb.FormatError):
        list(alignments(KEY, BROKEN))
    heard: list[Finding] = []
    (found,) = alignments(KEY, BROKEN, lenient=True, report=heard.append)
    assert [finding.severity for finding in heard] == ["repair"]
    (unheard,) = alignments(KEY, BROKEN, lenient=True)
    assert unheard.twins.key.tolist() == found.twins.key.tolist() == [0, 1, 2]


KEY, RESPONSE = conll("(1)", "(2)", "(1)"), conll("(1)", "(2)", "(2)")


class TestScore:
    def test_paths_bytes_and_corpora_score_alike(self, tmp_path: Path) -> None:
        for name, text in (("key", KEY), ("response", RESPONSE)):
            (tmp_path / name).write_bytes(text)
        given = [
            (KEY, RESPONSE),
            (tmp_path / "key", tmp_path / "response"),
            (str(tmp_path / "key"), str(tmp_path / "response")),
            (cb.load(KEY), cb.load(RESPONSE)),
        ]
        scores = [cb.score(*pair).scores for pair in given]
        assert all(some == scores[0] for some in scores)

    def test_scores_are_had_by_name_alias_and_attribute(self) -> None:
        result = cb.score(KEY, RESPONSE)
        assert result["b3"] == result["b_cubed"] == result.b_cubed
        assert set(result) == {"mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"}

    def test_an_unknown_score_is_answered_with_near_names(self) -> None:
        result = cb.score(KEY, RESPONSE, measures="muc")
        with pytest.raises(cb.UsageError, match="there is no score named 'lea'"):
            result["lea"]
        with pytest.raises(AttributeError):
            _ = result.lea

    def test_the_conll_average_is_of_unrounded_scores(self) -> None:
        result = cb.score(KEY, RESPONSE)
        parts = [result[name].f1 for name in ("muc", "b_cubed", "ceaf_e")]
        assert result.conll.f1 == pytest.approx(sum(parts) / 3)

    def test_without_its_measures_there_is_no_conll_average(self) -> None:
        assert cb.score(KEY, RESPONSE, measures="muc,lea").conll is None
        assert cb.score(KEY, RESPONSE, profile="stoyanov-all").conll is None

    def test_documents_have_scores_of_their_own(self) -> None:
        result = cb.score(KEY + conll("(1)", "(1)", name="e"), RESPONSE + conll("(1)", "(1)", name="e"))
        rows = result.by_document()
        assert list(rows) == ["d_0", "e_0"]
        assert [rows[name]["muc"].f1 for name in rows] == [0, 1]

    def test_documents_are_paired_by_name_in_any_order(self) -> None:
        texts = [conll("(1)", "(1)", name="a"), conll("(1)", "-", "(1)", name="b")]
        result = cb.score(b"".join(texts), b"".join(reversed(texts)))
        assert result.conll.f1 == 1
        assert result.findings == ()

    def test_the_only_documents_are_paired_whatever_they_are_called(self) -> None:
        result = cb.score(conll("(1)", "(1)"), conll("(1)", "(1)", name="other"))
        assert result["muc"].f1 == 1
        assert [(f.code, f.severity) for f in result.findings] == [("CB203", "note")]

    def test_a_document_named_twice_is_an_error(self) -> None:
        with pytest.raises(cb.DataError) as error:
            cb.score(KEY + KEY, RESPONSE)
        assert error.value.code == "CB109"

    def test_lenient_repairs_are_among_the_findings(self) -> None:
        broken = conll("(1)", "(2)", "(1)|(3")
        with pytest.raises(cb.FormatError):
            cb.score(KEY, broken)
        result = cb.score(KEY, broken, lenient=True)
        assert [(f.code, f.severity) for f in result.findings] == [("CB105", "repair")]
        assert result.conll.f1 == pytest.approx(1)

    def test_stripped_key_singletons_and_twinless_mentions_are_remarked(self) -> None:
        stripped = cb.score(KEY, KEY, profile="coval-remove")
        assert [f.code for f in stripped.findings] == ["CB208"]
        twinless = cb.score(conll("(1)", "-", "-"), conll("-", "(1)", "(1)"))
        assert [f.code for f in twinless.findings] == ["CB209"]

    def test_a_key_that_repeats_mentions_is_remarked(self) -> None:
        repeated = conll("(1)|(2)", "(2)", "(1)")
        assert "CB207" in [f.code for f in cb.score(repeated, KEY).findings]


class TestChoices:
    @pytest.mark.parametrize(
        ("choices", "message"),
        [
            ({"singletons": "none"}, "there is no choice of"),
            ({"average": "mean"}, "there is no choice of"),
            ({"scope": "paragraph"}, "there is no choice of"),
            ({"colour": "red"}, "there is no choice named colour"),
            ({"match": "exct"}, "did you mean exact"),
            ({"measures": "mucc"}, "did you mean muc"),
            ({"profile": "conll-2013"}, "did you mean conll-2012 or conll-2011"),
        ],
    )
    def test_what_does_not_exist_is_a_usage_error(self, choices: dict[str, str], message: str) -> None:
        with pytest.raises(cb.UsageError, match=message) as error:
            cb.score(KEY, RESPONSE, **choices)
        assert error.value.exit_code == 2

    def test_none_leaves_a_choice_as_it_is(self) -> None:
        plain = cb.score(KEY, RESPONSE)
        assert str(cb.score(KEY, RESPONSE, singletons=None).signature) == str(plain.signature)

    def test_a_choice_holds_for_every_score(self) -> None:
        kept = cb.score_clusters(clusters("AB C"), clusters("AB D"), profile="cattan-2021", singletons="keep")
        assert percent(kept["b_cubed"]) == (66.7, 66.7, 66.7)
        assert percent(kept["mentions"]) == (66.7, 66.7, 66.7)

    def test_measures_come_in_the_order_asked_for(self) -> None:
        result = cb.score(KEY, RESPONSE, measures="lea + blanc(edge=both), B3")
        assert list(result) == ["lea", "blanc(edge=both)", "b_cubed"]

    def test_a_profile_keeps_its_own_version_of_a_measure(self) -> None:
        """BLANC in the scorer of SemEval-2010 is that of pairs of response mentions."""
        result = cb.score_clusters(clusters("ABC DE"), clusters("BC ADE Y"), profile="semeval-2010", measures="blanc")
        assert percent(result["blanc"]) == (51.8, 52.3, 49.8)


class TestClusters:
    def test_one_document_a_list_of_documents_and_a_mapping_score_alike(self) -> None:
        key, response = clusters("ABC DE"), clusters("BC ADE")
        alone = cb.score_clusters(key, response).scores
        assert cb.score_clusters([key], [response]).scores == alone
        assert cb.score_clusters({"d": key}, {"d": response}).scores == alone

    def test_tuples_lists_and_arrays_are_spans(self) -> None:
        as_tuples = [[(0, 1), (3, 3)]]
        as_lists = [[[0, 1], [3, 3]]]
        as_arrays = [np.array([[0, 1], [3, 3]])]
        for other in (as_lists, as_arrays, [tuple(as_tuples[0])]):
            assert cb.score_clusters(as_tuples, other)["muc"].f1 == 1

    @pytest.mark.parametrize(
        "wrong",
        [[[(0,)]], [[(0, 1, 2)]], [[(3, 1)]], [[(-1, 0)]], [[("a", "b")]], [[0, 1]], [[(0, 1), 5]], {"d": 5}, 5],
    )
    def test_what_is_not_clusters_of_spans_is_a_coded_error(self, wrong: object) -> None:
        with pytest.raises(cb.DataError) as error:
            cb.score_clusters(wrong, wrong)
        assert error.value.code == "CB112"

    def test_nothing_at_all_is_a_coded_error(self) -> None:
        for scope in ("document", "corpus"):
            with pytest.raises(cb.DataError) as error:
                cb.score_clusters({}, {}, scope=scope)
            assert error.value.code == "CB102"


class TestScorer:
    def test_documents_are_gathered_one_by_one_or_in_batches(self) -> None:
        keys, responses = [clusters("AB CD"), clusters("AC")], [clusters("AB C"), clusters("AC")]
        one_by_one, batch = cb.Scorer(), cb.Scorer()
        for key, response in zip(keys, responses, strict=True):
            one_by_one.update(key=key, response=response)
        batch.add_batch(predictions=responses, references=keys)
        assert one_by_one.compute() == batch.compute()
        assert one_by_one.result().scores == cb.score_clusters(keys, responses).scores

    def test_batches_of_different_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="argument"):
            cb.Scorer().add_batch(predictions=[clusters("A")], references=[])

    def test_a_named_document_that_comes_again_is_replaced(self) -> None:
        scorer = cb.Scorer()
        scorer.update(clusters("AB"), clusters("CD"), document="d")
        scorer.update(clusters("AB"), clusters("AB"), document="d")
        assert scorer.compute()["conll_f1"] == 1

    def test_a_reset_scorer_has_nothing_to_score(self) -> None:
        scorer = cb.Scorer()
        scorer.update(clusters("AB"), clusters("AB"))
        scorer.reset()
        with pytest.raises(cb.DataError, match="nothing to score"):
            scorer.compute()

    def test_a_profile_and_choices_can_be_given(self) -> None:
        scorer = cb.Scorer("coval-keep", measures="lea")
        scorer.update(clusters("AB"), clusters("AB"))
        assert set(scorer.compute()) == {"lea_recall", "lea_precision", "lea_f1", "signature"}


def test_an_unnamed_update_does_not_overwrite_a_document_that_is_named_by_a_number() -> None:
    scorer = cb.Scorer()
    chain = [[(0, 0), (3, 3)]]
    scorer.update(key=chain, response=chain, document="1")
    scorer.update(key=chain, response=[])
    assert scorer.result()["muc"].recall == 0.5


def test_drop_is_another_word_for_strip() -> None:
    chain = [[(0, 0), (3, 3)], [(5, 5)]]
    dropped = cb.score_clusters(chain, chain, singletons="drop")
    assert "|singletons:strip|" in str(dropped.signature)
