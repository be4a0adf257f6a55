"""Mention types from tags, annotation and words; bins, their order and names."""

import pytest

from corefbench.analysis.errors.strata import (
    STRATA,
    bin_values,
    classify_mentions,
    head_by_words,
    parse_stratum,
    sort_strata,
)
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UnknownName
from corefbench.formats.load import load
from tests.unit.analysis.errors.texts import corpus


def types(corpus: Corpus) -> list[str]:
    words = [] if corpus.tokens.words is None else list(corpus.tokens.words)
    return list(classify_mentions(corpus, corpus.tokens, words).type)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1 She ] saw [2 each other ]", ["pronoun", "pronoun"]),
        ("[1 Mary Ann ] left", ["name"]),
        ("[1 the mayor of Rome ] left", ["nominal"]),
        ("[1 the old Mr. Lee ] left", ["name"]),
        # "Dogs" opens the sentence, and the text has it in lower case too: no name.
        ("[1 Dogs ] bark . / Some dogs [2 Rex ] do not", ["nominal", "name"]),
        ("He met [1 those people ] and [2 someone ]", ["nominal", "pronoun"]),
    ],
)
def test_without_tags_words_and_capitals_decide(text, expected):
    assert types(corpus(text)) == expected


def test_tags_decide_before_capitals():
    cells = [
        "Apples",
        "NNS",
        "(1)",
        "and",
        "CC",
        "-",
        "iOS",
        "NNP",
        "(2)",
        "ran",
        "VBD",
        "(3)",
        "that",
        "IN",
        "(4)",
        "él",
        "PRP",
        "(5)",
    ]
    rows = zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    lines = [f"d 0 {i} {w} {t} - - - - - - {c}" for i, (w, t, c) in enumerate(rows)]
    text = "\n".join(["#begin document (d); part 000", *lines, "#end document", ""])
    made = load(text.encode())
    assert types(made) == ["nominal", "name", "event", "nominal", "pronoun"]


def test_annotated_events_are_events_unless_they_are_pronouns():
    build = CorpusBuilder("events")
    build.begin_document("d")
    build.sentence(["The", "attack", "shook", "it"])
    build.mention("1", [(0, 2)], columns={"kind": "event"})
    build.mention("1", [(2, 3)], columns={"kind": "event"})
    build.mention("1", [(3, 4)], columns={"kind": "event"})
    assert types(build.finish()) == ["event", "event", "pronoun"]


def test_zeros_are_mentions_whose_head_is_an_empty_node():
    text = (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
        "0.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-person-1-)\n"
        "1\tvino\tvenir\tVERB\t_\t_\t0\troot\t0:root\tEntity=(e2-event-1-)\n\n"
    )
    assert types(load(text.encode())) == ["zero", "event"]


def test_a_corpus_without_words_has_unknown_mentions():
    from corefbench.scoring.clusters import corpus_from_clusters

    assert types(corpus_from_clusters([[(0, 0), (2, 2)]], "k")) == ["unknown", "unknown"]


def test_pronouns_have_their_form_and_gender():
    made = corpus("[1 Her ] dog saw [2 him ] and [3 it ] and [4 them ] and [5 Ann ]")
    found = classify_mentions(made, made.tokens, list(made.tokens.words or []))
    assert found.form == ["her", "him", "it", "them", ""]
    assert found.gender == ["feminine", "masculine", "neuter", "open", ""]


def test_the_head_by_words_is_the_last_before_what_follows_a_noun():
    assert head_by_words(["the", "man", "who", "knew"], 0, 4) == 1
    assert head_by_words(["Rome", ",", "Italy"], 0, 3) == 0
    assert head_by_words(["the", "dog", "'s"], 0, 3) == 1


def test_heads_are_those_of_the_trees_where_the_file_has_them():
    # By words alone the head of "the dog barking" is "barking"; in the tree it is "dog". Of what is
    # no phrase, "dog barking", the words decide.
    rows = [("the", "DT", "(TOP(NP(NP*", "(1"), ("dog", "NN", "*)", "(2"), ("barking", "VBG", "(VP*)))", "1)|2)")]
    lines = [f"d 0 {i} {w} {t} {p} - - - - - {c}" for i, (w, t, p, c) in enumerate(rows)]
    text = "\n".join(["#begin document (d); part 000", *lines, "#end document", ""])
    made = load(text.encode())
    found = classify_mentions(made, made.tokens, list(made.tokens.words or []))
    assert found.head == [1, 2]


def test_bins_are_closed_but_for_the_last():
    assert bin_values("size", [1, 2, 3, 5, 6, 21, 400]) == ["1", "2", "3–5", "3–5", "6–10", "21+", "21+"]
    assert bin_values("length", [0, 249, 250, 4999, 5000]) == [
        "0–249", "0–249", "250–499", "2000–4999", "5000+",
    ]  # fmt: skip


def test_no_antecedent_is_a_stratum_of_its_own_and_comes_last():
    assert bin_values("mentions", [-1, 0]) == ["first", "0"]
    assert sort_strata("mentions", ["first", "11–20", "0", "3–5"]) == ["0", "3–5", "11–20", "first"]


def test_types_have_their_own_order_and_forms_the_alphabet():
    assert sort_strata("type", ["zero", "nominal", "pronoun"]) == ["pronoun", "nominal", "zero"]
    assert sort_strata("pronoun", ["no pronoun", "she", "he"]) == ["he", "she", "no pronoun"]


def test_other_names_lead_to_the_stratum_and_unknown_ones_are_refused():
    assert parse_stratum("distance") == "sentences"
    assert all(parse_stratum(name) == name for name in STRATA)
    with pytest.raises(UnknownName, match="did you mean genre"):
        parse_stratum("genres")
