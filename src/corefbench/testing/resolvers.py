"""Conformance checks for resolvers: they answer within the document, and always the same."""

from collections.abc import Callable, Iterator

import msgspec

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.base import BatchResolver, Resolution, Resolver
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
    first = resolver() if callable(resolver) else resolver
    second = resolver() if callable(resolver) else resolver
    who = f"resolver {first.card.name}"
    _check_card(first, who)
    documents = dict(_documents(preprocess))
    answers = {name: _answer(first, discourse, f"{who}, {name}") for name, discourse in documents.items()}
    # In another order, so that answers that depend on earlier documents are noticed.
    for name, discourse in reversed(documents.items()):
        again = _answer(second, discourse, f"{who}, {name}")
        same = again.decisions == answers[name].decisions and again.chains() == answers[name].chains()
        require(same, f"{who}, {name}", "the answer is the same in any order and every time")
    if isinstance(first, BatchResolver):
        batch = [resolution.chains() for resolution in first.resolve_many(documents.values())]
        same = batch == [resolution.chains() for resolution in answers.values()]
        require(same, who, "`resolve_many` answers what `resolve` does, in the same order")


def _documents(preprocess: str) -> Iterator[tuple[str, Discourse]]:
    """Yield texts with the pipeline's phrases, and documents with given mentions."""
    for name, text in {**TEXTS, **EMPTY}.items():
        yield name, read_text(text, name, preprocess=preprocess)
    for discourse in read_discourses(marked_corpus(), preprocess=preprocess, mentions=True):
        yield f"{discourse.analysis.name}, given mentions", discourse


def _check_card(resolver: Resolver, who: str) -> None:
    require_card(resolver.card, who, "title", "description")
    for parameter in resolver.card.parameters:
        name = parameter.name
        require(hasattr(resolver, name), who, f"its parameter {name} is an attribute of its instances")
        value = getattr(resolver, name)
        require(value == parameter.default, who, f"its parameter {name} is at the default of the card", value)


def _answer(resolver: Resolver, discourse: Discourse, who: str) -> Resolution:
    before = msgspec.json.encode(discourse)
    try:
        resolution = resolver.resolve(discourse)
    except Exception as error:
        raise Nonconformance(f"{who}: every document has an answer; found {type(error).__name__}: {error}") from error
    require(msgspec.json.encode(discourse) == before, who, "the input is not changed")
    require(isinstance(resolution, Resolution), who, "the answer is a Resolution", resolution)
    require(resolution.discourse is discourse, who, "the answer is about the document it was given")
    is_named = resolution.resolver.startswith(resolver.card.name)
    require(is_named, who, "the answer names the resolver as its card does", resolution.resolver)
    _check_phrases(resolution, who)
    return resolution


def _check_phrases(resolution: Resolution, who: str) -> None:
    count = len(resolution.discourse.phrases)

    def check_phrase(phrase: int | None, what: str) -> None:
        require(phrase is None or 0 <= phrase < count, who, f"{what} is a phrase of the document", phrase)

    for decision in resolution.decisions:
        check_phrase(decision.anaphor, "an anaphor")
        check_phrase(decision.antecedent, "an antecedent")
        require(decision.antecedent != decision.anaphor, who, "no phrase is its own antecedent", decision.anaphor)
        for candidate in decision.candidates:
            check_phrase(candidate.phrase, "a candidate")
        confidence = decision.confidence
        require(confidence is None or 0 <= confidence <= 1, who, "confidence lies between 0 and 1", confidence)
    for phrase in (*(end for link in resolution.links for end in link), *(resolution.mentions or ())):
        check_phrase(phrase, "what is linked or mentioned")
    members = [phrase for chain in resolution.chains() for phrase in chain]
    require(len(set(members)) == len(members), who, "a phrase is in one chain at most")
