"""Whether a resolver keeps the rules: it answers within the document, and always the same."""

from collections.abc import Callable, Iterator

import msgspec

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.base import BatchResolver, Resolver
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.resolve import read_discourses, read_text
from corefbench.testing.corpora import EMPTY, TEXTS, marked_corpus
from corefbench.testing.rules import Nonconformance, require, require_card


def check_resolver(resolver: Resolver | Callable[[], Resolver], *, preprocess: str = "en-words") -> None:
    """Check the card, that answers lie in the document, do not change it, and are always the same.

    ``preprocess`` is the pre-processor of the texts it is tried on. Give the class rather than an
    instance: then two instances must agree, too.

    >>> from corefbench.resolvers.rules.baselines import MostRecent
    >>> check_resolver(MostRecent)
    """
    made = resolver() if callable(resolver) else resolver
    again = resolver() if callable(resolver) else resolver
    who = f"resolver {made.card.name}"
    _check_card(made, who)
    found = list(_documents(preprocess))
    answers = []
    for name, discourse in found:
        answers.append(_answer(made, discourse, f"{who}, {name}"))
    for (name, discourse), answer in reversed(list(zip(found, answers, strict=True))):
        second = _answer(again, discourse, f"{who}, {name}")
        same = second.decisions == answer.decisions and second.chains() == answer.chains()
        require(same, f"{who}, {name}", "the answer is the same in any order and every time")
    if isinstance(made, BatchResolver):
        many = list(made.resolve_many(discourse for _, discourse in found))
        same = [one.chains() for one in many] == [one.chains() for one in answers]
        require(same, who, "`resolve_many` answers what `resolve` does, in the same order")


def _documents(preprocess: str) -> Iterator[tuple[str, Discourse]]:
    """Texts with the pipeline's phrases, and documents with given mentions."""
    for name, text in {**TEXTS, **EMPTY}.items():
        yield name, read_text(text, name, preprocess=preprocess)
    for one in read_discourses(marked_corpus(), preprocess=preprocess, mentions=True):
        yield f"{one.analysis.name}, given mentions", one


def _check_card(made: Resolver, who: str) -> None:
    require_card(made.card, who, "title", "description")
    for parameter in made.card.parameters:
        there = hasattr(made, parameter.name)
        require(there, who, f"its parameter {parameter.name} is an attribute of its instances")
        value = getattr(made, parameter.name)
        same = value == parameter.default
        require(same, who, f"its parameter {parameter.name} is at the default of the card", value)


def _answer(made: Resolver, discourse: Discourse, who: str) -> Resolution:
    before = msgspec.json.encode(discourse)
    try:
        resolution = made.resolve(discourse)
    except Exception as error:
        raise Nonconformance(f"{who}: every document has an answer; found {type(error).__name__}: {error}") from error
    require(msgspec.json.encode(discourse) == before, who, "the input is not changed")
    require(isinstance(resolution, Resolution), who, "the answer is a Resolution", resolution)
    require(resolution.discourse is discourse, who, "the answer is about the document it was given")
    named = resolution.resolver.startswith(made.card.name)
    require(named, who, "the answer names the resolver as its card does", resolution.resolver)
    _check_places(resolution, who)
    return resolution


def _check_places(resolution: Resolution, who: str) -> None:
    count = len(resolution.discourse.phrases)

    def inside(phrase: int | None, what: str) -> None:
        there = phrase is None or 0 <= phrase < count
        require(there, who, f"{what} is a phrase of the document", phrase)

    for decision in resolution.decisions:
        inside(decision.anaphor, "an anaphor")
        inside(decision.antecedent, "an antecedent")
        other = decision.antecedent != decision.anaphor
        require(other, who, "no phrase is its own antecedent", decision.anaphor)
        for candidate in decision.candidates:
            inside(candidate.phrase, "a candidate")
        sure = decision.confidence
        require(sure is None or 0 <= sure <= 1, who, "confidence lies between 0 and 1", sure)
    for phrase in (*(end for link in resolution.links for end in link), *(resolution.mentions or ())):
        inside(phrase, "what is linked or mentioned")
    members = [phrase for chain in resolution.chains() for phrase in chain]
    require(len(set(members)) == len(members), who, "a phrase is in one chain at most")
