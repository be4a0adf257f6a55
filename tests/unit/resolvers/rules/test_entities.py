"""The entities of a discourse: merged agreement, and the order of their last mention."""

from hypothesis import given
from hypothesis import strategies as st

from corefbench.preprocess.discourse import Phrase
from corefbench.preprocess.english.agreement import ANIMATE, FEMININE, MASCULINE, NEUTER, Agreement
from corefbench.resolvers.rules.entities import Entities, merge_agreement

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
    assert merge_agreement(Agreement(gender=MASCULINE), Agreement(gender=FEMININE)).gender == MASCULINE


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
            found = entities.of(phrase)
            assert found is not None
            known.append(found)
    expected = [one for one in known if not one.agreement.clash(wanted)]
    expected.sort(key=lambda one: -one.latest.index)
    assert list(entities.possible(wanted)) == expected
