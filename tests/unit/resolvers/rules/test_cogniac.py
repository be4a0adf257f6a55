"""Each rule of CogNIAC on an example that earlier rules pass on, and the decisions E1 to E8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.english.pronouns import ANIMATE, FEMININE, MASCULINE, NEUTER, Agreement
from corefbench.resolvers.base import Resolution
from corefbench.resolvers.rules.cogniac import CogNIAC, CogNIACMuc6, CogNIACRobust, Entities
from tests.trees import discourse

NAMES = {"Bob", "Jim", "Tom", "Carl", "Ann", "Sue"}


def sentence(text: str) -> str:
    """Rows from ``word/tag/head/relation``; the commonest tags have a letter.

    N name, C noun, V verb, P pronoun, S possessive, D determiner, I preposition, M subordinator.
    """
    tags = {
        "N": ("PROPN", "NNP"),
        "C": ("NOUN", "NN"),
        "V": ("VERB", "VBD"),
        "P": ("PRON", "PRP"),
        "S": ("PRON", "PRP$"),
        "D": ("DET", "DT"),
        "I": ("ADP", "IN"),
        "M": ("SCONJ", "IN"),
        "G": ("PART", "POS"),
        "X": ("PUNCT", "''"),
        "A": ("AUX", "VBD"),
    }
    rows = []
    for cell in text.split():
        word, tag, head, relation = cell.split("/")
        upos, xpos = tags[tag]
        lemma = {"said": "say"}.get(word, word.lower())
        row = f"{word} {lemma} {upos} {xpos} {head} {relation}"
        rows.append(row + (" [person]" if word in NAMES else ""))
    return "\n".join(rows)


def document(*sentences: str) -> Discourse:
    return discourse("\n\n".join(map(sentence, sentences)))


def last(resolution: Resolution) -> tuple[str | None, str]:
    """The antecedent of the last pronoun and the rule that found it."""
    of, decision = resolution.discourse, resolution.decisions[-1]
    chosen = decision.antecedent
    return None if chosen is None else of.text_of(of.phrases[chosen]), decision.rule


TOM_SLEPT = "Tom/N/2/nsubj slept/V/0/root"
BOB_LEFT = "Bob/N/2/nsubj left/V/0/root"
BOB_MET_JIM = "Bob/N/2/nsubj met/V/0/root Jim/N/2/obj"
HE_SMILED = "He/P/2/nsubj smiled/V/0/root"
SHE_SMILED = "She/P/2/nsubj smiled/V/0/root"
ANN_SANG = "Ann/N/2/nsubj sang/V/0/root"
MET_NEAR_HIS_HOUSE = "Bob/N/2/nsubj met/V/0/root Jim/N/2/obj near/I/6/case his/S/6/nmod:poss house/C/2/obl"

EXAMPLES = {
    "1 unique in discourse": (
        ("Ann/N/2/nsubj met/V/0/root Bob/N/2/obj", "Sue/N/2/nsubj sang/V/0/root", HE_SMILED),
        ("Bob", "unique in discourse"),
    ),
    "1 comes before 2": (("Bob/N/2/nsubj hurt/V/0/root himself/P/2/obj",), ("Bob", "unique in discourse")),
    "2 reflexive": ((TOM_SLEPT, "Bob/N/2/nsubj hurt/V/0/root himself/P/2/obj"), ("Bob", "reflexive")),
    "2 comes before 3": ((TOM_SLEPT, ANN_SANG, "Bob/N/2/nsubj hurt/V/0/root himself/P/2/obj"), ("Bob", "reflexive")),
    "3 unique in current and prior": (
        (TOM_SLEPT, BOB_LEFT, HE_SMILED),
        ("Bob", "unique in current and prior sentence"),
    ),
    "3 comes before 4": (
        (
            TOM_SLEPT,
            ANN_SANG,
            "Bob/N/2/nsubj lost/V/0/root his/S/4/nmod:poss hat/C/2/obj",
            "His/S/2/nmod:poss dog/C/3/nsubj barked/V/0/root",
        ),
        ("his", "unique in current and prior sentence"),
    ),
    "4 possessive": (
        (TOM_SLEPT, MET_NEAR_HIS_HOUSE, "His/S/2/nmod:poss dog/C/3/nsubj barked/V/0/root"),
        ("his", "possessive"),
    ),
    "4 comes before 5": (
        (TOM_SLEPT, MET_NEAR_HIS_HOUSE, "Carl/N/2/nsubj washed/V/0/root his/S/4/nmod:poss dog/C/2/obj"),
        ("his", "possessive"),
    ),
    "5 unique in current": (
        (BOB_MET_JIM, "Carl/N/2/nsubj said/V/0/root he/P/4/nsubj left/V/2/ccomp"),
        ("Carl", "unique in current sentence"),
    ),
    "5 comes before 6": (
        (BOB_MET_JIM, "When/M/3/mark Carl/N/3/nsubj left/V/5/advcl he/P/5/nsubj smiled/V/0/root"),
        ("Carl", "unique in current sentence"),
    ),
    "6 unique subject": ((BOB_MET_JIM, HE_SMILED), ("Bob", "unique subject")),
    "7 backward center": (
        (BOB_MET_JIM, "He/P/2/nsubj gave/V/0/root Jim/N/2/iobj his/S/5/nmod:poss hat/C/2/obj"),
        ("He", "backward center"),
    ),
    "8 most recent": ((BOB_MET_JIM, "Ann/N/2/nsubj saw/V/0/root him/P/2/obj"), ("Jim", "most recent")),
    "two that rank the same are no center": (
        (
            TOM_SLEPT,
            "News/C/2/nsubj showed/V/0/root Bob/N/2/obj to/I/5/case Sue/N/2/obl",
            "He/P/2/nsubj told/V/0/root her/P/2/iobj near/I/5/case Tom/N/2/obl his/S/7/nmod:poss name/C/2/obj",
        ),
        ("Tom", "most recent"),
    ),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_rules_fire_in_their_order(example: str) -> None:
    sentences, expected = EXAMPLES[example]
    assert last(CogNIACRobust().resolve(document(*sentences))) == expected


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name[0] in "123456"])
def test_the_first_six_rules_are_those_of_high_precision(example: str) -> None:
    sentences, expected = EXAMPLES[example]
    assert last(CogNIAC().resolve(document(*sentences))) == expected


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name[0] not in "123456"])
def test_without_resolve_all_ambiguous_pronouns_are_left_alone(example: str) -> None:
    sentences, _ = EXAMPLES[example]
    assert last(CogNIAC().resolve(document(*sentences))) == (None, "ambiguous")


def test_the_confidence_is_the_precision_that_baldwin_measured() -> None:
    resolution = CogNIACRobust().resolve(document(BOB_MET_JIM, HE_SMILED))
    assert resolution.decisions[0].confidence == 24 / 30


class TestDecisions:
    def test_e1_a_repeated_name_is_one_entity(self) -> None:
        of = document(BOB_LEFT, BOB_LEFT, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("Bob", "unique in discourse")
        assert CogNIAC().resolve(of).decisions[0].antecedent == 1
        assert last(CogNIAC(count="mentions").resolve(of)) == ("Bob", "unique in current and prior sentence")

    def test_e1_a_part_of_a_name_is_the_same_entity(self) -> None:
        of = document("Bob/N/3/nsubj Tucker/N/1/flat left/V/0/root", BOB_LEFT, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("Bob", "unique in discourse")

    def test_e1_a_resolved_pronoun_joins_the_entity_of_its_antecedent(self) -> None:
        of = document(BOB_LEFT, HE_SMILED, ANN_SANG, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("He", "unique in discourse")
        assert len(CogNIAC().resolve(of).chains()) == 1

    def test_e1_a_predicate_is_no_second_entity(self) -> None:
        of = document("Bob/N/4/nsubj was/A/4/cop a/D/4/det singer/C/0/root", HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("Bob", "unique in discourse")
        assert last(CogNIAC(descriptions=False).resolve(of))[1] != "unique in discourse"

    def test_e1_an_unresolved_pronoun_may_be_ignored(self) -> None:
        of = document(BOB_MET_JIM, "Ann/N/2/nsubj saw/V/0/root him/P/2/obj", ANN_SANG, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == (None, "ambiguous")
        of = document(BOB_MET_JIM, "Ann/N/2/nsubj saw/V/0/root him/P/2/obj", HE_SMILED, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("He", "unique in current and prior sentence")
        assert last(CogNIAC(unresolved="ignored").resolve(of)) == (None, "ambiguous")

    def test_e1_an_entity_is_excluded_if_one_of_its_mentions_is(self) -> None:
        of = document("Bob/N/2/nsubj said/V/0/root he/P/4/nsubj saw/V/2/ccomp him/P/4/obj")
        assert last(CogNIACRobust().resolve(of)) == (None, "no candidate")

    def test_e2_a_reflexive_without_antecedent_in_its_sentence_goes_on(self) -> None:
        of = document(TOM_SLEPT, BOB_LEFT, "Art/C/4/nsubj of/I/3/case himself/P/1/nmod fell/V/0/root")
        assert last(CogNIAC().resolve(of)) == ("Bob", "unique in current and prior sentence")
        assert last(CogNIAC(reflexives="stop").resolve(of)) == (None, "ambiguous")

    def test_e3_rule_4_matches_whatever_the_case_and_counts_tokens(self) -> None:
        twice = (
            "Bob/N/2/nsubj gave/V/0/root Jim/N/2/iobj his/S/5/nmod:poss hat/C/2/obj "
            "near/I/8/case his/S/8/nmod:poss house/C/2/obl"
        )
        of = document(TOM_SLEPT, twice, "His/S/2/nmod:poss dog/C/3/nsubj barked/V/0/root")
        assert last(CogNIAC().resolve(of)) == (None, "ambiguous")

    def test_e3_her_as_an_object_is_no_possessive(self) -> None:
        of = document(
            "Ann/N/2/nsubj met/V/0/root Sue/N/2/obj",
            "Bob/N/2/nsubj saw/V/0/root her/P/2/obj",
            "Her/S/2/nmod:poss dog/C/3/nsubj barked/V/0/root",
        )
        assert last(CogNIAC().resolve(of))[1] != "possessive"

    def test_e4_the_prior_sentence_may_be_in_another_paragraph(self) -> None:
        text = "\n\n".join(map(sentence, (TOM_SLEPT, BOB_LEFT))) + "\n\n==\n" + sentence(HE_SMILED)
        of = discourse(text)
        assert last(CogNIAC().resolve(of)) == ("Bob", "unique in current and prior sentence")
        assert last(CogNIAC(paragraphs=False).resolve(of)) == (None, "ambiguous")

    def test_e5_rule_6_looks_inside_the_subject(self) -> None:
        mother = "Bob/N/3/nmod:poss 's/G/1/case mother/C/4/nsubj met/V/0/root Jim/N/4/obj"
        of = document(mother, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == ("Bob's", "unique subject")
        assert last(CogNIAC(subjects="whole").resolve(of)) == (None, "ambiguous")

    def test_e5_only_the_subject_of_the_main_clause_will_do(self) -> None:
        late = "Ann/N/2/nsubj said/V/0/root he/P/4/nsubj left/V/2/ccomp"
        assert last(CogNIAC().resolve(document(BOB_MET_JIM, late))) == (None, "ambiguous")

    def test_e6_rule_8_has_no_window_unless_one_is_set(self) -> None:
        of = document(BOB_MET_JIM, *[ANN_SANG] * 5, HE_SMILED)
        assert last(CogNIACRobust().resolve(of)) == ("Jim", "most recent")
        assert last(CogNIACRobust(window=3).resolve(of))[0] is None

    def test_e7_without_possible_antecedent_there_is_no_answer(self) -> None:
        of = document(ANN_SANG, HE_SMILED)
        assert last(CogNIACRobust().resolve(of)) == (None, "no candidate")

    def test_e8_there_is_no_cataphora(self) -> None:
        of = document("When/M/3/mark he/P/3/nsubj left/V/5/advcl Bob/N/5/nsubj smiled/V/0/root")
        assert last(CogNIACRobust().resolve(of)) == (None, "no candidate")


class TestMuc6:
    def test_it_looks_further_back_step_by_step(self) -> None:
        of = document(TOM_SLEPT, *[ANN_SANG] * 4, BOB_LEFT, *[ANN_SANG] * 2, HE_SMILED)
        assert last(CogNIAC().resolve(of)) == (None, "ambiguous")
        assert last(CogNIACMuc6().resolve(of)) == ("Bob", "unique further back")

    def test_two_in_one_step_are_ambiguous(self) -> None:
        of = document(TOM_SLEPT, BOB_LEFT, *[ANN_SANG] * 3, HE_SMILED)
        assert last(CogNIACMuc6().resolve(of)) == (None, "ambiguous")

    def test_the_subject_of_the_clause_is_the_last_resort(self) -> None:
        assert last(CogNIACMuc6().resolve(document(MET_NEAR_HIS_HOUSE))) == ("Bob", "subject of the clause")

    def test_rules_4_7_and_8_are_off(self) -> None:
        for example in ("7 backward center", "8 most recent"):
            sentences, (_, rule) = EXAMPLES[example]
            assert last(CogNIACMuc6().resolve(document(*sentences)))[1] != rule

    def test_a_speaker_is_not_he_in_the_quotation(self) -> None:
        of = document(BOB_MET_JIM, 'Bob/N/2/nsubj said/V/0/root "/X/5/punct he/P/5/nsubj left/V/2/ccomp "/X/5/punct')
        assert last(CogNIACMuc6().resolve(of)) == ("Jim", "unique in discourse")
        assert last(CogNIAC().resolve(of))[0] == "Bob"


def test_the_candidates_show_whether_there_was_a_choice() -> None:
    of = document(BOB_MET_JIM, *[ANN_SANG] * 5, HE_SMILED)
    decision = CogNIAC().resolve(of).decisions[0]
    assert [(of.text_of(of.phrases[candidate.phrase]), candidate.dropped) for candidate in decision.candidates] == [
        ("Bob", ""),
        ("Jim", ""),
        ("Ann", "gender"),
    ]


def test_names_that_match_are_linked() -> None:
    assert CogNIAC().resolve(document(BOB_LEFT, BOB_LEFT)).links == ((0, 1),)


@pytest.mark.parametrize("settings", [{"count": "sheep"}, {"window": -1}, {"subjects": ""}, {"reflexives": 3}])
def test_invalid_parameters_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        CogNIAC(**settings)  # type: ignore[arg-type]


def test_the_signature_has_what_is_not_default() -> None:
    empty = discourse("")
    assert CogNIACRobust(window=4).resolve(empty).resolver == "cogniac-robust(window=4)"
    assert CogNIACMuc6().resolve(empty).resolver == "cogniac-muc6"


@pytest.mark.parametrize("text", ["", "It it PRON PRP 0 root", "Yes yes INTJ UH 0 root"])
@pytest.mark.parametrize("kind", [CogNIAC, CogNIACRobust, CogNIACMuc6])
def test_odd_documents_pass(text: str, kind: type[CogNIAC]) -> None:
    resolution = kind().resolve(discourse(text))
    assert all(decision.antecedent is None for decision in resolution.decisions)


AGREEMENTS = [
    Agreement(number=number, gender=gender)
    for number in (1, 2, 3)
    for gender in (MASCULINE, FEMININE, ANIMATE, NEUTER, 7)
]


def mention(index: int, agreement: Agreement) -> Phrase:
    return Phrase(
        index=index, start=index, end=index + 1, core=(index, index + 1), head=index,
        sentence=index, kind="nominal", pronoun=None, agreement=agreement, function="other",
        embedded=False, adjunct=False, prepositional=False, definiteness="neither", clause=0,
    )  # fmt: skip


def test_mentions_that_clash_keep_what_was_said_first() -> None:
    assert Agreement(gender=MASCULINE).merge(Agreement(gender=FEMININE)).gender == MASCULINE


@given(
    st.lists(st.tuples(st.sampled_from(AGREEMENTS), st.integers(min_value=0, max_value=9), st.booleans()), max_size=40),
    st.sampled_from(AGREEMENTS),
)
def test_what_is_possible_is_what_a_scan_of_everything_finds(
    read: list[tuple[Agreement, int, bool]], wanted: Agreement
) -> None:
    entities = Entities()
    known = []
    for index, (agreement, choice, describes) in enumerate(read):
        phrase = mention(index, agreement)
        entity = known[choice] if choice < len(known) else None
        if entity is not None and describes:
            entities.describe(phrase, entity)
            continue
        entities.add(phrase, entity)
        if entity is None:
            new_entity = entities.of(phrase)
            assert new_entity is not None
            known.append(new_entity)
    expected = [entity for entity in known if not entity.agreement.clash(wanted)]
    expected.sort(key=lambda entity: -entity.latest.index)
    assert list(entities.possible(wanted)) == expected
