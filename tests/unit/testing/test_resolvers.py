"""The kit finds a resolver at fault that breaks a rule, and none of the built-in ones."""

from itertools import count

import pytest
from msgspec.structs import replace

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import Decision, Resolution, ResolverCard, resolvers
from corefbench.resolvers.base import Parameter
from corefbench.testing import Nonconformance, check_resolver

OF_OTHERS = {"ubiu", "neural", "fastcoref", "maverick", "stanza-coref", "spacy-coref", "coreferee",
             "command"}  # fmt: skip
"""Resolvers that need a model or a program."""


@pytest.mark.parametrize("name", [name for name in resolvers if name not in OF_OTHERS])
def test_the_built_in_resolvers_keep_the_rules(name: str) -> None:
    check_resolver(resolvers[name])


class Mine:
    """Links every anaphor with the phrase before it."""

    card = ResolverCard(name="mine", title="Mine", description="The phrase before.")

    def resolve(self, discourse: Discourse) -> Resolution:
        return Resolution(resolver="mine", discourse=discourse, decisions=tuple(map(self.decide, discourse.anaphors)))

    def decide(self, phrase) -> Decision:
        return Decision(anaphor=phrase.index, antecedent=phrase.index - 1 if phrase.index else None)


class OutOfReach(Mine):
    def decide(self, phrase) -> Decision:
        return Decision(anaphor=phrase.index, antecedent=phrase.index + 1000)


class Reflexive(Mine):
    def decide(self, phrase) -> Decision:
        return Decision(anaphor=phrase.index, antecedent=phrase.index)


class Moody(Mine):
    moods = count()

    def decide(self, phrase) -> Decision:
        return super().decide(phrase) if next(self.moods) % 3 else Decision(anaphor=phrase.index, antecedent=None)


class Remembers(Mine):
    def __init__(self) -> None:
        self.seen = 0

    def resolve(self, discourse: Discourse) -> Resolution:
        self.seen += 1
        made = super().resolve(discourse)
        return made if self.seen % 2 else replace(made, decisions=())


class NeedsText(Mine):
    def resolve(self, discourse: Discourse) -> Resolution:
        discourse.analysis.words[0]
        return super().resolve(discourse)


class TooSure(Mine):
    def decide(self, phrase) -> Decision:
        return Decision(anaphor=phrase.index, antecedent=None, confidence=3.0)


class Anonymous(Mine):
    def resolve(self, discourse: Discourse) -> Resolution:
        return replace(super().resolve(discourse), resolver="someone")


class Forgetful(Mine):
    card = replace(Mine.card, parameters=(Parameter(name="reach", default=3, meaning="How far."),))


class Mismatched(Forgetful):
    reach = 4


class Batch(Mine):
    def resolve_many(self, discourses):
        return map(self.resolve, reversed(list(discourses)))


def test_a_resolver_that_keeps_the_rules_passes() -> None:
    check_resolver(Mine)
    check_resolver(Mine())


@pytest.mark.parametrize(
    ("resolver", "rule"),
    [
        (OutOfReach, "an antecedent is a phrase of the document; found"),
        (Reflexive, "no phrase is its own antecedent"),
        (Moody, "the same in any order and every time"),
        (Remembers, "the same in any order and every time"),
        (NeedsText, "empty: every document has an answer; found IndexError"),
        (TooSure, "confidence lies between 0 and 1; found 3.0"),
        (Anonymous, "names the resolver"),
        (Forgetful, "reach is an attribute"),
        (Mismatched, "reach is at the default of the card; found 4"),
        (Batch, "`resolve_many` answers what `resolve` does"),
    ],
)
def test_a_resolver_that_breaks_a_rule_is_told_which(resolver, rule: str) -> None:
    with pytest.raises(Nonconformance, match=rule):
        check_resolver(resolver)
