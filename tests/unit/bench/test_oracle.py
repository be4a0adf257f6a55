"""The oracle on two documents whose answers can be worked out by hand."""

import pytest

import corefbench as cb
from corefbench.errors import UnknownName
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import Resolution, resolvers
from corefbench.resolvers.adapters.chains import resolution_from_chains
from corefbench.resolvers.base import ResolverCard
from tests.unit.bench.texts import corpus


@pytest.fixture(scope="module")
def study() -> cb.Oracle:
    return cb.oracle(corpus(), ["most-recent"], mode="annotated")


def test_a_resolver_that_is_not_given_the_rival_is_right(study: cb.Oracle) -> None:
    # Of nine mentions her book and a cat are singletons; without the cat, It can only be the dog.
    assert study.mentions == {"detected": 0, "gold": 9, "non-singleton gold": 7}
    best = study["most-recent"]["non-singleton gold"]
    assert best.conll is not None
    assert best.conll.f1 == 1.0


@pytest.mark.parametrize("given", ["detected", "gold"])
def test_with_the_rival_the_nearest_is_wrong(study: cb.Oracle, given: str) -> None:
    # It → a cat. MUC 3/4; B³ (5 + ½) / 7; CEAFe (1 + 1 + ½) / 3, recall and precision alike.
    result = study["most-recent"][given]
    assert result["muc"].f1 == pytest.approx(3 / 4)
    assert result["b_cubed"].f1 == pytest.approx(5.5 / 7)
    assert result["ceaf_e"].f1 == pytest.approx(2.5 / 3)


def test_the_words_say_what_is_due_to_detection_and_what_to_singletons(study: cb.Oracle) -> None:
    first, second = study.explanation()
    assert first == (
        "Given all gold mentions, most-recent stays at 78.97; given only those that are in "
        "chains, it gains 21.03 points (78.97 → 100.00)."
    )
    assert second.endswith("0.00 are due to finding the mentions, 21.03 to being told which of them are in chains.")


def test_the_signature_names_the_mentions_that_were_given(study: cb.Oracle) -> None:
    signature = study.signature("most-recent", "non-singleton gold")
    head = "most-recent|given:non-singleton gold|mode:annotated|preprocess:conllu|conll-2012|"
    assert signature.startswith(head)
    assert "|singletons:strip|" in signature


def test_singletons_may_count(study: cb.Oracle) -> None:
    kept = cb.oracle(corpus(), ["most-recent"], mode="annotated", singletons="keep")
    recall = kept["most-recent"]["non-singleton gold"]["mentions"].recall
    assert recall == pytest.approx(7 / 9)


@pytest.fixture
def headstrong(monkeypatch: pytest.MonkeyPatch) -> str:
    """A resolver with mentions of its own: the first two words of every document."""

    class Headstrong:
        card = ResolverCard(name="headstrong", title="Headstrong", description="Has its own way.", resolves="chains")

        def resolve(self, discourse: Discourse) -> Resolution:
            return resolution_from_chains("headstrong", discourse, [[(0, 2), (2, 4)]])

    monkeypatch.setattr(resolvers, "_entries", dict(resolvers._entries))
    resolvers.register("headstrong")(Headstrong)
    return "headstrong"


def test_resolvers_with_mentions_of_their_own_are_listed(headstrong: str) -> None:
    study = cb.oracle(corpus(), [headstrong, "most-recent"], mode="annotated")
    assert study.own_mentions == ("headstrong",)
    assert study.explanation()[0] == ("headstrong answers with mentions of its own: what it is given changes little.")


def test_the_number_of_processes_does_not_matter(study: cb.Oracle) -> None:
    again = cb.oracle(corpus(), ["most-recent"], mode="annotated", jobs=2)
    for given, result in study["most-recent"].items():
        assert again["most-recent"][given].signature == result.signature


def test_unknown_names_raise(study: cb.Oracle) -> None:
    with pytest.raises(UnknownName):
        cb.oracle(corpus(), ["most-recnt"], mode="annotated")
    with pytest.raises(UnknownName, match="resolver of this study"):
        study["sieve"]
